"""latin-epic from its sources: the `.tess` files and the CSV of judged parallels."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from latinsearch.corpora.benchmark import Judgement
from latinsearch.corpora.epic import ARGONAUTICA, EPICS, FACTS, Work
from latinsearch.corpora.files import Notes, natural, read_text, warn
from latinsearch.corpora.verses import Verses, read_verses, tess_files
from latinsearch.records import InputError

COLUMNS = (
    "VF: Line Start",
    "VF: Line End",
    "Intertext: Author",
    "Intertext: Book",
    "Intertext: Line Start",
    "Intertext: Line End",
)
"""The columns of the CSV that are needed."""

Sources = tuple[list[tuple[str, str]], list[tuple[str, str]], list[Judgement]]
"""Ids and texts of the passages, ids and texts of the queries, the judgements."""

_BOOK = 1
"""The book of the *Argonautica* that is judged; the CSV has no column for it."""


@dataclass(frozen=True, slots=True)
class Parallel:
    """A row of the CSV: lines of the *Argonautica*, lines of an epic, and where the row stands."""

    at: str
    first: int
    last: int
    work: Work
    book: int
    start: int
    end: int


def from_sources(folder: Path) -> Sources:
    """Passages, queries and judgements by the five steps of latin-epic, whatever their number.

    Raises InputError if a file, a column, a number or a line is missing or wrong, naming it.
    """
    files = tess_files(folder)
    parallels = _parallels(folder)
    epics = {work.key: read_verses(files, work) for work in EPICS}
    argonautica = read_verses(files, ARGONAUTICA)
    corpus = [(f"{key}-{book}-{line}", text) for key, verses in epics.items() for (book, line), text in verses.items()]
    queries: dict[str, str] = {}
    judgements: dict[Judgement, None] = {}
    for each in parallels:
        query_id = f"{ARGONAUTICA.key}-{_BOOK}-{each.first}-{each.last}"
        queries[query_id] = " ".join(_lines(argonautica, ARGONAUTICA, _BOOK, each.first, each.last, each.at))
        _lines(epics[each.work.key], each.work, each.book, each.start, each.end, each.at)
        for line in range(each.start, each.end + 1):
            judgements[(query_id, f"{each.work.key}-{each.book}-{line}", 1)] = None
    return corpus, list(queries.items()), list(judgements)


def integer(row: Mapping[str, str], column: str, at: str) -> int:
    """The whole number in a column of a row. Raises InputError naming the place, the column and the value."""
    value = (row[column] or "").strip()
    if not (value.isascii() and value.isdecimal()):
        raise InputError(f"{at}: {value!r} in column {column!r} is not a number; write it in digits")
    return int(value)


def missing_columns(columns: Iterable[str], rows: csv.DictReader[str]) -> list[str]:
    """The columns that a table does not have."""
    return [column for column in columns if column not in (rows.fieldnames or ())]


def _parallels(folder: Path) -> list[Parallel]:
    """The rows of the CSV in the folder, or below, that has the needed columns."""
    files = sorted(folder.rglob("*.csv"), key=natural)
    if not files:
        raise InputError(
            f"{folder}: no .csv file with the judgements in this folder or below; it is vf_intertext_dataset_1_0.csv"
        )
    notes: Notes = {}
    tables = [(file, csv.DictReader(io.StringIO(read_text(file, notes), newline=""))) for file in files]
    path, rows = min(tables, key=lambda table: len(missing_columns(COLUMNS, table[1])))
    if not rows.fieldnames:
        raise InputError(
            f"{path}: the file is empty; it should hold the judgements, with the columns {', '.join(COLUMNS)}"
        )
    if missing := missing_columns(COLUMNS, rows):
        named = ", ".join(map(repr, missing))
        raise InputError(f"{path}: no column {named}; the columns needed are {', '.join(COLUMNS)}")
    warn({fault: own for fault, places in notes.items() if (own := [at for at in places if at.startswith(f"{path}:")])})
    parallels = [_parallel(row, f"{path}:{rows.line_num}") for row in rows]
    if not parallels:
        raise InputError(f"{path}: no judgement after the line of column names")
    return parallels


def _parallel(row: Mapping[str, str], at: str) -> Parallel:
    first, last = (integer(row, column, at) for column in COLUMNS[:2])
    book, start, end = (integer(row, column, at) for column in COLUMNS[3:])
    author = (row["Intertext: Author"] or "").strip()
    works = {work.author: work for work in EPICS}
    if author not in works:
        raise InputError(f"{at}: unknown author {author!r} in column 'Intertext: Author'; known are {', '.join(works)}")
    return Parallel(at, first, last, works[author], book, start, end)


def _lines(verses: Verses, work: Work, book: int, first: int, last: int, at: str) -> list[str]:
    if last < first:
        raise InputError(f"{at}: line {last} comes before line {first}; the first line of a stretch stands first")
    for line in range(first, last + 1):
        if (book, line) not in verses:
            known = f" (expected {FACTS[work.author]:,})" if work.author in FACTS else ""
            raise InputError(
                f"{at}: {work.author}, {work.title} {book}.{line} is judged but is not in the .tess files; "
                f"lines of this work found {len(verses):,}{known}"
            )
    return [verses[book, line] for line in range(first, last + 1)]
