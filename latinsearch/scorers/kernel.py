"""The best passages of many queries, from weighted postings: by a small C program where it could be built, else by numpy.

Both give the same places and scores to the last bit: sums run in 64 bits, word by word from the one with the greatest
possible weight to the one with the least, and order is made on the sum rounded to 32 bits, equal ones by key, descending.
The C program (kernel.c) leaves out postings that cannot bring a passage among the best. docs/decisions.md has what was
measured.
"""

from __future__ import annotations

import ctypes
import operator
import os
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latinsearch.records import InputError
from latinsearch.scorers.weights import Asked, Weights, scored

LIBRARY = Path(__file__).with_name("libkernel" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so"))
"""The C program, made when the package is built; not `kernel.so`, which Python would import in place of this module."""
OFF = "LATINSEARCH_KERNEL"
"""The environment variable that, set to `numpy`, leaves the C program alone."""


class Best(NamedTuple):
    """The best passages of each query: those of query q are places[offsets[q]:offsets[q + 1]], the best first."""

    places: NDArray[np.int32]
    scores: NDArray[np.float32]
    offsets: NDArray[np.int64]


class Keys:
    """The order of equal scores: for each passage the number of its doc_id in their order, and the passage of each number."""

    def __init__(self, order: Sequence[int] | NDArray[Any]) -> None:
        """From the places of the passages in the order of their doc_ids. Raises InputError unless each is there once."""
        self.place = np.array(order, dtype=np.int32)
        self.key = np.full(len(self.place), -1, dtype=np.int32)
        if len(self.place) and (self.place.min() < 0 or self.place.max() >= len(self.place)):
            raise InputError("the order of the doc_ids is damaged: a passage is out of range; build the index again")
        self.key[self.place] = np.arange(len(self.place), dtype=np.int32)
        if (self.key < 0).any():
            raise InputError("the order of the doc_ids is damaged: a passage stands in it twice; build the index again")
        self._pointers: tuple[int, int] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_pointers": None}

    @property
    def pointers(self) -> tuple[int, int]:
        """Where keys and places are in memory."""
        if self._pointers is None:
            self._pointers = self.key.ctypes.data, self.place.ctypes.data
        return self._pointers


def top(queries: Sequence[Sequence[Asked]], fields: Sequence[Weights], k: int, keys: Keys) -> Best:
    """The k best passages of each query; fewer if fewer hold a word of it."""
    k = min(k, fields[0].passages)
    program = _program()
    return (_by_numpy if program is None or not k else _by_program)(queries, fields, k, keys)


def _by_numpy(queries: Sequence[Sequence[Asked]], fields: Sequence[Weights], k: int, keys: Keys) -> Best:
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


_OF_SHARD, _OF_WORDS = ("starts", "rows", "weights"), ("word_starts", "word_terms", "word_factors", "word_bounds")


class _Field(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in (*_OF_SHARD, *_OF_WORDS)]


class _Fields(NamedTuple):
    """A shard of the fields as the C program has them, and the arrays that it looks into, which must stay as long."""

    arrays: list[NDArray[Any]]
    pointers: Any


def _fields(fields: Sequence[Weights], shard: int) -> _Fields:
    """The fields for the C program: as they were last, unless words have come that had no room in an array."""
    known = fields[0].held.get(shard)
    arrays: list[NDArray[Any]] = []
    for field in fields:
        postings = field.shards[shard]
        arrays += (postings.starts, postings.rows, postings.weights)
        arrays += (field.word_starts, field.word_terms, field.word_factors, field.word_bounds)
    if known is not None and len(known.arrays) == len(arrays) and all(map(operator.is_, known.arrays, arrays)):
        made: _Fields = known
        return made
    pointers = (_Field * len(fields))()
    names = (*_OF_SHARD, *_OF_WORDS)
    for number, array in enumerate(arrays):
        setattr(pointers[number // len(names)], names[number % len(names)], array.ctypes.data)
    fields[0].held[shard] = made = _Fields(arrays, pointers)
    return made


def top_of_one(query: Sequence[Asked], fields: Sequence[Weights], k: int, keys: Keys) -> tuple[list[int], list[float]]:
    """`top` of one query, its places and scores as lists; without numpy's cost of small arrays."""
    program = _program()
    k = min(k, fields[0].passages)
    if program is None or not k or len(fields[0].shards) > 1:
        found = top([query], fields, k, keys)
        return found.places.tolist(), found.scores.tolist()
    words = [word for asked in query for word in asked.words]
    factors = [factor for asked in query for factor in asked.factors]
    of_field = [number for number, asked in enumerate(query) for _ in asked.words]
    size = len(words)
    held = _fields(fields, 0)
    places, scores, count = (ctypes.c_int32 * k)(), (ctypes.c_float * k)(), ctypes.c_int64()
    failed = program.latinsearch_top(
        _scratch.of(program, fields[0].passages),
        held.pointers,
        *keys.pointers,
        1,
        (ctypes.c_int64 * 2)(0, size),
        (ctypes.c_int32 * size)(*of_field),
        (ctypes.c_int32 * size)(*words),
        (ctypes.c_double * size)(*factors),
        size,
        all(field.positive for field in fields) and (not factors or min(factors) >= 0),
        k,
        places,
        scores,
        ctypes.byref(count),
    )
    if failed:
        raise MemoryError("no memory for the words of a query")
    return places[: count.value], scores[: count.value]


def _by_program(queries: Sequence[Sequence[Asked]], fields: Sequence[Weights], k: int, keys: Keys) -> Best:
    words: list[int] = []
    factors: list[float] = []
    of_field: list[int] = []
    ends = [0]
    for query in queries:
        for number, asked in enumerate(query):
            words += asked.words
            factors += asked.factors
            of_field += [number] * len(asked.words)
        ends.append(len(words))
    of_query = np.array(ends, dtype=np.int64)
    arrays: list[NDArray[Any]] = [
        of_query,
        np.array(of_field, dtype=np.int32),
        np.array(words, dtype=np.int32),
        np.array(factors, dtype=np.float64),
    ]
    longest = int(np.diff(of_query).max(initial=0))
    positive = all(field.positive for field in fields) and (not factors or min(factors) >= 0)
    shards = [_in_shard(shard, arrays, longest, positive, fields, k, keys) for shard in range(len(fields[0].shards))]
    return shards[0] if len(shards) == 1 else _merged(shards, k, keys)


def _in_shard(
    shard: int,
    arrays: Sequence[NDArray[Any]],
    longest: int,
    positive: bool,
    fields: Sequence[Weights],
    k: int,
    keys: Keys,
) -> Best:
    """The best of one shard. Its passages have the keys of all, so their places are those among all."""
    program = _program()
    first, passages = fields[0].shards[shard][:2]
    size, k = len(arrays[0]) - 1, min(k, passages)
    if not k:
        return Best(np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(size + 1, np.int64))
    held = _fields(fields, shard)
    key, place = keys.pointers
    places = np.empty((size, k), dtype=np.int32)
    scores = np.empty((size, k), dtype=np.float32)
    counts = np.zeros(size, dtype=np.int64)
    failed = program.latinsearch_top(
        _scratch.of(program, passages),
        held.pointers,
        key + first * keys.key.itemsize,
        place,
        size,
        *(array.ctypes.data for array in arrays),
        longest,
        positive,
        k,
        places.ctypes.data,
        scores.ctypes.data,
        counts.ctypes.data,
    )
    if failed:
        raise MemoryError("no memory for the words of a query")
    filled = np.arange(k) < counts[:, None]
    return Best(places[filled], scores[filled], np.concatenate([[0], np.cumsum(counts)]))


def _merged(shards: Sequence[Best], k: int, keys: Keys) -> Best:
    """The best of several shards together."""
    places = np.concatenate([shard.places for shard in shards])
    scores = np.concatenate([shard.scores for shard in shards])
    size = len(shards[0].offsets) - 1
    query = np.concatenate([np.repeat(np.arange(size), np.diff(shard.offsets)) for shard in shards])
    order = np.lexsort((-keys.key[places].astype(np.int64), -scores, query))
    query = query[order]
    starts = np.searchsorted(query, np.arange(size))
    kept = order[np.arange(len(order)) - starts[query] < k]
    counts = np.minimum(np.bincount(query, minlength=size), k)
    return Best(places[kept], scores[kept], np.concatenate([[0], np.cumsum(counts)]))


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
    queries: list[Any] = [number, *[pointer] * 4, number, ctypes.c_int32]
    program.latinsearch_top.argtypes = [*[pointer] * 4, *queries, number, *[pointer] * 3]
    program.latinsearch_top.restype = ctypes.c_int32
    return program


def kernel() -> str:
    """What searches: `c` or `numpy`.

    >>> kernel() in ("c", "numpy")
    True
    """
    return "numpy" if _program() is None else "c"
