"""How much of a text the lemmatizer knows, from which source, and what it does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from latinsearch.analyzer import Analyzer
from latinsearch.records import InputError


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was counted: words by the source of their lemmata, and each unknown form as often as it stands.

    >>> found = coverage(["Arma virumque xyzque"], Analyzer(lemmatizer="simplemma"))
    >>> found.words, found.sources, found.unknown
    (3, {'exact': 1, 'enclitic': 1, 'unknown': 1}, {'xyzque': 1})
    >>> round(found.share, 3)
    0.667
    """

    words: int
    sources: dict[str, int]
    unknown: dict[str, int]

    @property
    def share(self) -> float:
        """The share of words that are known; 1 if there are no words."""
        return 1 - self.sources.get("unknown", 0) / self.words if self.words else 1.0


def check_lemmata(analyzer: Analyzer) -> None:
    """Raise InputError if an analyzer has no lemmata that could be known or unknown: one of forms or of n-grams."""
    if analyzer.lemmatizer == "none":
        raise InputError("coverage with lemmatizer 'none': forms have no lemmata, known or not; choose a lemmatizer")


def coverage(texts: Iterable[str], analyzer: Analyzer) -> Coverage:
    """How the words of texts are known to an analyzer; unknown forms most frequent first, then by their letters.

    Stop words are words like all others here. Raises InputError for an analyzer without a lemmatizer (`check_lemmata`).
    """
    check_lemmata(analyzer)
    analyzer = replace(analyzer, stopwords=())
    sources: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for text in texts:
        for term in analyzer(text):
            sources[term.source] += 1
            if term.source == "unknown":
                unknown[term.folded] += 1
    by_count = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
    return Coverage(sum(sources.values()), dict(sources.most_common()), dict(by_count))
