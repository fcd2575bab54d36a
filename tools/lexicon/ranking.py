"""Candidates in order: how often a lemma and an ending occur in unannotated text, and how many sources agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray


class Reading(NamedTuple):
    """One way to read a form: its lemma, its place in a paradigm, its weight by sources.

    sure: a paradigm, two sources or a regular case speak for it. One list alone may have it by mistake (ore: aurum).
    """

    form: str
    lemma: str
    paradigm: str
    ending: str
    weight: float
    sure: bool


class Frequencies(NamedTuple):
    """How often, by expectation, each lemma of a paradigm and each ending of a paradigm occurs in text."""

    words: dict[tuple[str, str], int]
    endings: dict[tuple[str, str], int]


ROUNDS = 2
"""How often frequencies are estimated anew from those before: tools/choose_ranking.py."""
_UNSEEN = 0.5
"""The count of a lemma or an ending that text does not show."""


def frequencies(readings: list[Reading], counts: Mapping[str, int], rounds: int = ROUNDS) -> Frequencies:
    """What unannotated text tells of lemmata and endings; counts: how often each folded form occurs in it.

    Expectation-maximization of P(form), the sum over its readings of P(lemma) P(ending | paradigm) weight: a lemma is
    frequent when forms that only it has are frequent, and an ending likewise. With many rounds a lemma that has no form of
    its own (factum beside facio) comes to nothing.
    """
    forms, form = _numbered(r.form for r in readings)
    words, word = _numbered((r.lemma, r.paradigm) for r in readings)
    endings, ending = _numbered((r.paradigm, r.ending) for r in readings)
    paradigms, paradigm = _numbered(paradigm for paradigm, _ in endings)
    seen = np.array([counts.get(name, 0) for name in forms], dtype=float)
    weight = np.array([r.weight for r in readings])
    joint = weight
    for _ in range(rounds):
        expected = joint / np.bincount(form, joint, len(forms))[form] * seen[form]
        of_word = np.bincount(word, expected, len(words))
        of_ending = np.bincount(ending, expected, len(endings))
        within = (of_ending + _UNSEEN) / np.bincount(paradigm, of_ending + _UNSEEN, len(paradigms))[paradigm]
        joint = (of_word + _UNSEEN)[word] * within[ending] * weight
    return Frequencies(
        {name: count for name, count in zip(words, np.rint(of_word).astype(int).tolist(), strict=True) if count},
        {name: count for name, count in zip(endings, np.rint(of_ending).astype(int).tolist(), strict=True) if count},
    )


_Name = TypeVar("_Name", bound=Hashable)


def _numbered(names: Iterable[_Name]) -> tuple[dict[_Name, int], NDArray[np.int64]]:
    numbers: dict[_Name, int] = {}
    return numbers, np.array([numbers.setdefault(name, len(numbers)) for name in names])


def scored(readings: Iterable[Reading], known: Frequencies) -> dict[str, dict[str, float]]:
    """Of each form its lemmata, and how often it is expected to be each; readings that are not sure only if no other is."""
    totals: dict[str, float] = defaultdict(float)
    readings = list(readings)
    for paradigm, ending in {(r.paradigm, r.ending): None for r in readings}:
        totals[paradigm] += known.endings.get((paradigm, ending), 0) + _UNSEEN
    certain = {r.form for r in readings if r.sure}
    table: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for form, lemma, paradigm, ending, weight, sure in readings:
        if sure or form not in certain:
            word = known.words.get((lemma, paradigm), 0) + _UNSEEN
            within = (known.endings.get((paradigm, ending), 0) + _UNSEEN) / totals[paradigm]
            table[form][lemma] += word * within * weight
    return table


def ranked(expected: Mapping[str, float]) -> list[str]:
    """Lemmata in order, the likeliest first, equal ones by name."""
    return sorted(expected, key=lambda lemma: (-expected[lemma], lemma))
