"""The C program and numpy give the same bits, and both the same as a slow version of what they promise."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from latinsearch import build
from latinsearch.records import InputError, Passage
from latinsearch.scorers import kernel
from latinsearch.scorers.kernel import Best, Keys, top
from latinsearch.scorers.weights import Asked, Weights, ordered

needs_c = pytest.mark.skipif(
    kernel.kernel() == "numpy", reason="the C program was not built: no compiler, or turned off"
)


def matrix(draw: random.Random, passages: int, terms: int, values: Sequence[float]) -> sparse.csc_matrix:
    """Weights of few values, so that there are ties; some terms in most passages, some in none."""
    dense = np.zeros((passages, terms), dtype=np.float64)
    for term in range(terms):
        share = draw.choice((0.0, 0.02, 0.2, 0.8, 1.0))
        for passage in range(passages):
            if draw.random() < share:
                dense[passage, term] = draw.choice(values)
    return sparse.csc_matrix(dense)


def slow(
    queries: Sequence[Sequence[Asked]], fields: Sequence[Weights], k: int, keys: Keys
) -> list[list[tuple[int, float]]]:
    """Each query's best passages, passage by passage."""
    found = []
    for query in queries:
        scores: dict[int, float] = {}
        for _, number, word, factor in ordered(query, fields):
            field = fields[number]
            candidates = range(field.word_starts[word], field.word_starts[word + 1])
            for passage in range(field.passages):
                of = [
                    factor * field.word_factors.item(c) * weight
                    for c in candidates
                    if (weight := field.weight(int(field.word_terms[c]), passage)) is not None
                ]
                if of:
                    scores[passage] = scores.get(passage, 0.0) + max(of)
        ranked = sorted(scores, key=lambda p: (np.float32(scores[p]), keys.key[p]), reverse=True)
        found.append([(passage, float(np.float32(scores[passage]))) for passage in ranked[:k]])
    return found


def listed(best: Best) -> list[list[tuple[int, float]]]:
    pairs = list(zip(best.places.tolist(), best.scores.tolist(), strict=True))
    return [pairs[start:end] for start, end in zip(best.offsets, best.offsets[1:], strict=False)]


def drawn(seed: int, values: Sequence[float]) -> tuple[list[list[Asked]], list[Weights], Keys]:
    draw = random.Random(seed)
    passages = draw.choice((1, 5, 60, 300))
    fields = [Weights(matrix(draw, passages, 9, values)) for _ in range(draw.choice((1, 1, 3)))]
    for field in fields:
        for _ in range(8):
            terms = draw.sample(range(9), draw.choice((1, 1, 1, 2, 3)))
            field.word(terms, [draw.choice((1.0, 2.0, 0.3)) for _ in terms])
    queries = []
    for _ in range(4):
        words = [draw.sample(range(8), draw.randrange(5)) for _ in fields]
        queries.append([Asked(of, [draw.choice((1.0, 0.25, 1.5)) for _ in of]) for of in words])
    keys = Keys(draw.sample(range(passages), passages))
    return queries, fields, keys


POSITIVE = (0.5, 1.0, 1.0, 1.5, 3.25, 8.1)


@given(st.integers(0, 2**32), st.sampled_from([1, 2, 3, 10, 100, 129, 1000]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_both_are_what_a_slow_version_gives(seed: int, k: int, negative: bool) -> None:
    queries, fields, keys = drawn(seed, (*POSITIVE, -1.0, 0.0) if negative else POSITIVE)
    expected = slow(queries, fields, k, keys)
    assert listed(kernel._by_numpy(queries, fields, min(k, fields[0].passages), keys)) == expected
    assert listed(top(queries, fields, k, keys)) == expected


@needs_c
@pytest.mark.parametrize("k", [1, 10, 100, 500, 3000])
def test_both_give_the_same_bits_where_postings_are_left_out(k: int) -> None:
    """Few rare words and many common ones, as in Latin: most postings of the common ones cannot bring a passage to the top."""
    draw = np.random.default_rng(7)
    passages, terms = 2500, 40
    shares = np.geomspace(0.002, 0.9, terms)
    dense = np.where(draw.random((passages, terms)) < shares, draw.random((passages, terms)) * -np.log(shares), 0)
    fields = [Weights(sparse.csc_matrix(dense))]
    keys = Keys(draw.permutation(passages))
    for size in (1, 1, 1, 2, 4) * 20:
        fields[0].word(draw.choice(terms, size, replace=False).tolist(), [1.0] * size)
    queries = [[Asked(draw.choice(100, 8, replace=False).tolist(), [1.0] * 8)] for _ in range(200)]
    one, other = top(queries, fields, k, keys), kernel._by_numpy(queries, fields, min(k, passages), keys)
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@needs_c
def test_threads_do_not_disturb_each_other() -> None:
    queries, fields, keys = drawn(3, POSITIVE)
    expected = listed(top(queries, fields, 10, keys))
    wrong: list[int] = []

    def search() -> None:
        wrong.extend(turn for turn in range(200) if listed(top(queries, fields, 10, keys)) != expected)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def broken() -> Iterator[sparse.csc_matrix]:
    """Postings that no index has, which must not reach a program that trusts them."""
    for rows, starts in (
        ([0, 5], [0, 2]),
        ([0, -1], [0, 2]),
        ([1, 0], [0, 2]),
        ([1, 1], [0, 2]),
        ([0, 1], [0, 3]),
        ([0, 1], [0, 2, 1]),
    ):
        made = sparse.csc_matrix((3, len(starts) - 1))
        made.data, made.indices, made.indptr = np.ones(len(rows)), np.array(rows), np.array(starts)
        yield made


@pytest.mark.parametrize("given", list(broken()))
def test_postings_that_are_out_of_range_are_refused(given: sparse.csc_matrix) -> None:
    with pytest.raises(InputError, match="postings are damaged"):
        Weights(given)


def test_weights_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="no finite number"):
        Weights(sparse.csc_matrix(np.array([[np.nan, 1.0]])))


def test_a_posting_takes_eight_bytes() -> None:
    weights = Weights(matrix(random.Random(1), 300, 9, POSITIVE))
    of_terms = 9 * (8 + 8) + 8
    assert weights.nbytes == 8 * sum(len(shard.rows) for shard in weights.shards) + of_terms


def test_without_the_program_the_hits_are_the_same(tmp_path: Path) -> None:
    script = (
        "import latinsearch as ls, sys\n"
        "from latinsearch.scorers.kernel import kernel\n"
        "bench = ls.load_benchmark('sample')\n"
        "print(kernel(), file=sys.stderr)\n"
        "for method in ('bm25-lemma', 'tfidf-lemma', 'fusion'):\n"
        "    retriever = ls.build(bench.passages, method)\n"
        "    print([(h.doc_id, h.score) for q in bench.queries for h in retriever.search(q.text, 20)])\n"
    )
    done = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, kernel.OFF: off},
            capture_output=True,
            text=True,
            check=True,
        )
        for off in ("numpy", "")
    ]
    assert done[0].stdout == done[1].stdout != ""
    assert done[0].stderr == "numpy\n"


def test_a_search_within_has_the_scores_of_one_without() -> None:
    passages = [Passage(f"p{n}", text) for n, text in enumerate(("arma uirumque cano", "arma", "uirum uirum", "cano"))]
    retriever = build(passages, "fusion")
    everywhere = {hit.doc_id: hit.score for hit in retriever.search("arma uirum", 10)}
    within = retriever.search("arma uirum", 10, within={"p0", "p2"})
    assert {hit.doc_id: hit.score for hit in within} == {doc_id: everywhere[doc_id] for doc_id in ("p0", "p2")}
