"""BM25Okapi of the rank_bm25 package, run as it is: the reference that papers cite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Terms
from latinsearch.explanation import Match, Part, match
from latinsearch.index import Index, expand
from latinsearch.records import InputError
from latinsearch.scorers.postings import groups


@dataclass(frozen=True, slots=True)
class RankBM25:
    """rank_bm25's BM25Okapi over the terms of an analyzer that gives one a word, with that package's defaults.

    >>> RankBM25()
    RankBM25(k1=1.5, b=0.75, epsilon=0.25)

    Its scores are those of `BM25(variant="okapi")`: 0 for a term in half of the passages, which is still a match here. The
    package keeps one dict for each passage and scores in Python, so it is some hundred times slower; only the passages
    that share a word with the query are handed to it.
    """

    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25

    def fit(self, index: Index) -> FittedRankBM25:
        """The package's own object, made from the index's terms.

        Raises InputError if words have several candidates, which the package knows nothing of.
        """
        from rank_bm25 import BM25Okapi

        starts, sizes = index.form_offsets[:-1][index.tokens], np.diff(index.form_offsets)[index.tokens]
        terms = index.form_terms[expand(starts, sizes)]
        if len(terms) != index.lengths.sum(dtype=np.int64):
            raise InputError("rank_bm25 takes one term a word; use an analyzer with candidates='first'")
        if not len(terms):  # the package divides by the number of words
            return FittedRankBM25(index, None)
        ends = np.cumsum(index.lengths, dtype=np.int64)
        corpus = [terms[end - size : end].tolist() for end, size in zip(ends, index.lengths, strict=True)]
        return FittedRankBM25(index, BM25Okapi(corpus, k1=self.k1, b=self.b, epsilon=self.epsilon))


@dataclass(frozen=True, eq=False, slots=True)
class FittedRankBM25:
    """The package's object, None when the passages have no words, and the index that says which passages match."""

    index: Index
    okapi: Any

    def score(self, query: Terms) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        words = self._words(query)
        counts = self.index.counts
        rows = [counts.indices[counts.indptr[word] : counts.indptr[word + 1]] for word in sorted(set(words))]
        passages = np.unique(np.concatenate(rows)).astype(np.intp) if rows else np.zeros(0, dtype=np.intp)
        if not len(passages):
            return passages, np.zeros(0)
        return passages, np.array(self.okapi.get_batch_scores(words, passages.tolist()))

    def explain(self, query: Terms, passage: int, terms: Terms, field: str, share: float) -> Part:
        matches: list[Match] = []
        for group in groups(query, self.index):
            word = group.candidates[0]
            lemma = self.index.vocabulary[word]
            held = [term for term in terms if term.candidates == (lemma,)]
            if held:
                (whole,) = self.okapi.get_batch_scores([word], [passage])
                matches += [match(asked, term, lemma, whole / len(held)) for asked in group.terms for term in held]
        return Part(field, share, tuple(matches))

    def _words(self, query: Terms) -> list[int]:
        firsts = (self.index.term_ids.get(term.candidates[0]) for term in query)
        return [word for word in firsts if word is not None]
