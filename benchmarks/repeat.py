"""Whether every number repeats on the benchmark: other hash seeds, numbers of jobs, passages shuffled.

    python benchmarks/repeat.py [DATA FOLDER]

Writes run files of all methods (a) with PYTHONHASHSEED=1 and one job, (b) with PYTHONHASHSEED=2 and two, (c) with the passages
shuffled, and index folders for (a) and (b); then compares bytes. Also compares the method `rank-bm25` with our own Okapi form
on every hit.
Takes about five minutes; ends with an error if anything differs.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from latinsearch.corpora import load_benchmark
from latinsearch.methods import METHODS, build
from latinsearch.retriever import LexicalRetriever, search_all
from latinsearch.scorers import BM25
from latinsearch.trec import write_run

DATA = Path(os.environ.get("LATINSEARCH_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


def digests(folder: Path) -> dict[str, str]:
    """The sha256 of every file below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def command(seed: str, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run(
        [sys.executable, "-m", "latinsearch", *arguments], check=True, env=environment, stdout=subprocess.DEVNULL
    )


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    epic = data / "epic"
    if not epic.is_dir():
        sys.exit(f"{epic}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        for seed, jobs in (("1", "1"), ("2", "2")):
            runs, index = str(place / f"runs-{jobs}"), str(place / f"index-{jobs}")
            command(seed, "benchmark", "--data", str(epic), "--runs", runs, "--jobs", jobs)
            command(seed, "index", str(epic / "texts"), "--output", index, "--method", "fusion", "--jobs", jobs)
        bench = load_benchmark("latin-epic", path=epic)
        shuffled = random.Random(0).sample(bench.passages, len(bench.passages))
        (place / "runs-shuffled").mkdir()
        for name in METHODS:
            run = search_all(build(shuffled, name), bench.queries)
            write_run(run, place / "runs-shuffled" / f"{name}.run", name)
        found = {name: digests(place / name) for name in ("runs-1", "runs-2", "runs-shuffled", "index-1", "index-2")}
    runs = {name: value for name, value in found["runs-1"].items() if name.endswith(".run")}
    checks = {
        f"{len(found['runs-1'])} files of runs, hash seed 1 and one job = seed 2 and two": found["runs-1"]
        == found["runs-2"],
        f"{len(runs)} run files, passages shuffled": found["runs-shuffled"] == runs,
        f"{len(found['index-1'])} files of an index, hash seed 1 and one job = seed 2 and two": found["index-1"]
        == found["index-2"],
    }
    package = build(bench.passages, "rank-bm25")
    (field,) = package.fields
    scorer = BM25(variant="okapi")
    okapi = LexicalRetriever("okapi", package.passages, (replace(field, scorer=scorer),))
    of_package, of_ours = (search_all(made, bench.queries, k=len(bench.passages)) for made in (package, okapi))
    same_hits = all(of_package[query_id].keys() == of_ours[query_id].keys() for query_id in of_package)
    pairs = (
        [(score, of_ours[q][doc_id]) for q, row in of_package.items() for doc_id, score in row.items()]
        if same_hits
        else []
    )
    greatest = max((abs(one - other) for one, other in pairs), default=float("inf"))
    checks[f"rank-bm25 = BM25(variant='okapi') on {len(pairs):,} hits, greatest difference {greatest:.1e}"] = (
        greatest <= 1e-6
    )
    for check, passed in checks.items():
        print("same" if passed else "DIFFERENT", "-", check)
    if not all(checks.values()):
        sys.exit("not everything repeats")


if __name__ == "__main__":
    main()
