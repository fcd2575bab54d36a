"""BM25Okapi of the rank_bm25 package, run as it is: the reference that papers cite."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Terms
from latinsearch.explanation import Match, Part, match
from latinsearch.index import Index, expand
from latinsearch.records import InputError, real_number
from latinsearch.scorers.postings import summed


@dataclass(frozen=True, slots=True)
class RankBM25:
    """rank_bm25's BM25Okapi over the terms of an analyzer that gives one a word, with that package's defaults.

    >>> RankBM25()
    RankBM25(k1=1.5, b=0.75, epsilon=0.25)

    Its scores are those of `BM25(variant="okapi")`: 0 for a term in half of the passages, which is still a match here. The
    package keeps one dict for each passage and scores in Python, so it is some hundred times slower; a word is handed to it
    when it is first asked for, with the passages that hold it, and its scores are kept.
    """

    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25

    def __post_init__(self) -> None:
        least = math.ulp(0.0)  # the package divides 0 by k1
        object.__setattr__(self, "k1", real_number("RankBM25 parameter k1", self.k1, least=least))
        object.__setattr__(self, "b", real_number("RankBM25 parameter b", self.b, least=0, most=1))
        object.__setattr__(self, "epsilon", real_number("RankBM25 parameter epsilon", self.epsilon, least=0))

    def fit(self, index: Index) -> FittedRankBM25:
        """The package's own object, made from the index's terms.

        Raises InputError if words have several candidates, which the package knows nothing of.
        """
        from rank_bm25 import BM25Okapi

        starts, sizes = index.form_offsets[:-1][index.tokens], np.diff(index.form_offsets)[index.tokens]
        numbers = index.form_terms[expand(starts, sizes)].tolist()
        if len(numbers) != index.lengths.sum(dtype=np.int64):
            raise InputError("rank_bm25 takes one term a word; use an analyzer with candidates='first'")
        if not numbers:  # the package divides by the number of words
            return FittedRankBM25(index, None, np.zeros(0, dtype=np.int64))
        ends = np.cumsum(index.lengths, dtype=np.int64).tolist()
        texts = [
            [index.vocabulary[n] for n in numbers[end - size : end]]
            for end, size in zip(ends, index.lengths, strict=True)
        ]
        # The package sums idf in the order in which it meets the terms. Passages in the order of their terms make that sum,
        # and so the last bits of its scores, independent of the order in which they came.
        order = sorted(range(len(texts)), key=texts.__getitem__)
        number_of = np.empty(len(order), dtype=np.int64)
        number_of[order] = np.arange(len(order))
        package = BM25Okapi([texts[place] for place in order], k1=self.k1, b=self.b, epsilon=self.epsilon)
        package.doc_len = np.array(package.doc_len)  # which it would make of its list with every call
        return FittedRankBM25(index, package, number_of)


@dataclass(frozen=True, eq=False, slots=True)
class FittedRankBM25:
    """The package's object (None when there are no words), and the number that it knows each passage by."""

    index: Index
    okapi: Any
    number_of: NDArray[np.int64]
    known: dict[str, tuple[NDArray[Any], NDArray[np.float64]]] = field(default_factory=dict)

    def score(self, query: Terms) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        words = [word for word in (term.candidates[0] for term in query) if word in self.index.term_ids]
        return summed(map(self._of_word, words), len(self.index))

    def _of_word(self, word: str) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The passages that hold a word, and the package's scores of them; other passages have 0 from it there, too."""
        if word not in self.known:
            counts, number = self.index.counts, self.index.term_ids[word]
            passages = counts.indices[counts.indptr[number] : counts.indptr[number + 1]]
            scores = self.okapi.get_batch_scores([word], self.number_of[passages].tolist())
            self.known[word] = passages, np.array(scores)
        return self.known[word]

    def explain(self, query: Terms, passage: int, terms: Terms, field: str, share: float) -> Part:
        matches: list[Match] = []
        for asked in query:
            held = [term for term in terms if term.candidates == asked.candidates[:1]]
            if held:
                (whole,) = self.okapi.get_batch_scores([asked.candidates[0]], [int(self.number_of[passage])])
                matches += [match(asked, term, term.candidates[0], float(whole) / len(held)) for term in held]
        return Part(field, share, tuple(matches))
