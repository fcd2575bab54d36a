"""Stop lists by name, by frequency, or from a file. None is the default anywhere but in Tesserae's own rule."""

from __future__ import annotations

import os
import re
from pathlib import Path

from latinsearch.index import Index
from latinsearch.lexicon_file import read_stopwords
from latinsearch.records import InputError, words

LATIN = tuple(
    """
    a ab ac ad an ante apud at atque aut autem circa circum contra coram cum de donec dum e ego enim ergo et etiam ex
    extra hic iam idem igitur ille in infra inter intra ipse is iste ita itaque iuxta nam namque ne nec neque nisi non nos
    ob per post postquam praeter pro propter quam quamquam quamuis quando que qui quia quidem quis quisque quo quod quoniam
    quoque sed seu si sic sicut sine siue sub sui sum super supra suus tam tamen tandem trans tu tum tunc tuus ubi ue uel
    uos usque ut uterque utinam meus noster uester
    """.split()
)
"""Lemmata of function words: prepositions, conjunctions, pronouns, and sum. Compiled from the parts of speech; no text
and no score decided what is in it."""

STOPLISTS = {"latin": LATIN}
"""The stop lists by name."""

_TOP = re.compile(r"top-(\d{1,6})")


def stopwords(choice: object, index: Index | None = None) -> tuple[str, ...]:
    """The stop words that a choice names.

    >>> stopwords("latin")[:3], stopwords(("et", "in"))
    (('a', 'ab', 'ac'), ('et', 'in'))

    choice: a name in STOPLISTS; `top-25` for the 25 most frequent terms of the index, equally frequent ones in the order
    of their letters; a path of a file with a word a line; or the words themselves.

    Raises InputError for an unknown name (the message lists the known ones), for `top-n` of more than there are, and for a
    folder; FileNotFoundError for a path without a file.
    """
    if isinstance(choice, os.PathLike):
        return read_stopwords(choice)
    if not isinstance(choice, str):
        return words("stopwords", choice)
    if choice in STOPLISTS:
        return STOPLISTS[choice]
    if (top := _TOP.fullmatch(choice)) and index is not None:
        return most_frequent(index, int(top[1]))
    if os.sep in choice or choice.endswith(".txt") or _is_folder(choice):
        return read_stopwords(choice)
    known = ", ".join([*STOPLISTS, "top-N (such as top-25)", "the path of a .txt file"])
    raise InputError(f"unknown stop list {choice!r}; known are {known}")


def _is_folder(choice: str) -> bool:
    try:
        return choice != "" and Path(choice).is_dir()
    except OSError:  # too long for a path
        return False


def is_by_frequency(choice: object) -> bool:
    """Whether a choice needs an index to be made of the texts first.

    >>> is_by_frequency("top-25"), is_by_frequency("latin")
    (True, False)
    """
    return isinstance(choice, str) and _TOP.fullmatch(choice) is not None


def most_frequent(index: Index, size: int) -> tuple[str, ...]:
    """The most frequent terms of an index, by their occurrences; equally frequent ones in the order of their letters.

    Raises InputError if there are not so many.
    """
    if size > len(index.vocabulary):
        raise InputError(
            f"a stop list of {size:,}, but the texts have only {len(index.vocabulary):,} terms; take fewer"
        )
    counts = index.frequencies
    order = sorted(range(len(counts)), key=lambda term: (-counts[term], index.vocabulary[term]))
    return tuple(index.vocabulary[term] for term in order[:size])
