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

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from latinsearch.corpora import epic
from latinsearch.corpora.alignment import covered, letters
from latinsearch.corpora.benchmark import Judgement, assert_facts, benchmark
from latinsearch.corpora.files import Notes, existing, natural, read_text, warn
from latinsearch.corpora.parallels import integer, missing_columns
from latinsearch.corpora.verses import Verses, read_verses, tess_files
from latinsearch.records import Benchmark, InputError, Passage, Query

NAME = "lucan-vergil"
FILE = "bench4.txt"
FACTS = {"passages": 9_896, "queries": 137, "judgements": 213}
PAIRS = 3_410
COLUMNS = ("BC_BOOK", "BC_LINE", "BC_TEXT", "AEN_BOOK", "AEN_LINE", "AEN_TEXT", "TYPE")
MEANINGFUL = (4, 5)
"""The types of pairs that a commentator would call a parallel."""

_VERGIL, _LUCAN = epic.EPICS[:2]
_LONGEST = 12
"""Verses a phrase may cover; the longest phrase of bench4.txt has fewer."""

Judged = Literal["first", "phrase"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of bench4.txt: a phrase of Lucan, a phrase of Vergil, their first lines, the type."""

    line: int
    lucan: tuple[int, int]
    lucan_text: str
    vergil: tuple[int, int]
    vergil_text: str
    grade: int


def load(
    path: str | os.PathLike[str],
    texts: str | os.PathLike[str] | None = None,
    *,
    judged: Judged = "first",
    types: tuple[int, ...] = MEANINGFUL,
) -> Benchmark:
    """The benchmark from bench4.txt and the `.tess` files.

    `path` is the file, its folder or the folder above. `texts` is the folder with the `.tess` files; without it they
    are looked for in the folder of bench4.txt and below, then in the folders `texts` of that folder's neighbours
    (`epic/texts` beside `lucan-vergil`).

    With `judged="first"` the line in which Vergil's phrase begins is judged (213 pairs), with "phrase" each of the
    lines that the phrase covers, with the same grade. `types` are the TYPEs that count as judgements: with (3, 4, 5)
    also the parallels of wording alone, 636 pairs of 293 phrases.

    Raises InputError for a missing column, a value that is not a number, and counts that are not the benchmark's.
    """
    file = _bench_file(existing(path))
    files = tess_files(existing(texts)) if texts is not None else _texts_beside(file)
    aeneid, lucan = read_verses(files, _VERGIL), read_verses(files, _LUCAN)
    pairs = list(_pairs(file))
    assert_facts(NAME, file, {"pairs": PAIRS}, {"pairs": len(pairs)})
    chosen = [pair for pair in pairs if pair.grade in types]
    longest = _longest_texts(pairs)
    queries = [
        (_query_id(position), " ".join(stretch(longest[position], lucan, position)))
        for position in sorted({pair.lucan for pair in chosen})
    ]
    judgements: dict[tuple[str, str], int] = {}
    for pair in chosen:
        book, line = first_line(pair.vergil_text, aeneid, pair.vergil)
        lines = len(stretch(pair.vergil_text, aeneid, (book, line))) if judged == "phrase" else 1
        for number in range(line, line + lines):
            key = (_query_id(pair.lucan), f"{_VERGIL.key}-{book}-{number}")
            judgements[key] = max(pair.grade, judgements.get(key, 0))
    corpus = [(f"{_VERGIL.key}-{book}-{line}", text) for (book, line), text in aeneid.items()]
    rows = [(query_id, doc_id, grade) for (query_id, doc_id), grade in judgements.items()]
    if judged != "first" or types != MEANINGFUL:
        passages, asked = _records(corpus, queries)
        return benchmark(f"{NAME}-{judged}-{''.join(map(str, types))}", passages, asked, rows)
    return lucan_vergil_benchmark(corpus, queries, rows, file)


def lucan_vergil_benchmark(
    corpus: Iterable[tuple[str, str]],
    queries: Iterable[tuple[str, str]],
    judgements: Iterable[Judgement],
    where: object,
) -> Benchmark:
    """The benchmark of ids and texts from any source, its counts checked. Raises InputError if they are others."""
    passages, asked = _records(corpus, queries)
    rows = list(judgements)
    found = {"passages": len(passages), "queries": len(asked), "judgements": len(rows)}
    assert_facts(NAME, where, FACTS, found)
    return benchmark(NAME, passages, asked, rows)


def _records(
    corpus: Iterable[tuple[str, str]], queries: Iterable[tuple[str, str]]
) -> tuple[list[Passage], list[Query]]:
    return [epic.verse(*row) for row in corpus], [_query(*row) for row in queries]


def first_line(phrase: str, verses: Verses, position: tuple[int, int]) -> tuple[int, int]:
    """Where a phrase begins: at the position given, or at the line whose final zeros were lost."""
    book, line = position
    candidates = [(book, line * factor) for factor in (1, 10, 100)]
    return next((place for place in candidates if covered(phrase, _following(verses, place)) is not None), position)


def stretch(phrase: str, verses: Verses, position: tuple[int, int]) -> list[str]:
    """The verses that a phrase covers from its first line on; the first line alone if it cannot be aligned."""
    following = _following(verses, position)
    return following[: covered(phrase, following) or 1]


def _following(verses: Verses, position: tuple[int, int]) -> list[str]:
    book, line = position
    found = [verses.get((book, number)) for number in range(line, line + _LONGEST)]
    return [verse for verse in found[: found.index(None) if None in found else None] if verse is not None]


def _longest_texts(pairs: Iterable[Pair]) -> dict[tuple[int, int], str]:
    longest: dict[tuple[int, int], str] = {}
    for pair in pairs:
        if len(letters(pair.lucan_text)) > len(letters(longest.get(pair.lucan, ""))):
            longest[pair.lucan] = pair.lucan_text
    return longest


def _query_id(position: tuple[int, int]) -> str:
    return f"{_LUCAN.key}-{position[0]}-{position[1]}"


def _query(query_id: str, text: str) -> Query:
    match = re.fullmatch(rf"{_LUCAN.key}-(\d+)-(\d+)", query_id)
    if match is None:
        raise InputError(f"{query_id!r} is no query of {NAME}: ids are lucan-book-line, such as 'lucan-1-1'")
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


def _texts_beside(file: Path) -> list[Path]:
    folder = file.resolve().parent
    beside = [file for texts in sorted(folder.parent.glob("*/texts"), key=natural) for file in texts.rglob("*.tess")]
    for files in (list(folder.rglob("*.tess")), beside):
        names = [name.name for name in files]
        if all(any(name.startswith(f"{work.stem}.") for name in names) for work in (_VERGIL, _LUCAN)):
            return sorted(files, key=natural)
    raise InputError(
        f"{folder}: no .tess files of Lucan and Vergil ({_LUCAN.stem}.part.1.tess, {_VERGIL.stem}.part.1.tess) in this "
        "folder, below it or in a folder named texts beside it; give their folder with texts="
    )


def _pairs(file: Path) -> Iterator[Pair]:
    notes: Notes = {}
    rows = csv.DictReader(io.StringIO(read_text(file, notes), newline=""), delimiter="\t")
    warn(notes)
    if not rows.fieldnames:
        raise InputError(f"{file}: the file is empty; it should hold the pairs, with the columns {', '.join(COLUMNS)}")
    if missing := missing_columns(COLUMNS, rows):
        raise InputError(
            f"{file}: no column {', '.join(map(repr, missing))}; the columns needed are {', '.join(COLUMNS)}"
        )
    for row in rows:
        at = f"{file}:{rows.line_num}"
        bc_book, bc_line, aen_book, aen_line, grade = (
            integer(row, column, at) for column in ("BC_BOOK", "BC_LINE", "AEN_BOOK", "AEN_LINE", "TYPE")
        )
        texts = (row["BC_TEXT"] or "", row["AEN_TEXT"] or "")
        yield Pair(rows.line_num, (bc_book, bc_line), texts[0], (aen_book, aen_line), texts[1], grade)
