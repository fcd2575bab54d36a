"""Weighted postings, the words that queries ask them for, and the sums over them, by numpy."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.analyzer import Entry, Term, Terms
from latinsearch.explanation import Match, match
from latinsearch.index import Index, columns, shard_name
from latinsearch.records import InputError
from latinsearch.scorers.postings import Group, Posting, best, summed

_UNKNOWN = -1


class Asked(NamedTuple):
    """What a query asks one field for: the numbers of its distinct words (`Weights.word`), and the factor of each."""

    words: list[int]
    factors: list[float]


class Postings(NamedTuple):
    """The weighted postings of a shard: of each term the passages that hold it, ascending, numbered within the shard.

    Those of term `t` are `rows[starts[t]:starts[t + 1]]`, 4 bytes each, and so their weights. first: the number of the
    shard's first passage. passages: how many it has.
    """

    first: int
    passages: int
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]


class Weights:
    """The weights of the postings of one field, 8 bytes each: passages (32 bits) and weights (32 bits), term by term.

    A word of a query has candidates, each a term with a factor of its own; it gives a passage the greatest of its
    candidates' weights there, each times its factor. Such words are numbered as they first come, and kept.
    """

    def __init__(self, *shards: sparse.csc_matrix) -> None:
        """From passages x terms of one shard after another, which share the terms; arrays of the right type are not copied.

        Raises InputError for weights that are not finite and passages out of range or of order.
        """
        firsts = np.cumsum([0, *(shard.shape[0] for shard in shards)]).tolist()
        self.shards = tuple(_postings(first, shard) for first, shard in zip(firsts, shards, strict=False))
        self.passages: int = firsts[-1]
        # Postings can be left out only if further words never lower a sum.
        self.positive = all(not len(shard.weights) or bool(shard.weights.min() >= 0) for shard in self.shards)
        self.greatest: NDArray[np.float64] = np.max([_greatest(shard) for shard in self.shards], axis=0)
        self.count = 0
        self.most: list[float] = []
        self._numbers: dict[tuple[str, ...], int] = {}
        self.word_starts = np.zeros(1, dtype=np.int64)
        self.word_bounds = np.zeros(0)
        self.word_terms = np.zeros(0, dtype=np.int32)
        self.word_factors = np.zeros(0)
        self.held: dict[int, Any] = {}  # what the kernel keeps of each shard
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_lock", "held")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, held={})
        self._lock = threading.Lock()

    def word(self, terms: Sequence[int], factors: Sequence[float]) -> int:
        """The number of a word with these candidates, which is new."""
        bound = max(factor * self.greatest.item(term) for term, factor in zip(terms, factors, strict=True))
        with self._lock:
            start = int(self.word_starts[self.count])
            end = start + len(terms)
            # Arrays that are replaced as they grow, and never shortened: a search that runs meanwhile has the old ones.
            self.word_terms = _with(self.word_terms, start, terms)
            self.word_factors = _with(self.word_factors, start, factors)
            self.word_bounds = _with(self.word_bounds, self.count, [bound])
            self.word_starts = _with(self.word_starts, self.count + 1, [end])
            self.positive = self.positive and min(factors) >= 0
            self.most.append(max(factors))
            self.count += 1
            return self.count - 1

    def numbers(
        self, query: Sequence[Term | Entry], new: Callable[[tuple[str, ...]], tuple[Sequence[int], Sequence[float]]]
    ) -> list[int]:
        """The number of each term of a query that the field has; `new` gives candidates and factors of one not met before."""
        known = self._numbers
        try:
            numbers = [known[term.candidates] for term in query]
        except KeyError:
            for term in query:
                if term.candidates not in known:
                    terms, factors = new(term.candidates)
                    known[term.candidates] = self.word(terms, factors) if len(terms) else _UNKNOWN
            numbers = [known[term.candidates] for term in query]
        return [number for number in numbers if number != _UNKNOWN] if _UNKNOWN in numbers else numbers

    def postings(self, term: int) -> Posting:
        """The passages that hold a term, ascending, and the weight of each."""
        parts = [
            (shard.rows[start:end] + shard.first if shard.first else shard.rows[start:end], shard.weights[start:end])
            for shard in self.shards
            for start, end in [shard.starts[term : term + 2].tolist()]
        ]
        if len(parts) == 1:
            rows, weights = parts[0]
            return rows, weights.astype(np.float64)
        return tuple(map(np.concatenate, zip(*parts, strict=True)))  # type: ignore[return-value]

    def of_word(self, word: int, factor: float) -> Iterable[Posting]:
        """The postings of a word's candidates, weighed by the factor."""
        for place in range(int(self.word_starts[word]), int(self.word_starts[word + 1])):
            where, weights = self.postings(int(self.word_terms[place]))
            yield where, factor * float(self.word_factors[place]) * weights

    def weight(self, term: int, passage: int) -> float | None:
        """The weight of a term in a passage, or None if the passage does not hold it."""
        shard = self.shards[bisect_right(self.shards, passage, key=attrgetter("first")) - 1]
        start, end = shard.starts[term : term + 2].tolist()
        place = start + int(np.searchsorted(shard.rows[start:end], passage - shard.first))
        return float(shard.weights[place]) if place < end and shard.rows[place] == passage - shard.first else None

    @property
    def nbytes(self) -> int:
        """The bytes in memory, without the words asked for."""
        arrays = (shard.starts.nbytes + shard.rows.nbytes + shard.weights.nbytes for shard in self.shards)
        return self.greatest.nbytes + sum(arrays)


def _postings(first: int, matrix: sparse.csc_matrix) -> Postings:
    passages = int(matrix.shape[0])
    starts = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
    rows = np.ascontiguousarray(matrix.indices, dtype=np.int32)
    weights = np.ascontiguousarray(matrix.data, dtype=np.float32)
    # The C program trusts these: an index from disk that breaks them must not reach it.
    fits = starts[0] == 0 and starts[-1] == len(rows) == len(weights) and (np.diff(starts) >= 0).all()
    if fits and len(rows):
        rises = rows[1:] > rows[:-1]
        rises[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < len(rows))] - 1] = True
        fits = bool(rises.all()) and rows.min() >= 0 and rows.max() < passages
    if not fits:
        raise InputError("the postings are damaged: a passage is out of range; build the index again")
    if not np.isfinite(weights).all():
        raise InputError("a weight is no finite number; use other parameters, or build the index again")
    return Postings(first, passages, starts, rows, weights)


def _greatest(postings: Postings) -> NDArray[np.float64]:
    sizes = np.diff(postings.starts)
    greatest = np.zeros(len(sizes))
    filled = np.flatnonzero(sizes)
    if len(filled):
        greatest[filled] = np.maximum.reduceat(postings.weights, postings.starts[:-1][filled])
    return greatest


def _with(array: NDArray[Any], start: int, values: Sequence[float]) -> NDArray[Any]:
    """The array with values from a place on; a longer one if they have no room in it."""
    end = start + len(values)
    if end > len(array):
        array = np.concatenate([array[:start], np.zeros(max(end, 2 * start) - start + 16, dtype=array.dtype)])
    array[start:end] = values
    return array


def weights_parts(weights: Weights) -> dict[str, NDArray[Any]]:
    """The weights of each shard by their names; the passages of the postings are those of the index."""
    return {shard_name(number, "weights"): shard.weights for number, shard in enumerate(weights.shards)}


def restored_weights(index: Index, parts: Mapping[str, NDArray[Any]]) -> Weights:
    """The weights of which `weights_parts` are the parts."""
    return Weights(
        *(
            columns(*index.shard_postings(number), parts[shard_name(number, "weights")], passages)
            for number, passages in enumerate(np.diff(index.bounds).tolist())
        )
    )


def ordered(query: Sequence[Asked], fields: Sequence[Weights]) -> list[tuple[float, int, int, float]]:
    """The words of a query as (greatest possible weight, field, word, factor), from the greatest weight to the least."""
    words = [
        (factor * field.word_bounds.item(word), number, word, factor)
        for number, (field, asked) in enumerate(zip(fields, query, strict=True))
        for word, factor in zip(asked.words, asked.factors, strict=True)
    ]
    return sorted(words, key=lambda word: -word[0])  # stable: equal ones in the order of the query


def scored(query: Sequence[Asked], fields: Sequence[Weights]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Every passage that holds a word of the query, each once, and its sum, in the order of `ordered`."""
    passages = fields[0].passages
    parts = (best(fields[field].of_word(word, factor), passages) for _, field, word, factor in ordered(query, fields))
    return summed(parts, passages)


def explained(group: Group, weights: Weights, passage: int, terms: Terms, index: Index) -> list[Match]:
    """The matches of one group of query terms with a passage's terms, as weighty as the group's best candidate there.

    Each query word gets its share of the weight, each passage word with that candidate its share of that.
    """
    found = [(w, c) for c in group.candidates if (w := weights.weight(c, passage)) is not None]
    if not found:
        return []
    most, candidate = max(found, key=lambda pair: pair[0])
    lemma = index.vocabulary[candidate]
    words = [term for term in terms if lemma in term.candidates]
    share = most / (len(group.terms) * len(words))
    return [match(asked, word, lemma, share) for asked in group.terms for word in words]
