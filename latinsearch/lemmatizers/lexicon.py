"""Lemmata from the lexicon that is shipped with the library: folded forms and their candidates, the likeliest first.

It is made by tools/build_lexicon.py of permissively licensed sources (data/NOTICE). The forms are a minimal automaton in one
array of 32-bit units, looked up letter by letter; what a form's candidates are is told by edits of the form, so that a line
`2- 2-us|3-` serves every form like it; after the stroke stand candidates that a search leaves out. Nothing of it is code.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from latinsearch.records import InputError

_FRONT = 96
FORMAT = 2
"""The number of the format of the data; it changes with any change of what the files mean."""

_Edits = tuple[tuple[int | None, str], ...]
"""Of each candidate: where its form is cut, counted from the end (None: not at all), and what comes in place of the rest."""


class _Lexicon(NamedTuple):
    units: array[int]
    """Low 5 bits: the label (a is 1; 0 ends a form). Above: where the next state's units begin, for label 0 the line.

    The units of the state at `place` are at place + 97 for an a to place + 122 for a z, at place + 96 for the end of a form:
    _FRONT empty units come before those of the file, so that a letter's code need not be made its label.
    """
    lines: list[str]
    likely: dict[int, _Edits]
    every: dict[int, _Edits]
    beginnings: dict[str, int | None]
    """Where the states begin that some three letters lead to, as far as they were asked for; half of the way for most."""


def _read(name: str) -> bytes:
    return files("latinsearch.lemmatizers").joinpath("data", name).read_bytes()


@lru_cache(maxsize=1)
def _meta() -> dict[str, object]:
    meta: dict[str, object] = json.loads(_read("meta.json"))
    if meta.get("format") != FORMAT:
        raise InputError(
            f"the lexicon of this installation has format {meta.get('format')}, this version reads format {FORMAT}; "
            "reinstall the package: pip install --force-reinstall latinsearch"
        )
    return meta


@lru_cache(maxsize=1)
def _loaded() -> _Lexicon:
    _meta()
    units = array("I" if array("I").itemsize == 4 else "L")
    units.frombytes(bytes(4 * _FRONT))
    units.frombytes(zlib.decompress(_read("forms.zlib")))
    if sys.byteorder == "big":
        units.byteswap()
    return _Lexicon(units, _read("edits.txt").decode("ascii").split("\n"), {}, {}, {})


def _parsed(edits: str) -> _Edits:
    return tuple((-int(cut) or None, end) for cut, _, end in (edit.partition("-") for edit in edits.split()))


def lexicon_version() -> str:
    """The checksum of the lexicon's data, short: it changes whenever an answer may.

    >>> len(lexicon_version())
    8
    """
    return str(_meta()["version"])


def _place(units: array[int], letters: str) -> int | None:
    """Where the state begins to which the first letters of a form lead, None if there is no such form."""
    place = 1
    for code in letters.encode():
        unit = units[place + code]
        if (unit ^ code) & 31:
            return None
        place = unit >> 5
    return place


def likely(form: str, further: bool = False) -> tuple[str, ...]:
    """The candidates of a folded form that a search goes by: `lexicon`'s without those that are only further possible.

    >>> likely("arma"), likely("xyz")
    (('arma', 'armo'), ())

    further: with them. It calls as little as can be: every form of every text passes here.
    """
    if not (form.isascii() and form.isalpha() and form.islower()):
        return ()
    units, lines, likely_edits, every_edits, beginnings = _loaded()
    try:
        place = beginnings[form[:3]]
    except KeyError:
        place = beginnings[form[:3]] = _place(units, form[:3])
    if place is None:
        return ()
    for code in form[3:].encode():
        unit = units[place + code]
        if (unit ^ code) & 31:
            return ()
        place = unit >> 5
    end = units[place + _FRONT]
    if end & 31:
        return ()
    number = end >> 5
    known = every_edits if further else likely_edits
    edits = known.get(number)
    if edits is None:
        first, _, others = lines[number].partition("|")
        edits = known[number] = _parsed(f"{first} {others}" if further else first)
    if len(edits) == 1:
        ((cut, ending),) = edits
        return (form[:cut] + ending,)
    return tuple([form[:cut] + ending for cut, ending in edits])


def lexicon(form: str) -> tuple[str, ...]:
    """The candidate lemmata of a folded form, the likeliest first, `()` if the lexicon does not have it.

    >>> likely("arma"), lexicon("arma"), lexicon("armauirumque")
    (('arma', 'armo'), ('arma', 'armo', 'armus'), ())

    A form that is not folded (`Virum`, `jacet`) is not in it. Order: by sources that agree and by how frequent lemma and
    ending are in unannotated Latin; after those that are `likely`, the names under which one dictionary or another has the
    word, and what else the form may be by the rules of grammar.
    """
    return likely(form, True)


def lexicon_forms() -> Iterator[str]:
    """Every form of the lexicon, in no order that means anything; 1.6 million of them, some seconds.

    >>> lexicon(next(lexicon_forms())) != ()
    True
    """
    units = _loaded().units
    last = len(units)
    stack = [(1, "")]
    while stack:
        place, form = stack.pop()
        if not units[place + _FRONT] & 31:
            yield form
        stack += [
            (units[place + code] >> 5, form + chr(code))
            for code in range(97, 123)
            if place + code < last and units[place + code] & 31 == code - 96
        ]
