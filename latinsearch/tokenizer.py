"""Text cut into words, each with its place in the text as it was given."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import regex

from latinsearch.normalizer import LETTER, WITHIN_WORD, double_encoded, repair_in_place

# A word: letters of any script with their combining marks, and what an editor writes between them. A number: digits alone.
_LETTERS = rf"{LETTER}(?:{LETTER}|\p{{M}})*"
_word = regex.compile(rf"{_LETTERS}(?:{WITHIN_WORD}{_LETTERS})*|\p{{N}}+")


class Token(NamedTuple):
    """A word as it stands in the text: `text[start:end] == form`, counted in characters."""

    form: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """The words of a text, in order; dashes, blanks and punctuation separate, one-letter words and Greek are kept.

    >>> [token.form for token in tokenize("Arma virumque cano---Troiae, a ⟨ali⟩quo [et] Σαρπηδών")]
    ['Arma', 'virumque', 'cano', 'Troiae', 'a', 'ali⟩quo', 'et', 'Σαρπηδών']
    >>> tokenize("venit â€” XII 1.5")
    [Token(form='venit', start=0, end=5), Token(form='XII', start=10, end=13), Token(form='1', start=14, end=15), \
Token(form='5', start=16, end=17)]

    A numeral in letters is a word, digits are tokens of their own, a praenomen (`M.`) is its letter. Double-encoded
    characters count as what they stand for (a dash, a letter); the offsets are those of the text as given.
    """
    if _may_need_repair(text):
        return _tokenize_repaired(text)
    return [Token(match[0], *match.span()) for match in _word.finditer(text)]


def forms(text: str) -> list[str]:
    """The words of a text without their places: the forms of `tokenize`, three times as fast.

    >>> forms("Arma virumque cano")
    ['Arma', 'virumque', 'cano']
    """
    if _may_need_repair(text):
        return [token.form for token in _tokenize_repaired(text)]
    return _word.findall(text)


def _may_need_repair(text: str) -> bool:
    return not text.isascii() and double_encoded.search(text) is not None


def repairs(text: str) -> int:
    """How many double-encoded characters the text has; one that is encoded twice over counts once.

    >>> repairs("venit â€” et â€” abit"), repairs("vÄ“nit"), repairs("venit — et")
    (2, 1, 0)
    """
    return len(repaired(text))


def repaired(text: str) -> list[str]:
    """The characters that double-encoded ones of the text stand for, in order.

    >>> repaired("vÄ“nit â€” et")
    ['ē', '—']
    """
    if not _may_need_repair(text):
        return []
    view, places = repair_in_place(text)
    return [char for char, (start, end) in zip(view, pairwise(places), strict=True) if end - start > 1]


def _tokenize_repaired(text: str) -> list[Token]:
    view, places = repair_in_place(text)
    tokens = []
    for match in _word.finditer(view):
        start, end = places[match.start()], places[match.end()]
        tokens.append(Token(text[start:end], start, end))
    return tokens
