"""Forms to candidate lemmata. A lemmatizer is any callable from a folded form to a tuple; `()` is "ask the next"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import NamedTuple, Protocol

from latinsearch.lemmatizers.cltk import cltk, cltk_version
from latinsearch.lemmatizers.enclitics import CLOSED, ENCLITICS, without_enclitic
from latinsearch.lemmatizers.lexicon import lexicon, lexicon_version
from latinsearch.lemmatizers.simplemma import simplemma, simplemma_version
from latinsearch.lemmatizers.variants import RULES, STANDARD, variant
from latinsearch.lemmatizers.whitaker import whitaker, whitaker_version
from latinsearch.records import InputError

_OTHER_RULES = tuple(name for name in RULES if name != "assimilation")


class Lemmatizer(Protocol):
    """Anything that gives the candidate lemmata of a folded form, likeliest first, or `()` for "ask the next"."""

    def __call__(self, form: str, /) -> tuple[str, ...]: ...


class Lemmata(NamedTuple):
    """The candidates of one form and where they come from: a step of the chain (`exact`, `enclitic`), or `unknown`."""

    candidates: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Lemmatizers in order, each asked when the ones before it know nothing; an unknown form is its own lemma.

    >>> chain = Chain("mine", (("exact", lambda form: {"arma": ("arma",)}.get(form, ())),))
    >>> chain("arma"), chain("uirumque")
    (Lemmata(candidates=('arma',), source='exact'), Lemmata(candidates=('uirumque',), source='unknown'))

    `signature` names the chain and its version, without blanks. What a step answers is taken as it is: the analyzer folds it.
    """

    signature: str
    steps: tuple[tuple[str, Lemmatizer], ...]

    def __call__(self, form: str) -> Lemmata:
        for source, step in self.steps:
            if candidates := self._answer(step(form), form):
                return Lemmata(candidates, source)
        return Lemmata((form,), "unknown")

    def _answer(self, answer: object, form: str) -> tuple[str, ...]:
        if answer is None or answer == ():
            return ()
        if not isinstance(answer, tuple | list) or not all(isinstance(lemma, str) for lemma in answer):
            raise InputError(
                f"lemmatizer {self.signature} gave {answer!r} for {form!r}; it must give a tuple of lemmata, likeliest first"
            )
        return tuple(dict.fromkeys(lemma for lemma in answer if lemma.strip()))


def _closed(form: str) -> tuple[str, ...]:
    return CLOSED.get(form, ())


def _standard(form: str) -> tuple[str, ...]:
    """The lexicon's candidates, each under the spelling that stands for all of a word's."""
    lemmata = lexicon(form)
    if STANDARD.keys().isdisjoint(lemmata):
        return lemmata
    return tuple(dict.fromkeys(STANDARD.get(lemma, lemma) for lemma in lemmata))


def _with_enclitic(form: str) -> tuple[str, ...]:
    """The candidates of the rest of a form that the lexicon has only as that rest with an enclitic: hosce.

    Its sources list such forms under one lemma of the rest, which may not be the likeliest.
    """
    if not form.endswith(ENCLITICS):
        return ()
    own = set(_standard(form))
    rest = without_enclitic(form, _standard) if own else ()
    return rest if own and own <= set(rest) else ()


def _assimilated(form: str) -> tuple[str, ...]:
    return variant(form, _standard, ("assimilation",))


def _respelled(form: str) -> tuple[str, ...]:
    return variant(form, _standard, _OTHER_RULES)


def _lexicon_and_enclitic(form: str) -> tuple[str, ...]:
    return without_enclitic(form, _standard)


def _respelled_and_enclitic(form: str) -> tuple[str, ...]:
    return without_enclitic(form, _variant)


def _variant(form: str) -> tuple[str, ...]:
    return variant(form, _standard)


def _simplemma_and_enclitic(form: str) -> tuple[str, ...]:
    return without_enclitic(form, simplemma)


def _itself(form: str) -> tuple[str, ...]:
    return (form,)


CHAIN = 1
"""The number of the rules around the lexicon (its steps, enclitics, variants, doublets); any change of them raises it."""


def _lexicon() -> Chain:
    steps: tuple[tuple[str, Lemmatizer], ...] = (
        ("exact", _closed),
        ("enclitic", _with_enclitic),
        ("exact", _standard),
        ("enclitic", _lexicon_and_enclitic),
        ("assimilation", _assimilated),
        ("variant", _respelled),
        ("enclitic", _respelled_and_enclitic),
    )
    return Chain(f"lexicon-{lexicon_version()}.{CHAIN}", steps)


def _simplemma() -> Chain:
    steps = (("exact", _closed), ("exact", simplemma), ("enclitic", _simplemma_and_enclitic))
    return Chain(f"simplemma-{simplemma_version()}", steps)


def _cltk_and_enclitic(form: str) -> tuple[str, ...]:
    return without_enclitic(form, cltk)


def _cltk() -> Chain:
    steps = (("exact", _closed), ("exact", cltk), ("enclitic", _cltk_and_enclitic))
    return Chain(f"cltk-{cltk_version()}", steps)


def _whitaker_and_enclitic(form: str) -> tuple[str, ...]:
    return without_enclitic(form, whitaker)


def _whitaker() -> Chain:
    steps = (("exact", _closed), ("exact", whitaker), ("enclitic", _whitaker_and_enclitic))
    return Chain(f"whitaker-{whitaker_version()}", steps)


def _none() -> Chain:
    return Chain("none", (("form", _itself),))


LEMMATIZERS: dict[str, Callable[[], Chain]] = {
    "lexicon": _lexicon,
    "simplemma": _simplemma,
    "whitaker": _whitaker,
    "cltk": _cltk,
    "none": _none,
}
"""The lemmatizers by name; `none` leaves forms as they are. whitaker and cltk are extras: pip install 'latinsearch[cltk]'."""


def lemmatizer(choice: str | Lemmatizer | Chain) -> Chain:
    """The lemmatizer of that name, or a chain of your own callable.

    >>> lemmatizer("simplemma")("uirumque")
    Lemmata(candidates=('uir',), source='enclitic')
    >>> lemmatizer(lambda form: ("arma",) if form in ("arma", "armis") else ())("armis").candidates
    ('arma',)

    A callable is named in the signature by its module and name, or by its `signature` attribute if it has one.
    Raises InputError for an unknown name (the message lists the known ones) and for what is neither name nor callable.
    """
    if isinstance(choice, Chain):
        return choice
    if callable(choice):
        name = f"{getattr(choice, '__module__', 'python')}.{getattr(choice, '__qualname__', type(choice).__qualname__)}"
        return Chain(str(getattr(choice, "signature", name)), (("exact", choice),))
    if not isinstance(choice, str) or choice not in LEMMATIZERS:
        raise InputError(f"unknown lemmatizer {choice!r}; known are {', '.join(LEMMATIZERS)}, or give a callable")
    return LEMMATIZERS[choice]()


def is_named(choice: str | Lemmatizer | Chain) -> bool:
    """Whether the signature tells this lemmatizer from every other: a name, a function by `def`, a `signature` of its own.

    >>> is_named("simplemma"), is_named(lambda form: ())
    (True, False)
    """
    if isinstance(choice, str) or hasattr(choice, "signature"):
        return True
    return isinstance(choice, FunctionType) and choice.__name__ != "<lambda>"
