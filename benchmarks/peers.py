"""Tesserae v3's own results for Argonautica 1 as one more line beside ours.

    python benchmarks/peers.py [DATA FOLDER] [--runs DIR]

Tesserae compares verse with verse. Its result for a verse of Valerius counts for every query whose lines hold that verse, and
a passage's score for a query is the best of those (Tesserae's scores are whole numbers, so ties are many: see their range).
"""

from __future__ import annotations

import csv
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from latinsearch.corpora import load_benchmark
from latinsearch.evaluation import Results, evaluate_run
from latinsearch.records import Benchmark, Run
from latinsearch.report import report
from latinsearch.trec import write_run

DATA = Path(os.environ.get("LATINSEARCH_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
NAME = "tesserae-v3"


def rows(folder: Path) -> Iterator[tuple[int, str, float]]:
    """Line of Argonautica 1, reference of the source, score, for each result."""
    for path in sorted(folder.glob("tesresults*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                book, line = row["TARGET_LOC"].rsplit(" ", 1)[-1].split(".")
                if book != "1":
                    raise SystemExit(f"{path}: {row['TARGET_LOC']} is not in Argonautica 1")
                yield int(line), f"<{row['SOURCE_LOC']}>", float(row["SCORE"])


def tesserae_run(folder: Path, bench: Benchmark) -> Run:
    """The results as a run over the benchmark's queries."""
    doc_ids = {passage.ref: passage.doc_id for passage in bench.passages}
    by_line: dict[int, dict[str, float]] = defaultdict(dict)
    count = 0
    for line, ref, score in rows(folder):
        found = by_line[line]
        found[doc_ids[ref]] = max(score, found.get(doc_ids[ref], 0.0))
        count += 1
    print(f"{count} results of Tesserae", file=sys.stderr)
    run: Run = {}
    for query in bench.queries:
        best: dict[str, float] = {}
        for line in range(int(query.meta["line_start"]), int(query.meta["line_end"]) + 1):
            for doc_id, score in by_line[line].items():
                best[doc_id] = max(score, best.get(doc_id, 0.0))
        run[query.query_id] = best
    return run


def tesserae_results(data: Path, bench: Benchmark) -> Results:
    """Tesserae's results, scored."""
    run = tesserae_run(data / "peers", bench)
    return evaluate_run(run, bench.qrels, name=NAME, signature=f"{NAME}|results-files|best-score-of-the-lines")


def main() -> None:
    arguments = sys.argv[1:]
    runs = Path(arguments.pop(arguments.index("--runs") + 1)) if "--runs" in arguments else None
    data = next((Path(argument) for argument in arguments if argument != "--runs"), DATA)
    if not (data / "peers").is_dir():
        sys.exit(f"{data}: has no folder `peers`; give the folder of the data sets, or set LATINSEARCH_DATA")
    bench = load_benchmark("latin-epic", path=data / "epic")
    results = tesserae_results(data, bench)
    print(report([results], bench))
    if runs is not None:
        runs.mkdir(parents=True, exist_ok=True)
        write_run(results.run, runs / f"{NAME}.run", NAME)


if __name__ == "__main__":
    main()
