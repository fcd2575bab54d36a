"""Sums over the postings that a query touches, at a cost of just those, whatever the number of passages."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Term, Terms
from latinsearch.index import Index


class Group(NamedTuple):
    """The query's terms that have the same candidates, and the numbers of those that the index knows."""

    terms: tuple[Term, ...]
    candidates: tuple[int, ...]


def groups(query: Terms, index: Index) -> list[Group]:
    """The query's terms grouped by their candidates, in the order of first occurrence; unknown to the index left out."""
    found: dict[tuple[str, ...], list[Term]] = {}
    for term in query:
        found.setdefault(term.candidates, []).append(term)
    return [Group(tuple(terms), candidates) for terms in found.values() if (candidates := index.known_terms(terms[0]))]


class _Scratch(threading.local):
    """Arrays as long as the passages are many, all zero between uses, one set for each thread.

    `best` and `summed` have their own, since the postings that are summed may be made by `best` on the way.
    """

    def __init__(self) -> None:
        self.passages = 0

    def sized(self, passages: int) -> _Scratch:
        if self.passages < passages:
            self.passages = passages
            self.best, self.in_best = np.zeros(passages), np.zeros(passages, dtype=bool)
            self.sums, self.in_sums = np.zeros(passages), np.zeros(passages, dtype=bool)
        return self


_scratch = _Scratch()

Posting = tuple[NDArray[Any], NDArray[np.float64]]


def best(candidates: Iterable[Posting], passages: int) -> Posting:
    """Of several postings the passages of any, each with its greatest weight."""
    first, *others = candidates
    if not others:
        return first
    scratch = _scratch.sized(passages)
    rows: list[NDArray[Any]] = []
    try:
        for where, weights in (first, *others):
            new = ~scratch.in_best[where]
            rows.append(where[new])
            scratch.best[where] = np.where(new, weights, np.maximum(scratch.best[where], weights))
            scratch.in_best[rows[-1]] = True
        every = np.concatenate(rows)
        return every, scratch.best[every]
    finally:
        for where in rows:
            scratch.in_best[where] = False


def summed(parts: Iterable[Posting], passages: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The passages of any of the postings, each once, with the sum of its weights, added in the order given."""
    scratch = _scratch.sized(passages)
    rows = [np.zeros(0, dtype=np.intp)]
    try:
        for where, weights in parts:
            rows.append(where[~scratch.in_sums[where]])
            scratch.in_sums[rows[-1]] = True
            scratch.sums[where] += weights
        every = np.concatenate(rows).astype(np.intp, copy=False)
        return every, scratch.sums[every]
    finally:
        for where in rows:
            scratch.in_sums[where] = False
            scratch.sums[where] = 0.0
