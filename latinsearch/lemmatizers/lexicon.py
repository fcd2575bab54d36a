"""Lemmata from the lexicon that is shipped with the library: folded forms and their candidates, the likeliest first.

It is made by tools/build_lexicon.py of permissively licensed sources (data/NOTICE). The forms are a minimal automaton in one
array of 32-bit units, looked up letter by letter; what a form's candidates are is told by edits of the form, so that a line
`2- 2-us` serves every form like it. Nothing of it is code.
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

FORMAT = 1
"""The number of the format of the data; it changes with any change of what the files mean."""

_Edits = tuple[tuple[int, str], ...]


class _Lexicon(NamedTuple):
    units: array[int]
    """Low 5 bits: the label (a is 1; 0 ends a form). Above: where the next state's units begin, for label 0 the line."""
    lines: list[str]
    edits: dict[int, _Edits]


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
    units.frombytes(zlib.decompress(_read("forms.zlib")))
    if sys.byteorder == "big":
        units.byteswap()
    return _Lexicon(units, _read("edits.txt").decode("ascii").split("\n"), {})


def _parsed(line: str) -> _Edits:
    return tuple((int(cut), end) for cut, _, end in (edit.partition("-") for edit in line.split(" ")))


def lexicon_version() -> str:
    """The checksum of the lexicon's data, short: it changes whenever an answer may.

    >>> len(lexicon_version())
    8
    """
    return str(_meta()["version"])


def lexicon(form: str) -> tuple[str, ...]:
    """The candidate lemmata of a folded form, the likeliest first, `()` if the lexicon does not have it.

    >>> lexicon("arma"), lexicon("cano"), lexicon("armauirumque")
    (('arma', 'armo'), ('cano', 'canus'), ())

    A form that is not folded (`Virum`, `jacet`) is not in it. Order: by sources that agree and by how frequent lemma and
    ending are in unannotated Latin.
    """
    if not (form.isascii() and form.isalpha()):
        return ()
    units, lines, edits = _loaded()
    place = 1
    for code in form.encode():
        unit = units[place + code - 96]
        if (unit ^ code) & 31 or code < 97:
            return ()
        place = unit >> 5
    end = units[place]
    if end & 31:
        return ()
    number = end >> 5
    steps = edits.get(number)
    if steps is None:
        steps = edits[number] = _parsed(lines[number])
    length = len(form)
    return tuple([form[: length - cut] + tail for cut, tail in steps])


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
        if not units[place] & 31:
            yield form
        stack += [
            (units[place + label] >> 5, form + chr(96 + label))
            for label in range(1, 27)
            if place + label < last and units[place + label] & 31 == label
        ]
