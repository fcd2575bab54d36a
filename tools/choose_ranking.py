"""The choice of AGREEMENT and ROUNDS, by which the lexicon's candidates are ranked, on Lucan 1 ~ Aeneid alone.

    python tools/choose_ranking.py TEXTS [FOLDER OF lucan-vergil]

For each pair of values the candidates are ranked anew and the poems are searched by the first candidate of each word, with the
BM25 and the judgements of benchmarks/tune.py. Prints nDCG@10 of every cell; the best one is chosen. Needs what
tools/build_lexicon.py needs, and the library's own dependencies. Twenty minutes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from build_lexicon import all_sources, counts, likely
from lexicon.ranking import frequencies
from lexicon.readings import conventions, readings

from latinsearch.analyzer import Analyzer
from latinsearch.corpora.lucan_vergil import load
from latinsearch.lemmatizers import Lemmatizer
from latinsearch.lemmatizers.enclitics import without_enclitic
from latinsearch.lemmatizers.variants import variant
from latinsearch.methods import METHODS, build
from latinsearch.retriever import search_all

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
DATA = Path(os.environ.get("LATINSEARCH_DATA", ROOT.parent / "shared" / "data"))
AGREEMENTS = (1.0, 2.0, 3.0, 4.0, 8.0)
ROUNDS = (1, 2, 4, 8, 16)


def main() -> None:
    from tune import TYPES, graded, quality

    if len(sys.argv) not in (2, 3) or not Path(sys.argv[1]).is_dir():
        sys.exit("give the folder of .tess files of which frequencies are estimated, and the folder of lucan-vergil")
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else DATA / "lucan-vergil"
    judged = [graded(load(folder, judged=reading, types=TYPES)) for reading in ("first", "phrase")]
    seen = counts(Path(sys.argv[1]))
    sources = all_sources()
    known = conventions(sources)
    (recipe,) = METHODS["bm25-lemma"]
    print("| agreement, rounds | " + " | ".join(map(str, ROUNDS)) + " |")
    print("|---" * (len(ROUNDS) + 1) + "|")
    for agreement in AGREEMENTS:
        every = list(readings(sources, known, agreement))
        cells = []
        for rounds in ROUNDS:
            table = likely(every, frequencies(every, seen, rounds), sources)

            def look(form: str, table: dict[str, list[str]] = table) -> tuple[str, ...]:
                return tuple(table.get(form, ()))

            def lemmata(form: str, look: Lemmatizer = look) -> tuple[str, ...]:
                return look(form) or without_enclitic(form, look) or variant(form, look)

            analyzer = Analyzer(lemmatizer=lemmata, candidates="first")
            retriever = build(judged[0].passages, (recipe._replace(analyzer=analyzer),))
            cells.append(quality(search_all(retriever, judged[0].queries, k=100), judged))
        print(f"| {agreement:g} | " + " | ".join(f"{cell:.4f}" for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
