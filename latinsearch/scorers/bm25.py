"""BM25: the sum over the query's words of idf times a saturating count, in the variants that papers use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.analyzer import Entry, Term, Terms
from latinsearch.explanation import Part
from latinsearch.index import Index, columns
from latinsearch.records import InputError, real_number
from latinsearch.scorers.postings import Group, best, groups, summed
from latinsearch.scorers.weights import Asked, Weights, explained, restored_weights, scored, weights_parts

Floats = NDArray[np.float64]


def lucene_idf(passages: int, df: Floats) -> Floats:
    """ln(1 + (N - df + 0.5) / (df + 0.5)): positive for every term, also one in all passages (Lucene; Kamphuis 2020)."""
    return np.log1p((passages - df + 0.5) / (df + 0.5))


def okapi_idf(passages: int, df: Floats) -> Floats:
    """ln((N - df + 0.5) / (df + 0.5)), a negative value replaced by a quarter of the mean, as rank_bm25's BM25Okapi does.

    0 for a term in exactly half of the passages.
    """
    idf = np.log(passages - df + 0.5) - np.log(df + 0.5)
    return np.where(idf < 0, 0.25 * math.fsum(idf) / max(1, len(idf)), idf)


def l_idf(passages: int, df: Floats) -> Floats:
    """ln((N + 1) / (df + 0.5)) (Lv and Zhai 2011, BM25L)."""
    return math.log(passages + 1) - np.log(df + 0.5)


def plus_idf(passages: int, df: Floats) -> Floats:
    """ln((N + 1) / df) (Lv and Zhai 2011, BM25+)."""
    return np.log((passages + 1) / df)


class Saturation(Protocol):
    """What counts are worth: tf the counts, norm 1 - b + b * length / mean length of each count's passage."""

    def __call__(self, tf: Floats, norm: Floats, k1: float, delta: float) -> Floats: ...


def lucene_saturation(tf: Floats, norm: Floats, k1: float, delta: float) -> Floats:  # noqa: ARG001 - one shape for all
    """tf / (tf + k1 norm): Lucene leaves out the constant factor k1 + 1."""
    return tf / (tf + k1 * norm)


def okapi_saturation(tf: Floats, norm: Floats, k1: float, delta: float) -> Floats:  # noqa: ARG001 - one shape for all
    """tf (k1 + 1) / (tf + k1 norm)."""
    return tf * (k1 + 1) / (tf + k1 * norm)


def l_saturation(tf: Floats, norm: Floats, k1: float, delta: float) -> Floats:
    """tf (k1 + 1) (c + delta) / (k1 + c + delta) with c = tf / norm (rank_bm25's BM25L; the paper has one tf fewer)."""
    return tf * (k1 + 1) * (tf / norm + delta) / (k1 + tf / norm + delta)


def plus_saturation(tf: Floats, norm: Floats, k1: float, delta: float) -> Floats:
    """delta + tf (k1 + 1) / (tf + k1 norm)."""
    return delta + okapi_saturation(tf, norm, k1, delta)


VARIANTS: dict[str, tuple[Callable[[int, Floats], Floats], Saturation, float]] = {
    "lucene": (lucene_idf, lucene_saturation, 0.0),
    "okapi": (okapi_idf, okapi_saturation, 0.0),
    "l": (l_idf, l_saturation, 0.5),
    "plus": (plus_idf, plus_saturation, 1.0),
}
"""The variants by name: idf, saturation and the usual delta. `okapi`, `l` and `plus` are exactly those of rank_bm25."""


@dataclass(frozen=True, slots=True)
class BM25:
    """BM25 with its parameters; `fit` weighs every posting of an index once.

    >>> BM25(k1=0.9, b=0.4)
    BM25(k1=0.9, b=0.4, variant='lucene', delta=None, k3=None)

    k1: how slowly further occurrences in a passage saturate. b: how much long passages are discounted, 0 to 1. delta: the
    lower bound of the variants `l` (0.5) and `plus` (1). k3: how slowly a word repeated in the query saturates; None: each
    occurrence counts in full (`uir uir` is twice `uir`, as in rank_bm25 and bm25s), 0: a repeated word counts once. A
    query word with several candidate lemmata scores as the best of them.

    The default is Lucene's form: never negative, so a match never ranks below no match. Robertson and Zaragoza 2009;
    variants in Kamphuis et al. 2020 and Trotman et al. 2014. Raises InputError for an unknown variant or a parameter
    out of its range.
    """

    k1: float = 1.5
    b: float = 0.75
    variant: str = "lucene"
    delta: float | None = None
    k3: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str) or self.variant not in VARIANTS:
            raise InputError(f"unknown BM25 variant {self.variant!r}; known are {', '.join(VARIANTS)}")
        object.__setattr__(self, "k1", real_number("BM25 parameter k1", self.k1, least=0))
        object.__setattr__(self, "b", real_number("BM25 parameter b", self.b, least=0, most=1))
        for name in ("delta", "k3"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, real_number(f"BM25 parameter {name}", value, least=0))

    def fit(self, index: Index) -> FittedBM25:
        """What scores queries against the index; costs one pass over its postings."""
        _, saturation, _ = VARIANTS[self.variant]
        mean = index.lengths.sum(dtype=np.int64) / max(1, len(index))
        norm = 1 - self.b + self.b * index.lengths / (mean or 1)
        idf = self._idf(index)

        def weighed(number: int) -> sparse.csc_matrix:
            counts = index.shard(number)
            tf = counts.data.astype(np.float64)
            # b = 1 gives an empty passage a norm of 0; it has no postings, so its norm is never asked for.
            of_posting = norm[index.bounds[number] : index.bounds[number + 1]][counts.indices]
            data = np.repeat(idf, np.diff(counts.indptr)) * saturation(tf, of_posting, self.k1, self._delta)
            return columns(counts.indptr, counts.indices, data.astype(np.float32), counts.shape[0])

        return self._fitted(index, Weights(*map(weighed, range(index.shards))))

    def restored(self, index: Index, parts: Mapping[str, NDArray[Any]]) -> FittedBM25:
        """What `fit` would give, from what `FittedBM25.parts` had; costs one look at its postings."""
        return self._fitted(index, restored_weights(index, parts))

    def _fitted(self, index: Index, weights: Weights) -> FittedBM25:
        floor = self._idf(index) * self._delta if self.variant == "plus" else None
        return FittedBM25(index, weights, floor, self.k3)

    def _idf(self, index: Index) -> Floats:
        return VARIANTS[self.variant][0](len(index), index.df.astype(np.float64))

    @property
    def _delta(self) -> float:
        return VARIANTS[self.variant][2] if self.delta is None else self.delta


@dataclass(frozen=True, eq=False, slots=True)
class FittedBM25:
    """The weight of every posting, and (BM25+) what each term gives to a passage that lacks it."""

    index: Index
    weights: Weights
    floor: Floats | None
    k3: float | None

    def parts(self) -> dict[str, NDArray[Any]]:
        """What is worth keeping on disk."""
        return weights_parts(self.weights)

    def asked(self, query: Sequence[Term | Entry], share: float = 1.0) -> Asked | None:
        """What a query asks the weights for; None if its score is more than a sum over its words (BM25+)."""
        if self.floor is not None:
            return None
        words = self.weights.numbers(query, self._candidates)
        if len(set(words)) == len(words):
            return Asked(words, [share] * len(words))
        counts = Counter(words)
        return Asked(list(counts), [share * self._of_count(count) for count in counts.values()])

    def _candidates(self, candidates: tuple[str, ...]) -> tuple[list[int], list[float]]:
        terms = [self.index.term_ids[c] for c in candidates if c in self.index.term_ids]
        return terms, [1.0] * len(terms)

    def score(self, query: Terms) -> tuple[NDArray[np.intp], Floats]:
        asked = self.asked(query)
        if asked is not None:
            return scored((asked,), (self.weights,))
        constant, parts = 0.0, []
        for group in groups(query, self.index):
            where, weights = best((self.weights.postings(c) for c in group.candidates), len(self.index))
            times, least = self._times(group), self._least(group)
            parts.append((where, times * np.maximum(weights - least, 0.0) if least else times * weights))
            constant += times * least
        passages, scores = summed(parts, len(self.index))
        return passages, scores + constant

    def explain(self, query: Terms, passage: int, terms: Terms, field: str, share: float) -> Part:
        matches, constant = [], 0.0
        for group in groups(query, self.index):
            times = self._times(group)
            found = explained(group, self.weights, passage, terms, self.index)
            matches += [one._replace(weight=times * one.weight) for one in found]
            most = math.fsum(one.weight for one in found)
            constant += times * max(0.0, self._least(group) - most)
        return Part(field, share, tuple(matches), constant=constant)

    def _times(self, group: Group) -> float:
        return self._of_count(len(group.terms))

    def _of_count(self, count: int) -> float:
        return float(count) if self.k3 is None else count * (self.k3 + 1) / (count + self.k3)

    def _least(self, group: Group) -> float:
        return 0.0 if self.floor is None else float(max(self.floor[c] for c in group.candidates))
