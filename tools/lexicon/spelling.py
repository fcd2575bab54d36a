"""How the sources' spellings become ours: the library's own fold, without homonym digits."""

from __future__ import annotations

from functools import lru_cache

from latinsearch.normalizer import fold

_DIGITS = str.maketrans("", "", "0123456789#_-. ")


@lru_cache(maxsize=1 << 22)
def folded(word: str) -> str:
    """A source's form or lemma as the library writes it.

    >>> folded("Vir1"), folded("jacio"), folded("Aenēas")
    ('uir', 'iacio', 'aeneas')
    """
    return fold(word).translate(_DIGITS)
