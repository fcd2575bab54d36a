"""Text against text: the parallels of two works, best first, and what each owes to which words."""

from __future__ import annotations

import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, NamedTuple, SupportsIndex, cast, get_args

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Analyzer
from latinsearch.explanation import Match
from latinsearch.index import Index
from latinsearch.lemmatizers import Lemmatizer
from latinsearch.lemmatizers import lemmatizer as chain_of
from latinsearch.methods import METHODS, Recipe, build, recipes_of
from latinsearch.records import VERSION, InputError, Passage, whole_number
from latinsearch.retriever import LexicalRetriever, checksum, rank
from latinsearch.scorers import Scorer, Tesserae, scorer_signature
from latinsearch.scorers.frequencies import Longs
from latinsearch.scorers.pairs import Pairs, Units, lines, phrases, windows
from latinsearch.scorers.tesserae import ONE_MATCH
from latinsearch.stoplists import is_by_frequency, stopwords
from latinsearch.tokenizer import Token, forms, tokenize

Unit = Literal["line", "phrase", "window"]
Feature = Literal["lemma", "form", "lemma or form", "sound"]
MOST_DIGITS = 18
"""The digits of the longest number read as one; int() refuses those above 4,300."""
PER_PASSAGE = 10
"""How many source passages a target passage may have with a method that is not Tesserae's."""
StopList = int | str | os.PathLike[str] | Sequence[str]


class _Default(int):
    """The stop list that is not given, so that one given where it does nothing is told."""


TEN = _Default(10)
_AS_FORM = "\uffff"
"""Behind a form that is matched as such; no character of any text."""


class Word(NamedTuple):
    """A matched word of one side: its form and place in the passage's text, the lemmata it shares, what it gives.

    start, end: characters of the text. position: which word of the passage it is, from 0; None where distance is not asked for.
    """

    form: str
    start: int
    end: int
    lemmata: tuple[str, ...]
    weight: float
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Parallel:
    """Two passages that share words, and how their score is made.

    rule `tesserae`: score = ln(sum of the weights of both sides / distance) + constant; a weight is the word's 1/f, each
    matched word counts once. rule `sum`: score = sum of the weights of the target's words + constant; those of the source's
    words are the same sum from the other side. distance is None where the method has none, and for one match. distances:
    those of the target's and of the source's words, whose sum distance is (with a metric of one side: that side's). A third
    shared word adds its weight, but a rarer one than before is what distance is measured to then, and may lower the score;
    the distances tell.
    """

    rank: int
    score: float
    target: Passage
    source: Passage
    target_words: tuple[Word, ...]
    source_words: tuple[Word, ...]
    distance: int | None = None
    distances: tuple[int, int] | None = None
    rule: Literal["tesserae", "sum"] = "tesserae"
    constant: float = 0.0

    @property
    def lemmata(self) -> tuple[str, ...]:
        """The lemmata (forms, n-grams) that both sides share, in the order of the target's words."""
        return tuple(dict.fromkeys(lemma for word in self.target_words for lemma in word.lemmata))

    @property
    def rebuilt(self) -> float:
        """The score, worked out from the parts."""
        total = math.fsum(word.weight for word in self.target_words)
        if self.rule == "tesserae":
            total = math.log((total + math.fsum(word.weight for word in self.source_words)) / (self.distance or 1))
        return total + self.constant


@dataclass(frozen=True)
class Comparison:
    """What a comparison is made with, before any parallel is looked for: made by `comparison`, run by iterating.

    signature: method, analysis, unit and stop list in one line, for the report. stopped: the lemmata that do not count.
    """

    signature: str
    stopped: tuple[str, ...]
    parallels: Iterator[Parallel]


def compare(
    target: Iterable[Passage],
    source: Iterable[Passage],
    *,
    method: str | Scorer = "tesserae",
    lemmatizer: str | Lemmatizer | None = None,
    stoplist: StopList = TEN,
    top: int | None = None,
    unit: Unit = "line",
    feature: Feature = "lemma",
    corpus: Iterable[Passage] | None = None,
) -> Iterator[Parallel]:
    """The parallels of two works, best first; equal scores in the order of the target, then of the source.

    >>> target = [Passage("luc.1.1", "Bella per Emathios plus quam civilia campos"), Passage("luc.1.2", "iusque datum")]
    >>> source = [Passage("aen.1.1", "Arma virumque cano"), Passage("aen.7.41", "bella per Italiam campis")]
    >>> [(found.target.doc_id, found.source.doc_id, found.lemmata) for found in compare(target, source, stoplist=0)]
    [('luc.1.1', 'aen.7.41', ('bellum', 'bellus', 'bello', 'per', 'campus'))]

    target, source: passages, of one work or of several; the same passages twice compare a text with itself. A passage
    that is in both (same reference, text, author and work) is not matched with itself. method: with `tesserae`,
    `tesserae-one` or a `Tesserae` scorer, all parallels; with another name in METHODS or another scorer, the ten best
    source passages of each target passage. stoplist: how many of the most frequent lemmata of both texts do not count
    for Tesserae's methods, or which: a named list, the path of a file, or the words (with other methods, words that do not
    count; a number is for Tesserae). unit: `line`, a passage; `phrase`, what stands between . ? ! ; : within a work;
    `window`, a passage or two neighbours of a book, with lines that follow each other, if words of both match, so that a
    match across a line end is found. feature: what words share; with `lemma or form` a word of the stop list stops the
    lemma and the form that are so written. top: no more than these. corpus: the passages in which lemmata are counted for
    the stop list (and for frequency `corpus`), by default both texts, each passage once. Tesserae counts all the Latin that
    it has.

    Memory is that of the two indexes, 20 to 40 bytes a parallel, and what the forms of one unit meet in the source; texts
    are looked at when a parallel is asked for. Raises InputError for a text without words, for parameters out of range and
    for those that would do nothing.
    """
    return comparison(
        target,
        source,
        method=method,
        lemmatizer=lemmatizer,
        stoplist=stoplist,
        top=top,
        unit=unit,
        feature=feature,
        corpus=corpus,
    ).parallels


def comparison(
    target: Iterable[Passage],
    source: Iterable[Passage],
    *,
    method: str | Scorer = "tesserae",
    lemmatizer: str | Lemmatizer | None = None,
    stoplist: StopList = TEN,
    top: int | None = None,
    unit: Unit = "line",
    feature: Feature = "lemma",
    corpus: Iterable[Passage] | None = None,
) -> Comparison:
    """What `compare` does, with the signature and the stop list that a report prints."""
    for name, given, known in (("unit", unit, get_args(Unit)), ("feature", feature, get_args(Feature))):
        if given not in known:
            raise InputError(f"unknown {name} {given!r}; known are {', '.join(known)}")
    if top is not None:
        top = whole_number("top", top, least=1)
    targets, sources = _checked("target", target), _checked("source", source)
    itself = _itself(targets, sources)
    recipes = _recipes(method)
    (recipe, *others) = recipes
    if others or not isinstance(recipe.scorer, Tesserae):
        if unit != "line" or feature != "lemma":
            raise InputError(f"unit and feature are for Tesserae's methods, not for {method!r}; leave them out")
        if corpus is not None:
            raise InputError(f"corpus is for Tesserae's methods, not for {method!r}; leave it out")
        words = () if isinstance(stoplist, _Default) else stop_list(stoplist) or ()
        if isinstance(words, int):
            raise InputError(
                f"a number of stop words ({words}) is for Tesserae's methods, not for {method!r}; give the words"
            )
        retriever = build(
            sources, method if isinstance(method, str) else recipes, lemmatizer=lemmatizer, stopwords=words
        )
        signature = f"{retriever.signature}|target={checksum(targets)}"
        return Comparison(signature, words, _by_search(targets, sources, retriever, itself, top))
    analyzer = _analyzer(recipe.analyzer, lemmatizer, feature)
    scorer = recipe.scorer
    if isinstance(method, str) or scorer.stoplist is None:
        scorer = replace(scorer, stoplist=stop_list(stoplist))
    elif not isinstance(stoplist, _Default):
        raise InputError(f"stoplist beside a scorer with stoplist={scorer.stoplist!r} does nothing; give one of them")
    same = targets == sources
    index = Index.build(sources, analyzer)
    of_target = index if same else Index.build(targets, analyzer)
    whole = [] if corpus is None else _checked("corpus", corpus)
    fitted = scorer.fit(
        index,
        target=of_target,
        corpus=Index.build(whole, analyzer) if whole else None,
        both=[index, *_beside(targets, of_target, itself, analyzer)],
    )
    # A word of the stop list stops the lemma and the form that are so written.
    stopped = {_plain(term) for term in fitted.stopped}
    if feature == "lemma or form":
        fitted = replace(fitted, stopped=frozenset(stopped | {word + _AS_FORM for word in stopped}))
    if fitted.stopped.issuperset(index.vocabulary):
        raise InputError(
            f"a stop list of {len(stopped)} leaves none of the source's {len(index.vocabulary)} lemmata; make it shorter"
        )
    source_units = _units(index, sources, unit)
    target_units = source_units if same else _units(of_target, targets, unit)
    pairs = Pairs(fitted, of_target, target_units, source_units, itself, across=unit == "window")
    texts = {"target": targets, "source": sources, "corpus": whole}
    signature = "|".join(
        [analyzer.signature, scorer_signature(scorer), f"unit={unit}"]
        + [f"{name}={checksum(passages)}" for name, passages in texts.items() if passages]
        + [f"latinsearch={VERSION}"]
    )
    return Comparison(signature, tuple(sorted(stopped)), _by_pairs(pairs, targets, sources, analyzer, top))


def stop_list(given: object) -> int | tuple[str, ...]:
    """What a stop list is given as: how many of the most frequent, or the words of a named list or of a file, or words.

    >>> stop_list(5), stop_list("5"), stop_list("top-5"), stop_list("latin")[:2], stop_list(["et"])
    (5, 5, 5, ('a', 'ab'), ('et',))

    Raises InputError for anything else.
    """
    if isinstance(given, str) and (re.fullmatch("-?[0-9]+", given) or is_by_frequency(given)):
        number = given.removeprefix("top-")
        if len(number) > MOST_DIGITS:
            raise InputError(f"a stop list of a number of {len(number):,} digits; no text has so many lemmata")
        given = int(number)
    if isinstance(given, SupportsIndex):
        return whole_number("stoplist", given, least=0)
    if isinstance(given, Iterable | os.PathLike):
        return stopwords(given)
    raise InputError(f"stoplist is {given!r}; it must be a whole number, a named list, a file, or a tuple of words")


def _recipes(method: object) -> tuple[Recipe, ...]:
    if isinstance(method, str):
        return recipes_of(method)
    if isinstance(method, type) or not callable(getattr(method, "fit", None)):
        raise InputError(
            f"method is {method!r}; it must be a name ({', '.join(METHODS)}) or a scorer such as Tesserae()"
        )
    return (Recipe("lemma", METHODS["tesserae"][0].analyzer, cast("Scorer", method)),)


def _checked(name: str, given: Iterable[Passage]) -> list[Passage]:
    passages = list(given)
    if not passages:
        raise InputError(f"the {name} has no passages; give at least one")
    for passage in passages:
        if not isinstance(passage, Passage):
            raise InputError(f"the {name} must be Passages, not {type(passage).__name__}; read() gives them")
    if not any(forms(passage.text) for passage in passages):
        raise InputError(f"the {name} has no words; give a text with at least one")
    return passages


def _itself(targets: Sequence[Passage], sources: Sequence[Passage]) -> Longs:
    """For each target passage the number of the same passage in the source, -1 if it is not there.

    Their doc_ids may differ: in a folder, one that two works share is told apart by the file's name. Of several that are the
    same in everything, the first of the target is the first of the source, and so on.
    """

    def key(passage: Passage) -> tuple[object, ...]:
        meta = passage.meta
        return passage.ref or passage.doc_id, passage.text, meta.get("author"), meta.get("work")

    numbers: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, passage in reversed(list(enumerate(sources))):
        numbers[key(passage)].append(number)
    left = (numbers.get(key(passage)) for passage in targets)
    return np.array([same.pop() if same else -1 for same in left], dtype=np.int64)


def _beside(targets: Sequence[Passage], index: Index, itself: Longs, analyzer: Analyzer) -> list[Index]:
    """The target's passages that the source has not, as an index, so that each passage of both counts once."""
    if (itself < 0).all():
        return [index]
    beside = [targets[number] for number in np.flatnonzero(itself < 0).tolist()]
    return [Index.build(beside, analyzer)] if beside else []


def _analyzer(analyzer: Analyzer, lemmatizer: str | Lemmatizer | None, feature: str) -> Analyzer:
    if feature in ("form", "sound"):
        if lemmatizer is not None:
            raise InputError(f"feature {feature!r} uses no lemmata, so a lemmatizer does nothing; leave it out")
        return Analyzer(rules=analyzer.rules, ngrams=3 if feature == "sound" else None)
    if lemmatizer is not None:
        analyzer = replace(analyzer, lemmatizer=lemmatizer)
    if feature == "lemma":
        return analyzer
    chain = chain_of(analyzer.lemmatizer, only_likely=True)

    def with_form(form: str) -> tuple[str, ...]:
        return (*chain(form).candidates, form + _AS_FORM)

    with_form.signature = f"{chain.signature}-or-form"  # type: ignore[attr-defined]
    return replace(analyzer, lemmatizer=with_form)


def _units(index: Index, passages: Sequence[Passage], unit: str) -> Units:
    if unit == "phrase":
        return phrases(index, [passage.text for passage in passages])
    return windows(index, passages) if unit == "window" else lines(index)


def _by_pairs(
    pairs: Pairs, targets: Sequence[Passage], sources: Sequence[Passage], analyzer: Analyzer, top: int | None
) -> Iterator[Parallel]:
    best = pairs.best(top)
    asked = _Side(pairs.target, pairs.target_units, targets, analyzer, pairs.target_inverse, pairs.fitted.stopped)
    met = (
        asked
        if pairs.target is pairs.source
        else _Side(pairs.source, pairs.source_units, sources, analyzer, pairs.fitted.inverse, pairs.fitted.stopped)
    )
    metric = pairs.fitted.parameters.metric
    for number, (one, other, score, apart) in enumerate(zip(*best, strict=True), 1):
        target, source = asked.unit(int(one)), met.unit(int(other))
        matched, matching = _shared(target.words, source.lemmata), _shared(source.words, target.lemmata)
        constant = 0.0
        distance: int | None = int(apart)
        distances: tuple[int, int] | None = _apart(matched, metric), _apart(matching, metric)
        if score < ONE_MATCH / 2:
            constant, distance, distances = ONE_MATCH, None, None
            matched, matching = _rarest(matched, matching)
        total = math.fsum(word.weight for word in (*matched, *matching))
        exact = math.log(total / (distance or 1)) + constant
        matched, matching = map(_printed, (matched, matching))
        yield Parallel(
            number, exact, target.passage, source.passage, matched, matching, distance, distances, "tesserae", constant
        )


def _plain(term: str) -> str:
    return term.removesuffix(_AS_FORM)


def _printed(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words, what they share without the mark of a form."""
    if not any(lemma.endswith(_AS_FORM) for word in words for lemma in word.lemmata):
        return words
    return tuple(word._replace(lemmata=tuple(dict.fromkeys(map(_plain, word.lemmata)))) for word in words)


def _shared(words: Sequence[Word], known: frozenset[str]) -> tuple[Word, ...]:
    """The words with a known lemma, each with its known ones."""
    return tuple(
        word
        if len(word.lemmata) == 1 or known.issuperset(word.lemmata)
        else word._replace(lemmata=tuple(lemma for lemma in word.lemmata if lemma in known))
        for word in words
        if not known.isdisjoint(word.lemmata)
    )


def _apart(words: Sequence[Word], metric: str) -> int:
    """The distance of one side: from first to last, or between the two rarest, of equally rare ones the first."""
    if len(words) < 2:
        return 1
    if len(words) == 2 or metric.startswith("span"):
        one, other = words[0], words[-1]
    else:
        one, other, *_ = sorted(words, key=lambda word: -word.weight)  # stable
    return abs((one.position or 0) - (other.position or 0)) + 1


def _rarest(matched: Sequence[Word], matching: Sequence[Word]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The pair of words that share a lemma and are rarest together, the first such in the order of the text."""
    one, other = max(
        ((a, b) for a in _distinct(matched) for b in _distinct(matching) if set(a.lemmata) & set(b.lemmata)),
        key=lambda pair: pair[0].weight + pair[1].weight,
    )
    return _shared((one,), frozenset(other.lemmata)), _shared((other,), frozenset(one.lemmata))


def _distinct(words: Sequence[Word]) -> list[Word]:
    """The first of the words that share and weigh the same: two that a text repeats would make a square of pairs."""
    found: dict[tuple[tuple[str, ...], float], Word] = {}
    for word in words:
        found.setdefault((word.lemmata, word.weight), word)
    return list(found.values())


_KEPT = 50_000  # units of a side whose words are kept for the next parallel


class _Unit(NamedTuple):
    passage: Passage
    words: list[Word]
    lemmata: frozenset[str]


@dataclass
class _Side:
    """The units of one side as texts with words; a passage is cut into words when it is first needed."""

    index: Index
    units: Units
    passages: Sequence[Passage]
    analyzer: Analyzer
    inverse: NDArray[Any]
    stopped: frozenset[str]

    def __post_init__(self) -> None:
        self._cut: dict[int, list[Token]] = {}
        self._counts: dict[str, int] = {}
        self._forms: dict[int, tuple[str, ...]] = {}
        self._units: dict[int, _Unit] = {}

    def unit(self, number: int) -> _Unit:
        """A unit as a passage, and its words with their places in its text."""
        found = self._units.get(number)
        if found is None:
            if len(self._units) > _KEPT:
                self._units.clear()
            words = self._words(number)
            lemmata = frozenset(lemma for word in words for lemma in word.lemmata)
            found = self._units[number] = _Unit(self._passage(number), words, lemmata)
        return found

    def _tokens(self, passage: int) -> list[Token]:
        """The words of a passage as they are in the index: without stop words, one that is split into two twice."""
        if passage not in self._cut:
            if len(self._cut) > _KEPT:
                self._cut.clear()
            tokens = tokenize(self.passages[passage].text)
            self._cut[passage] = [token for token in tokens for _ in range(self._count(token.form))]
        return self._cut[passage]

    def _count(self, form: str) -> int:
        count = self._counts.get(form)
        if count is None:
            folded = [entry.folded for entry in self.analyzer.entries(form)]
            count = self._counts[form] = len(list(groupby(folded)))
        return count

    def _lemmata(self, form: int) -> tuple[str, ...]:
        """The lemmata by which a form of the index may match."""
        lemmata = self._forms.get(form)
        if lemmata is None:
            start, end = self.index.form_offsets[form : form + 2].tolist()
            of = (self.index.vocabulary[term] for term in self.index.form_terms[start:end].tolist())
            lemmata = self._forms[form] = tuple(dict.fromkeys(c for c in of if c not in self.stopped))
        return lemmata

    def _pieces(self, unit: int) -> Iterator[tuple[int, int, int, int, int]]:
        """Of each passage of the unit: its number, its words from and to, the characters of its text from and to."""
        begin, finish = int(self.units.starts[unit]), int(self.units.ends[unit])
        for passage in range(int(self.units.first[unit]), int(self.units.last[unit]) + 1):
            first, after = self.index.token_offsets[passage : passage + 2].tolist()
            low, high = max(begin, first) - first, min(finish, after) - first
            tokens, text = self._tokens(passage), self.passages[passage].text
            start = 0 if low == 0 else tokens[low].start
            end = len(text) if high >= len(tokens) else tokens[high].start
            yield passage, low, high, start, len(text[:end].rstrip()) if end < len(text) else end

    def _passage(self, unit: int) -> Passage:
        """The unit as a passage: itself, or its lines joined by line breaks, named after the first and the last."""
        pieces = list(self._pieces(unit))
        first, last = self.passages[pieces[0][0]], self.passages[pieces[-1][0]]
        text = "\n".join(self.passages[passage].text[start:end] for passage, _, _, start, end in pieces)
        if first is last:
            return first if text == first.text else replace(first, text=text)
        ref = f"{first.ref} - {last.ref}" if first.ref and last.ref else first.ref
        return replace(first, doc_id=f"{first.doc_id}+{last.doc_id}", text=text, ref=ref)

    def _words(self, unit: int) -> list[Word]:
        """The words of the unit with their places in its text, the lemmata by which they may match, and 1/f."""
        words: list[Word] = []
        before = 0
        for passage, low, high, start, end in self._pieces(unit):
            place = int(self.index.token_offsets[passage])
            forms = self.index.tokens[place + low : place + high].tolist()
            weights = self.inverse[place + low : place + high].tolist()
            shift = before - start
            for token, form, weight in zip(self._tokens(passage)[low:high], forms, weights, strict=True):
                begin, finish = token.start + shift, token.end + shift
                words.append(Word(token.form, begin, finish, self._lemmata(form), weight, len(words)))
            before += end - start + 1
        return words


def _by_search(
    targets: Sequence[Passage], sources: Sequence[Passage], retriever: LexicalRetriever, itself: Longs, top: int | None
) -> Iterator[Parallel]:
    ones, others, scores = [], [], []
    keys = np.arange(len(sources))[::-1]  # equal scores in the order of the source
    for number, passage in enumerate(targets):
        places, found = retriever.scores(passage.text)
        if itself[number] >= 0:
            kept = places != itself[number]
            places, found = places[kept], found[kept]
        order = rank(found, keys[places], PER_PASSAGE)
        ones.append(np.full(len(order), number))
        others.append(places[order])
        scores.append(found[order])
    if not any(map(len, ones)):
        return
    one, other, score = np.concatenate(ones), np.concatenate(others), np.concatenate(scores)
    for number, at in enumerate(np.lexsort((other, one, -score))[:top].tolist(), 1):
        target, source = targets[one[at]], sources[other[at]]
        explained = retriever.explain(target.text, source.doc_id)
        constant = math.fsum(part.share * part.constant for part in explained.parts)
        asked = _of_matches(explained.matches, lambda m: (m.query_start, m.query_end, m.query))
        met = _of_matches(explained.matches, lambda m: (m.start, m.end, m.passage))
        yield Parallel(number, float(score[at]), target, source, asked, met, rule="sum", constant=constant)


def _of_matches(matches: Sequence[Match], place: Callable[[Match], tuple[int, int, str]]) -> tuple[Word, ...]:
    """The words of one side of the matches, each with the sum of its weights."""
    found: dict[tuple[int, int, str], list[Match]] = {}
    for match in matches:
        found.setdefault(place(match), []).append(match)
    return tuple(
        Word(
            form,
            start,
            end,
            tuple(dict.fromkeys(match.lemma for match in of)),
            math.fsum(match.weight for match in of),
        )
        for (start, end, form), of in sorted(found.items())
    )
