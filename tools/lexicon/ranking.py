"""Candidates in order: how often a lemma and an ending occur in unannotated text, and how many sources agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Reading(NamedTuple):
    """One way to read a form: its lemma, the paradigm and the ending by which it belongs to it, and its weight by sources."""

    form: str
    lemma: str
    paradigm: str
    ending: str
    weight: float


def _numbered(names: Iterable[object]) -> tuple[dict[object, int], NDArray[np.int64]]:
    numbers: dict[object, int] = {}
    return numbers, np.array([numbers.setdefault(name, len(numbers)) for name in names])


def likelihoods(readings: list[Reading], counts: Mapping[str, int], rounds: int = 12) -> NDArray[np.float64]:
    """The share of each reading in its form, estimated by expectation-maximization over the counts of forms.

    P(form) is the sum over its readings of P(lemma) P(ending | paradigm) weight. No text is annotated: a lemma is frequent when forms
    that only it has are frequent, an ending likewise. Every lemma begins with, and keeps, a pseudo-count of 0.5.
    """
    forms, form = _numbered(r.form for r in readings)
    words, word = _numbered((r.lemma, r.paradigm) for r in readings)
    tails, tail = _numbered((r.paradigm, r.ending) for r in readings)
    paradigms, of_tail = _numbered(paradigm for paradigm, _ in tails)  # type: ignore[misc]
    seen = np.array([counts.get(str(name), 0) for name in forms], dtype=float)
    weight = np.array([r.weight for r in readings])
    p_word = np.ones(len(words))
    p_tail = np.ones(len(tails))
    share = weight / np.bincount(form, weight, len(forms))[form]
    for _ in range(rounds):
        expected = share * seen[form]
        p_word = np.bincount(word, expected, len(words)) + 0.5
        in_tail = np.bincount(tail, expected, len(tails)) + 0.5
        p_tail = in_tail / np.bincount(of_tail, in_tail, len(paradigms))[of_tail]
        joint = p_word[word] * p_tail[tail] * weight
        share = joint / np.bincount(form, joint, len(forms))[form]
    return share


def ranked(readings: list[Reading], share: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """The lemmata of each form with their shares, the likeliest first; equal ones by name."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for reading, value in zip(readings, share.tolist(), strict=True):
        table[reading.form][reading.lemma] += value  # type: ignore[assignment]
    return {form: dict(sorted(lemmata.items(), key=lambda item: (-item[1], item[0]))) for form, lemmata in table.items()}  # type: ignore[misc]
