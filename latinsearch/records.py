"""The records every part hands to the next: passages, queries, hits, a benchmark, and the errors."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

VERSION = "0.1.0"

Meta = Mapping[str, str | int]
Run = dict[str, dict[str, float]]
"""{query_id: {doc_id: score}}, the scores of one system."""
Qrels = dict[str, dict[str, int]]
"""{query_id: {doc_id: grade}}, the judgements; a grade of 1 or more is relevant."""


class InputError(ValueError):
    """What the user gave cannot be used; the message names it, the rule and the way out."""


class TextWarning(UserWarning):
    """A text was read although something in it is amiss; the message names file, line and count."""


def whole_number(what: str, value: object, least: int) -> int:
    """The value as a plain int (numpy's are taken, too).

    >>> whole_number("k", 10, least=1)
    10

    Raises InputError if it is no whole number or below the least.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number < least:
        raise InputError(f"{what} is {value!r}; it must be a whole number from {least} on")
    return number


def real_number(what: str, value: object, least: float = -math.inf, most: float = math.inf) -> float:
    """The value as a plain float (numpy's are taken, too).

    >>> real_number("b", 0.4, 0, 1)
    0.4

    Raises InputError if it is no finite number or out of its range.
    """
    number = float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else math.nan
    if not (math.isfinite(number) and least <= number <= most):
        within = f" from {least:g}" * (least > -math.inf) + f" to {most:g}" * (most < math.inf)
        raise InputError(f"{what} is {value!r}; it must be a finite number{within}")
    return number


def words(what: str, value: object) -> tuple[str, ...]:
    """The value as a tuple of words; a set, which has no order, in the order of the letters.

    >>> words("stopwords", {"et", "in"})
    ('et', 'in')

    Raises InputError for a text (its letters would be taken for words), for what is no collection of texts, and for words
    that cannot be written to a file (lone surrogates).
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{what} is {value!r}; it must be a tuple of words")
    found = list(value)
    if not all(isinstance(word, str) for word in found):
        raise InputError(f"{what} is {value!r}; it must be a tuple of words")
    for word in found:
        _text(f"{what}: {word!r}", word)
    return tuple(sorted(found) if isinstance(value, Set) else found)


def _text(what: str, value: object) -> str:
    """A text that can be written to a file. Raises InputError for other things."""
    if not isinstance(value, str):
        raise InputError(f"{what} is {value!r}; it must be a text (str), not {type(value).__name__}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{what} has a lone surrogate ({error.object[error.start]!r} at character {error.start}): bytes that were "
                f"not decoded; read the file in its own encoding"
            ) from None
    return value


def _checked_id(kind: str, value: object) -> None:
    text = _text(kind, value)
    if text.split() != [text]:
        raise InputError(
            f"{kind} {text!r} is empty or has white space in it; TREC files and evaluators split "
            f"lines on blanks, so give an id without them, such as {'.'.join(text.split()) or 'verg.aen.1.1'!r}"
        )


def _checked_meta(what: str, meta: object) -> dict[str, str | int]:
    """The meta as a dict of texts and plain whole numbers. Raises InputError for other things."""
    if not isinstance(meta, Mapping):
        raise InputError(f"{what}: meta is {meta!r}; it must be a dict of names and texts or whole numbers")
    checked: dict[str, str | int] = {}
    for name, value in meta.items():
        if type(name) is not str or not name.isascii():
            _text(f"{what}: a name in meta", name)
        if type(value) is int or (type(value) is str and value.isascii()):  # nearly always
            checked[name] = value
            continue
        if isinstance(value, str):
            checked[name] = _text(f"{what}: {name} in meta", value)
            continue
        try:
            checked[name] = operator.index(value)
        except TypeError:
            raise InputError(f"{what}: {name} in meta is {value!r}; it must be a text or a whole number") from None
    return checked


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that can be found: a verse, a sentence, a paragraph.

    >>> Passage(doc_id="verg.aen.1.1", text="Arma virumque cano, Troiae qui primus ab oris").ref
    'verg.aen.1.1'

    `ref` is the reference as the edition prints it (`<verg. aen. 1.1>`), the doc_id where there is none.
    `meta` may hold author, work, book and line; `work` bounds the frequencies of Tesserae's basis `texts`.

    Raises InputError if the doc_id is empty or has white space, or a value is of another type.
    """

    doc_id: str
    text: str
    ref: str = ""
    meta: Meta = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _checked_id("doc_id", self.doc_id)
        _text(f"the text of {self.doc_id}", self.text)
        object.__setattr__(self, "ref", _text(f"the ref of {self.doc_id}", self.ref) or self.doc_id)
        object.__setattr__(self, "meta", _checked_meta(self.doc_id, self.meta))


@dataclass(frozen=True, slots=True)
class Query:
    """A text to search for, with the id that judgements know it by.

    >>> Query("vf-1-1-1", "Prima deum magnis canimus freta pervia natis").query_id
    'vf-1-1-1'

    Raises InputError if the query_id is empty or has white space.
    """

    query_id: str
    text: str
    meta: Meta = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _checked_id("query_id", self.query_id)
        _text(f"the text of {self.query_id}", self.text)
        object.__setattr__(self, "meta", _checked_meta(self.query_id, self.meta))


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found: its place (1 is best), its id, its score and the passage itself."""

    rank: int
    doc_id: str
    score: float
    passage: Passage


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Passages, queries and expert judgements; `checksum` names exactly these data.

    Every judged query_id and doc_id is among `queries` and `passages`.
    """

    name: str
    passages: tuple[Passage, ...]
    queries: tuple[Query, ...]
    qrels: Qrels = field(hash=False)
    checksum: str

    @property
    def judgements(self) -> int:
        """The number of judged pairs of a query and a passage."""
        return sum(map(len, self.qrels.values()))
