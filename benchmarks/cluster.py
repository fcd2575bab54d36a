"""Many queries in one process, in two, and on a Dask cluster of two workers: seconds, and whether the run is the same.

    python benchmarks/cluster.py [DATA FOLDER]

100,000 queries of six words drawn from latin-epic, fusion, k = 100; each way once to start its processes, then the median of
three. Writes the table of docs/cluster.md. Needs the extra `dask`. Three minutes.
"""

from __future__ import annotations

import os
import pickle
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import joblib
from distributed import Client, LocalCluster
from results import put

from latinsearch import build, load, load_benchmark
from latinsearch.records import Query, Run
from latinsearch.retriever import search_all

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
QUERIES, K, ROUNDS = 100_000, 100, 3


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not (data / "epic").is_dir():
        sys.exit(f"{data / 'epic'}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    bench = load_benchmark("latin-epic", path=data / "epic")
    draw = random.Random(1)
    words = [word for passage in bench.passages for word in passage.text.split()]
    queries = [Query(f"q{number}", " ".join(draw.choices(words, k=6))) for number in range(QUERIES)]
    with tempfile.TemporaryDirectory() as folder:
        build(bench.passages, "fusion").save(folder)
        retriever = load(folder)
        in_memory = build(bench.passages, "fusion")

        def here(n_jobs: int) -> Callable[[], Run]:
            return lambda: search_all(retriever, queries, K, n_jobs=n_jobs)

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):

            def on_cluster() -> Run:
                with joblib.parallel_config(backend="dask"):
                    return search_all(retriever, queries, K, n_jobs=2)

            ways = {"one process": here(1), "two processes (loky)": here(2), "Dask, two workers": on_cluster}
            runs = {name: way() for name, way in ways.items()}
            seconds: dict[str, list[float]] = {name: [] for name in ways}
            for _ in range(ROUNDS):
                for name, way in ways.items():
                    begun = time.perf_counter()
                    way()
                    seconds[name].append(time.perf_counter() - begun)
        lines = ["| | queries a second | of one process | the run |", "|---|---|---|---|"]
        medians = {name: statistics.median(of) for name, of in seconds.items()}
        for name, median in medians.items():
            same = "the same" if runs[name] == runs["one process"] else "DIFFERENT"
            lines.append(f"| {name} | {QUERIES / median:,.0f} | {medians['one process'] / median:.2f} x | {same} |")
        loaded, whole = len(pickle.dumps(retriever)), len(pickle.dumps(in_memory))
        lines += ["", f"With each task travel {loaded:,} bytes for a loaded retriever, {whole:,} for one in memory."]
    print("\n".join(lines))
    put(HERE.parent / "docs" / "cluster.md", "cluster", "\n".join(lines))


if __name__ == "__main__":
    main()
