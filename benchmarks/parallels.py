"""Text against text: Argonautica 1 and the four epics beside Tesserae's own results, the curated parallels, and the cost.

    python benchmarks/parallels.py [DATA FOLDER]

1. The share of Tesserae v3's 33,042 results that `compare` finds with its preset and its stop list's basis (all of its Latin),
   the rank correlation of the scores (on both bases of frequency), and for the rest why they are missing.
2. Of the 945 curated parallels those that are in a list of 33,042: a parallel is found if any of its verses is paired with any.
3. Seconds and megabytes, reading and indexing included, of the whole Argonautica against the Aeneid (every parallel made), and
   against all of tesserae-la (the best 10,000 made), and how they grow when the source doubles. Each in a process of its own.

Writes benchmarks/results/parallels.json and the table of docs/compare.md. Seven minutes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from peers import rows
from results import put
from scipy.stats import spearmanr

from latinsearch.analyzer import Analyzer, Terms
from latinsearch.compare import Parallel, comparison
from latinsearch.corpora import read
from latinsearch.corpora.parallels import curated
from latinsearch.index import Index
from latinsearch.methods import METHODS
from latinsearch.records import Passage
from latinsearch.scorers import Tesserae
from latinsearch.scorers.frequencies import term_counts

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
LENGTH = 33_042
"""How many results Tesserae has."""

Pair = tuple[int, str]
"""A line of Argonautica 1 and the reference of a verse."""


def epics(data: Path) -> tuple[list[Passage], list[Passage]]:
    """Argonautica 1 and the verses of the four epics."""
    texts = data / "epic" / "texts"
    sources = sorted(path for path in texts.glob("*.tess") if not path.name.startswith("valerius"))
    return read(texts / "valerius_flaccus.argonautica.part.1.tess"), read(*sources)


def most_frequent(passages: list[Passage], analyzer: Analyzer) -> tuple[str, ...]:
    """The ten lemmata that the passages have most often."""
    counts = term_counts([Index.build(passages, analyzer)])
    return tuple(sorted(counts, key=lambda term: (-counts[term], term))[:10])


def pairs_of(parallels: list[Parallel]) -> dict[Pair, float]:
    """The best score of each pair of verses; a window counts for each of its verses."""
    best: dict[Pair, float] = {}
    for parallel in parallels:
        line = parallel.target.meta["line"]
        two = "+" in parallel.target.doc_id
        sources = str(parallel.source.ref).split(" - ")
        for target in (int(line), int(line) + 1) if two else (int(line),):
            for ref in sources:
                best.setdefault((target, ref), parallel.score)
    return best


def recall(found: dict[Pair, float], data: Path, sources: list[Passage]) -> int:
    """How many of the curated parallels are found."""
    refs = {(p.meta["author"], p.meta["book"], p.meta["line"]): str(p.ref) for p in sources}
    count = 0
    folder = data / "epic"
    for each in curated([folder / "vf_intertext_dataset_1_0.csv"], folder):
        wanted = [
            refs[each.work.author, each.book, line]
            for line in range(each.start, each.end + 1)
            if (each.work.author, each.book, line) in refs
        ]
        count += any((line, ref) in found for line in range(each.first, each.last + 1) for ref in wanted)
    return count


def reason(target: Terms, source: Terms, stopped: set[str]) -> str:
    """Why two verses that Tesserae pairs are no parallel of ours."""

    def enough(without: set[str]) -> bool:
        def meets(one: Any, other: Any) -> bool:
            return bool((set(one.candidates) & set(other.candidates)) - without)

        asked = {t.folded for t in target if any(meets(t, s) for s in source)}
        met = {s.folded for s in source if any(meets(t, s) for t in target)}
        return len(asked) > 1 and len(met) > 1

    return "score below the cut-off" if enough(stopped) else "stop list" if enough(set()) else "lemma table"


def beside_tesserae(data: Path) -> dict[str, Any]:
    """Parts 1 and 2."""
    targets, sources = epics(data)
    analyzer = METHODS["tesserae"][0].analyzer
    theirs = {(line, ref): score for line, ref, score in rows(data / "peers")}
    corpus = read(data / "tesserae-la")
    latin = most_frequent(corpus, analyzer)
    correlations = {}
    for basis in ("corpus", "texts"):
        scorer = Tesserae(stoplist=latin, frequency=basis)  # type: ignore[arg-type]
        made = list(comparison(targets, sources, method=scorer, corpus=corpus).parallels)
        ours = pairs_of(made)
        both = sorted(ours.keys() & theirs.keys())
        correlations[basis] = float(spearmanr([ours[p] for p in both], [theirs[p] for p in both]).statistic)
    texts = {str(p.ref): p.text for p in sources}
    lines = {p.meta["line"]: p.text for p in targets}
    missing = Counter(
        reason(analyzer(lines[line]), analyzer(texts[ref]), set(latin)) for line, ref in theirs.keys() - ours.keys()
    )
    recalls = {"Tesserae v3, its own results": recall(theirs, data, sources)}
    for name, given in {
        "v3, ten stopped in both texts": {},
        "v3, ten stopped in all of Latin": {"stoplist": latin},
        "one match is enough": {"method": "tesserae-one"},
        "v3, windows": {"unit": "window"},
        "one match is enough, windows": {"method": "tesserae-one", "unit": "window"},
        "no stop list": {"stoplist": 0},
    }.items():
        listed = list(comparison(targets, sources, top=LENGTH, **given).parallels)  # type: ignore[arg-type]
        recalls[name] = recall(pairs_of(listed), data, sources)
        print(name, len(listed), recalls[name], flush=True)
    return {
        "stop list": latin,
        "results of Tesserae": len(theirs),
        "ours": len(made),
        "found": len(both),
        "share found": len(both) / len(theirs),
        "rank correlation": correlations,
        "missing": dict(missing),
        "recall of 945": recalls,
    }


def cost(data: Path, source: str) -> dict[str, float]:
    """Part 3, in this process."""
    begun = time.perf_counter()
    folder = data / "tesserae-la"
    targets = read(*sorted(folder.glob("valerius_flaccus.argonautica*")))
    files = sorted(folder.glob("*.tess"))
    chosen = {
        "Aeneid": [path for path in files if path.name.startswith("vergil.aeneid")],
        "half of tesserae-la": files[::2],
        "tesserae-la": files,
    }[source]
    sources = read(*chosen)
    top = None if source == "Aeneid" else 10_000
    count = sum(1 for _ in comparison(targets, sources, top=top).parallels)
    return {
        "passages": len(sources),
        "parallels made": count,
        "seconds": time.perf_counter() - begun,
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    for folder in ("epic", "peers", "tesserae-la"):
        if not (data / folder).is_dir():
            sys.exit(f"{data / folder}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    warnings.simplefilter("ignore")  # what reading reports of the texts
    if len(sys.argv) > 2:
        print(json.dumps(cost(data, sys.argv[2])))
        return
    # First, since a process is told to have had the memory of the one that began it.
    costs = {
        source: json.loads(
            subprocess.run([sys.executable, __file__, str(data), source], check=True, capture_output=True).stdout
        )
        for source in ("Aeneid", "half of tesserae-la", "tesserae-la")
    }
    result = beside_tesserae(data) | {"cost": costs}
    (HERE / "results" / "parallels.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    lines = [
        "| | |",
        "|---|---|",
        f"| Tesserae v3's results that are found | {result['found']:,} of {LENGTH:,}, {result['share found']:.1%} |",
        *(
            f"| rank correlation of the scores (Spearman), frequency `{basis}` | {value:.3f} |"
            for basis, value in result["rank correlation"].items()
        ),
        *(f"| missing: {why} | {count:,} |" for why, count in sorted(result["missing"].items())),
        *(
            f"| curated parallels in a list of {LENGTH:,}: {name} | {count} of 945 |"
            for name, count in result["recall of 945"].items()
        ),
        *(
            f"| Argonautica against {name}, {of['passages']:,} passages | {of['seconds']:.1f} s, {of['MB']:,.0f} MB |"
            for name, of in result["cost"].items()
        ),
    ]
    print("\n".join(lines))
    put(HERE.parent / "docs" / "compare.md", "parallels", "\n".join(lines))


if __name__ == "__main__":
    main()
