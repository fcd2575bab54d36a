"""Forms to candidate lemmata. A lemmatizer is any callable from a folded form to a tuple; `()` is "ask the next"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import NamedTuple, Protocol

from latinsearch.lemmatizers.cltk import cltk, cltk_version
from latinsearch.lemmatizers.enclitics import CLOSED, without_enclitic
from latinsearch.lemmatizers.guesses import guesses
from latinsearch.lemmatizers.lexicon import lexicon, lexicon_version, likely
from latinsearch.lemmatizers.simplemma import simplemma, simplemma_version
from latinsearch.lemmatizers.variants import RULES, variant
from latinsearch.lemmatizers.whitaker import whitaker, whitaker_version
from latinsearch.records import InputError, words

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

    A step may itself be a chain, or answer Lemmata: its own source is told then, and if that is `unknown`, the next is asked.
    Of `lexicon`, ask for what is likely alone; a search would go by all that it gives.

    >>> known = lemmatizer("lexicon", only_likely=True)
    >>> names = lambda form: ("xyzthes",) if form == "xyzthen" else ()
    >>> chain = Chain(f"{known.signature}+names-1", (("lexicon", known), ("names", names)))
    >>> [chain(form).source for form in ("uirum", "uirumque", "xyzthen", "xyzque")]
    ['exact', 'enclitic', 'names', 'unknown']

    `signature` names the chain and its version, without blanks. What a step answers is taken as it is: the analyzer folds it.
    Raises InputError, naming the chain, for an answer that is no tuple of lemmata or could not be saved (a lone surrogate).
    `trusted`: the steps are known to answer tuples of lemmata, which are not looked at again.
    """

    signature: str
    steps: tuple[tuple[str, Lemmatizer], ...]
    trusted: bool = False

    def __call__(self, form: str) -> Lemmata:
        for source, step in self.steps:
            if answer := step(form):
                if self.trusted:
                    return Lemmata(answer, source)
                if (found := self._checked(answer, source, form)).candidates:
                    return found
        return Lemmata((form,), "unknown")

    def _checked(self, answer: object, source: str, form: str) -> Lemmata:
        """The answer of a step without blank lemmata; without any if a chain within it does not know the form."""
        if isinstance(answer, Lemmata):
            if answer.source == "unknown":
                return Lemmata((), source)
            answer, source = answer
        try:
            if isinstance(answer, tuple | list):
                kept = tuple(filter(str.strip, answer))
                if not all(map(str.isprintable, kept)):
                    words(f"what lemmatizer {self.signature} gave for {form!r}", kept)
                return Lemmata(kept, source)
        except TypeError:
            pass  # not all of it is text
        raise InputError(
            f"lemmatizer {self.signature} gave {answer!r} for {form!r}; it must give a tuple of lemmata, likeliest first"
        )


def _around(known: Lemmatizer, signature: str) -> Chain:
    """A chain of a list of forms: the words that have no enclitic, the list, and what it knows without an enclitic."""
    steps: tuple[tuple[str, Lemmatizer], ...] = (
        ("exact", _closed),
        ("exact", known),
        ("enclitic", partial(without_enclitic, known=known)),
    )
    return Chain(signature, steps, trusted=True)


def _closed(form: str) -> tuple[str, ...]:
    return CLOSED.get(form, ())


CHAIN = 2
"""The number of the rules around the lexicon (its steps, enclitics, variants); any change of them raises it."""


def _lexicon(known: Lemmatizer = lexicon) -> Chain:
    respelled = partial(variant, known=known)
    steps: tuple[tuple[str, Lemmatizer], ...] = (
        ("exact", known),
        ("enclitic", partial(without_enclitic, known=known)),
        ("assimilation", partial(variant, known=known, rules=("assimilation",))),
        ("variant", partial(variant, known=known, rules=_OTHER_RULES)),
        ("enclitic", partial(without_enclitic, known=respelled)),
        *((("unknown", guesses),) if known is lexicon else ()),
    )
    return Chain(f"lexicon-{lexicon_version()}.{CHAIN}", steps, trusted=True)


def _itself(form: str) -> tuple[str, ...]:
    return (form,)


LEMMATIZERS: dict[str, Callable[[], Chain]] = {
    "lexicon": _lexicon,
    "simplemma": lambda: _around(simplemma, f"simplemma-{simplemma_version()}"),
    "whitaker": lambda: _around(whitaker, f"whitaker-{whitaker_version()}"),
    "cltk": lambda: _around(cltk, f"cltk-{cltk_version()}"),
    "none": lambda: Chain("none", (("form", _itself),)),
}
"""The lemmatizers by name; `none` leaves forms as they are. whitaker and cltk are extras: pip install 'latinsearch[cltk]'."""


LIKELY: dict[str, Callable[[], Chain]] = {"lexicon": partial(_lexicon, likely)}
"""The lemmatizers that tell the candidates that a search goes by from further possible ones, made to give the former alone."""


def lemmatizer(choice: str | Lemmatizer | Chain, *, only_likely: bool = False) -> Chain:
    """The lemmatizer of that name, or a chain of your own callable.

    >>> lemmatizer("simplemma")("uirumque")
    Lemmata(candidates=('uir',), source='enclitic')
    >>> lemmatizer(lambda form: ("arma",) if form in ("arma", "armis") else ())("armis").candidates
    ('arma',)

    only_likely: without the candidates that a search leaves out, if the lemmatizer has such (LIKELY).
    A callable is named in the signature by its module and name, or by its `signature` attribute if it has one.
    Raises InputError for an unknown name (the message lists the known ones) and for what is neither name nor callable.
    """
    if isinstance(choice, Chain):
        words("the signature of a lemmatizer", (choice.signature,))
        return choice
    if callable(choice):
        name = f"{getattr(choice, '__module__', 'python')}.{getattr(choice, '__qualname__', type(choice).__qualname__)}"
        (signature,) = words("the signature of a lemmatizer", (str(getattr(choice, "signature", name)),))
        return Chain(signature, (("exact", choice),))
    if not isinstance(choice, str) or choice not in LEMMATIZERS:
        raise InputError(f"unknown lemmatizer {choice!r}; known are {', '.join(LEMMATIZERS)}, or give a callable")
    return (LIKELY if only_likely and choice in LIKELY else LEMMATIZERS)[choice]()


def is_named(choice: str | Lemmatizer | Chain) -> bool:
    """Whether the signature tells this lemmatizer from every other: a name, a function by `def`, a `signature` of its own.

    >>> is_named("simplemma"), is_named(lambda form: ())
    (True, False)

    A function that another one made, and that answers by what it was made with, has no name of its own: all that are made
    so are called alike. Give it a `signature`.

    >>> def of(table):
    ...     def lookup(form):
    ...         return table.get(form, ())
    ...     return lookup
    >>> is_named(of({}))
    False
    """
    if isinstance(choice, str) or hasattr(choice, "signature"):
        return True
    if not isinstance(choice, FunctionType) or choice.__name__ == "<lambda>":
        return False
    inner = "<locals>" in choice.__qualname__
    return not (choice.__closure__ or (inner and (choice.__defaults__ or choice.__kwdefaults__)))
