"""Lemmata that an unknown form may belong to, by its case ending alone: possible, not likely, and not searched for."""

from __future__ import annotations

# The endings that hardly anything but a case has, longer ones first, and the nominatives' endings that may stand in their
# place. Endings of one vowel are left out: too many words that are no nouns have them.
_ENDINGS = (
    ("orum", ("us", "um")), ("arum", ("a", "es")), ("ibus", ("is", "")), ("onis", ("o", "on")), ("onem", ("o", "on")),
    ("idis", ("is",)), ("idem", ("is",)), ("um", ("us",)), ("am", ("a",)), ("ae", ("a", "es")), ("em", ("", "is", "es")),
    ("is", ("", "us", "a", "es")), ("os", ("us", "is")), ("as", ("a",)), ("es", ("is",)), ("on", ("os", "us")),
    ("en", ("e", "es")), ("an", ("as",)),
)  # fmt: skip
_SHORTEST = 3
_LONGEST = 40


def guesses(form: str) -> tuple[str, ...]:
    """The form itself, which is what an unknown form counts as, and the nominatives that its ending allows.

    >>> guesses("philopoemenem"), guesses("xyzque")
    (('philopoemenem', 'philopoemen', 'philopoemenis', 'philopoemenes'), ('xyzque',))
    >>> guesses("trimalchionis")[:3]
    ('trimalchionis', 'trimalchio', 'trimalchion')
    """
    found = {form: None}
    if len(form) <= _LONGEST and form.isalpha() and form.isascii():
        for ending, nominatives in _ENDINGS:
            stem = form.removesuffix(ending)
            if stem != form and len(stem) >= _SHORTEST:
                found |= dict.fromkeys(stem + nominative for nominative in nominatives)
    return tuple(found)
