"""Text to terms: the words of a text, folded, with their candidate lemmata; what is indexed and what is searched."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from latinsearch.lemmatizers import Chain, Lemmata, Lemmatizer, lemmatizer
from latinsearch.lemmatizers.enclitics import without_enclitic
from latinsearch.lexicon_file import Lexicon, folded_lexicon, is_lemma, is_word
from latinsearch.normalizer import FOLD, Normalizer
from latinsearch.records import InputError, whole_number, words
from latinsearch.tokenizer import Token, forms, tokenize


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


def _escaped(word: str) -> str:
    """The word as it stands in a signature; a lemma of the user's own may have what separates the parts in it."""
    return re.sub(r"[\s,+|%]", lambda match: f"%{ord(match[0]):02X}", word)


@dataclass(frozen=True)
class Analyzer:
    """Tokenizer, fold, lemmatizer and stop list as one; it is the same for passages and for queries.

    >>> analyze = Analyzer(lemmatizer="simplemma")
    >>> [(term.token.form, term.candidates) for term in analyze("Arma virumque")]
    [('Arma', ('arma',)), ('virumque', ('uir',))]
    >>> [term.candidates for term in Analyzer(ngrams=4)("Arma")]
    [('_arm',), ('arma',), ('rma_',)]

    rules: names of orthography rules (`normalizer.RULES`). lemmatizer: a name (`lemmatizers.LEMMATIZERS`) or a callable
    from a folded form to a tuple. candidates: those that are `likely` (all that most lemmatizers give; the one named
    `lexicon` tells them from further possible ones, your own callable or Chain does not), the `first` of them that is no
    stop word, or `all`. ngrams: terms are character n-grams of the folded form instead of lemmata. stopwords: candidates
    that are left out, folded like everything else; a word is left out when none of its candidates remains (with n-grams:
    when its form is a stop word). With a lemmatizer they are lemmata: `oris`, a form of `os` and `ora`, stops neither.
    lexicon: entries of your own, {form: lemmata}, which come before every other source (`lexicon_file.read_lexicon` reads
    them from a file); the lemmata of forms that fold alike are joined.

    Raises InputError for an unknown rule or lemmatizer, ngrams below 1 or together with a lemmatizer or a lexicon, and for
    stop words and entries of a lexicon that could never match, such as two words. A text is a str, or InputError is raised.
    """

    rules: tuple[str, ...] = FOLD
    lemmatizer: str | Lemmatizer = "none"
    candidates: Literal["likely", "first", "all"] = "likely"
    ngrams: int | None = None
    stopwords: tuple[str, ...] = ()
    lexicon: Lexicon | Mapping[str, Iterable[str]] = ()
    normalizer: Normalizer = field(init=False, repr=False, compare=False)
    _lemmata: Chain = field(init=False, repr=False, compare=False)
    _own: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    _stopped: frozenset[str] = field(init=False, repr=False, compare=False)
    _entries: dict[str, tuple[Entry, ...]] = field(init=False, repr=False, compare=False)
    _folds: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        if self.ngrams is not None:
            set_(self, "ngrams", whole_number("ngrams", self.ngrams, least=1))
            if self.lemmatizer != "none":
                raise InputError(
                    f"ngrams with lemmatizer {self.lemmatizer!r}: n-grams are taken of forms, lemmatizer 'none'"
                )
        if self.candidates not in ("likely", "first", "all"):
            raise InputError(f"candidates is 'likely', 'first' or 'all', not {self.candidates!r}")
        set_(self, "rules", words("rules", self.rules))
        set_(self, "normalizer", Normalizer(self.rules))
        set_(self, "_folds", {})
        set_(self, "_lemmata", lemmatizer(self.lemmatizer, only_likely=self.candidates != "all"))
        set_(self, "_own", folded_lexicon(self.lexicon, self.normalizer))
        set_(self, "lexicon", tuple(sorted(self._own.items())))
        if self._own and self.lemmatizer == "none":
            raise InputError(
                "a lexicon with lemmatizer 'none': forms have no lemmata; choose a lemmatizer, or leave it out"
            )
        set_(self, "stopwords", tuple(dict.fromkeys(map(self._stop_word, words("stopwords", self.stopwords)))))
        set_(self, "_stopped", frozenset(self.stopwords))
        set_(self, "_entries", {})
        try:
            hash(self)
        except TypeError:
            raise InputError(f"lemmatizer {self.lemmatizer!r} cannot be hashed; give a function") from None

    def __reduce__(self) -> tuple[type[Analyzer], tuple[object, ...]]:
        """Its parameters are all that travels to another process."""
        return Analyzer, (self.rules, self.lemmatizer, self.candidates, self.ngrams, self.stopwords, self.lexicon)

    def __call__(self, text: str) -> Terms:
        if not isinstance(text, str):
            raise InputError(f"an analyzer takes a text, not {type(text).__name__}; join tokens by blanks")
        return [Term(token, *entry) for token in tokenize(text) for entry in self.entries(token.form)]

    def words(self, text: str) -> list[Entry]:
        """What `__call__` gives without the places in the text, at half the time; all that a search needs of a query.

        >>> [word.candidates for word in Analyzer(lemmatizer="simplemma").words("Arma virumque")]
        [('arma',), ('uir',)]
        """
        if not isinstance(text, str):
            raise InputError(f"an analyzer takes a text, not {type(text).__name__}; join tokens by blanks")
        known = self._entries
        found: list[Entry] = []
        for form in forms(text):
            entries = known.get(form)
            found += self.entries(form) if entries is None else entries
        return found

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
            candidates, source = self._lookup(folded)
            if candidates != (folded,):
                candidates = tuple(dict.fromkeys(map(self._fold, candidates)))
            kept = tuple(candidate for candidate in candidates if candidate and candidate not in self._stopped)
            if not any(candidates):  # lemmata of nothing but signs
                kept, source = (folded,) * (folded not in self._stopped), "unknown"
            if kept:
                entries.append(Entry(folded, kept[:1] if self.candidates == "first" else kept, source))
        return entries

    def _lookup(self, folded: str) -> Lemmata:
        if own := self._own.get(folded):
            return Lemmata(own, "own")
        found = self._lemmata(folded)
        own = without_enclitic(folded, self._from_own) if found.source == "unknown" else ()
        return Lemmata(own, "enclitic") if own else found

    def _from_own(self, form: str) -> tuple[str, ...]:
        return self._own.get(form, ())

    def _fold(self, lemma: str) -> str:
        folded = self._folds.get(lemma)
        if folded is None:
            folded = self._folds[lemma] = " ".join(self.normalizer(lemma).split())
        return folded

    def may_stop(self, word: str) -> bool:
        """Whether a stop word can match anything here; what is not one word matches only lemmata that are so written.

        >>> Analyzer().may_stop("Et"), Analyzer().may_stop("et in"), Analyzer().may_stop("[]")
        (True, False, False)
        """
        folded = self._fold(word)
        if self.lemmatizer == "none":
            return is_word(folded)
        if isinstance(self.lemmatizer, str):
            return is_lemma(folded) or any(folded in lemmata for lemmata in self._own.values())
        return bool(folded)  # a callable may give any lemmata, of two words, too

    def _stop_word(self, word: str) -> str:
        if not self.may_stop(word):
            told = f"the stop word {word!r} is not one word, so it would never match"
            raise InputError(f"{told}; give each word by itself")
        return self._fold(word)

    def explain(self, text: str) -> dict[str, list[dict[str, Any]]]:
        """Every word of a text with its place, fold, candidates and where they come from: what `latinsearch analyze` shows.

        >>> Analyzer().explain("Arma")
        {'tokens': [{'form': 'Arma', 'start': 0, 'end': 4, 'folded': 'arma', 'lemmata': ['arma'], 'source': 'form'}]}

        lemmata: all that the lemmatizer has, those too that are not searched for: further possible ones, stop words.
        """
        return {
            "tokens": [
                {**term.token._asdict(), "folded": term.folded, "lemmata": list(term.candidates), "source": term.source}
                for term in replace(self, candidates="all", stopwords=())(text)
            ]
        }

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
            parts.append(self._lemmata.signature + ("" if self.candidates == "likely" else f"-{self.candidates}"))
        if self.lexicon:
            digest = hashlib.sha256(repr(self.lexicon).encode()).hexdigest()[:8]
            parts.append(f"own-{len(self._own)}-{digest}")
        if self.stopwords:
            parts.append("stop=" + ",".join(map(_escaped, sorted(self._stopped))))
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
            "lexicon": [[form, list(lemmata)] for form, lemmata in self._own.items()],
        }
