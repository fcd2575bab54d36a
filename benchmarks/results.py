"""The tables of README.md and docs/results.md, from a run of every method on both benchmarks.

    python benchmarks/results.py [DATA FOLDER]

Runs `latinsearch benchmark` in a process of its own on latin-epic and on lucan-vergil, scores Tesserae v3's own results beside
it, writes benchmarks/results/*.json, and puts the tables between the markers in the two pages. Takes about two minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from peers import scored_results

from latinsearch.corpora import load_benchmark

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
SOURCES = {"latin-epic": "epic", "lucan-vergil": "lucan-vergil"}
SHOWN = ("nDCG@10", "AP", "R@10", "R@100", "RR@10")


def scored(name: str, path: Path) -> dict[str, Any]:
    """The JSON of the benchmark command, and the seconds of its whole process."""
    command = [
        sys.executable,
        "-m",
        "latinsearch",
        "benchmark",
        "--name",
        name,
        "--data",
        str(path),
        "--format",
        "json",
    ]
    begun = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    print(f"{name}: {time.perf_counter() - begun:.0f} seconds for the whole process")
    return found


def row(name: str, result: dict[str, Any]) -> str:
    """A line of the table: each mean, and for nDCG@10 its range over the orders of ties."""
    worst, best = result["ties"]["nDCG@10"]
    means = [f"{result[measure]:.3f}" for measure in SHOWN]
    return f"| {name} | {means[0]} ({worst:.3f} to {best:.3f}) | " + " | ".join(means[1:]) + " |"


def table(found: dict[str, Any]) -> str:
    """The table of one benchmark, with what it was measured on."""
    facts = found["benchmark"]
    lines = ["| method | " + " | ".join(SHOWN) + " |", "|---" * (len(SHOWN) + 1) + "|"]
    lines += [row(name, result) for name, result in found["methods"].items()]
    lines += [
        "",
        f"{facts['name']}: {facts['passages']:,} passages, {facts['queries']} queries, {facts['judgements']} judgements, "
        f"checksum `{facts['checksum']}`. In brackets the worst and the best value over the orders of tied passages.",
    ]
    return "\n".join(lines)


def signatures(found: dict[str, Any]) -> str:
    """Each method's signature, one a line."""
    return "\n".join(["```text", *(result["signature"] for result in found["methods"].values()), "```"])


def put(page: Path, marker: str, text: str) -> None:
    """Replace what stands between the markers of that name."""
    begin, end = f"<!-- {marker} -->\n", f"<!-- end {marker} -->"
    whole = page.read_text(encoding="utf-8")
    before, rest = whole.split(begin)
    page.write_text(before + begin + text + "\n" + end + rest.split(end)[1], encoding="utf-8")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    for folder in (*SOURCES.values(), "peers"):
        if not (data / folder).is_dir():
            sys.exit(f"{data / folder}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    (HERE / "results").mkdir(exist_ok=True)
    for name, folder in SOURCES.items():
        found = scored(name, data / folder)
        if name == "latin-epic":
            peer = scored_results(data, load_benchmark(name, path=data / folder))
            ties = {measure: list(bounds) for measure, bounds in peer.ties.items()}
            found["methods"]["Tesserae v3, its own results"] = {"signature": peer.signature, **peer.means, "ties": ties}
        (HERE / "results" / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        put(HERE.parent / "docs" / "results.md", name, table(found) + "\n\n" + signatures(found))
        if name == "latin-epic":
            put(HERE.parent / "README.md", name, table(found))


if __name__ == "__main__":
    main()
