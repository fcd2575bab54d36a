"""Enclitics: -que, -ne, -ue, -cum, -met, -pte, -ce, stripped only when what is left is a known form."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from latinsearch.lemmatizers import Lemmatizer

_WITH_CUM = {"me": "ego", "te": "tu", "se": "sui", "nobis": "nos", "uobis": "uos"} | dict.fromkeys(
    ("quo", "qua", "qui", "quibus"), "qui"
)

_ALONE: dict[str, tuple[str, ...]] = {
    word: (word,)
    for word in (
        "absque", "atque", "denique", "itaque", "namque", "neque", "quoque", "ubique", "undique", "usque", "utique",
        "bene", "mane", "neue", "paene", "sine", "siue",
    )
}  # fmt: skip
CLOSED = _ALONE | {f"{pronoun}cum": (lemma,) for pronoun, lemma in _WITH_CUM.items()}
"""Words that only look as if they had an enclitic, and the pronouns before -cum, which no other word takes."""

ENCLITICS = ("que", "ne", "ue", "met", "pte", "ce")
"""What is stripped from the end of a form; -cum is only stripped from the pronouns in CLOSED."""
# imagine, ratione, Cithaerone: the ablatives of the third declension; a question on one of them is far rarer.
_ABLATIVE = ("ine", "one")


def without_enclitic(form: str, known: Lemmatizer) -> tuple[str, ...]:
    """The candidates of a folded form without its enclitic, `()` if it has none or what is left is not known.

    >>> lexicon = {"arma": ("arma",), "cato": ("cato",)}
    >>> known = lambda form: lexicon.get(form, ())
    >>> without_enclitic("armaque", known), without_enclitic("catone", known), without_enclitic("troiaque", known)
    (('arma',), (), ())

    It is meant to be asked after `known` itself: a form known as it stands (`atque`, `nomine`, `graue`) has no enclitic.
    """
    if form in CLOSED or form.endswith(_ABLATIVE):
        return ()
    for enclitic in ENCLITICS:
        if form.endswith(enclitic) and (candidates := known(form.removesuffix(enclitic))):
            return candidates
    return ()
