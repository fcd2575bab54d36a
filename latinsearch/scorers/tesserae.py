"""Tesserae's scoring of shared lemmata: rare words, close together, on both sides.

    score = ln( (sum of 1/f over matched target words + sum of 1/f over matched source words) / (d_target + d_source) )

Forstall, Coffee, Buck, Roache and Jacobson, "Modeling the Scholars", LLC 2014; Coffee et al., "Intertextuality in the
Digital Age", TAPA 2012. The passages of the index are the source, the query is the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, SupportsIndex, get_args

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Terms
from latinsearch.explanation import Match, Part, match
from latinsearch.index import Index, expand
from latinsearch.normalizer import fold
from latinsearch.records import InputError, real_number, whole_number, words
from latinsearch.scorers.frequencies import Frequencies, occurrences, term_counts

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

# ln(sum / d) of two matches is above -30 unless a passage has more than 10^13 words; ln(1/f + 1/f) of one is below 30
# unless a corpus has. 60 between them keeps every passage with one match below every passage with two.
ONE_MATCH = -60.0


Metric = Literal["frequency", "span", "frequency-target", "frequency-source", "span-target", "span-source"]
CHOICES: dict[str, tuple[str, ...]] = {
    "frequency": ("texts", "corpus"),
    "metric": get_args(Metric),
    "score_basis": ("lemma", "form"),
    "stop_basis": ("corpus", "target", "source", "both"),
}
"""The parameters of Tesserae that are one of some words, and the words."""


@dataclass(frozen=True, slots=True)
class Tesserae:
    """Tesserae's scorer; the defaults are those of Tesserae v3.

    >>> Tesserae(min_matches=1, cutoff=None).min_matches
    1

    min_matches: how many words must match on each side; from 2 on, two of them must differ in form. With 1, a passage
    with only one match (or two of one form, or too far apart, or below the cut-off) follows after all the others, by
    the rarity of its rarest matched pair: ln(1/f + 1/f) - 60. stoplist: how many of the corpus's most frequent lemmata
    do not count as a match, or the lemmata themselves; None: Tesserae's ten, but of fewer than 1,000 lemmata one in a
    hundred (ten would be all of a small text). frequency: `texts`, the share of a work's words that have any lemma of the
    form in common with it, or `corpus`, the mean over the form's lemmata of their share of all lemmata. score_basis: `lemma`,
    or `form`: f counts the form alone. metric: `frequency`, distance between the two rarest matched words, or `span`, from
    first to last; neighbours are at distance 2; of both sides together, or with `-target` or `-source` behind it of that
    side alone. max_distance: the greatest distance. cutoff: the least score. stop_basis: where the most frequent lemmata
    are counted: `corpus`, `target`, `source`, or `both`.

    Raises InputError for a parameter out of its range.
    """

    min_matches: int = 2
    stoplist: int | tuple[str, ...] | None = None
    frequency: Literal["texts", "corpus"] = "texts"
    metric: Metric = "frequency"
    max_distance: int | None = None
    cutoff: float | None = 0.0
    score_basis: Literal["lemma", "form"] = "lemma"
    stop_basis: Literal["corpus", "target", "source", "both"] = "corpus"

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "min_matches", whole_number("Tesserae parameter min_matches", self.min_matches, least=1))
        if isinstance(self.stoplist, SupportsIndex):
            set_(self, "stoplist", whole_number("Tesserae parameter stoplist", self.stoplist, least=0))
        elif self.stoplist is not None:
            lemmata = words("Tesserae parameter stoplist", self.stoplist)
            set_(self, "stoplist", tuple(dict.fromkeys(map(fold, lemmata))))
        if self.max_distance is not None:
            set_(self, "max_distance", whole_number("Tesserae parameter max_distance", self.max_distance, least=1))
        if self.cutoff is not None:
            set_(self, "cutoff", real_number("Tesserae parameter cutoff", self.cutoff))
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise InputError(f"unknown Tesserae {name} {getattr(self, name)!r}; known are {', '.join(known)}")

    def fit(
        self,
        index: Index,
        *,
        target: Index | None = None,
        corpus: Index | None = None,
        both: Sequence[Index] | None = None,
    ) -> FittedTesserae:
        """What scores queries against the index.

        target: the text that the queries are passages of; it gives the frequencies of their words. Without it, a query
        word is as frequent as the words of the index that share a lemma with it. corpus: what the stop list of that basis and
        frequencies of that basis count: by default the index, and the target if there is one. both: indexes that have each
        passage of the two once, where they have some in common.
        """
        if both is None:
            both = [index] if target is None or target is index else [index, target]
        whole = both if corpus is None else [corpus]
        frequencies = Frequencies(index, target or index, whole, self.frequency, self.score_basis == "form")
        counted: dict[str, Sequence[Index]] = {"corpus": whole, "source": [index], "target": [target or index]}
        stopped = self._stopped(counted.get(self.stop_basis, both))
        return FittedTesserae(self, index, frequencies, frequencies.of_words(), *occurrences(index), stopped)

    def _stopped(self, indexes: Sequence[Index]) -> frozenset[str]:
        if self.stoplist is not None and not isinstance(self.stoplist, int):
            return frozenset(self.stoplist)
        counts = term_counts(indexes)
        size = min(10, len(counts) // 100) if self.stoplist is None else self.stoplist
        return frozenset(sorted(counts, key=lambda term: (-counts[term], term))[:size])

    def judged(self, target: Side, source: Side) -> Judged:
        """Which pairs of passages count as parallels by their two sides, with distance and score."""
        of_side = {"target": target.distance, "source": source.distance}
        distance = of_side.get(self.metric.rpartition("-")[2], target.distance + source.distance)
        scores = np.log((target.inverse + source.inverse) / distance)
        several = max(2, self.min_matches)
        enough = (target.words >= several) & (source.words >= several) & target.two_forms & source.two_forms
        if self.max_distance is not None:
            enough &= distance <= self.max_distance
        if self.cutoff is not None:
            enough &= scores >= self.cutoff
        return Judged(enough, scores, distance)


V3 = Tesserae(stoplist=10)
"""The defaults of Tesserae v3, which compares line with line."""
V5 = Tesserae(stoplist=10, max_distance=10, cutoff=6.0, score_basis="form")
"""The defaults of Tesserae v5, which compares lines or phrases."""


class Word(NamedTuple):
    """A word of the query: its terms (several with n-grams), the numbers of its lemmata that count, and its 1/f."""

    terms: Terms
    lemmata: tuple[int, ...]
    inverse: float


class Side(NamedTuple):
    """For each passage, what matched on one side: how many words, whether of two forms, the sum of 1/f, the distance.

    first and last: the positions of the first and the last matched word.
    """

    words: Longs
    two_forms: NDArray[np.bool_]
    inverse: Floats
    distance: Longs
    first: Longs
    last: Longs


class Judged(NamedTuple):
    """For each pair of passages, whether it is a parallel, its score, its distance."""

    enough: NDArray[np.bool_]
    scores: Floats
    distance: Longs


def side(passages: Longs, positions: Longs, forms: Longs, inverse: Floats, metric: str) -> Side:
    """One side of each passage from its matched words, which come sorted by passage and position, each once."""
    starts = np.flatnonzero(np.diff(passages, prepend=-1))
    words = np.diff(np.append(starts, len(passages)))
    two_forms = np.minimum.reduceat(forms, starts) != np.maximum.reduceat(forms, starts)
    first, last = positions[starts], positions[starts + words - 1]
    one, other = first, last
    if not metric.startswith("span") and (words > 2).any():
        several = np.flatnonzero(words > 2)
        of = expand(starts[several], words[several])
        rarest = of[np.lexsort((positions[of], -inverse[of], passages[of]))]
        begin = np.concatenate([[0], np.cumsum(words[several])[:-1]])
        one, other = one.copy(), other.copy()
        one[several], other[several] = positions[rarest[begin]], positions[rarest[begin + 1]]
    return Side(words, two_forms, np.add.reduceat(inverse, starts), np.abs(one - other) + 1, first, last)


@dataclass(frozen=True, eq=False, slots=True)
class FittedTesserae:
    """The words of each lemma (places in `index.tokens`), each word's passage and 1/f, and the lemmata that are stopped."""

    parameters: Tesserae
    index: Index
    frequencies: Frequencies
    inverse: Floats
    places: Longs
    offsets: Longs
    passage_of: NDArray[np.int32]
    stopped: frozenset[str]

    def score(self, query: Terms) -> tuple[NDArray[np.intp], Floats]:
        words = self._words(query)
        asked, places = self._matched(words)
        if not len(places):
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        inverse = np.array([word.inverse for word in words])
        target, source = self._sides(words, inverse, asked, places)
        enough, scores, _ = self.parameters.judged(target, source)
        passages = np.unique(self.passage_of[places]).astype(np.intp)
        if self.parameters.min_matches == 1:
            pairs = inverse[asked] + self.inverse[places]
            rarest = np.zeros(len(passages))
            np.maximum.at(rarest, np.searchsorted(passages, self.passage_of[places]), pairs)
            scores = np.where(enough, scores, np.log(rarest) + ONE_MATCH)
            enough = np.ones(len(passages), dtype=bool)
        return passages[enough], scores[enough]

    def explain(self, query: Terms, passage: int, terms: Terms, field: str, share: float) -> Part:
        words = self._words(query)
        first, last = self.index.token_offsets[passage : passage + 2]
        asked, places = self._matched(words)
        here = (places >= first) & (places < last)
        asked, places = asked[here], places[here]
        scored, scores = self.score(query)
        if passage not in scored:
            return Part(field, share, ())
        inverse = np.array([word.inverse for word in words])
        spoken = by_word(terms)
        found = [(words[q].terms, spoken[p - first]) for q, p in zip(asked, places, strict=True)]
        if scores[scored == passage][0] < ONE_MATCH / 2:
            rarest = int(np.argmax(inverse[asked] + self.inverse[places]))
            weights = [float(inverse[asked[rarest]] + self.inverse[places[rarest]])]
            return Part(field, share, self._matches([found[rarest]], weights), "tesserae", ONE_MATCH)
        target, source = self._sides(words, inverse, asked, places)
        ways_q = np.bincount(asked, minlength=len(words))[asked]
        ways_p = np.bincount(places - first)[places - first]
        shared = inverse[asked] / ways_q + self.inverse[places] / ways_p
        distance = int(self.parameters.judged(target, source).distance[0])
        return Part(field, share, self._matches(found, shared.tolist()), "tesserae", distance=distance)

    def _words(self, query: Terms) -> list[Word]:
        asked: list[Word] = []
        for spoken in by_word(query):
            # A word that has an n-gram twice has it once here, as a word of the index has.
            candidates = tuple(dict.fromkeys(c for term in spoken for c in term.candidates))
            lemmata = tuple(
                self.index.term_ids[c] for c in candidates if c in self.index.term_ids and c not in self.stopped
            )
            inverse = self.frequencies.of_query_word(spoken[0].folded, candidates) if lemmata else 0.0
            asked.append(Word(spoken, lemmata, inverse))
        return asked

    def _matched(self, words: Sequence[Word]) -> tuple[Longs, Longs]:
        """The pairs of a query word (its position) and a word of the index (its place) that share a lemma, each once."""
        asked, places = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for position, word in enumerate(words):
            if word.lemmata:
                of_lemmata = [self.places[self.offsets[term] : self.offsets[term + 1]] for term in word.lemmata]
                met = of_lemmata[0] if len(of_lemmata) == 1 else np.unique(np.concatenate(of_lemmata))
                asked.append(np.full(len(met), position, dtype=np.int64))
                places.append(met)
        return np.concatenate(asked), np.concatenate(places)

    def _sides(self, words: Sequence[Word], inverse: Floats, asked: Longs, places: Longs) -> tuple[Side, Side]:
        metric = self.parameters.metric
        numbers: dict[str, int] = {}
        forms = np.array([numbers.setdefault(word.terms[0].folded, len(numbers)) for word in words], dtype=np.int64)
        pairs = np.unique(self.passage_of[places].astype(np.int64) * len(words) + asked)
        passages, positions = np.divmod(pairs, len(words))
        target = side(passages, positions, forms[positions], inverse[positions], metric)
        met = np.unique(places)
        tokens = self.index.tokens[met].astype(np.int64)
        source = side(self.passage_of[met].astype(np.int64), met, tokens, self.inverse[met], metric)
        return target, source

    def _matches(self, found: list[tuple[Terms, Terms]], weights: list[float]) -> tuple[Match, ...]:
        pairs = zip(found, weights, strict=True)
        return tuple(match(asked[0], met[0], self._lemma(asked, met), weight) for (asked, met), weight in pairs)

    def _lemma(self, asked: Terms, met: Terms) -> str:
        """The first lemma (or n-gram) that the two words share and that is not stopped."""
        shared = {c for term in met for c in term.candidates} - self.stopped
        return next(c for term in asked for c in term.candidates if c in shared)


def by_word(terms: Terms) -> list[Terms]:
    """The terms word by word: n-grams of one word belong together."""
    words: list[Terms] = []
    for term in terms:
        if words and words[-1][0].token == term.token and words[-1][0].folded == term.folded:
            words[-1].append(term)
        else:
            words.append([term])
    return words
