"""latin-epic from its sources: the `.tess` files and the CSV of judged parallels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from latinsearch.corpora.benchmark import Judged, Sources
from latinsearch.corpora.csv_rows import Row, csv_rows, integer
from latinsearch.corpora.epic import ARGONAUTICA, EPICS, FACTS, Work
from latinsearch.corpora.files import Notes, read_text, short, warn
from latinsearch.corpora.folders import files_below
from latinsearch.corpora.verses import Verse, Verses, read_verses, tess_files
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
    notes: Notes = {}
    files = files_below(folder, {".tess", ".csv"}, notes)
    warn(notes)
    texts = tess_files(files, folder)
    parallels = curated([file for file in files if file not in texts], folder)
    epics = {work.key: read_verses(texts, work, folder) for work in EPICS}
    argonautica = read_verses(texts, ARGONAUTICA, folder)
    corpus = [
        (f"{key}-{book}-{line}", verse.text, verse.at)
        for key, verses in epics.items()
        for (book, line), verse in verses.items()
    ]
    queries: dict[str, tuple[str, str, str]] = {}
    judgements = []
    for each in parallels:
        query_id = f"{ARGONAUTICA.key}-{_BOOK}-{each.first}-{each.last}"
        asked = _lines(argonautica, ARGONAUTICA, _BOOK, each.first, each.last, each.at)
        queries.setdefault(query_id, (query_id, " ".join(verse.text for verse in asked), each.at))
        _lines(epics[each.work.key], each.work, each.book, each.start, each.end, each.at)
        judgements += [
            Judged(query_id, f"{each.work.key}-{each.book}-{line}", 1, each.at)
            for line in range(each.start, each.end + 1)
        ]
    return Sources(corpus, list(queries.values()), judgements)


def curated(files: Sequence[Path], folder: Path) -> list[Parallel]:
    """The rows of the one CSV among the files that has the needed columns."""
    if not files:
        raise InputError(
            f"{folder}: no .csv file with the judgements in this folder or below; it is vf_intertext_dataset_1_0.csv"
        )
    tables: list[tuple[Path, Iterable[Row], Notes]] = []
    faults: list[InputError] = []
    for file in files:
        notes: Notes = {}
        try:
            tables.append((file, csv_rows(file, read_text(file, notes), COLUMNS), notes))
        except InputError as error:  # another table, which does not matter if there is the right one
            faults.append(error)
    if not tables:
        raise faults[0] if len(faults) == 1 else _none_fits(faults, folder)
    if len(tables) > 1:
        named = " and ".join(str(file) for file, _, _ in tables)
        raise InputError(
            f"{len(tables)} tables in {folder} have the columns of the judgements, {named}; leave one of them there"
        )
    path, rows, notes = tables[0]
    warn(notes)
    parallels = [_parallel(row, at) for at, row in rows]
    if not parallels:
        raise InputError(f"{path}: no judgement after the line of column names")
    return parallels


def _none_fits(faults: Sequence[InputError], folder: Path) -> InputError:
    return InputError(
        f"{folder}: none of the {len(faults)} .csv files here and below has the judgements. "
        + " | ".join(map(str, faults[:3]))
    )


def _parallel(row: Mapping[str, str], at: str) -> Parallel:
    first, last = (integer(row, column, at) for column in COLUMNS[:2])
    book, start, end = (integer(row, column, at) for column in COLUMNS[3:])
    author = row["Intertext: Author"].strip()
    works = {work.author: work for work in EPICS}
    if author not in works:
        raise InputError(
            f"{at}: unknown author {short(author)} in column 'Intertext: Author'; known are {', '.join(works)}"
        )
    return Parallel(at, first, last, works[author], book, start, end)


def _lines(verses: Verses, work: Work, book: int, first: int, last: int, at: str) -> list[Verse]:
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
