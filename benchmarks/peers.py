"""Tesserae v3's own results for Argonautica 1 as one more line beside ours.

    python benchmarks/peers.py [DATA FOLDER] [--runs DIR]

Tesserae compares verse with verse. Its result for a verse of Valerius counts for every query whose lines hold that verse, and
a passage's score for a query is the best of those (Tesserae's scores are whole numbers, so ties are many: see their range).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from latinsearch.corpora import load_benchmark
from latinsearch.corpora.tesserae_results import tesserae_results, tesserae_run
from latinsearch.evaluation import Results, evaluate_run
from latinsearch.records import Benchmark
from latinsearch.report import report
from latinsearch.trec import write_run

DATA = Path(os.environ.get("LATINSEARCH_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
NAME = "tesserae-v3"


def rows(folder: Path) -> Iterator[tuple[int, str, float]]:
    """Line of Argonautica 1, reference of the source, score, for each result."""
    for result in tesserae_results(folder):
        line = result.target.rpartition(" 1.")[2]
        if not line.isdecimal():
            raise SystemExit(f"{folder}: {result.target} is not in Argonautica 1")
        yield int(line), f"<{result.source}>", result.score


def scored_results(data: Path, bench: Benchmark) -> Results:
    """Tesserae's results, scored."""
    results = tesserae_results(data / "peers")
    print(f"{len(results)} results of Tesserae", file=sys.stderr)
    run = tesserae_run(results, bench)
    return evaluate_run(run, bench.qrels, name=NAME, signature=f"{NAME}|results-files|best-score-of-the-lines")


def main() -> None:
    arguments = sys.argv[1:]
    runs = Path(arguments.pop(arguments.index("--runs") + 1)) if "--runs" in arguments else None
    data = next((Path(argument) for argument in arguments if argument != "--runs"), DATA)
    if not (data / "peers").is_dir():
        sys.exit(f"{data}: has no folder `peers`; give the folder of the data sets, or set LATINSEARCH_DATA")
    bench = load_benchmark("latin-epic", path=data / "epic")
    results = scored_results(data, bench)
    print(report([results], bench))
    if runs is not None:
        runs.mkdir(parents=True, exist_ok=True)
        write_run(results.run, runs / f"{NAME}.run", NAME)


if __name__ == "__main__":
    main()
