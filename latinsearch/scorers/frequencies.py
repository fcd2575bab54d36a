"""How rare the words of both sides are for Tesserae: 1/f on basis `texts` or `corpus`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
    places, offsets = by_term(index, np.arange(len(index.tokens)))
    passage_of = np.repeat(np.arange(len(index), dtype=np.int32), np.diff(index.token_offsets))
    return places, offsets, passage_of


def by_term(index: Index, words: Longs) -> tuple[Longs, Longs]:
    """Of each term the words that have it, as numbers in `words`, ascending; and where each term's begin."""
    tokens = index.tokens[words]
    sizes = np.diff(index.form_offsets)[tokens]
    terms = index.form_terms[expand(index.form_offsets[:-1][tokens], sizes)]
    # Words x terms turned into terms x words is a counting sort. A word that has an n-gram twice stands there once.
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    shape = (len(words), len(index.vocabulary))
    turned = sparse.csr_matrix((np.ones(len(terms), dtype=np.int8), terms, offsets), shape=shape).tocsc()
    turned.sum_duplicates()
    return turned.indices.astype(np.int64), turned.indptr.astype(np.int64)


class Frequencies:
    """1/f of the words of an index (the source), and of query words as words of a target text.

    Basis `texts`: f is the number of a text's words whose form shares any lemma with the form, divided by the number of
    its words; each work of the index is a text of its own, the target is one text. Basis `corpus`: f is the mean, over
    the form's lemmata, of the lemma's share of all lemmata in the corpus, which may be several indexes. of_forms: the form
    itself is counted, not the words that share a lemma with it (Tesserae v5's score basis `form`).
    """

    def __init__(
        self, source: Index, target: Index, corpus: Sequence[Index], basis: str, of_forms: bool = False
    ) -> None:
        self.source, self.target, self.corpus, self.basis, self.of_forms = source, target, corpus, basis, of_forms
        self._known: dict[tuple[str, tuple[str, ...]], float] = {}

    def of_words(self) -> Floats:
        """1/f of every word of the source, in the order of `source.tokens`."""
        return self._in_corpus() if self.basis == "corpus" else self._in_works()

    def of_words_of(self, index: Index) -> Floats:
        """1/f of every word of another index, in the order of its tokens, each work of it being a text of its own."""
        if index is self.source:
            return self.of_words()
        return Frequencies(index, index, self.corpus, self.basis, self.of_forms).of_words()

    def of_query_word(self, folded: str, candidates: tuple[str, ...]) -> float:
        """1/f of a query word of this form and these lemmata; one that the target does not hold counts as occurring once."""
        word = (folded, candidates)
        if word not in self._known:
            self._known[word] = self._of_query_word(*word)
        return self._known[word]

    def _of_query_word(self, folded: str, candidates: tuple[str, ...]) -> float:
        if self.of_forms:
            forms_of = self._corpus_forms if self.basis == "corpus" else self._target_forms
            return forms_of.total() / max(1, forms_of[folded])
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
    def _target_forms(self) -> Counter[str]:
        return form_counts([self.target])

    @cached_property
    def _corpus_forms(self) -> Counter[str]:
        return form_counts(self.corpus)

    @cached_property
    def _lemma_counts(self) -> Counter[str]:
        return term_counts(self.corpus)

    @cached_property
    def _lemma_total(self) -> int:
        return self._lemma_counts.total()

    def _in_corpus(self) -> Floats:
        index = self.source
        if self.of_forms:
            total = self._corpus_forms.total()
            return np.array([total / max(1, self._corpus_forms[form]) for form in index.forms])[index.tokens]
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
        words = np.bincount(work_of, minlength=works)
        if self.of_forms:
            of_form: Floats = (words[in_work] / counts)[inverse]
            return of_form
        shape = (len(index.forms), works)
        spoken = sparse.csr_matrix((counts, (forms, in_work)), shape=shape, dtype=np.int64)
        terms = _terms_of_forms(index)
        related = (terms @ terms.T).tocsr()  # forms x forms; not zero where they share a term
        related.data[:] = 1
        sharing = np.asarray((related @ spoken)[forms, in_work]).ravel()
        by_pair: Floats = words[in_work] / sharing
        return by_pair[inverse]


def term_counts(indexes: Iterable[Index]) -> Counter[str]:
    """How often each term stands in several indexes together."""
    counts: Counter[str] = Counter()
    for index in indexes:
        counts.update(dict(zip(index.vocabulary, index.frequencies.tolist(), strict=True)))
    return counts


def form_counts(indexes: Iterable[Index]) -> Counter[str]:
    """How often each folded form stands in several indexes together."""
    counts: Counter[str] = Counter()
    for index in indexes:
        numbers = np.bincount(index.tokens, minlength=len(index.forms)).tolist()
        for form, number in zip(
            index.forms, numbers, strict=True
        ):  # a form with other candidates has a number of its own
            counts[form] += number
    return counts


def _terms_of_forms(index: Index) -> sparse.csr_matrix:
    """Forms x terms, 1 where a form has a term."""
    shape = (len(index.forms), len(index.vocabulary))
    ones = np.ones(len(index.form_terms), dtype=np.int64)
    matrix = sparse.csr_matrix((ones, index.form_terms, index.form_offsets), shape=shape, copy=True)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
