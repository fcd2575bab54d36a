"""Scores: the same as trec_eval's on runs with ties, and bounds that hold over every order of ties."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from itertools import groupby, permutations, product

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from latinsearch.evaluation import MEASURES, Results, evaluate, evaluate_run
from latinsearch.methods import build
from latinsearch.records import Benchmark, Hit, InputError, Passage, Qrels, Query, Run, TextWarning
from latinsearch.trec import rankings

# Both sides are sums of at most a few thousand doubles: what is left is rounding.
TOLERANCE = 1e-12
TREC_EVAL = {"nDCG@10": "ndcg_cut_10", "AP": "map", "R@10": "recall_10", "R@100": "recall_100", "R@1000": "recall_1000"}
DOCS = ("v-1-9", "v-1-10", "V-1-9", "é-1", "ov.met.1", "λ")
# 2.0 and 2.0 + 1e-9 are one score at 32 bits.
HITS = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.5, 2.0, 2.0 + 1e-9]), max_size=5)
GRADES = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1, max_size=5)


class Fixed:
    """A retriever that gives each query the hits it was told, and remembers what it was asked."""

    signature = "fixed"

    def __init__(self, run: Run) -> None:
        self.ranked = {query_id: (docs, scores.tolist()) for query_id, docs, scores in rankings(run)}
        self.asked: list[tuple[str, int]] = []

    def search(self, query: str, k: int = 10, *, within: Collection[str] | None = None) -> list[Hit]:
        assert within is None
        self.asked.append((query, k))
        pairs = zip(*self.ranked[query], strict=True)
        hits = [
            Hit(rank, doc_id, score, Passage(doc_id, doc_id)) for rank, (doc_id, score) in enumerate(pairs, start=1)
        ]
        return hits[:k]


class Neural:
    """A foreign retriever: one method and nothing else."""

    def search(self, query: str, k: int = 10, *, within: Collection[str] | None = None) -> list[Hit]:
        return []


def benchmark(qrels: Qrels, extra: Iterable[str] = ()) -> Benchmark:
    passages = tuple(Passage(doc_id, doc_id) for doc_id in DOCS)
    queries = tuple(Query(query_id, query_id) for query_id in [*qrels, *extra])
    return Benchmark("tiny", passages, queries, qrels, checksum="0")


def orders(hits: dict[str, float]) -> list[list[str]]:
    """Every order of a query's documents that keeps higher scores (at 32 bits) before lower ones."""
    by_score = sorted(hits, key=lambda doc_id: -np.float32(hits[doc_id]))
    blocks = [list(group) for _, group in groupby(by_score, key=lambda doc_id: np.float32(hits[doc_id]))]
    return [[doc_id for part in parts for doc_id in part] for parts in product(*map(permutations, blocks))]


def brute_bounds(run: Run, qrels: Qrels, k: int | None = None) -> dict[str, tuple[float, float]]:
    """The tie bounds by scoring every order there is."""
    lows: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    highs: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for query_id, grades in qrels.items():
        every = {str(number): order[:k] for number, order in enumerate(orders(run.get(query_id, {})))}
        scored = evaluate_run(
            {number: {doc_id: -float(place) for place, doc_id in enumerate(order)} for number, order in every.items()},
            dict.fromkeys(every, grades),
        )
        for measure in MEASURES:
            values = [row[measure] for row in scored.per_query.values()]
            lows[measure].append(min(values))
            highs[measure].append(max(values))
    return {
        measure: (math.fsum(lows[measure]) / len(qrels), math.fsum(highs[measure]) / len(qrels)) for measure in MEASURES
    }


def assert_bounds(results: Results, expected: dict[str, tuple[float, float]]) -> None:
    assert tuple(results.ties) == MEASURES
    for measure, (worst, best) in results.ties.items():
        assert worst <= results.means[measure] <= best
        assert (worst, best) == pytest.approx(expected[measure], abs=TOLERANCE)


def random_run(seed: int, queries: int, docs: int, levels: int) -> tuple[Run, Qrels]:
    rng = np.random.default_rng(seed)
    ids = [f"verg-{number}" for number in range(3 * docs)]
    run, qrels = {}, {}
    for number in range(queries):
        hits = rng.choice(len(ids), docs, replace=False)
        scores = rng.integers(0, levels, docs) / 7
        run[f"q{number}"] = {ids[doc]: float(score) for doc, score in zip(hits, scores, strict=True)}
        judged = rng.choice(len(ids), rng.integers(1, 40), replace=False)
        qrels[f"q{number}"] = {ids[doc]: int(rng.integers(0, 4)) for doc in judged}
    return run, qrels


@pytest.mark.parametrize("levels", [1, 3, 20, 10_000])
def test_values_are_those_of_pytrec_eval_on_runs_with_ties(levels: int) -> None:
    run, qrels = random_run(levels, queries=25, docs=300, levels=levels)
    results = evaluate_run(run, qrels, measures=[*TREC_EVAL, "RR", "RR@10"])
    expected = pytrec_eval.RelevanceEvaluator(qrels, {*TREC_EVAL.values(), "recip_rank"}).evaluate(run)
    assert results.per_query.keys() == expected.keys()
    for query_id, row in results.per_query.items():
        for measure, name in [*TREC_EVAL.items(), ("RR", "recip_rank")]:
            assert row[measure] == pytest.approx(expected[query_id][name], abs=TOLERANCE)
        # trec_eval has no RR@10: it is its RR where that is 1/10 or more.
        rr = expected[query_id]["recip_rank"]
        assert row["RR@10"] == pytest.approx(rr if rr > 0.0999 else 0.0, abs=TOLERANCE)


@given(run=st.fixed_dictionaries({"q1": HITS, "q2": HITS}), qrels=st.fixed_dictionaries({"q1": GRADES, "q2": GRADES}))
@settings(max_examples=60, deadline=None)
def test_bounds_are_the_extremes_over_all_orders(run: Run, qrels: Qrels) -> None:
    results = evaluate_run(run, qrels)
    assert_bounds(results, brute_bounds(run, qrels))
    expected = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL.values())).evaluate(run)
    for query_id, row in expected.items():
        for measure, name in TREC_EVAL.items():
            assert results.per_query[query_id][measure] == pytest.approx(row[name], abs=TOLERANCE)


@given(
    run=st.fixed_dictionaries({"q1": HITS, "q2": HITS}),
    qrels=st.fixed_dictionaries({"q1": GRADES, "q2": GRADES}),
    k=st.integers(1, 4),
)
@settings(max_examples=60, deadline=None)
def test_bounds_are_exact_where_ties_go_on_beyond_the_cut(run: Run, qrels: Qrels, k: int) -> None:
    results = evaluate(Fixed(run), benchmark(qrels), k=k)
    assert_bounds(results, brute_bounds(run, qrels, k))
    cut = {query_id: dict(sorted(hits.items(), key=lambda hit: -hit[1])) for query_id, hits in results.run.items()}
    assert all(len(hits) <= k for hits in cut.values())
    assert results.means == pytest.approx(evaluate_run(results.run, qrels).means, abs=TOLERANCE)


def test_values_worked_by_hand() -> None:
    """Ranking: b (not judged), a (grade 1), c (grade 3), d (not judged); e (grade 2) is not found."""
    run = {"q1": {"a": 3.0, "b": 4.0, "c": 2.0, "d": 1.0}}
    row = evaluate_run(run, {"q1": {"a": 1, "c": 3, "e": 2}}).per_query["q1"]
    gained = 1 / math.log2(3) + 3 / math.log2(4)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    expected = {"nDCG@10": gained / ideal, "AP": (1 / 2 + 2 / 3) / 3, "RR@10": 1 / 2}
    assert row == pytest.approx({**expected, "R@10": 2 / 3, "R@100": 2 / 3, "R@1000": 2 / 3}, abs=TOLERANCE)


def test_cutoffs_count_ranks_in_our_order() -> None:
    """Thirty tied documents: d29 is first, d0 last (doc_id descending, `d9` before `d29`)."""
    run = {"q1": {f"d{number}": 1.0 for number in range(30)}}
    for doc_id, rank in (("d9", 1), ("d29", 8), ("d10", 28), ("d0", 30)):
        results = evaluate_run(run, {"q1": {doc_id: 1}})
        assert results.means["AP"] == pytest.approx(1 / rank, abs=TOLERANCE)
        assert results.means["R@10"] == (1.0 if rank <= 10 else 0.0)
        assert results.ties["AP"] == pytest.approx((1 / 30, 1.0), abs=TOLERANCE)
        assert results.ties["R@10"] == (0.0, 1.0)
        assert results.ties["R@100"] == (1.0, 1.0)


@pytest.mark.parametrize("run", [{}, {"q1": {}}, {"q1": {}, "q2": {}}])
def test_nothing_found_scores_zero(run: Run) -> None:
    results = evaluate_run(run, {"q1": {"a": 1}, "q2": {"b": 2}})
    assert results.means == dict.fromkeys(MEASURES, 0.0)
    assert results.ties == dict.fromkeys(MEASURES, (0.0, 0.0))


def test_a_judged_query_without_hits_counts_as_zero() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    for run in ({"q1": {"a": 1.0}}, {"q1": {"a": 1.0}, "q2": {}}):
        results = evaluate_run(run, qrels)
        assert results.means == dict.fromkeys(MEASURES, 0.5)
        assert results.per_query["q2"] == dict.fromkeys(MEASURES, 0.0)


def test_a_query_judged_only_0_counts_as_zero_as_in_trec_eval() -> None:
    run, qrels = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, {"q1": {"a": 1}, "q2": {"a": 0}}
    results = evaluate_run(run, qrels)
    expected = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL.values())).evaluate(run)
    assert expected["q2"] == dict.fromkeys(TREC_EVAL.values(), 0.0)
    assert results.per_query["q2"] == dict.fromkeys(MEASURES, 0.0)
    assert results.means == dict.fromkeys(MEASURES, 0.5)


def test_queries_that_are_not_judged_are_counted_and_left_out() -> None:
    run = {"q1": {"a": 1.0}, "q7": {"a": 1.0}, "q8": {"a": 1.0}}
    with pytest.warns(TextWarning, match=r"tess: 2 of 3 queries are not judged .*: q7, q8$"):
        results = evaluate_run(run, {"q1": {"a": 1}}, name="tess")
    assert results.means["AP"] == 1.0
    assert list(results.per_query) == ["q1"]
    with pytest.warns(TextWarning, match=r"tiny: 1 of 2 queries are not judged .*: q9$"):
        results = evaluate(Fixed({"q1": {"a": 1.0}, "q9": {"a": 1.0}}), benchmark({"q1": {"a": 1}}, ["q9"]))
    assert results.run == {"q1": {"a": 1.0}, "q9": {"a": 1.0}}
    assert results.means["AP"] == 1.0


def test_numpy_numbers_are_accepted_and_plain_ones_come_back() -> None:
    grade, score = np.array([2, 1]), np.array([0.5, 0.25], np.float32)
    results = evaluate_run({"q": {"a": score[1], "b": score[0]}}, {"q": {"a": grade[0], "c": grade[1]}})
    assert results.means["RR@10"] == 0.5
    assert {type(value) for value in [*results.means.values(), *results.per_query["q"].values()]} == {float}


def test_numbers_do_not_depend_on_the_order_of_run_and_judgements() -> None:
    run, qrels = random_run(5, queries=20, docs=50, levels=4)
    turned_run = {query_id: dict(reversed(hits.items())) for query_id, hits in reversed(run.items())}
    turned = evaluate_run(
        turned_run, {query_id: dict(reversed(row.items())) for query_id, row in reversed(qrels.items())}
    )
    straight = evaluate_run(run, qrels)
    assert (turned.means, turned.ties, turned.per_query) == (straight.means, straight.ties, straight.per_query)


def test_evaluate_names_times_and_signs() -> None:
    bench = benchmark({"q1": {"a": 1}})
    results = evaluate(Fixed({"q1": {"a": 2.0, "b": 1.0}}), bench)
    assert (results.name, results.signature, results.run) == ("Fixed", "fixed", {"q1": {"a": 2.0, "b": 1.0}})
    assert list(results.seconds) == ["search"]
    assert 0 <= results.seconds["search"] < 5
    assert evaluate(Fixed({"q1": {}}), bench, name="bm25").name == "bm25"
    neural = evaluate(Neural(), bench)
    assert (neural.name, neural.signature) == ("Neural", "Neural")
    assert (
        evaluate(build([Passage("a", "arma")], method="bm25-form"), benchmark({"arma": {"a": 1}})).name == "bm25-form"
    )


def test_the_retriever_is_asked_again_only_where_it_can_matter() -> None:
    tied = dict.fromkeys("abcdefgh", 1.0)
    run = {
        "above": {"z": 2.0, **tied},
        "in": tied,
        "absent": tied,
        "short": {"a": 1.0},
        "clear": {"a": 3.0, "b": 2.0, "c": 1.0},
    }
    qrels = {"above": {"z": 1}, "in": {"h": 1}, "absent": {"z": 1}, "short": {"z": 1}, "clear": {"a": 1}}
    retriever = Fixed(run)
    results = evaluate(retriever, benchmark(qrels), k=2)
    again = [asked for asked in retriever.asked if asked[1] > 2]
    assert sorted(again) == sorted((query, k) for query in ("in", "absent") for k in (4, 8, 16))
    assert results.ties["R@10"] == (2 / 5, 3 / 5)
    assert all(len(hits) <= 2 for hits in results.run.values())


@pytest.mark.parametrize(
    ("run", "qrels", "message"),
    [
        (
            {"q": {"a": 1.0, "b": float("nan")}},
            {"q": {"a": 1}},
            "query 'q', document 'b': the score nan is not a finite",
        ),
        ({"q": {"a": float("-inf")}}, {"q": {"a": 1}}, "query 'q', document 'a': the score -inf is not a finite"),
        ({"q": {"a": 1.0}}, {}, "there are no judgements to score against"),
        ({"q": {"a": 1.0}}, {"q": {}}, "there are no judgements to score against"),
        ({"q": {"a": 1.0}}, {"q": {"a": 0.5}}, "query 'q', document 'a': the grade 0.5 is not a whole number"),
        (
            {"q": {"a": 1.0}},
            {"q": {"a": 10**10}},
            "query 'q', document 'a': the grade 10000000000 is not a whole number",
        ),
        ({"q": {"a": 1.0}}, {"r": {"a": 1}}, "run: none of its 1 queries is judged (it has 'q', the judgements 'r')"),
    ],
)
def test_what_cannot_be_scored_is_named(run: Run, qrels: Qrels, message: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate_run(run, qrels)
    assert message in str(caught.value)


@pytest.mark.parametrize("measure", ["F1", "R", "P", "nDCG@0", "Rprec@5", "nDCG@ten", "Judged@10", "", "AP@10 "])
def test_an_unknown_measure_lists_the_known(measure: str) -> None:
    with pytest.raises(InputError, match=r"unknown measure .*; known are nDCG, AP and RR"):
        evaluate_run({"q": {"a": 1.0}}, {"q": {"a": 1}}, measures=[measure])


def test_other_measures_can_be_asked_for() -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}, {"q": {"b": 1, "d": 1}}
    results = evaluate_run(run, qrels, measures=["P@2", "Success@1", "Rprec", "AP@2", "nDCG", "P@2"])
    assert list(results.means) == ["P@2", "Success@1", "Rprec", "AP@2", "nDCG"]
    assert (results.means["P@2"], results.ties["P@2"], results.ties["Success@1"]) == (0.0, (0.0, 0.5), (0.0, 0.0))
    with pytest.raises(InputError, match="there is no measure to compute"):
        evaluate_run(run, qrels, measures=[])


def test_a_benchmark_that_cannot_be_used_is_named() -> None:
    retriever, passages, query = Fixed({"q1": {}}), (Passage("a", "a"),), Query("q1", "q1")
    for queries, qrels, k, message in [
        ((), {"q1": {"a": 1}}, 10, "benchmark 'tiny' has no queries"),
        ((query,), {}, 10, "there are no judgements to score against"),
        ((query,), {"q2": {"a": 1}}, 10, "benchmark 'tiny' judges 1 queries that it does not have, the first is 'q2'"),
        ((query, query), {"q1": {"a": 1}}, 10, "the query_id 'q1' repeats"),
        ((query,), {"q1": {"a": 1}}, 0, "k is 0, but a run needs at least one hit a query"),
    ]:
        with pytest.raises(InputError) as caught:
            evaluate(retriever, Benchmark("tiny", passages, queries, qrels, checksum="0"), k=k)
        assert message in str(caught.value)


def test_results_print_as_a_small_table_with_the_signature() -> None:
    results = evaluate_run({"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1}}, name="bm25", signature="bm25(k1=0.9) data=0a")
    assert str(results) == (
        "bm25\n"
        "  nDCG@10  0.631 [0.631, 1.000]\n"
        "  AP       0.500 [0.500, 1.000]\n"
        "  R@10     1.000 [1.000, 1.000]\n"
        "  R@100    1.000 [1.000, 1.000]\n"
        "  R@1000   1.000 [1.000, 1.000]\n"
        "  RR@10    0.500 [0.500, 1.000]\n"
        "bm25(k1=0.9) data=0a"
    )
    assert hash(results) == hash(evaluate_run({}, {"q": {"a": 1}}, name="bm25", signature="bm25(k1=0.9) data=0a"))
