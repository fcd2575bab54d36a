"""Every inflected form of Whitaker's Words: the stems of DICTLINE.GEN with the endings of INFLECTS.LAT."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lexicon.spelling import folded

RARE = "DEFGHI"
"""Whitaker's frequencies from "lesser" to "inscriptions only"; A is very frequent, X unknown."""
_STEMS = 4
_WIDTH = 19
# fields between the part of speech and the endings' stem number: class, variant, case, number, gender ...
_FIELDS = {"N": 5, "ADJ": 6, "V": 7, "VPAR": 8, "SUPINE": 5, "NUM": 6, "ADV": 1}
_GENDERS = ("M", "F", "N", "C", "X")  # X is also a case and a number that are not told
_ABSENT = ("", "zzz")
_SUM = "s                  _                  fu                 fut                V 5 1 TO_BE X X X A X be"
# DICTLINE.GEN leaves it to the program; the second stem is empty, which _ stands for (the fold drops it)


class Ending(NamedTuple):
    """One line of INFLECTS.LAT: what it says of the form, the stem it is joined to (from 0), its letters, its rarity."""

    fields: tuple[str, ...]
    stem: int
    letters: str
    age: str
    frequency: str


@dataclass(frozen=True)
class Entry:
    """One line of DICTLINE.GEN."""

    stems: tuple[str, ...]
    part: str
    fields: tuple[str, ...]
    age: str
    frequency: str
    meaning: str


class Analysis(NamedTuple):
    """A folded form, the lemma it belongs to, its place in the paradigm, and how rare Whitaker thinks word and ending are."""

    form: str
    lemma: str
    slot: str
    rarity: int


def endings(path: Path) -> dict[str, list[Ending]]:
    """The endings by part of speech, in the order of the file."""
    table: dict[str, list[Ending]] = defaultdict(list)
    for line in path.read_text(encoding="latin-1").splitlines():
        tokens = line.split("--")[0].split()
        if not tokens or tokens[0] not in _FIELDS:
            continue
        count = _FIELDS[tokens[0]]
        stem, length, *rest = tokens[1 + count :]
        letters = rest.pop(0) if length != "0" else ""
        table[tokens[0]].append(Ending(tuple(tokens[1 : 1 + count]), int(stem) - 1, letters, rest[0], rest[1]))
    return table


def entries(path: Path) -> Iterator[Entry]:
    """The entries of the dictionary, in the order of the file."""
    for line in (_SUM, *path.read_text(encoding="latin-1").splitlines()):
        stems = tuple(line[i * _WIDTH : (i + 1) * _WIDTH].strip() for i in range(_STEMS))
        part, *rest = line[_STEMS * _WIDTH :].split()
        count = {"N": 4, "ADJ": 3, "V": 3, "NUM": 4, "PRON": 3, "PACK": 3, "ADV": 1, "PREP": 1}.get(part, 0)
        age, _, _, frequency, _, *meaning = rest[count:]
        yield Entry(stems, part, tuple(rest[:count]), age, frequency, " ".join(meaning))


def _fits(entry: Entry, ending: Ending) -> bool:
    which, variant = entry.fields[:2]
    of, only = ending.fields[:2]
    return (of, only) in ((which, variant), (which, "0")) or (of == only == "0" and which != "9")


def _gender_fits(noun: str, ending: str) -> bool:
    return "X" in (noun, ending) or noun == ending or ("C" in (noun, ending) and "N" not in (noun, ending))


def _noun(entry: Entry, table: dict[str, list[Ending]]) -> tuple[str, list[tuple[Ending, str]]]:
    gender = entry.fields[2]
    fitting = [e for e in table["N"] if _fits(entry, e) and _gender_fits(gender, e.fields[4])]
    forms = _joined(entry.stems, fitting)
    number = "P" if entry.meaning.lstrip("|").startswith(("(pl.)",)) or "(pl.)" in entry.meaning.split(";")[0] else "S"
    return _first(forms, "NOM", number) or _first(forms, "NOM", "S") or _first(forms, "X", "X") or _first(
        forms, "NOM", "P"
    ), forms


def _adjective(entry: Entry, table: dict[str, list[Ending]]) -> tuple[str, list[tuple[Ending, str]]]:
    degree = entry.fields[2]
    stems = entry.stems
    if degree in ("COMP", "SUPER"):  # its one stem stands first
        stems = tuple(stems[0] for _ in range(_STEMS))
    fitting = [e for e in table["ADJ"] if _fits(entry, e) and (degree == "X" or e.fields[5] in (degree, "X"))]
    forms = _joined(stems, fitting)
    positive = [(e, form) for e, form in forms if e.fields[5] in ("POS", "X") and e.fields[4] in "MCX"]
    return (
        _first(positive, "NOM", "S")
        or _first(forms, "NOM", "S")
        or _first(forms, "X", "X")
        or _first(forms, "NOM", "P")
    ), forms


def _joined(stems: tuple[str, ...], fitting: list[Ending]) -> list[tuple[Ending, str]]:
    return [(e, stems[e.stem] + e.letters) for e in fitting if stems[e.stem] not in _ABSENT]


def _first(forms: list[tuple[Ending, str]], case: str, number: str) -> str:
    found = [(e.age != "X", e.frequency, i) for i, (e, _) in enumerate(forms) if e.fields[2:4] == (case, number)]
    return forms[min(found)[2]][1] if found else ""


def _verb(entry: Entry, table: dict[str, list[Ending]]) -> tuple[str, list[tuple[Ending, str]]]:
    kind = entry.fields[2]
    deponent = kind == "DEP"
    finite = [
        e
        for e in table["V"]
        if _fits(entry, e)
        and not (deponent and e.fields[3] == "ACTIVE")
        and not (kind == "SEMIDEP" and e.fields[3] == "PASSIVE")
        and not (kind == "PERFDEF" and e.fields[2] not in ("PERF", "PLUP", "FUTP"))
    ]
    nominal = [e for e in table["VPAR"] + table["SUPINE"] if _fits(entry, e)]
    forms = _joined(entry.stems, finite)
    for person in ("1", "3") if entry.fields[:2] != ("7", "3") else ():
        for tense in ("PRES", "PERF"):
            if kind == "IMPERS" and person == "1" and entry.fields[0] != "7":  # ait and inquit go with aio, inquam
                continue
            found = [
                (e.age != "X", e.frequency, e.fields[3] == "PASSIVE", i)
                for i, (e, _) in enumerate(forms)
                if (e.fields[2], e.fields[4], e.fields[5], e.fields[6]) == (tense, "IND", person, "S")
            ]
            if found:
                return forms[min(found)[-1]][1], forms + _joined(entry.stems, nominal)
    return entry.stems[0] + "o", forms + _joined(entry.stems, nominal)


def _invariable(entry: Entry) -> list[tuple[str, list[str]]]:
    stems = [stem for stem in entry.stems if stem not in _ABSENT]
    return [(stems[0], stems)] if stems else []


def _numeral(entry: Entry, table: dict[str, list[Ending]]) -> list[tuple[str, list[tuple[Ending, str]]]]:
    sort = entry.fields[2]
    place = {"CARD": 0, "ORD": 1, "DIST": 2, "ADVERB": 3}
    found = []
    for kind, stem in place.items():
        if sort not in ("X", kind):
            continue
        fitting = [e for e in table["NUM"] if _fits(entry, e) and e.fields[5] == kind]
        forms = _joined(
            entry.stems if sort == "X" else (entry.stems[0],) * _STEMS, [e for e in fitting if e.stem == stem]
        )
        if forms:
            found.append((forms[0][1], forms))
    return found


def analyses(folder: Path) -> Iterator[Analysis]:
    """Every form that the data of Whitaker's Words can make, with its lemma.

    folder: holds DICTLINE.GEN and INFLECTS.LAT. Pronouns are not made here: `closed.py` has them.
    rarity counts from 0: one for a rare word, one for a rare ending, one for each that is early, late or medieval.
    """
    table = endings(folder / "INFLECTS.LAT")
    make = {"N": _noun, "ADJ": _adjective, "V": _verb}
    for entry in entries(folder / "DICTLINE.GEN"):
        rarity = (entry.frequency in RARE) + (entry.age in "FGH")
        if entry.part in make:
            families = [make[entry.part](entry, table)]
        elif entry.part == "NUM":
            families = _numeral(entry, table)
        elif entry.part in ("ADV", "PREP", "CONJ", "INTERJ"):
            for lemma, forms in _invariable(entry):
                for form in forms:
                    yield Analysis(folded(form), folded(lemma), entry.part, rarity)
            continue
        else:
            continue
        for lemma, joined in families:
            if lemma and not lemma.endswith("."):
                for ending, form in joined:
                    worse = (ending.frequency in RARE) + (ending.age in "ABEFGH")
                    slot = " ".join(
                        (
                            entry.part,
                            *(field for field in ending.fields[2:] if entry.part != "N" or field not in _GENDERS),
                        )
                    )
                    yield Analysis(folded(form), folded(lemma), slot, rarity + worse)
