"""Queries a second, beside the peers that Python reaches, on the same tokens in one run.

    pip install -e '.[bench]'
    python benchmarks/speed.py [DATA FOLDER]

The tokens are the first lemmata of latin-epic, made before the clock starts; everyone weighs by BM25 (k1=0.9, b=0.4; tantivy
knows only 1.2 and 0.75). Batches are the 482 queries over and over, 50,000 of them; the slow ones get fewer. The systems take
turns, round after round, and the medians are compared, so that a busy machine slows all alike. `limit` is sparse_dot_topn:
the product of two sparse matrices with the best k of each row, whose order within ties is not specified. In `single`, each
query is a text that each system cuts into words itself, one call a query, and ours gives Hit objects.

Before anything is timed, the scores of ours, bm25s and rank_bm25 are compared. Writes benchmarks/results/speed.json and the
table of docs/speed.md. Four minutes.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import tantivy
from rank_bm25 import BM25Okapi
from results import put
from scipy import sparse
from sparse_dot_topn import sp_matmul_topn

from latinsearch.analyzer import Analyzer, Terms
from latinsearch.corpora import load_benchmark
from latinsearch.methods import Recipe, build
from latinsearch.retriever import LexicalRetriever
from latinsearch.scorers import BM25
from latinsearch.scorers.kernel import _by_numpy, kernel, top

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
QUERIES, ROUNDS, BLOCK = 50_000, 5, 256
PACKAGES = ("bm25s", "numba", "tantivy", "rank-bm25", "sparse-dot-topn", "numpy", "scipy")

Run = Callable[[int], int]
"""Searches with k and says how many queries it was."""


def searcher(retriever: LexicalRetriever, queries: Sequence[Terms], threads: int = 1) -> Run:
    """Ours, block by block."""
    fitted: Any = retriever.fields[0].fitted
    keys = retriever._keys
    blocks = [queries[start : start + BLOCK] for start in range(0, len(queries), BLOCK)]

    def search(block: Sequence[Terms], k: int) -> int:
        top([[fitted.asked(query)] for query in block], (fitted.weights,), k, keys)
        return len(block)

    def run(k: int) -> int:
        if threads == 1:
            return sum(search(block, k) for block in blocks)
        with ThreadPoolExecutor(threads) as pool:
            return sum(pool.map(lambda block: search(block, k), blocks))

    return run


def by_bm25s(model: Any, queries: Sequence[Sequence[str]], threads: int = 1) -> Run:
    def run(k: int) -> int:
        model.retrieve(queries, k=k, show_progress=False, n_threads=threads if threads > 1 else 0)
        return len(queries)

    return run


def by_tantivy(passages: Sequence[Sequence[str]], queries: Sequence[Sequence[str]]) -> Run:
    """The queries are made before the clock starts."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(num_threads=1)
    for tokens in passages:
        writer.add_document(tantivy.Document(text=" ".join(tokens)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    found = index.searcher()
    made = [
        tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", token)) for token in tokens]
        )
        for tokens in queries
    ]

    def run(k: int) -> int:
        for query in made:
            found.search(query, limit=k, count=False)
        return len(made)

    return run


def by_rank_bm25(model: BM25Okapi, queries: Sequence[Sequence[str]]) -> Run:
    def run(k: int) -> int:
        for tokens in queries:
            np.argsort(model.get_scores(tokens))[::-1][:k]
        return len(queries)

    return run


def by_product(retriever: LexicalRetriever, queries: Sequence[Sequence[str]], threads: int = 1) -> Run:
    field = retriever.fields[0]
    ids, weights = field.index.term_ids, field.fitted.weights  # type: ignore[attr-defined]
    (shard,) = weights.shards
    shape = (len(shard.starts) - 1, shard.passages)
    matrix = sparse.csr_matrix((shard.weights, shard.rows, shard.starts), shape=shape)
    known = [[ids[token] for token in tokens if token in ids] for tokens in queries]
    offsets = np.concatenate([[0], np.cumsum([len(numbers) for numbers in known])])
    columns = np.array([number for numbers in known for number in numbers], dtype=np.int32)
    asked = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, offsets), shape=(len(known), shape[0]))

    def run(k: int) -> int:
        for start in range(0, len(known), BLOCK):
            sp_matmul_topn(asked[start : start + BLOCK], matrix, top_n=k, sort=True, n_threads=threads)
        return len(known)

    return run


def by_numpy(retriever: LexicalRetriever, queries: Sequence[Terms]) -> Run:
    """Ours where no C compiler was: the same bits."""
    fitted: Any = retriever.fields[0].fitted
    asked = [[fitted.asked(query)] for query in queries]

    def run(k: int) -> int:
        _by_numpy(asked, (fitted.weights,), k, retriever._keys)
        return len(asked)

    return run


def by_scipy(retriever: LexicalRetriever, queries: Sequence[Sequence[str]]) -> Run:
    """A block of queries times the weights, and each row's best by argpartition."""
    field: Any = retriever.fields[0]
    (shard,) = field.fitted.weights.shards
    matrix = sparse.csr_matrix((shard.weights, shard.rows, shard.starts), shape=(len(shard.starts) - 1, shard.passages))
    known = [[field.index.term_ids[token] for token in tokens if token in field.index.term_ids] for tokens in queries]
    offsets = np.concatenate([[0], np.cumsum([len(numbers) for numbers in known])])
    columns = np.array([number for numbers in known for number in numbers], dtype=np.int32)
    asked = sparse.csr_matrix(
        (np.ones(len(columns), np.float32), columns, offsets), shape=(len(known), matrix.shape[0])
    )

    def run(k: int) -> int:
        for start in range(0, len(known), BLOCK):
            product = asked[start : start + BLOCK] @ matrix
            for first, after in pairwise(product.indptr.tolist()):
                scores = product.data[first:after]
                best = np.argpartition(scores, -k)[-k:] if k < len(scores) else np.arange(len(scores))
                product.indices[first:after][best[np.argsort(scores[best])[::-1]]]
        return len(known)

    return run


def agree(retriever: LexicalRetriever, fast: Any, queries: Sequence[Terms], tokens: Sequence[Sequence[str]]) -> float:
    """The greatest relative difference between our ten best scores and those of bm25s, which sums in 32 bits."""
    fitted: Any = retriever.fields[0].fitted
    found = top([[fitted.asked(query)] for query in queries], (fitted.weights,), 10, retriever._keys)
    theirs = fast.retrieve(tokens, k=10, show_progress=False, n_threads=0).scores
    return max(
        float(np.max(np.abs(theirs[n][: end - start] / found.scores[start:end] - 1), initial=0))
        for n, (start, end) in enumerate(zip(found.offsets, found.offsets[1:], strict=False))
    )


def timed(runs: dict[str, Run], k: int) -> dict[str, list[float]]:
    """Queries a second of each system, round by round, each first once without the clock."""
    for run in runs.values():
        run(k)
    samples: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begun = time.perf_counter()
            count = run(k)
            samples[name].append(count / (time.perf_counter() - begun))
    return samples


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not (data / "epic").is_dir():
        sys.exit(f"{data / 'epic'}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    if kernel() == "numpy":
        sys.exit("the C kernel was not built; install with a C compiler, by pip install -e '.[bench]'")
    bench = load_benchmark("latin-epic", path=data / "epic")
    analyzers = {name: Analyzer(lemmatizer="lexicon", candidates=name) for name in ("first", "likely")}  # type: ignore[arg-type]
    retrievers = {
        name: build(bench.passages, (Recipe("lemma", analyzer, BM25(k1=0.9, b=0.4)),))
        for name, analyzer in analyzers.items()
    }
    ours = retrievers["first"]
    analyzer = ours.fields[0].analyzer
    passages = [[term.candidates[0] for term in analyzer(passage.text)] for passage in bench.passages]
    asked = {name: [r.fields[0].analyzer(query.text) for query in bench.queries] for name, r in retrievers.items()}
    tokens = [[term.candidates[0] for term in terms] for terms in asked["first"]]
    times = -(-QUERIES // len(tokens))
    many = {name: (terms * times)[:QUERIES] for name, terms in asked.items()}
    many_tokens = (tokens * times)[:QUERIES]
    models = {}
    for backend in ("numba", "numpy"):
        models[backend] = bm25s.BM25(k1=0.9, b=0.4, method="lucene", backend=backend)
        models[backend].index(passages, show_progress=False)
    difference = agree(ours, models["numba"], asked["first"], tokens)
    print(f"greatest relative difference of scores from bm25s: {difference:.1e}")
    if difference > 1e-4:
        sys.exit("the scores differ, so the speeds cannot be compared")
    slow = BM25Okapi(passages, k1=0.9, b=0.4)
    batch = {
        "ours": searcher(ours, many["first"]),
        "ours, all candidates": searcher(retrievers["likely"], many["likely"]),
        "bm25s-numba": by_bm25s(models["numba"], many_tokens),
        "bm25s-numpy": by_bm25s(models["numpy"], tokens[:200]),
        "tantivy": by_tantivy(passages, many_tokens[:5_000]),
        "rank-bm25": by_rank_bm25(slow, tokens[:20]),
        "limit": by_product(ours, many_tokens),
        "scipy": by_scipy(ours, tokens),
        "ours by numpy": by_numpy(ours, asked["first"]),
    }
    two = {
        "ours": searcher(ours, many["first"], 2),
        "bm25s-numba": by_bm25s(models["numba"], many_tokens, 2),
        "limit": by_product(ours, many_tokens, 2),
    }
    texts = [query.text for query in bench.queries]

    def each(k: int) -> int:
        for text in texts:
            ours.search(text, k)
        return len(texts)

    # Texts to hits by its own tokenizer, which must then have read the passages, too.
    by_itself = bm25s.BM25(k1=0.9, b=0.4, method="lucene", backend="numba")
    raw = bm25s.tokenize([passage.text for passage in bench.passages], stopwords=None, show_progress=False)
    by_itself.index(raw, show_progress=False)

    def each_bm25s(k: int) -> int:
        for text in texts:
            cut = bm25s.tokenize([text], stopwords=None, show_progress=False, return_ids=False)
            by_itself.retrieve(cut, k=k, show_progress=False, n_threads=0)
        return len(texts)

    samples = {
        "batch k=10": timed(batch, 10),
        "batch k=1000": timed(batch, 1000),
        "two threads k=10": timed(two, 10),
        "single k=10": timed({"ours": each, "bm25s-numba": each_bm25s}, 10),
    }
    medians = {title: {name: statistics.median(values) for name, values in of.items()} for title, of in samples.items()}
    ratios = {
        title: {name: of["ours"] / value for name, value in of.items() if name != "ours"}
        for title, of in medians.items()
    }
    versions = {name: version(name) for name in PACKAGES} | {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }
    result = {"ratios": ratios, "samples": samples, "versions": versions}
    (HERE / "results" / "speed.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    lines = ["| | queries a second | ours is faster by |", "|---|---|---|"]
    for title, of in medians.items():
        for name, value in of.items():
            ratio = f"{ratios[title][name]:,.1f} x" if name in ratios[title] else ""
            lines.append(f"| {title}: {name} | {value:,.0f} | {ratio} |")
    print("\n".join(lines))
    put(HERE.parent / "docs" / "speed.md", "speed", "\n".join(lines))


if __name__ == "__main__":
    main()
