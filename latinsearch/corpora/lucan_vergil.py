"""The benchmark lucan-vergil: graded parallels of Lucan, *Bellum Civile* 1, in the *Aeneid*.

Built from bench4.txt of the Tesserae Project (3,410 pairs of phrases, TYPE 1 to 5) and the `.tess` verse lines:

1. passages: the lines of the *Aeneid*, with the ids, references and metadata of latin-epic;
2. queries: the phrases of Lucan 1 that have a pair of TYPE 4 or 5 (the meaningful parallels), by their first line;
3. query text: the verses that the longest text given for the phrase covers, joined by a blank;
4. judged: the *Aeneid* line of each such pair, the grade its TYPE.

In 271 rows (6 of the 213 of TYPE 4 and 5) AEN_LINE has lost its final zeros: `1, 6` stands before "sed pater
omnipotens speluncis abdidit atris", which is *Aeneid* 1.60. Where the phrase is not at AEN_LINE but at ten or a
hundred times AEN_LINE, that line is the one judged.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Literal

from latinsearch.corpora import epic
from latinsearch.corpora.alignment import covered, letters
from latinsearch.corpora.benchmark import Judged, Sources, assert_facts, benchmark, records_of
from latinsearch.corpora.csv_rows import csv_rows, integer
from latinsearch.corpora.files import MOST_DIGITS, Notes, existing, natural, read_text, short, warn
from latinsearch.corpora.folders import files_below
from latinsearch.corpora.verses import Verses, read_verses, tess_files
from latinsearch.records import Benchmark, InputError, Query

NAME = "lucan-vergil"
FILE = "bench4.txt"
FACTS = {"passages": 9_896, "queries": 137, "judgements": 213}
PAIRS = 3_410
COLUMNS = ("BC_BOOK", "BC_LINE", "BC_TEXT", "AEN_BOOK", "AEN_LINE", "AEN_TEXT", "TYPE")
MEANINGFUL = (4, 5)
"""The types of pairs that a commentator would call a parallel."""

_VERGIL, _LUCAN = epic.EPICS[:2]
_QUERY_ID = re.compile(rf"{_LUCAN.key}-([0-9]{{1,{MOST_DIGITS}}})-([0-9]{{1,{MOST_DIGITS}}})")
_LONGEST = 12
"""Verses a phrase may cover; the longest phrase of bench4.txt has fewer."""

Place = tuple[int, int]
"""(book, line)."""
Extent = Literal["first", "phrase"]
"""Which lines of a phrase are judged."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of bench4.txt and where it stands: a phrase of Lucan, a phrase of Vergil, their first lines, the type."""

    at: str
    lucan: Place
    lucan_text: str
    vergil: Place
    vergil_text: str
    grade: int


def load(
    path: str | os.PathLike[str],
    texts: str | os.PathLike[str] | None = None,
    *,
    judged: Extent = "first",
    types: tuple[int, ...] = MEANINGFUL,
) -> Benchmark:
    """The benchmark from bench4.txt and the `.tess` files.

    `path` is the file, its folder or the folder above. `texts` is the folder with the `.tess` files; without it they
    are looked for in the folder of bench4.txt and below, then in the folders `texts` of that folder's neighbours
    (`epic/texts` beside `lucan-vergil`).

    With `judged="first"` the line in which Vergil's phrase begins is judged (213 pairs), with "phrase" each of the
    lines that the phrase covers, with the same grade. `types` are the TYPEs that count as judgements: with (3, 4, 5)
    also the parallels of wording alone, 636 pairs of 293 phrases.

    Raises InputError, naming file and line, for a missing column, a value that is not a number, a TYPE that is not 1
    to 5, and a line that is not in the texts; for counts that are not the benchmark's.
    """
    file = _bench_file(existing(path))
    files, folder = _texts(existing(texts)) if texts is not None else _texts_beside(file)
    aeneid, lucan = read_verses(files, _VERGIL, folder), read_verses(files, _LUCAN, folder)
    pairs = list(_pairs(file))
    assert_facts(NAME, file, {"pairs": PAIRS}, {"pairs": len(pairs)})
    chosen = [pair for pair in pairs if pair.grade in types]
    for pair in pairs:
        _check_lines(pair, lucan, aeneid, folder)
    longest = _longest_texts(pairs)
    places = {pair.lucan: pair.at for pair in reversed(chosen)}
    queries = [
        (_query_id(position), " ".join(stretch(longest.get(position, ""), lucan, position)), places[position])
        for position in sorted(places)
    ]
    judgements: dict[tuple[str, str], Judged] = {}
    for pair in chosen:
        book, line = first_line(pair.vergil_text, aeneid, pair.vergil)
        lines = len(stretch(pair.vergil_text, aeneid, (book, line))) if judged == "phrase" else 1
        for number in range(line, line + lines):
            key = (_query_id(pair.lucan), f"{_VERGIL.key}-{book}-{number}")
            if key not in judgements or judgements[key].grade < pair.grade:
                judgements[key] = Judged(*key, pair.grade, pair.at)
    corpus = [(f"{_VERGIL.key}-{book}-{line}", verse.text, verse.at) for (book, line), verse in aeneid.items()]
    sources = Sources(corpus, queries, list(judgements.values()))
    if judged != "first" or types != MEANINGFUL:
        return _benchmark(f"{NAME}-{judged}-{''.join(map(str, types))}", sources)
    return lucan_vergil_benchmark(sources, file)


def lucan_vergil_benchmark(sources: Sources, where: object) -> Benchmark:
    """The benchmark of ids and texts from any source, its counts checked. Raises InputError if they are others."""
    found = _benchmark(NAME, sources)
    counts = {"passages": len(found.passages), "queries": len(found.queries), "judgements": found.judgements}
    assert_facts(NAME, where, FACTS, counts)
    return found


def _benchmark(name: str, sources: Sources) -> Benchmark:
    passages, asked = records_of(sources.corpus, epic.verse), records_of(sources.queries, _query)
    return benchmark(name, passages, asked, sources.judgements)


def _check_lines(pair: Pair, lucan: Verses, aeneid: Verses, folder: Path) -> None:
    """Nothing if the two lines of a pair are in the texts; a lost zero does not matter, the line as given is there."""
    for work, verses, (book, line) in ((_LUCAN, lucan, pair.lucan), (_VERGIL, aeneid, pair.vergil)):
        if (book, line) not in verses:
            raise InputError(
                f"{pair.at}: {work.author}, {work.title} {book}.{line} is not in the .tess files of "
                f"{folder}; lines of this work found {len(verses):,}"
            )


def first_line(phrase: str, verses: Verses, position: Place) -> Place:
    """Where a phrase begins: at the position given, or at the line whose final zeros were lost."""
    book, line = position
    candidates = [(book, line * factor) for factor in (1, 10, 100)]
    return next((place for place in candidates if covered(phrase, _following(verses, place)) is not None), position)


def stretch(phrase: str, verses: Verses, position: Place) -> list[str]:
    """The verses that a phrase covers from its first line on; the first line alone if it cannot be aligned."""
    following = _following(verses, position)
    return following[: covered(phrase, following) or 1]


def _following(verses: Verses, position: Place) -> list[str]:
    book, line = position
    following = takewhile(lambda place: place in verses, ((book, line + number) for number in range(_LONGEST)))
    return [verses[place].text for place in following]


def _longest_texts(pairs: Iterable[Pair]) -> dict[Place, str]:
    longest: dict[Place, str] = {}
    for pair in pairs:
        if len(letters(pair.lucan_text)) > len(letters(longest.get(pair.lucan, ""))):
            longest[pair.lucan] = pair.lucan_text
    return longest


def _query_id(position: Place) -> str:
    return f"{_LUCAN.key}-{position[0]}-{position[1]}"


def _query(query_id: str, text: str) -> Query:
    match = _QUERY_ID.fullmatch(query_id)
    if match is None:
        raise InputError(f"{short(query_id)} is no query of {NAME}: ids are lucan-book-line, such as 'lucan-1-1'")
    meta: dict[str, str | int] = {
        "author": _LUCAN.author,
        "work": _LUCAN.title,
        "book": int(match[1]),
        "line": int(match[2]),
    }
    return Query(query_id, text, meta)


def _bench_file(path: Path) -> Path:
    if path.is_file():
        return path
    files = [path / FILE, *sorted(path.glob(f"*/{FILE}"), key=natural)]
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        raise InputError(f"{path}: no {FILE} in this folder or one below; give the folder that holds it")
    return found


def _texts(folder: Path) -> tuple[list[Path], Path]:
    """The `.tess` files of a folder, and the folder."""
    if folder.is_file():
        raise InputError(f"{folder} is a file; texts= takes the folder with the .tess files of Lucan and Vergil")
    notes: Notes = {}
    files = files_below(folder, {".tess"}, notes)
    warn(notes)
    return tess_files(files, folder), folder


def _texts_beside(file: Path) -> tuple[list[Path], Path]:
    """The `.tess` files in the folder of bench4.txt or below, or those of the folders `texts` beside it."""
    folder = file.resolve().parent
    notes: Notes = {}
    own = files_below(folder, {".tess"}, notes)
    if _has_both(own):
        warn(notes)
        return own, folder
    notes = {}
    beside = [
        path
        for texts in sorted(folder.parent.glob("*/texts"), key=natural)
        if texts.is_dir()
        for path in files_below(texts, {".tess"}, notes)
    ]
    if _has_both(beside):
        warn(notes)
        return beside, folder.parent
    raise InputError(
        f"{folder}: no .tess files of Lucan and Vergil ({_LUCAN.stem}.part.1.tess, {_VERGIL.stem}.part.1.tess). They "
        f"are looked for in this folder and below, then in {folder.parent}/*/texts: put or link their folder there "
        "(the command line's --data names the folder of bench4.txt), or give it with texts= in Python"
    )


def _has_both(files: Sequence[Path]) -> bool:
    return all(any(file.name.lower().startswith(f"{work.stem}.") for file in files) for work in (_VERGIL, _LUCAN))


def _pairs(file: Path) -> Iterator[Pair]:
    notes: Notes = {}
    rows = csv_rows(file, read_text(file, notes), COLUMNS, delimiter="\t")
    warn(notes)
    for at, row in rows:
        bc_book, bc_line, aen_book, aen_line, grade = (
            integer(row, column, at) for column in ("BC_BOOK", "BC_LINE", "AEN_BOOK", "AEN_LINE", "TYPE")
        )
        if not 1 <= grade <= 5:
            raise InputError(f"{at}: TYPE is {grade}; it must be 1 to 5, the meaningful parallels being 4 and 5")
        yield Pair(at, (bc_book, bc_line), row["BC_TEXT"], (aen_book, aen_line), row["AEN_TEXT"], grade)
