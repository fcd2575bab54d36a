"""How rare the words of both sides are for Tesserae: 1/f on basis `texts` or `corpus`."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.index import Index, expand

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


def occurrences(index: Index) -> tuple[Longs, Longs, NDArray[np.int32]]:
    """The words of each term as places in `index.tokens`, ascending; where each term's begin; each word's passage.

    Term `t` stands at `places[offsets[t]:offsets[t + 1]]`. A word stands once under each of its terms.
    """
    sizes = np.diff(index.form_offsets)[index.tokens]
    terms = index.form_terms[expand(index.form_offsets[:-1][index.tokens], sizes)].astype(np.int64)
    words = np.repeat(np.arange(len(index.tokens), dtype=np.int64), sizes)
    pairs = np.unique(terms * max(1, len(index.tokens)) + words)
    terms, places = np.divmod(pairs, max(1, len(index.tokens)))
    offsets = np.searchsorted(terms, np.arange(len(index.vocabulary) + 1))
    passage_of = np.repeat(np.arange(len(index), dtype=np.int32), np.diff(index.token_offsets))
    return places, offsets.astype(np.int64), passage_of


class Frequencies:
    """1/f of the words of an index (the source), and of query words as words of a target text.

    Basis `texts`: f is the number of a text's words whose form shares any lemma with the form, divided by the number of
    its words; each work of the index is a text of its own, the target is one text. Basis `corpus`: f is the mean, over
    the form's lemmata, of the lemma's share of all lemmata in the corpus.
    """

    def __init__(self, source: Index, target: Index, corpus: Index, basis: str) -> None:
        self.source, self.target, self.corpus, self.basis = source, target, corpus, basis
        self._known: dict[tuple[str, ...], float] = {}

    def of_words(self) -> Floats:
        """1/f of every word of the source, in the order of `source.tokens`."""
        return self._in_corpus() if self.basis == "corpus" else self._in_works()

    def of_query_word(self, candidates: tuple[str, ...]) -> float:
        """1/f of a query word with these lemmata; one that the target does not hold counts as occurring once."""
        if candidates not in self._known:
            self._known[candidates] = self._of_query_word(candidates)
        return self._known[candidates]

    def _of_query_word(self, candidates: tuple[str, ...]) -> float:
        if self.basis == "corpus":
            counts = [self._lemma_counts.get(candidate, 0) for candidate in candidates]
            return self._lemma_total * len(counts) / max(1, sum(counts))
        forms, index = self._forms_by_term, self.target
        ids = [index.term_ids[c] for c in candidates if c in index.term_ids]
        of_terms = [forms.indices[forms.indptr[term] : forms.indptr[term + 1]] for term in ids]
        sharing = int(self._form_counts[np.unique(np.concatenate(of_terms))].sum()) if of_terms else 0
        return len(index.tokens) / max(1, sharing)

    @cached_property
    def _forms_by_term(self) -> sparse.csc_matrix:
        return _terms_of_forms(self.target).tocsc()

    @cached_property
    def _form_counts(self) -> Longs:
        return np.bincount(self.target.tokens, minlength=len(self.target.forms))

    @cached_property
    def _lemma_counts(self) -> dict[str, int]:
        counts = np.asarray(self.corpus.counts.sum(axis=0)).ravel().tolist()
        return dict(zip(self.corpus.vocabulary, counts, strict=True))

    @cached_property
    def _lemma_total(self) -> int:
        return int(self.corpus.counts.sum())

    def _in_corpus(self) -> Floats:
        index = self.source
        counts = np.array([self._lemma_counts.get(term, 0) for term in index.vocabulary], dtype=np.float64)
        terms = _terms_of_forms(index)
        # A form that the corpus lacks counts as occurring once, as a query word does.
        by_form: Floats = self._lemma_total * np.diff(terms.indptr) / np.maximum(1.0, terms @ counts)
        return by_form[index.tokens]

    def _in_works(self) -> Floats:
        index = self.source
        works = len(index.work_names)
        if not len(index.tokens):
            return np.zeros(0)
        work_of = np.repeat(index.works, np.diff(index.token_offsets)).astype(np.int64)
        pairs, inverse, counts = np.unique(
            index.tokens.astype(np.int64) * works + work_of, return_inverse=True, return_counts=True
        )
        forms, in_work = np.divmod(pairs, works)
        shape = (len(index.forms), works)
        spoken = sparse.csr_matrix((counts, (forms, in_work)), shape=shape, dtype=np.int64)
        terms = _terms_of_forms(index)
        related = (terms @ terms.T).tocsr()  # forms x forms; not zero where they share a term
        related.data[:] = 1
        sharing = np.asarray((related @ spoken)[forms, in_work]).ravel()
        words = np.bincount(work_of, minlength=works)
        by_pair: Floats = words[in_work] / sharing
        return by_pair[inverse]


def _terms_of_forms(index: Index) -> sparse.csr_matrix:
    """Forms x terms, 1 where a form has a term."""
    shape = (len(index.forms), len(index.vocabulary))
    ones = np.ones(len(index.form_terms), dtype=np.int64)
    matrix = sparse.csr_matrix((ones, index.form_terms, index.form_offsets), shape=shape, copy=True)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
