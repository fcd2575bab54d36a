"""The choice of BM25's parameters and of the shares of `fusion`, on Lucan 1 ~ Aeneid alone; see docs/decisions.md.

    python benchmarks/tune.py [FOLDER OF lucan-vergil]

Judged are the pairs of TYPE 3, 4 and 5 as grades 1, 2 and 3: 293 queries, where TYPE 4 and 5 alone give 137. Even so, settings
differ by little more than chance. So BM25 is chosen among the parameters that the literature uses, with a word that the query
repeats counted each time or once; and the shares are not the best cell of their grid but the cell whose neighbourhood (itself
and the cells around it) has the best mean. Measured is nDCG@10, the mean over both readings of the judgements (Vergil's first
line, every line of his phrase). Nothing is drawn at random.

Writes benchmarks/tuned.json, prints the tables, and ends with an error if METHODS has other parameters.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from latinsearch.corpora.lucan_vergil import load
from latinsearch.evaluation import evaluate_run
from latinsearch.methods import METHODS, build
from latinsearch.records import Benchmark, Run
from latinsearch.retriever import LexicalRetriever, rank, search_all
from latinsearch.scorers import BM25

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
MEASURE = "nDCG@10"
SINGLES = ("bm25-form", "bm25-lemma", "bm25-grams")
PUBLISHED = {
    "rank_bm25, bm25s": BM25(k1=1.5, b=0.75),
    "Robertson 1994, Lucene": BM25(k1=1.2, b=0.75),
    "Trotman 2014, Anserini": BM25(k1=0.9, b=0.4),
}
TYPES = (3, 4, 5)
FORM = GRAMS = (0.0625, 0.125, 0.1875, 0.25, 0.375, 0.5, 0.75, 1.0)


def graded(data: Benchmark) -> Benchmark:
    """The benchmark with the least of the types as grade 1."""
    qrels = {
        query_id: {doc_id: grade - TYPES[0] + 1 for doc_id, grade in row.items()}
        for query_id, row in data.qrels.items()
    }
    return replace(data, qrels=qrels)


def quality(run: Run, readings: list[Benchmark]) -> float:
    """The mean of the measure over the readings of the judgements."""
    return fmean(evaluate_run(run, reading.qrels).means[MEASURE] for reading in readings)


def with_bm25(retriever: LexicalRetriever, scorer: BM25) -> LexicalRetriever:
    """The retriever with another scorer on the index of its one field."""
    (field,) = retriever.fields
    other = replace(field, scorer=scorer)
    return LexicalRetriever(retriever.method, retriever.passages, (other,))


def tune_bm25(singles: list[LexicalRetriever], readings: list[Benchmark]) -> BM25:
    """The published setting with the best mean over forms, lemmata and n-grams."""
    print("| BM25 | word repeated in the query | " + " | ".join(SINGLES) + " | mean |\n|---|---|---|---|---|---|")
    means = {}
    for source, published in PUBLISHED.items():
        for words, k3 in (("counts each time", None), ("counts once", 0.0)):
            scorer = replace(published, k3=k3)
            runs = (search_all(with_bm25(single, scorer), readings[0].queries, k=100) for single in singles)
            values = [quality(run, readings) for run in runs]
            means[scorer] = fmean(values)
            cells = " | ".join(f"{value:.4f}" for value in (*values, means[scorer]))
            print(f"| {source} (k1={scorer.k1}, b={scorer.b}) | {words} | {cells} |")
    return max(means, key=lambda scorer: means[scorer])


def tune_shares(singles: list[LexicalRetriever], readings: list[Benchmark]) -> tuple[float, float]:
    """The shares of forms and n-grams beside a share of 1 for lemmata."""
    doc_ids = np.array([passage.doc_id for passage in singles[0].passages])
    scores = {query.query_id: np.zeros((len(singles), len(doc_ids))) for query in readings[0].queries}
    for row, single in enumerate(singles):
        for query in readings[0].queries:
            places, found = single.scores(query.text)
            scores[query.query_id][row, places] = found

    def run(form: float, grams: float) -> Run:
        made: Run = {}
        for query_id, rows in scores.items():
            summed = np.array([form, 1.0, grams]) @ rows
            best = [place for place in rank(summed, doc_ids, 100) if summed[place] > 0]
            made[query_id] = {str(doc_ids[place]): float(summed[place]) for place in best}
        return made

    grid = np.array([[quality(run(form, grams), readings) for grams in GRAMS] for form in FORM])
    for name, cells in (("lemma + form (rows) + n-grams (columns)", grid), ("the same, smoothed", smoothed(grid))):
        print(f"\n{MEASURE}, {name}\n\n{table(cells)}")
    i, j = np.unravel_index(int(np.argmax(smoothed(grid))), grid.shape)
    return FORM[int(i)], GRAMS[int(j)]


def smoothed(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each cell's mean with the cells around it, as many as there are."""
    rows, columns = grid.shape
    around = [[grid[max(0, i - 1) : i + 2, max(0, j - 1) : j + 2] for j in range(columns)] for i in range(rows)]
    return np.array([[cells.mean() for cells in row] for row in around])


def table(grid: NDArray[np.float64]) -> str:
    """A grid of shares as a Markdown table."""
    head = "| | " + " | ".join(f"{share:g}" for share in GRAMS) + " |\n" + "|---" * (len(GRAMS) + 1) + "|"
    lines = (
        f"| {share:g} | " + " | ".join(f"{cell:.4f}" for cell in row) + " |"
        for share, row in zip(FORM, grid, strict=True)
    )
    return "\n".join([head, *lines])


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "lucan-vergil"
    if not folder.exists():
        sys.exit(f"{folder}: not there; give the folder of bench4.txt, or set LATINSEARCH_DATA")
    readings = [graded(load(folder, judged=judged, types=TYPES)) for judged in ("first", "phrase")]
    singles = [build(readings[0].passages, name) for name in SINGLES]
    bm25 = tune_bm25(singles, readings)
    form, grams = tune_shares([with_bm25(single, bm25) for single in singles], readings)
    shares = {"form": form, "lemma": 1.0, "grams": grams}
    analyses = {single.method: single.fields[0].analyzer.signature for single in singles}
    result = {"data": readings[0].checksum, "analyses": analyses, "bm25": asdict(bm25), "fusion": shares}
    (HERE / "tuned.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"\nchosen: {bm25}, shares {shares}")
    if any(recipe.scorer != bm25 or recipe.share != shares[recipe.name] for recipe in METHODS["fusion"]):
        sys.exit("METHODS['fusion'] has other parameters")


if __name__ == "__main__":
    main()
