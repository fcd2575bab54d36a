"""Text to terms: the words of a text, folded, with their candidate lemmata; what is indexed and what is searched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from latinsearch.lemmatizers import Chain, Lemmatizer, lemmatizer
from latinsearch.normalizer import FOLD, Normalizer
from latinsearch.records import InputError, whole_number, words
from latinsearch.tokenizer import Token, tokenize


class Term(NamedTuple):
    """One thing to match: a word's token and folded form, its candidates (any of them may match), and their source."""

    token: Token
    folded: str
    candidates: tuple[str, ...]
    source: str


Terms = list[Term]


class Entry(NamedTuple):
    """What the analyzer makes of a form wherever it stands: a `Term` without its place."""

    folded: str
    candidates: tuple[str, ...]
    source: str


def grams(folded: str, n: int) -> list[str]:
    """The character n-grams of a folded form with its boundaries as `_`; a form shorter than that is one gram.

    >>> grams("arma", 4), grams("a", 4)
    (['_arm', 'arma', 'rma_'], ['_a_'])
    """
    if n == 1:
        return list(folded)  # a boundary by itself would match every word
    bounded = f"_{folded}_"
    return [bounded[i : i + n] for i in range(max(1, len(bounded) - n + 1))]


@dataclass(frozen=True)
class Analyzer:
    """Tokenizer, fold, lemmatizer and stop list as one; it is the same for passages and for queries.

    >>> analyze = Analyzer(lemmatizer="simplemma")
    >>> [(term.token.form, term.candidates) for term in analyze("Arma virumque")]
    [('Arma', ('arma',)), ('virumque', ('uir',))]
    >>> [term.candidates for term in Analyzer(ngrams=4)("Arma")]
    [('_arm',), ('arma',), ('rma_',)]

    rules: names of orthography rules (`normalizer.RULES`). lemmatizer: a name (`lemmatizers.LEMMATIZERS`) or a callable
    from a folded form to a tuple. candidates: `all`, or `first` for the likeliest alone. ngrams: terms are character
    n-grams of the folded form instead of lemmata. stopwords: candidates that are left out, folded like everything else; a
    word is left out when none of its candidates remains (with n-grams: when its form is a stop word).

    Raises InputError for an unknown rule or lemmatizer, or ngrams below 1 or together with a lemmatizer.
    """

    rules: tuple[str, ...] = FOLD
    lemmatizer: str | Lemmatizer = "none"
    candidates: Literal["all", "first"] = "all"
    ngrams: int | None = None
    stopwords: tuple[str, ...] = ()
    normalizer: Normalizer = field(init=False, repr=False, compare=False)
    _lemmata: Chain = field(init=False, repr=False, compare=False)
    _stopped: frozenset[str] = field(init=False, repr=False, compare=False)
    _entries: dict[str, tuple[Entry, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        if self.ngrams is not None:
            set_(self, "ngrams", whole_number("ngrams", self.ngrams, least=1))
            if self.lemmatizer != "none":
                raise InputError(
                    f"ngrams with lemmatizer {self.lemmatizer!r}: n-grams are taken of forms, lemmatizer 'none'"
                )
        if self.candidates not in ("all", "first"):
            raise InputError(f"candidates is 'all' or 'first', not {self.candidates!r}")
        set_(self, "rules", words("rules", self.rules))
        set_(self, "normalizer", Normalizer(self.rules))
        set_(self, "stopwords", tuple(dict.fromkeys(map(self.normalizer, words("stopwords", self.stopwords)))))
        set_(self, "_lemmata", lemmatizer(self.lemmatizer))
        set_(self, "_stopped", frozenset(self.stopwords))
        set_(self, "_entries", {})
        try:
            hash(self)
        except TypeError:
            raise InputError(f"lemmatizer {self.lemmatizer!r} cannot be hashed; give a function") from None

    def __reduce__(self) -> tuple[type[Analyzer], tuple[object, ...]]:
        """Its parameters are all that travels to another process."""
        return Analyzer, (self.rules, self.lemmatizer, self.candidates, self.ngrams, self.stopwords)

    def __call__(self, text: str) -> Terms:
        return [Term(token, *entry) for token in tokenize(text) for entry in self.entries(token.form)]

    def entries(self, form: str) -> tuple[Entry, ...]:
        """What a form as it stands in a text gives: one entry for a word, several for n-grams or split words."""
        found = self._entries.get(form)
        if found is None:
            found = self._entries[form] = tuple(self._analyzed(form))
        return found

    def _analyzed(self, form: str) -> list[Entry]:
        entries = []
        for folded in self.normalizer(form).split():
            if self.ngrams is not None:
                if folded not in self._stopped:
                    entries += [Entry(folded, (gram,), "gram") for gram in grams(folded, self.ngrams)]
                continue
            candidates, source = self._lemmata(folded)
            if source not in ("form", "unknown"):  # those are the folded form itself
                candidates = tuple(dict.fromkeys(" ".join(self.normalizer(lemma).split()) for lemma in candidates))
            kept = tuple(candidate for candidate in candidates if candidate and candidate not in self._stopped)
            if not any(candidates):  # lemmata of nothing but signs
                kept, source = (folded,) * (folded not in self._stopped), "unknown"
            if kept:
                entries.append(Entry(folded, kept if self.candidates == "all" else kept[:1], source))
        return entries

    @property
    def signature(self) -> str:
        """The analysis as one word without blanks: fold, lemmatizer with its version, n-grams, stop words.

        >>> Analyzer(ngrams=4).signature
        'fold+4grams'
        """
        parts = [Normalizer(self.rules).signature]
        if self.ngrams is not None:
            parts.append(f"{self.ngrams}grams")
        elif self.lemmatizer != "none":
            parts.append(self._lemmata.signature + ("" if self.candidates == "all" else "-first"))
        if self.stopwords:
            parts.append("stop=" + ",".join(sorted(self._stopped)))
        return "_".join("+".join(parts).split())

    def to_json(self) -> dict[str, object]:
        """The parameters as JSON has them, for `Analyzer(**parameters)`; a callable lemmatizer is named by its signature."""
        name = self.lemmatizer if isinstance(self.lemmatizer, str) else None
        return {
            "rules": list(self.rules),
            "lemmatizer": name,
            "candidates": self.candidates,
            "ngrams": self.ngrams,
            "stopwords": list(self.stopwords),
        }


def analysis_json(analyzer: Analyzer, text: str) -> dict[str, list[dict[str, object]]]:
    """A text's tokens as `latinsearch analyze --format json` prints them: form, place, fold, candidates, source.

    >>> analysis_json(Analyzer(), "Arma")
    {'tokens': [{'form': 'Arma', 'start': 0, 'end': 4, 'folded': 'arma', 'lemmata': ['arma'], 'source': 'form'}]}
    """
    return {
        "tokens": [
            {**term.token._asdict(), "folded": term.folded, "lemmata": list(term.candidates), "source": term.source}
            for term in analyzer(text)
        ]
    }
