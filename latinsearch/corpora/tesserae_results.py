"""The results that Tesserae v3 lets its users download, a CSV file a search, as data and as a run of a benchmark."""

from __future__ import annotations

import math
import os
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from latinsearch.corpora.csv_rows import csv_rows
from latinsearch.corpora.files import Notes, existing, read_text, short, warn
from latinsearch.corpora.folders import files_below
from latinsearch.records import Benchmark, InputError, Run, TextWarning

COLUMNS = ("TARGET_LOC", "SOURCE_LOC", "SHARED", "SCORE")
"""The columns of the download that are needed."""

_LINE = re.compile(r"(?:(\d+)\.)?(\d+)$")


class TesseraeResult(NamedTuple):
    """A pair of verses that Tesserae found: their references as it prints them, the lemmata they share, the score.

    A word whose lemma Tesserae leaves open has all that fit, with hyphens between them: `come-como`.
    """

    target: str
    source: str
    shared: tuple[str, ...]
    score: float


def tesserae_results(path: str | os.PathLike[str], *more: str | os.PathLike[str]) -> list[TesseraeResult]:
    """The results in CSV files, or in the CSV files of folders, in the files' order.

    Raises FileNotFoundError for a path without anything, and InputError, naming file and line, for a folder without CSV files,
    a file that is empty or not in UTF-8, a column that is missing, too many values, a reference that is empty, and a score
    that is no finite number.
    """
    notes: Notes = {}
    results: list[TesseraeResult] = []
    for given in (path, *more):
        found = existing(given)
        files = [found] if found.is_file() else files_below(found, {".csv"}, notes)
        if not files:
            raise InputError(f"{found}: no .csv file in this folder; give the files that Tesserae lets you download")
        for file in files:
            results += _results(file)
    warn(notes)
    return results


def _results(file: Path) -> Iterable[TesseraeResult]:
    for at, row in csv_rows(file, _text(file), COLUMNS):
        for column in ("TARGET_LOC", "SOURCE_LOC"):
            if not row[column].strip():
                raise InputError(f"{at}: no reference in column {column!r}; each result names both verses")
        try:
            score = float(row["SCORE"])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise InputError(f"{at}: {short(row['SCORE'])} in column 'SCORE' is no number; write it in digits")
        yield TesseraeResult(row["TARGET_LOC"].strip(), row["SOURCE_LOC"].strip(), _lemmata(row["SHARED"]), score)


def _text(file: Path) -> str:
    notes: Notes = {}
    text = read_text(file, notes)
    # What another encoding makes of a reference or a lemma would be silently another one.
    if place := next((places[0] for places in notes.values()), None):
        raise InputError(
            f"{place}: not UTF-8; convert the file, as by `iconv -f cp1252 -t utf-8`, or download it again"
        )
    return text


def _lemmata(shared: str) -> tuple[str, ...]:
    return tuple(lemma for piece in shared.split(";") if (lemma := piece.strip()))


def tesserae_run(results: Iterable[TesseraeResult], benchmark: Benchmark) -> Run:
    """The results as a run: each query has the verses found for any of its lines, with the best score.

    >>> from latinsearch.records import Passage, Query
    >>> verse, query = Passage("aen-1-1", "arma", ref="<verg. aen. 1.1>"), Query("q", "x", {"line_start": 1, "line_end": 2})
    >>> found = TesseraeResult("valerius flaccus 1.2", "verg. aen. 1.1", ("arma", "uir"), 9.0)
    >>> tesserae_run([found], Benchmark("tiny", (verse,), (query,), {"q": {"aen-1-1": 1}}, "0"))
    {'q': {'aen-1-1': 9.0}}

    A query's lines are `line_start` to `line_end` of its meta (and its `book`, where it has one), a result's line the number at
    the end of its target's reference (after its book); a verse is the passage whose reference it names. Results for lines that
    no query has are no part of a run. Warns (TextWarning) of results whose verse is no passage of the benchmark, with their
    count; raises InputError if a target's reference ends in no number, if the queries have no lines, or if no verse is a
    passage.
    """
    doc_ids = {str(passage.ref).strip("<>"): passage.doc_id for passage in benchmark.passages}
    by_line: dict[tuple[int | None, int], dict[str, float]] = defaultdict(dict)
    count, missing = 0, []
    for result in results:
        count += 1
        number = _LINE.search(result.target)
        if number is None:
            raise InputError(f"the reference {short(result.target)} ends in no number of a line, such as 1.579")
        if result.source not in doc_ids:
            missing.append(result.source)
            continue
        doc_id = doc_ids[result.source]
        for book in {None, int(number[1]) if number[1] else None}:
            found = by_line[book, int(number[2])]
            found[doc_id] = max(result.score, found.get(doc_id, -math.inf))
    if missing:
        if len(missing) == count:
            raise InputError(f"none of the {count:,} verses found, such as {short(missing[0])}, is in {benchmark.name}")
        told = f"{len(missing):,} of {count:,} results, the first {short(missing[0])}, are of verses that are not in"
        warnings.warn(f"{told} {benchmark.name}; they are left out", TextWarning, stacklevel=2)
    run: Run = {}
    for query in benchmark.queries:
        if not {"line_start", "line_end"} <= query.meta.keys():
            raise InputError(f"the queries of {benchmark.name} have no lines, so results of verses cannot be theirs")
        first, last = int(query.meta["line_start"]), int(query.meta["line_end"])
        book = int(query.meta["book"]) if "book" in query.meta else None
        best: dict[str, float] = {}
        for line in range(first, last + 1):
            for doc_id, score in by_line[book, line].items():
                best[doc_id] = max(score, best.get(doc_id, -math.inf))
        run[query.query_id] = best
    return run
