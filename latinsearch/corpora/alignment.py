"""Which verses a phrase is made of, where the phrase is printed without line breaks, stops and capitals."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

_BLOCK = 4
"""Letters in a row that two spellings of one phrase must share to count; fewer occur anywhere."""


def letters(text: str) -> str:
    """The letters of a text alone, small, with u for v and i for j.

    >>> letters("5 certatum . . . orbis"), letters("Iuvat, VRBEM")
    ('certatumorbis', 'iuuaturbem')
    """
    return "".join(filter(str.isalpha, text.casefold())).replace("v", "u").replace("j", "i")


def covered(phrase: str, verses: Sequence[str]) -> int | None:
    """How many of the verses a phrase covers, counted from the first, in which it begins; None if it does not.

    >>> covered("canimus populumque potentem insua", ["Iusque datum sceleri canimus, populumque potentem", "In sua"])
    2
    >>> covered("arma virumque", ["Iusque datum sceleri canimus"]) is None
    True

    Only letters count, so words run together, stops, v and j make no difference. A phrase that is not there letter
    for letter (another spelling, a commentator's dots) is aligned with difflib by stretches of four letters and more;
    at least half of its letters must be met, and the first stretch must begin in the first verse.
    """
    sought = letters(phrase)
    folded = [letters(verse) for verse in verses]
    if not sought or not folded:
        return None
    running = "".join(folded)
    start = running.find(sought)
    if 0 <= start < len(folded[0]):
        return _verses_to(start + len(sought), folded)
    running = running[: len(folded[0]) + len(sought) + _BLOCK]
    blocks = [
        block
        for block in SequenceMatcher(None, sought, running, autojunk=False).get_matching_blocks()
        if block.size >= _BLOCK
    ]
    if not blocks or 2 * sum(block.size for block in blocks) < len(sought) or blocks[0].b >= len(folded[0]):
        return None
    return _verses_to(blocks[-1].b + blocks[-1].size, folded)


def _verses_to(end: int, folded: Sequence[str]) -> int:
    length = 0
    for number, verse in enumerate(folded, 1):
        length += len(verse)
        if length >= end:
            return number
    return len(folded)
