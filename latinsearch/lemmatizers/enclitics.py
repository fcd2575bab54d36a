"""Enclitics: -que, -ne, -ue, -cum, -met, -pte, -ce, stripped only when what is left is a known form."""

# ruff: noqa: SIM905 (words in a row are easier to read and to check than a list of strings)

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

ENCLITICS = ("que", "ne", "ue")
"""What is stripped from the end of any form; -cum is only stripped from the pronouns in CLOSED."""
OF_PRONOUNS = ("met", "pte", "ce")
"""What is stripped from the end of pronouns alone: egomet, suopte, hosce; not uerice, nunce."""
PRONOUNS = frozenset("ego tu sui nos uos meus tuus suus noster uester hic ille iste ipse is idem".split())
"""The lemmata that take those."""
SHORT = frozenset("a ab ad an at de e ea eo et ex hi id ii in is me ne ob se si te tu ut".split())
"""The words of one and two letters that may have -ne or -ue; hune and hane are misprints of hunc and hanc."""
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
        if form.endswith(enclitic):
            rest = form.removesuffix(enclitic)
            if (len(rest) > 2 or rest in SHORT or (enclitic == "que" and len(rest) == 2)) and (
                candidates := known(rest)
            ):
                return candidates
    for enclitic in OF_PRONOUNS:
        if form.endswith(enclitic):
            pronouns = tuple(lemma for lemma in known(form.removesuffix(enclitic)) if lemma in PRONOUNS)
            if pronouns:
                return pronouns
    return ()
