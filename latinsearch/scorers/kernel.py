"""The best passages of many queries, from weighted postings: by a small C program where it could be built, else by numpy.

Both give the same places and scores to the last bit: sums run in 64 bits, word by word from the one with the greatest
possible weight to the one with the least, and order is made on the sum rounded to 32 bits, equal ones by key, descending.
The C program (kernel.c) leaves out postings that cannot bring a passage among the best. docs/decisions.md has what was
measured.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.analyzer import Terms
from latinsearch.explanation import Match, match
from latinsearch.index import Index
from latinsearch.records import InputError
from latinsearch.scorers.postings import Group, Posting, best, summed

LIBRARY = Path(__file__).with_name("libkernel" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so"))
"""The C program, made when the package is built; not `kernel.so`, which Python would import in place of this module."""
OFF = "LATINSEARCH_KERNEL"
"""The environment variable that, set to `numpy`, leaves the C program alone."""


class Weighted(NamedTuple):
    """A word of a query, as often as it stands there: its candidates as terms of a field, and the factor of each.

    It gives a passage the greatest of its candidates' weights there, each times its factor.
    """

    field: int
    terms: tuple[int, ...]
    factors: tuple[float, ...]


class Weights:
    """The weights of the postings of one field, 8 bytes each: passages (32 bits) and weights (32 bits), term by term."""

    def __init__(self, matrix: sparse.csc_matrix) -> None:
        """From passages x terms. Raises InputError for weights that are not finite and passages out of range or of order."""
        self.passages = int(matrix.shape[0])
        self.starts = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
        # Copied out of the file, if they are mapped from one, so that they can travel to another process.
        self.rows = np.array(matrix.indices, dtype=np.int32)
        self.weights = np.ascontiguousarray(matrix.data, dtype=np.float32)
        sizes = np.diff(self.starts)
        # The C program trusts these: an index from disk that breaks them must not reach it.
        fits = self.starts[0] == 0 and self.starts[-1] == len(self.rows) == len(self.weights) and (sizes >= 0).all()
        if fits and len(self.rows):
            rises = np.diff(self.rows) > 0
            rises[self.starts[1:-1][(self.starts[1:-1] > 0) & (self.starts[1:-1] < len(self.rows))] - 1] = True
            fits = bool(rises.all()) and self.rows.min() >= 0 and self.rows.max() < self.passages
        if not fits:
            raise InputError("the postings are damaged: a passage is out of range; build the index again")
        if not np.isfinite(self.weights).all():
            raise InputError("a weight is no finite number; use other parameters, or build the index again")
        self.prunable = not len(self.weights) or bool(self.weights.min() >= 0)
        self.greatest = np.zeros(len(sizes))
        filled = np.flatnonzero(sizes)
        if len(filled):
            self.greatest[filled] = np.maximum.reduceat(self.weights, self.starts[:-1][filled])

    def postings(self, term: int) -> Posting:
        """The passages that hold a term, ascending, and the weight of each."""
        start, end = self.starts[term], self.starts[term + 1]
        return self.rows[start:end], self.weights[start:end].astype(np.float64)

    def weight(self, term: int, passage: int) -> float | None:
        """The weight of a term in a passage, or None if the passage does not hold it."""
        start, end = self.starts[term], self.starts[term + 1]
        place = int(np.searchsorted(self.rows[start:end], passage))
        return (
            float(self.weights[start + place]) if place < end - start and self.rows[start + place] == passage else None
        )

    @property
    def nbytes(self) -> int:
        """The bytes in memory."""
        return self.starts.nbytes + self.rows.nbytes + self.weights.nbytes + self.greatest.nbytes


class Best(NamedTuple):
    """The best passages of each query: those of query q are places[offsets[q]:offsets[q + 1]], the best first."""

    places: NDArray[np.int32]
    scores: NDArray[np.float32]
    offsets: NDArray[np.int64]


def ordered(query: Iterable[Weighted], fields: Sequence[Weights]) -> tuple[list[Weighted], list[float]]:
    """The words of a query from the greatest possible weight to the least, and the sums of these from each on."""
    bounds = [(_bound(word, fields[word.field]), word) for word in query]
    bounds.sort(key=lambda pair: -pair[0])  # stable: equal ones in the order of the query
    rest, total = [], 0.0
    for bound, _ in reversed(bounds):
        total += max(bound, 0.0)
        rest.append(total)
    return [word for _, word in bounds], rest[::-1]


def _bound(word: Weighted, field: Weights) -> float:
    """More than this a word gives no passage."""
    pairs = zip(word.terms, word.factors, strict=True)
    return max(factor * field.greatest.item(term) for term, factor in pairs)


def scored(query: Iterable[Weighted], fields: Sequence[Weights]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Every passage that holds a word of the query, each once, and its sum."""
    words, _ = ordered(query, fields)
    passages = fields[0].passages
    return summed((best(_candidates(word, fields), passages) for word in words), passages)


def _candidates(word: Weighted, fields: Sequence[Weights]) -> Iterable[Posting]:
    for term, factor in zip(word.terms, word.factors, strict=True):
        where, weights = fields[word.field].postings(term)
        yield where, factor * weights


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


class Keys:
    """The order of equal scores: for each passage the number of its doc_id in their order, and the passage of each number."""

    def __init__(self, doc_ids: Sequence[str]) -> None:
        places = sorted(range(len(doc_ids)), key=doc_ids.__getitem__)
        self.place = np.array(places, dtype=np.int32)
        self.key = np.empty(len(places), dtype=np.int32)
        self.key[self.place] = np.arange(len(places), dtype=np.int32)


def top(queries: Sequence[Sequence[Weighted]], fields: Sequence[Weights], k: int, keys: Keys) -> Best:
    """The k best passages of each query; fewer if fewer hold a word of it."""
    k = min(k, fields[0].passages)
    program = _program()
    return (_by_numpy if program is None or not k else _by_program)(queries, fields, k, keys)


def _by_numpy(queries: Sequence[Sequence[Weighted]], fields: Sequence[Weights], k: int, keys: Keys) -> Best:
    places, scores, counts = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.float32)], [0]
    for query in queries:
        where, sums = scored(query, fields)
        rounded = sums.astype(np.float32)
        if k < len(rounded):
            least = np.partition(rounded, len(rounded) - k)[len(rounded) - k]
            kept = rounded >= least
            where, rounded = where[kept], rounded[kept]
        order = np.lexsort((keys.key[where], rounded))[::-1][:k]
        places.append(where[order].astype(np.int32))
        scores.append(rounded[order])
        counts.append(len(order))
    return Best(np.concatenate(places), np.concatenate(scores), np.cumsum(counts, dtype=np.int64))


class _Field(ctypes.Structure):
    _fields_ = [("starts", ctypes.c_void_p), ("rows", ctypes.c_void_p), ("weights", ctypes.c_void_p)]


def _by_program(queries: Sequence[Sequence[Weighted]], fields: Sequence[Weights], k: int, keys: Keys) -> Best:
    program = _program()
    assert program is not None
    of_query, of_group, field_of, terms, factors, rest = [0], [0], [], [], [], []  # type: ignore[var-annotated]
    for query in queries:
        words, rests = ordered(query, fields)
        rest += rests
        for word in words:
            field_of += [word.field] * len(word.terms)
            terms += word.terms
            factors += word.factors
            of_group.append(len(terms))
        of_query.append(len(of_group) - 1)
    arrays: list[NDArray[Any]] = [
        np.array(of_query, dtype=np.int64),
        np.array(of_group, dtype=np.int64),
        np.array(field_of, dtype=np.int32),
        np.array(terms, dtype=np.int32),
        np.array(factors, dtype=np.float64),
        np.array(rest, dtype=np.float64),
    ]
    pointers = (_Field * len(fields))(
        *(_Field(f.starts.ctypes.data, f.rows.ctypes.data, f.weights.ctypes.data) for f in fields)
    )
    places = np.empty((len(queries), k), dtype=np.int32)
    scores = np.empty((len(queries), k), dtype=np.float32)
    counts = np.empty(len(queries), dtype=np.int64)
    program.latinsearch_top(
        _scratch.of(program, fields[0].passages),
        ctypes.byref(pointers),
        keys.key.ctypes.data,
        keys.place.ctypes.data,
        len(queries),
        *(array.ctypes.data for array in arrays),
        all(f.prunable for f in fields) and all(factor >= 0 for factor in factors),
        k,
        places.ctypes.data,
        scores.ctypes.data,
        counts.ctypes.data,
    )
    filled = np.arange(k) < counts[:, None]
    return Best(places[filled], scores[filled], np.concatenate([[0], np.cumsum(counts)]))


class _Scratch(threading.local):
    """Room for the sums of one query, for each thread its own, as long as the passages are many."""

    def __init__(self) -> None:
        self.passages = -1
        self.room: int | None = None
        self.program: Any = None

    def of(self, program: Any, passages: int) -> int:
        if self.passages < passages or self.room is None:
            self.free()
            self.room = program.latinsearch_scratch(passages)
            if not self.room:
                raise MemoryError(f"no memory for the sums of {passages:,} passages")
            self.passages, self.program = passages, program
        return self.room

    def free(self) -> None:
        if self.room is not None:
            self.program.latinsearch_free(self.room)
            self.room, self.passages = None, -1

    def __del__(self) -> None:
        self.free()


_scratch = _Scratch()


@cache
def _program() -> Any:
    """The C program, or None where it is not there or not wanted."""
    if os.environ.get(OFF) == "numpy" or not LIBRARY.is_file():
        return None
    try:
        program = ctypes.CDLL(str(LIBRARY))
    except OSError:  # built for another machine
        return None
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    program.latinsearch_scratch.argtypes, program.latinsearch_scratch.restype = [number], pointer
    program.latinsearch_free.argtypes, program.latinsearch_free.restype = [pointer], None
    before, after = [pointer] * 4, [pointer] * 6
    program.latinsearch_top.argtypes = [*before, number, *after, ctypes.c_int32, number, pointer, pointer, pointer]
    program.latinsearch_top.restype = None
    return program


def kernel() -> str:
    """What searches: `c` or `numpy`.

    >>> kernel() in ("c", "numpy")
    True
    """
    return "numpy" if _program() is None else "c"
