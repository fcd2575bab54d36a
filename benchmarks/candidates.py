"""What ambiguity costs: each lemmatizer with its first candidate, its candidates (the best one counts), the same summed.

    python benchmarks/candidates.py [DATA FOLDER]

BM25 with the parameters of METHODS on latin-epic and lucan-vergil. Summed: each candidate of a query word is a
query word of its own. The lexicon has further possible candidates, which searches leave out: "best of all" has them, too.
Puts the table into docs/lemmata.md and writes benchmarks/results/candidates.json. Two minutes.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Literal

from results import put

from latinsearch.analyzer import Analyzer
from latinsearch.corpora import load_benchmark
from latinsearch.evaluation import evaluate_run
from latinsearch.lemmatizers import LEMMATIZERS, LIKELY
from latinsearch.methods import METHODS, build
from latinsearch.records import Benchmark, InputError, Run
from latinsearch.retriever import rank, search_all

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
SOURCES = {"latin-epic": "epic", "lucan-vergil": "lucan-vergil"}
MEASURES = ("nDCG@10", "R@100")


def searched(bench: Benchmark, lemmatizer: str, candidates: Literal["likely", "first", "all"]) -> Run:
    """The run of BM25, the best candidate of a word counting."""
    (recipe,) = METHODS["bm25-lemma"]
    analyzer = replace(recipe.analyzer, lemmatizer=lemmatizer, candidates=candidates)
    return search_all(build(bench.passages, (recipe._replace(analyzer=analyzer),)), bench.queries)


def summed(bench: Benchmark, lemmatizer: str) -> Run:
    """The run of BM25 with every candidate of a query word as a query word of its own."""
    (recipe,) = METHODS["bm25-lemma"]
    (field,) = build(bench.passages, (recipe._replace(analyzer=Analyzer(lemmatizer=lemmatizer)),)).fields
    doc_ids = [passage.doc_id for passage in bench.passages]
    run: Run = {}
    for query in bench.queries:
        terms = [term._replace(candidates=(c,)) for term in field.analyzer(query.text) for c in term.candidates]
        places, scores = field.fitted.score(terms)
        found = [doc_ids[place] for place in places]
        order = rank(scores, places, 1000)  # the order of places breaks ties well enough for an ablation
        run[query.query_id] = {found[i]: float(scores[i]) for i in order}
    return run


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    for folder in SOURCES.values():
        if not (data / folder).is_dir():
            sys.exit(f"{data / folder}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name, folder in SOURCES.items():
        bench = load_benchmark(name, path=data / folder)
        for lemmatizer in LEMMATIZERS:
            try:
                runs = {
                    "first": searched(bench, lemmatizer, "first"),
                    "best of its candidates": searched(bench, lemmatizer, "likely"),
                    "candidates summed": summed(bench, lemmatizer),
                }
                if lemmatizer in LIKELY:
                    runs["best of all, further ones too"] = searched(bench, lemmatizer, "all")
            except InputError as error:
                print(f"{lemmatizer}: left out, {error}", file=sys.stderr)
                continue
            for way, run in runs.items():
                means = evaluate_run(run, bench.qrels).means
                cells = table.setdefault(f"{lemmatizer}, {way}", {})
                cells[name] = {measure: means[measure] for measure in MEASURES}
    (HERE / "results" / "candidates.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    columns = [(name, measure) for name in SOURCES for measure in MEASURES]
    lines = ["| lemmatizer, candidates | " + " | ".join(f"{name} {m}" for name, m in columns) + " |"]
    lines += ["|---" * (len(columns) + 1) + "|"]
    lines += [
        f"| {row} | " + " | ".join(f"{cells[n][m]:.3f}" for n, m in columns) + " |" for row, cells in table.items()
    ]
    put(HERE.parent / "docs" / "lemmata.md", "candidates", "\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
