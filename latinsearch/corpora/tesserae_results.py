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
    """A pair of verses that Tesserae found: their references as it prints them, the lemmata they share, the score."""

    target: str
    source: str
    shared: str
    score: float


def tesserae_results(path: str | os.PathLike[str], *more: str | os.PathLike[str]) -> list[TesseraeResult]:
    """The results in CSV files, or in the CSV files of folders, in the files' order.

    Raises FileNotFoundError for a path without anything, and InputError, naming file and line, for a folder without CSV files,
    a column that is missing, a reference that is empty, and a score that is no finite number.
    """
    notes: Notes = {}
    results: list[TesseraeResult] = []
    for given in (path, *more):
        found = existing(given)
        files = [found] if found.is_file() else files_below(found, {".csv"}, notes)
        if not files:
            raise InputError(f"{found}: no .csv file in this folder; give the files that Tesserae lets you download")
        for file in files:
            results += _results(file, notes)
    warn(notes)
    return results


def _results(file: Path, notes: Notes) -> Iterable[TesseraeResult]:
    for at, row in csv_rows(file, read_text(file, notes), COLUMNS):
        for column in ("TARGET_LOC", "SOURCE_LOC"):
            if not row[column].strip():
                raise InputError(f"{at}: no reference in column {column!r}; each result names both verses")
        try:
            score = float(row["SCORE"])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise InputError(f"{at}: {short(row['SCORE'])} in column 'SCORE' is no number; write it in digits")
        yield TesseraeResult(row["TARGET_LOC"].strip(), row["SOURCE_LOC"].strip(), row["SHARED"], score)


def tesserae_run(results: Iterable[TesseraeResult], benchmark: Benchmark) -> Run:
    """The results as a run: each query has the verses found for any of its lines, with the best score.

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
        if "line_start" not in query.meta:
            raise InputError(f"the queries of {benchmark.name} have no lines, so results of verses cannot be theirs")
        first, last = int(query.meta["line_start"]), int(query.meta["line_end"])
        book = int(query.meta["book"]) if "book" in query.meta else None
        best: dict[str, float] = {}
        for line in range(first, last + 1):
            for doc_id, score in by_line[book, line].items():
                best[doc_id] = max(score, best.get(doc_id, -math.inf))
        run[query.query_id] = best
    return run
