"""What an index of 40 thousand to 5 million passages costs: time, bytes, memory, and how long a query takes.

    python benchmarks/scale.py [DATA FOLDER] [--sizes 40000,350000,1000000,5000000]

The passages: all of tesserae-la for 350,000; else lines drawn with a seed from those of tesserae-la that have at most 12 words,
as verses have. They come from a generator and go into a folder (bm25-lemma, two processes, a shard for each million), in a
process of its own, whose time and peak memory are taken, its children's beside. Another process opens the folder and searches
the 482 queries of latin-epic, after one round for the disk: median and 95th percentile of a query (k = 10), and nanoseconds
for each posting of its words, whether looked at or passed over.

Writes benchmarks/results/scale.json and the table of docs/speed.md. A quarter of an hour, and 4 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from results import put

from latinsearch import load, load_benchmark
from latinsearch.corpora import read
from latinsearch.methods import build
from latinsearch.records import Passage
from latinsearch.tokenizer import forms

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
ALL = 350_000
"""The size that stands for all of tesserae-la."""
SIZES = (40_000, ALL, 1_000_000, 5_000_000)
LONGEST = 12
SHARD = 1_000_000
"""Passages to a shard, at most."""


def drawn(texts: list[str], size: int) -> Iterator[Passage]:
    draw = random.Random(size)
    return (Passage(f"drawn.{number}", draw.choice(texts)) for number in range(size))


def built(data: Path, size: int, folder: Path) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = time.perf_counter()
        latin = read(data / "tesserae-la")
        reading = time.perf_counter() - begun
    texts = [passage.text for passage in latin if 0 < len(forms(passage.text)) <= LONGEST]
    begun = time.perf_counter()
    retriever = build(
        latin if size == ALL else drawn(texts, size), "bm25-lemma", folder=folder, n_jobs=2, shards=-(-size // SHARD)
    )
    seconds = time.perf_counter() - begun + (reading if size == ALL else 0)
    (field,) = retriever.fields
    postings = int(field.index.df.sum())
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {
        "passages": len(retriever.passages),
        "words": len(field.index.tokens),
        "postings": postings,
        "shards": field.index.shards,
        "build seconds": seconds,
        "peak bytes": own,
        "peak bytes of a helping process": max(map(peak_of, children()), default=0),
    }


def children() -> list[int]:
    """The processes that this one has started and that are still there; Linux alone tells."""
    lists = Path("/proc/self/task").glob("*/children")
    return [int(pid) for path in lists for pid in path.read_text(encoding="ascii").split()]


def peak_of(pid: int) -> int:
    """The most memory that a process has had, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def searched(data: Path, folder: Path) -> dict[str, Any]:
    queries = [query.text for query in load_benchmark("latin-epic", path=data / "epic").queries]
    begun = time.perf_counter()
    retriever = load(folder)
    opening = time.perf_counter() - begun
    begun = time.perf_counter()
    retriever.search(queries[0])
    first = time.perf_counter() - begun
    (field,) = retriever.fields
    touched = []
    for text in queries:
        words = {entry.candidates for entry in field.analyzer.words(text)}
        numbers = [field.index.term_ids[each] for word in words for each in word if each in field.index.term_ids]
        touched.append(int(field.index.df[numbers].sum()))
        retriever.search(text)
    seconds = []
    for _ in range(5):
        of_round = []
        for text in queries:
            begun = time.perf_counter()
            retriever.search(text)
            of_round.append(time.perf_counter() - begun)
        seconds.append(of_round)
    medians = [statistics.median(of) for of in zip(*seconds, strict=True)]
    weights: Any = field.fitted
    kinds = {"for searches": 0, "passages": 0, "words in order": 0}
    for path in folder.rglob("*"):
        if path.is_file():
            kind = "passages" if path.parent == folder else "for searches"
            kind = "words in order" if path.name in ("tokens.npy", "token_offsets.npy") else kind
            kinds[kind] += path.stat().st_size
    return {
        "open seconds": opening,
        "first search seconds": first,
        "median seconds": statistics.median(medians),
        "95th percentile seconds": statistics.quantiles(medians, n=20)[-1],
        "nanoseconds a posting": 1e9 * sum(medians) / sum(touched),
        "memory bytes a posting": sum(shard.rows.nbytes + shard.weights.nbytes for shard in weights.weights.shards)
        / int(field.index.df.sum()),
        "disk bytes": kinds,
    }


def in_a_process(*arguments: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(results: list[dict[str, Any]]) -> str:
    columns = (
        "passages",
        "words",
        "postings",
        "shards",
        "built in",
        "peak memory (of each helper)",
        "on disk (of it passages)",
        "bytes a posting for scoring: memory, disk",
        "opened, first search",
        "query: median, 95th percentile",
        "ns a posting",
    )
    rows = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for each in results:
        disk = each["disk bytes"]
        rows.append(
            f"| {each['passages']:,} | {each['words']:,} | {each['postings']:,} | {each['shards']} "
            f"| {each['build seconds']:,.1f} s "
            f"| {each['peak bytes'] / 1e9:.2f} GB ({each['peak bytes of a helping process'] / 1e9:.2f}) "
            f"| {sum(disk.values()) / 1e6:,.0f} MB ({disk['passages'] / 1e6:,.0f}) "
            f"| {each['memory bytes a posting']:.1f}, {disk['for searches'] / each['postings']:.1f} "
            f"| {each['open seconds'] * 1e3:,.0f} ms, {each['first search seconds'] * 1e3:,.0f} ms "
            f"| {each['median seconds'] * 1e3:.2f} ms, {each['95th percentile seconds'] * 1e3:.2f} ms "
            f"| {each['nanoseconds a posting']:.2f} |"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--build", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--search", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.build:
        print(json.dumps(built(given.data, int(given.build[0]), Path(given.build[1]))))
        return
    if given.search:
        print(json.dumps(searched(given.data, Path(given.search))))
        return
    if not (given.data / "tesserae-la").is_dir():
        sys.exit(f"{given.data / 'tesserae-la'}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    results = []
    for size in map(int, given.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            where = str(Path(folder) / "index")
            made = in_a_process(str(given.data), "--build", str(size), where)
            results.append(made | in_a_process(str(given.data), "--search", where))
        print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    first, last = results[0], results[-1]
    growth = {
        name: last[name] / first[name]
        for name in ("passages", "postings", "build seconds", "median seconds", "nanoseconds a posting")
    }
    content = {"seed": "the number of passages", "sizes": results, "growth": growth}
    (HERE / "results" / "scale.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    put(HERE.parent / "docs" / "speed.md", "scale", table(results))
    print(table(results))


if __name__ == "__main__":
    main()
