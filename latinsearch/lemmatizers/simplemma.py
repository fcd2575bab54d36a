"""Lemmata from simplemma's Latin table (MIT; 1.3 million forms, one lemma each)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from itertools import product
from typing import Any

import regex

from latinsearch.normalizer import fold

_consonantal = regex.compile(r"(?<!q)u(?=[aeiouy])|i(?=[aeiou])")
_DIGITS = str.maketrans("", "", "0123456789")
_MOST = 6  # 64 spellings; the table has no form with more consonantal u and i than this


def spellings(form: str) -> Iterator[str]:
    """The ways in which an edition may write a folded form: u before a vowel also as v, i before one also as j.

    >>> list(spellings("uolui"))
    ['volvi', 'volui', 'uolvi', 'uolui']
    >>> list(spellings("iacet"))
    ['jacet', 'iacet']
    """
    places = [match.start() for match in _consonantal.finditer(form)][:_MOST]
    letters = list(form)
    for choice in product((True, False), repeat=len(places)):
        for place, consonant in zip(places, choice, strict=True):
            letters[place] = ({"u": "v", "i": "j"} if consonant else {"u": "u", "i": "i"})[form[place]]
        yield "".join(letters)


@lru_cache(maxsize=1)
def _table() -> Any:
    from simplemma.strategies.dictionary_lookup import DictionaryLookupStrategy  # 1 s and 100 MB when first asked

    return DictionaryLookupStrategy()


def simplemma_version() -> str:
    """The installed version of simplemma, whose table decides the lemmata."""
    return version("simplemma")


@lru_cache(maxsize=1 << 18)
def simplemma(form: str) -> tuple[str, ...]:
    """The folded lemmata that simplemma has for a folded form, over its spellings with u or v, i or j.

    >>> simplemma("uirum"), simplemma("uolui"), simplemma("uirumque")
    (('uir',), ('uoluo', 'uolo'), ())

    More than one where the spellings are different words (volvi, volui). A capitalised entry is found too (Iuno).
    """
    lemmata = (_table().get_lemma(spelling, "la") for spelling in spellings(form))
    folded = (fold(lemma).translate(_DIGITS) for lemma in lemmata if lemma)
    return tuple(dict.fromkeys(lemma for lemma in folded if lemma))
