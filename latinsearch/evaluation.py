"""Scores of a system on expert judgements: per query, as means, and over the orders of ties."""

from __future__ import annotations

import math
import operator
import re
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import ir_measures
import numpy as np
from numpy.typing import NDArray

from latinsearch.records import Benchmark, InputError, Qrels, Run, TextWarning
from latinsearch.retriever import Retriever, search_all, signature
from latinsearch.trec import rankings

MEASURES = ("nDCG@10", "AP", "R@10", "R@100", "R@1000", "RR@10")
"""The measures of every report, in the order of its columns."""

# Each of these grows, or stays, when a document gives its place to a more relevant one, and none looks beyond the last
# relevant document: so sorting a block of ties by grade gives the bounds, and the tail of a ranking need not be scored.
_KNOWN = re.compile(r"(?:nDCG|AP|RR)(?:@[1-9][0-9]*)?|(?:R|P|Success)@[1-9][0-9]*|Rprec")
_FAMILIES = {
    "nDCG": ir_measures.nDCG,
    "AP": ir_measures.AP,
    "RR": ir_measures.RR,
    "R": ir_measures.R,
    "P": ir_measures.P,
    "Success": ir_measures.Success,
    "Rprec": ir_measures.Rprec,
}
# pytrec_eval allocates an array as long as the highest grade: 16 GB at 2**31, and a crash at 10**10.
_HIGHEST_GRADE = 10_000

Values = dict[str, dict[str, float]]
"""{query_id: {measure: value}}."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a system scored: per query, as means, and how far the order of tied documents could move each mean.

    >>> results = evaluate_run({"q1": {"a": 2.0, "b": 1.0}}, {"q1": {"b": 1}}, name="bm25", measures=["nDCG@10", "AP"])
    >>> print(results)
    bm25
      nDCG@10  0.631 [0.631, 0.631]
      AP       0.500 [0.500, 0.500]

    `per_query` is {query_id: {measure: value}} and `means` {measure: value}; `ties` is {measure: (worst, best)}, the
    means over the worst and the best order of documents whose scores are equal as 32-bit floats. `run` is the run that
    was scored. `seconds` has `index` and `search` where they are known, otherwise no such key.
    """

    name: str
    signature: str
    run: Run = field(hash=False, repr=False)
    per_query: Values = field(hash=False, repr=False)
    means: dict[str, float] = field(hash=False)
    ties: dict[str, tuple[float, float]] = field(hash=False)
    seconds: dict[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", " ".join(self.name.split()))  # a line of a table

    def __str__(self) -> str:
        width = max(map(len, self.means), default=0)
        lines = [self.name]
        for measure, mean in self.means.items():
            worst, best = self.ties[measure]
            lines.append(f"  {measure:<{width}}  {mean:.3f} [{worst:.3f}, {best:.3f}]")
        return "\n".join([*lines, self.signature] if self.signature else lines)


def evaluate(
    retriever: Retriever, benchmark: Benchmark, *, name: str | None = None, k: int = 1000, n_jobs: int = 1
) -> Results:
    """The scores of a retriever on a benchmark: it searches every query and is judged on its best k hits.

    >>> from latinsearch.records import Hit, Passage, Query
    >>> passages = (Passage("a", "arma"), Passage("b", "uirum"))
    >>> class InOrder:
    ...     def search(self, query, k=10, *, within=None):
    ...         return [Hit(i, p.doc_id, 1 / i, p) for i, p in enumerate(passages[:k], start=1)]
    >>> benchmark = Benchmark("tiny", passages, (Query("q1", "uirumque"),), {"q1": {"b": 1}}, checksum="0")
    >>> evaluate(InOrder(), benchmark).means["AP"]
    0.5

    Anything with the one method `search` can be scored. `name` is the line's name in a report (by default the method,
    or the class where there is none). `seconds["search"]` is the wall-clock time of searching all queries once. Where
    the hit at rank k is tied with hits beyond it, the retriever is asked again with k doubled until the ties end, so
    that the tie bounds are exact (if its scores do not depend on k); still only the first k of each order are scored.

    Raises InputError if k is below 1, or the benchmark has no queries, no judgements, a query_id twice, or judgements
    of a query that it does not have.
    """
    _check_benchmark(benchmark, k)
    qrels = _plain(benchmark.qrels)
    start = time.perf_counter()
    run = search_all(retriever, benchmark.queries, k=k, n_jobs=n_jobs)
    seconds = {"search": time.perf_counter() - start}
    _check_judged(run, qrels, benchmark.name)
    ranked = {query_id: (docs, scores) for query_id, docs, scores in rankings(run) if query_id in qrels}
    for query_id, docs in _beyond(retriever, benchmark, ranked, k, n_jobs).items():
        above, scores = ranked[query_id]
        ranked[query_id] = above[:k] + docs, np.concatenate([scores[:k], np.repeat(scores[k - 1], len(docs))])
    per_query, means, ties = _scored(ranked, qrels, MEASURES, k)
    line = str(name or getattr(retriever, "method", type(retriever).__name__))
    return Results(line, signature(retriever), run, per_query, means, ties, seconds)


def evaluate_run(
    run: Run, qrels: Qrels, *, name: str = "run", signature: str = "", measures: Sequence[str] = MEASURES
) -> Results:
    """The scores of a run, ours or another system's, on judgements.

    >>> results = evaluate_run({"q1": {"a": 1.0, "b": 1.0}}, {"q1": {"a": 1}, "q2": {"a": 1}}, measures=["RR@10"])
    >>> results.per_query["q1"], results.means, results.ties
    ({'RR@10': 0.5}, {'RR@10': 0.25}, {'RR@10': (0.25, 0.5)})

    Documents are ranked by score as a 32-bit float, equal scores by doc_id descending, as trec_eval does. A judged
    query without hits scores zero; a query that is not judged is ignored and counted in a TextWarning; a query whose
    judgements are all 0 scores zero and counts in the mean, as in trec_eval. Grades of 1 or more are relevant, and
    nDCG uses them as gains. The tie bounds cover the documents in the run: what its writer cut off is not known here.

    `measures` are of the families nDCG, AP, RR (with or without a cutoff), R, P, Success (with one) and Rprec. Every
    value comes from ir-measures.

    Raises InputError for an unknown measure, no judgements, a score that is not finite, a grade that is not a whole
    number from -10,000 to 10,000, or a run none of whose queries is judged.
    """
    qrels = _plain(qrels)
    _check_judged(run, qrels, name)
    ranked = {query_id: (docs, scores) for query_id, docs, scores in rankings(run) if query_id in qrels}
    return Results(name, signature, run, *_scored(ranked, qrels, measures, None))


Ranked = Mapping[str, tuple[list[str], NDArray[np.float32]]]
Order = dict[str, list[str]]


def _scored(
    ranked: Ranked, qrels: Qrels, measures: Sequence[str], k: int | None
) -> tuple[Values, dict[str, float], dict[str, tuple[float, float]]]:
    named = {_measure(name): name for name in measures}
    if not named:
        raise InputError(
            f"there is no measure to compute; give at least one, such as those of MEASURES: {', '.join(MEASURES)}"
        )
    evaluator = ir_measures.evaluator(named, qrels)
    ours, worst, best = _orders(ranked, qrels, k)
    zero = {query_id: dict.fromkeys(measures, 0.0) for query_id in qrels}
    per_query = _values(evaluator, named, ours, zero)
    low = _means(_values(evaluator, named, worst, per_query), measures)
    high = _means(_values(evaluator, named, best, per_query), measures)
    return per_query, _means(per_query, measures), {name: (low[name], high[name]) for name in measures}


def _orders(ranked: Ranked, qrels: Qrels, k: int | None) -> tuple[Order, Order, Order]:
    """Our order of every query with a relevant hit; the worst and best orders of those where they differ from ours."""
    ours: Order = {}
    worst: Order = {}
    best: Order = {}
    for query_id, (docs, scores) in ranked.items():
        relevant = {doc_id: grade for doc_id, grade in qrels[query_id].items() if grade > 0}
        found = [position for position, doc_id in enumerate(docs) if doc_id in relevant]
        if not found:
            continue
        grade = np.zeros(len(docs), np.int64)
        grade[found] = [relevant[docs[position]] for position in found]
        block = np.cumsum(np.concatenate([[False], scores[1:] != scores[:-1]]))
        within = [position for position in found if k is None or position < k]
        ours[query_id] = docs[: within[-1] + 1] if within else []
        for orders, sign in ((worst, 1), (best, -1)):
            order = _to_last_relevant(docs, grade, np.lexsort((sign * grade, block))[:k])
            if order != ours[query_id]:
                orders[query_id] = order
    return ours, worst, best


def _to_last_relevant(docs: list[str], grade: NDArray[np.int64], order: NDArray[np.intp]) -> list[str]:
    relevant = np.flatnonzero(grade[order])
    return [docs[position] for position in order[: relevant[-1] + 1].tolist()] if relevant.size else []


def _values(
    evaluator: ir_measures.Evaluator, named: Mapping[ir_measures.Measure, str], orders: Order, start: Values
) -> Values:
    """`start` with the values of the queries in `orders` in place of its own."""
    values = {query_id: dict(start[query_id]) for query_id in start}
    run = {query_id: _decreasing(docs) for query_id, docs in orders.items()}
    known: dict[int, tuple[ir_measures.Measure, str]] = {}  # a measure's own hash writes out its name
    for metric in evaluator.iter_calc(run):
        if metric.query_id in run:
            measure = metric.measure
            if id(measure) not in known:
                known[id(measure)] = measure, named[measure]
            values[metric.query_id][known[id(measure)][1]] = float(metric.value)
    return values


def _decreasing(docs: list[str]) -> dict[str, float]:
    # Whole numbers up to 2**24 are exact as 32-bit floats, so no evaluator sees a tie in them.
    return dict(zip(docs, map(float, range(len(docs), 0, -1)), strict=True))


def _means(values: Values, measures: Sequence[str]) -> dict[str, float]:
    # fsum rounds once: the mean depends neither on the order of the queries nor on an earlier sum's error.
    return {name: math.fsum(row[name] for row in values.values()) / len(values) for name in measures}


def _measure(name: str) -> ir_measures.Measure:
    if not _KNOWN.fullmatch(name):
        raise InputError(
            f"unknown measure {name!r}; known are nDCG, AP and RR with or without a cutoff (nDCG@10), "
            "R, P and Success with one (R@100), and Rprec"
        )
    family, _, cutoff = name.partition("@")
    return _FAMILIES[family] @ int(cutoff) if cutoff else _FAMILIES[family]


def _beyond(retriever: Retriever, benchmark: Benchmark, ranked: Ranked, k: int, n_jobs: int) -> dict[str, list[str]]:
    """The doc_ids after rank k that are tied with it, for the queries whose values they can change."""
    open_ids = {query_id for query_id, hits in ranked.items() if _undecided(*hits, benchmark.qrels[query_id], k)}
    tied: dict[str, list[str]] = {}
    depth = k
    while open_ids:
        depth *= 2
        queries = [query for query in benchmark.queries if query.query_id in open_ids]
        for query_id, docs, scores in rankings(
            search_all(retriever, queries, k=depth, n_jobs=n_jobs, what="following ties")
        ):
            above, known = ranked[query_id]
            seen, edge = set(above[:k]), known[k - 1]
            equal = np.flatnonzero(scores == edge).tolist()
            tied[query_id] = [docs[position] for position in equal if docs[position] not in seen]
            if len(docs) < depth or scores[-1] < edge:
                open_ids.discard(query_id)
    return tied


def _undecided(docs: list[str], scores: NDArray[np.float32], grades: Mapping[str, int], k: int) -> bool:
    """Whether ties beyond rank k matter: all places are taken and a relevant document is not safely above the edge."""
    if len(docs) < k:
        return False
    safe = set(docs[: int(np.count_nonzero(scores > scores[k - 1]))])
    return any(grade > 0 and doc_id not in safe for doc_id, grade in grades.items())


def _plain(qrels: Qrels) -> Qrels:
    """The judgements with Python's own whole numbers as grades."""
    plain = {
        query_id: {doc_id: _grade(query_id, doc_id, grade) for doc_id, grade in grades.items()}
        for query_id, grades in qrels.items()
    }
    judged = {query_id: grades for query_id, grades in plain.items() if grades}
    if not judged:
        raise InputError("there are no judgements to score against; give {query_id: {doc_id: grade}} with at least one")
    return judged


def _grade(query_id: str, doc_id: str, grade: int) -> int:
    try:
        plain = operator.index(grade)
    except TypeError:
        plain = None
    if plain is None or abs(plain) > _HIGHEST_GRADE:
        raise InputError(
            f"query {query_id!r}, document {doc_id!r}: the grade {grade!r} is not a whole number "
            f"from -{_HIGHEST_GRADE:,} to {_HIGHEST_GRADE:,}; give 0 for not relevant, 1 or more for relevant"
        )
    return plain


def _check_benchmark(benchmark: Benchmark, k: int) -> None:
    if k < 1:
        raise InputError(f"k is {k}, but a run needs at least one hit a query; give 1 or more (1000 is usual)")
    if not benchmark.queries:
        raise InputError(f"benchmark {benchmark.name!r} has no queries; load one that has")
    known = {query.query_id for query in benchmark.queries}
    missing = [query_id for query_id in benchmark.qrels if query_id not in known]
    if missing:
        raise InputError(
            f"benchmark {benchmark.name!r} judges {len(missing)} queries that it does not have, the first is "
            f"{missing[0]!r}; add these queries or drop their judgements"
        )


def _check_judged(run: Run, qrels: Qrels, name: str) -> None:
    unjudged = [query_id for query_id in run if query_id not in qrels]
    if unjudged and len(unjudged) == len(run):
        raise InputError(
            f"{name}: none of its {len(run)} queries is judged (it has {unjudged[0]!r}, the judgements "
            f"{next(iter(qrels))!r}); give the judgements that belong to it"
        )
    if unjudged:
        listed = ", ".join(unjudged[:5]) + (", …" if len(unjudged) > 5 else "")
        message = (
            f"{name}: {len(unjudged)} of {len(run)} queries are not judged and are left out of the scores: {listed}"
        )
        warnings.warn(TextWarning(message), stacklevel=3)
