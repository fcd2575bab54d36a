"""The entries of which a form may be a regular case."""

from __future__ import annotations

from collections.abc import Iterator

# Of each way to head a noun or adjective: the endings of its forms.
_NOUNS = {
    "us": ("us", "e", "um", "i", "o", "a", "orum", "is", "os"),
    "um": ("um", "i", "o", "a", "orum", "is"),
    "i": ("i", "orum", "is", "os"),
    "a": ("a", "ae", "am", "as", "arum", "is"),
    "ae": ("ae", "arum", "is", "as"),
    "is": ("is", "e", "em", "i", "es", "um", "ium", "ibus"),
    "es": ("es", "is", "um", "ium", "ibus"),
}  # fmt: skip
_THIRD = ("is", "em", "i", "e", "um", "ibus", "es", "a", "ia", "ium")
# How a stem of the third declension ends, and its nominative.
_STEMS = (
    ("on", "o"), ("in", "o"), ("in", "en"), ("or", "or"), ("or", "us"), ("er", "us"), ("at", "as"), ("it", "es"), ("t", "s"),
    ("c", "x"), ("g", "x"), ("d", "s"), ("ar", "ar"), ("al", "al"), ("on", "on"), ("ont", "on"), ("ant", "as"), ("ad", "as"),
)  # fmt: skip


def of_a_head(form: str) -> Iterator[str]:
    """Nouns and adjectives of which the form may be a regular case, whether or not there are such words.

    >>> sorted(of_a_head("uerbis"))
    ['uerba', 'uerbae', 'uerbi', 'uerbis', 'uerbis', 'uerbum', 'uerbus']
    """
    for head, endings in _NOUNS.items():
        for ending in endings:
            if form.endswith(ending) and len(form) > len(ending) + 1:
                yield form.removesuffix(ending) + head
    for ending in _THIRD:
        stem = form.removesuffix(ending)
        if stem != form and len(stem) > 2:
            yield from (stem.removesuffix(oblique) + end for oblique, end in _STEMS if stem.endswith(oblique))
