"""TF-IDF with cosine similarity, on scikit-learn's TfidfTransformer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.analyzer import Entry, Term, Terms
from latinsearch.explanation import Match, Part
from latinsearch.index import Index, columns
from latinsearch.records import InputError
from latinsearch.scorers.postings import Group, groups
from latinsearch.scorers.weights import Asked, Weights, explained, restored_weights, scored, weights_parts

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TfIdf:
    """Cosine of tf-idf vectors: tf is 1 + ln(count) if sublinear, idf is ln((N + 1) / (df + 1)) + 1 if smooth.

    >>> TfIdf()
    TfIdf(sublinear_tf=True, smooth_idf=True)

    With one candidate a word the scores are those of scikit-learn's TfidfVectorizer. A query word with several candidate
    lemmata counts as the one that gives the passage most; words that the index does not know do not lengthen the query.
    """

    sublinear_tf: bool = True
    smooth_idf: bool = True

    def __post_init__(self) -> None:
        for name in ("sublinear_tf", "smooth_idf"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"TfIdf parameter {name} is {getattr(self, name)!r}; it must be True or False")

    def fit(self, index: Index) -> FittedTfIdf:
        """What scores queries against the index; costs one pass over its postings."""
        from sklearn.feature_extraction.text import TfidfTransformer  # 0.5 s to import

        terms = len(index.vocabulary)
        if not terms:
            return FittedTfIdf(index, Weights(sparse.csc_matrix((len(index), 0))), np.zeros(0), self.sublinear_tf)
        transformer = TfidfTransformer(sublinear_tf=self.sublinear_tf, smooth_idf=self.smooth_idf)
        # In the order of the terms' letters, so that the sums of squares do not depend on the order of the passages.
        transformer.fit(index.counts[:, index.canonical].astype(np.float64))
        back = np.empty(terms, dtype=np.intp)
        back[index.canonical] = np.arange(terms)

        def weighed(number: int) -> sparse.csc_matrix:
            if index.bounds[number] == index.bounds[number + 1]:  # scikit-learn refuses no passages
                return sparse.csc_matrix((0, terms))
            counts = index.shard(number)[:, index.canonical].tocsr().astype(np.float64)
            weights = sparse.csc_matrix(transformer.transform(counts))[:, back]
            weights.sort_indices()
            # The passages of each term are those of the counts, which are kept once.
            return columns(*index.shard_postings(number), weights.data.astype(np.float32), weights.shape[0])

        return FittedTfIdf(
            index, Weights(*map(weighed, range(index.shards))), transformer.idf_[back], self.sublinear_tf
        )

    def restored(self, index: Index, parts: Mapping[str, NDArray[Any]]) -> FittedTfIdf:
        """What `fit` would give, from what `FittedTfIdf.parts` had; costs one look at its postings."""
        return FittedTfIdf(index, restored_weights(index, parts), parts["idf"], self.sublinear_tf)


@dataclass(frozen=True, eq=False, slots=True)
class FittedTfIdf:
    """The weight of every posting, its passage's vector being of length 1, and the idf of every term."""

    index: Index
    weights: Weights
    idf: Floats
    sublinear_tf: bool

    def parts(self) -> dict[str, NDArray[Any]]:
        """What is worth keeping on disk."""
        return {**weights_parts(self.weights), "idf": self.idf}

    def asked(self, query: Sequence[Term | Entry], share: float = 1.0) -> Asked:
        """What a query asks the weights for."""
        counts = Counter(self.weights.numbers(query, self._candidates))
        tf = [self._tf(count) for count in counts.values()]
        length = (
            math.sqrt(math.fsum((t * self.weights.most[word]) ** 2 for t, word in zip(tf, counts, strict=True))) or 1.0
        )
        return Asked(list(counts), [share * t / length for t in tf])

    def _candidates(self, candidates: tuple[str, ...]) -> tuple[list[int], list[float]]:
        terms = [self.index.term_ids[c] for c in candidates if c in self.index.term_ids]
        return terms, self.idf[terms].tolist()

    def score(self, query: Terms) -> tuple[NDArray[np.intp], Floats]:
        return scored((self.asked(query),), (self.weights,))

    def explain(self, query: Terms, passage: int, terms: Terms, field: str, share: float) -> Part:
        found = groups(query, self.index)
        length = self._length(found)
        matches: list[Match] = []
        for group in found:
            # A candidate's weight in the passage times its own idf decides, so each is asked for by itself.
            asked = [
                explained(Group(group.terms, (c,)), self.weights, passage, terms, self.index) for c in group.candidates
            ]
            scale = [self._tf(len(group.terms)) * self.idf[c] / length for c in group.candidates]
            scaled = [[m._replace(weight=s * m.weight) for m in ms] for s, ms in zip(scale, asked, strict=True)]
            matches += max(scaled, key=lambda ms: math.fsum(m.weight for m in ms))
        return Part(field, share, tuple(matches))

    def _tf(self, count: int) -> float:
        return 1 + math.log(count) if self.sublinear_tf else float(count)

    def _length(self, found: list[Group]) -> float:
        return (
            math.sqrt(math.fsum((self._tf(len(g.terms)) * max(self.idf[c] for c in g.candidates)) ** 2 for g in found))
            or 1.0
        )
