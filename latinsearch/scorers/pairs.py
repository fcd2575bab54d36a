"""All pairs of passages of two indexes that are parallels by Tesserae's rule, at the cost of the postings they share.

A unit is what is compared with what: a line, or another stretch of an index's words. For each unit of the target the source
units that share words with it are counted, and only those with enough of them are looked at; they are worked out many pairs
at a time. Nothing is ever as large as units times units.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from latinsearch.index import Index, expand
from latinsearch.records import Passage
from latinsearch.scorers.frequencies import Floats, Longs, by_term
from latinsearch.scorers.tesserae import ONE_MATCH, FittedTesserae, Side, side
from latinsearch.tokenizer import tokenize

_BLOCK = 400_000  # pairs of matched words that are worked out at once


class Units(NamedTuple):
    """Stretches of an index's words: word numbers from `starts` to below `ends`, of passages `first` to `last`."""

    starts: Longs
    ends: Longs
    first: Longs
    last: Longs


class Found(NamedTuple):
    """Pairs of units (their numbers) that are parallels, with what ranks them and the distance; 20 bytes a pair.

    ranks: the score but for its last digits, see `ranks_of`. distance: 0 for one match.
    """

    target: NDArray[np.int32]
    source: NDArray[np.int32]
    ranks: Floats
    distance: NDArray[np.int32]


def ranks_of(scores: Floats) -> Floats:
    """The scores as they are ranked: by their 32-bit value, and where that is equal by the six decimals that are printed.

    >>> one, other, third = ranks_of(np.array([40.0000001, 40.0000006, 40.0000002])).tolist()
    >>> one == third < other
    True

    What is equal in both is equal here, so that the noise of a sum decides nothing, and printed scores never rise.
    """
    ranked: Floats = scores.astype(np.float32).astype(np.float64)
    ranked += (np.rint(scores * 1e6) / 1e6 - ranked) * 2.0**-20  # far less than what parts two 32-bit numbers
    return ranked


def lines(index: Index) -> Units:
    """Each passage as a unit."""
    every = np.arange(len(index), dtype=np.int64)
    return Units(index.token_offsets[:-1].astype(np.int64), index.token_offsets[1:].astype(np.int64), every, every)


def windows(index: Index, passages: Sequence[Passage]) -> Units:
    """Each passage as a unit, and each with the next one if nothing parts them in their work, in the order of the text."""
    single = lines(index)
    together = [_go_on(*pair) for pair in pairwise(passages)]
    before = np.flatnonzero((index.works[1:] == index.works[:-1]) & np.array(together, dtype=bool))
    first, last = np.concatenate([single.first, before]), np.concatenate([single.last, before + 1])
    order = np.lexsort((last, first))
    first, last = first[order], last[order]
    return Units(single.starts[first], single.ends[last], first, last)


def _go_on(one: Passage, other: Passage) -> bool:
    """Whether a passage goes on another: in the same book, and on the next line where both lines have plain numbers."""
    line, following = one.meta.get("line"), other.meta.get("line")
    gap = isinstance(line, int) and isinstance(following, int) and following - line != 1
    return not gap and one.meta.get("book") == other.meta.get("book")


_END = regex.compile(r"[.?!;:]")


def phrases(index: Index, texts: Sequence[str]) -> Units:
    """What stands between . ? ! ; or : within a work, across lines; texts: those of the passages."""
    bounds = [0]
    for passage, text in enumerate(texts):
        start, after = index.token_offsets[passage : passage + 2].tolist()
        tokens = tokenize(text)
        if len(tokens) == after - start:
            until = [token.end for token in tokens]
            bounds += [start + bisect_right(until, mark.start()) for mark in _END.finditer(text)]
        else:  # the analyzer has words of its own (prodelision): the line ends a phrase
            bounds.append(after)
        if passage + 1 == len(texts) or index.works[passage] != index.works[passage + 1]:
            bounds.append(after)
    parted = np.unique(np.array(bounds, dtype=np.int64))
    starts, ends = parted[:-1], parted[1:]
    # The passage of a word is the last that begins at it or before; those without words begin where the next one does.
    first, last = (np.searchsorted(index.token_offsets, words, side="right") - 1 for words in (starts, ends - 1))
    return Units(starts, ends, first.astype(np.int64), last.astype(np.int64))


class _Postings(NamedTuple):
    """Of each term the units that have it and the words that are it, aligned: those of term `t` from offsets[t] to [t + 1]."""

    units: NDArray[np.int32]
    places: NDArray[np.int32]
    offsets: Longs


def _postings(index: Index, units: Units) -> _Postings:
    sizes = units.ends - units.starts
    words = expand(units.starts, sizes)
    of_unit = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    numbers, offsets = by_term(index, words)
    return _Postings(of_unit[numbers], words[numbers].astype(np.int32), offsets)


def _first(held: Sequence[list[NDArray[Any]]], top: int | None, in_order: bool = True) -> Found:
    """The best of what is held, equal scores as they came; empties the lists, so that no more memory is held than needed."""
    ranks = np.concatenate(held[Found._fields.index("ranks")])
    np.negative(ranks, out=ranks)
    order = np.argsort(ranks, kind="stable")[:top]
    del ranks
    if not in_order:
        order = np.sort(order)
    columns = []
    for arrays in held:
        whole = np.concatenate(arrays)
        arrays.clear()
        columns.append(whole[order])
    return Found(*columns)


def _ranges(itself: Longs, units: Units) -> tuple[Longs, Longs]:
    """The lowest and the highest number in the source of each unit's passages; of a unit that is not there an empty range."""
    sizes = units.last - units.first + 1
    numbers = itself[expand(units.first, sizes)]
    offsets = np.cumsum(sizes) - sizes
    high = np.maximum.reduceat(numbers, offsets)
    low = np.minimum.reduceat(np.where(numbers < 0, np.iinfo(np.int64).max, numbers), offsets)
    return low, high


class _Met(NamedTuple):
    """The words of one form in a target unit, and the words of the source that each of them meets, with their units."""

    unit: int
    words: list[int]
    units: NDArray[np.int32]
    places: NDArray[np.int32]

    def where(self, chosen: NDArray[np.bool_]) -> _Met:
        """With only the chosen ones of the words that they meet."""
        kept = np.flatnonzero(chosen)
        return self if len(kept) == len(chosen) else self._replace(units=self.units[kept], places=self.places[kept])

    def distinct(self) -> NDArray[np.int32]:
        """The source units; of several words each once, or a word that both sides repeat would cost its square."""
        return self.units if len(self.words) == 1 else np.unique(self.units)


class Pairs:
    """The parallels of a target index with the source index that a Tesserae scorer was fitted to.

    itself: for each passage of the target its number in the source, -1 if it is not there; a passage is not matched with
    itself, nor a unit with one that has a passage in common with it. across: a unit of two passages is for what one passage
    has not: it counts only if words of both match, and with two matches. So no match is there twice.
    """

    def __init__(
        self,
        fitted: FittedTesserae,
        target: Index,
        target_units: Units,
        source_units: Units,
        itself: Longs,
        *,
        across: bool = False,
    ) -> None:
        self.fitted, self.target, self.across = fitted, target, across
        self.target_units, self.source_units = target_units, source_units
        self.source = fitted.index
        # A word is as rare as its work makes it, so the target's words are weighed as the target's.
        self.target_inverse = fitted.frequencies.of_words_of(target)
        self._itself = _ranges(itself, target_units) if (itself >= 0).any() else None
        self._postings = _postings(self.source, source_units)
        self._unit_bits = len(source_units.starts).bit_length()
        self._word_bits = max(int((of.ends - of.starts).max()) for of in (target_units, source_units)).bit_length()
        self._least = -math.inf  # what a further pair must score more than to be among the best
        self._lemmata = [self._shared(form) for form in range(len(target.forms))]

    def _shared(self, form: int) -> list[int]:
        """The terms of the source by which a form of the target may match."""
        start, end = self.target.form_offsets[form : form + 2]
        terms = (self.target.vocabulary[term] for term in self.target.form_terms[start:end])
        ids, stopped = self.source.term_ids, self.fitted.stopped
        return sorted({ids[term] for term in terms if term in ids and term not in stopped})

    def best(self, top: int | None = None) -> Found:
        """The best pairs, the best first, equal scores in the order of the target and then of the source; all without top."""
        held: list[list[NDArray[Any]]] = [[] for _ in Found._fields]
        size = 0
        self._least = -math.inf
        for found in self._blocks():
            kept = found.ranks > self._least
            columns: Sequence[NDArray[Any]] = found
            for arrays, array in zip(held, columns, strict=True):
                arrays.append(array[kept])
            size += len(held[0][-1])
            if top is not None and size > 2 * top + _BLOCK:
                reduced = _first(held, top, in_order=False)
                held = [[array] for array in reduced]
                size, self._least = len(reduced.ranks), float(reduced.ranks.min())
        if not size:
            none = np.zeros(0, dtype=np.int32)
            return Found(none, none, np.zeros(0), none)
        return _first(held, top)

    def _blocks(self) -> Iterator[Found]:
        """The parallels in the order of the target, some at a time, without most of those that are not above the least."""
        several = max(1, self.fitted.parameters.min_matches)
        counts = np.zeros(len(self.source_units.starts), dtype=np.int32)
        weights = np.zeros(len(counts))
        held: list[_Met] = []
        size = 0
        for unit, (start, end) in enumerate(
            zip(self.target_units.starts.tolist(), self.target_units.ends.tolist(), strict=True)
        ):
            words: dict[int, list[int]] = {}
            for word, form in enumerate(self.target.tokens[start:end].tolist(), start):
                words.setdefault(form, []).append(word)
            asked = [_Met(unit, of_form, *self._of_word(form)) for form, of_form in words.items()]
            asked = [met for met in asked if len(met.units)]
            if sum(len(met.words) for met in asked) < several:
                continue
            for met in asked:
                counts[met.units] += len(met.words)  # once a word, however often the unit has it
            kept = [met.where(counts[met.units] >= several) for met in asked]
            for met in asked:
                counts[met.units] = 0
            if self._least > ONE_MATCH / 2:
                kept = self._promising(kept, weights)
            held += [met for met in kept if len(met.units)]
            size += sum(len(met.units) for met in kept) + sum(len(met.words) for met in kept)
            if size > _BLOCK:
                yield self._found(held)
                held, size = [], 0
        if held:
            yield self._found(held)

    def _promising(self, asked: Sequence[_Met], weights: Floats) -> list[_Met]:
        """What may score more than the least: the words that meet, however often counted, make enough at the least distance.

        weights: zeros, one for each source unit, and left so.
        """
        metric = self.fitted.parameters.metric
        nearest = 2 if metric.endswith(("-target", "-source")) else 4
        enough = nearest * math.exp(self._least) * (1 - 1e-6)  # it is one of 32 bits
        for met in asked:
            of_target = len(met.words) * self.target_inverse[met.words[0]]  # a form weighs the same throughout a work
            np.add.at(weights, met.units, self.fitted.inverse[met.places] + of_target)
        kept = [met.where(weights[met.units] > enough) for met in asked]
        for met in asked:
            weights[met.units] = 0
        return kept

    def _of_word(self, form: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        units, places, offsets = self._postings
        slices = [slice(offsets[term], offsets[term + 1]) for term in self._lemmata[form]]
        if len(slices) == 1:
            return units[slices[0]], places[slices[0]]
        if not slices:
            return units[:0], places[:0]
        return np.concatenate([units[s] for s in slices]), np.concatenate([places[s] for s in slices])

    def _side(self, pairs: Longs, positions: Longs, first: int, of_target: bool) -> tuple[Side, Longs]:
        """One side of each pair, from the positions of its matched words in its unit; and the pairs, ascending."""
        index, inverse, units = (
            (self.target, self.target_inverse, self.target_units)
            if of_target
            else (self.source, self.fitted.inverse, self.source_units)
        )
        keys = (pairs << self._word_bits) | positions
        keys.sort(kind="stable")  # long runs are in order
        keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]  # each matched word once
        groups = keys >> self._word_bits
        unit = first + (groups >> self._unit_bits) if of_target else groups & ((1 << self._unit_bits) - 1)
        places = units.starts[unit] + (keys & ((1 << self._word_bits) - 1))
        metric = self.fitted.parameters.metric
        found = side(groups, places, index.tokens[places].astype(np.int64), inverse[places], metric)
        return found, groups[np.concatenate([[True], groups[1:] != groups[:-1]])]

    def _found(self, held: Sequence[_Met]) -> Found:
        parameters = self.fitted.parameters
        sizes = np.array([len(met.units) for met in held])
        unit = np.array([met.unit for met in held], dtype=np.int64)
        first = int(unit[0])
        others = np.concatenate([met.units for met in held]).astype(np.int64)
        places = np.concatenate([met.places for met in held]).astype(np.int64)
        # A pair is one number: its target unit, counted from the first here, before its source unit.
        pairs = (np.repeat(unit - first, sizes) << self._unit_bits) | others
        of_target = [(met.unit, word, distinct) for met in held for distinct in (met.distinct(),) for word in met.words]
        met_by_word = [len(distinct) for _, _, distinct in of_target]
        units = np.repeat(np.array([unit for unit, _, _ in of_target], dtype=np.int64), met_by_word)
        words = np.repeat(np.array([word for _, word, _ in of_target], dtype=np.int64), met_by_word)
        asked = ((units - first) << self._unit_bits) | np.concatenate([distinct for _, _, distinct in of_target])
        target, every = self._side(asked, words - self.target_units.starts[units], first, of_target=True)
        source, _ = self._side(pairs, places - self.source_units.starts[others], first, of_target=False)
        units, others = first + (every >> self._unit_bits), every & ((1 << self._unit_bits) - 1)
        judged = parameters.judged(target, source)
        enough, scores, distance = judged
        if parameters.min_matches == 1:
            rarest = np.zeros(len(every))
            weights = self.target_inverse[np.array([met.words[0] for met in held])]
            together = np.repeat(weights, sizes) + self.fitted.inverse[places]
            np.maximum.at(rarest, np.searchsorted(every, pairs), together)
            scores = np.where(enough, scores, np.log(rarest) + ONE_MATCH)
            distance = np.where(enough, distance, 0)
            enough = np.ones(len(every), dtype=bool)
        if self.across:
            for index, chosen, numbers, one in (
                (self.target, self.target_units, units, target),
                (self.source, self.source_units, others, source),
            ):
                second = index.token_offsets[chosen.last[numbers]]
                both = (one.first < second) & (one.last >= second) & judged.enough
                enough = enough & ((chosen.first[numbers] == chosen.last[numbers]) | both)
        if self._itself is not None:
            low, high = self._itself
            enough &= (high[units] < self.source_units.first[others]) | (self.source_units.last[others] < low[units])
        return Found(
            units[enough].astype(np.int32),
            others[enough].astype(np.int32),
            ranks_of(scores[enough]),
            distance[enough].astype(np.int32),
        )
