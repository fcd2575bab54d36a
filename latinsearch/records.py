"""The records every part hands to the next: passages, queries, hits, a benchmark, and the errors."""

from __future__ import annotations

from collections.abc import Mapping
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


def _checked_id(kind: str, value: str) -> None:
    if not value or any(char.isspace() for char in value):
        raise InputError(
            f"{kind} {value!r} is empty or has white space in it; TREC files and evaluators split "
            f"lines on blanks, so give an id without them, such as {'.'.join(value.split()) or 'verg.aen.1.1'!r}"
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that can be found: a verse, a sentence, a paragraph.

    >>> Passage(doc_id="verg.aen.1.1", text="Arma virumque cano, Troiae qui primus ab oris").ref
    'verg.aen.1.1'

    `ref` is the reference as the edition prints it (`<verg. aen. 1.1>`), the doc_id where there is none.
    `meta` may hold author, work, book and line; `work` bounds the frequencies of Tesserae's basis `texts`.

    Raises InputError if the doc_id is empty or has white space.
    """

    doc_id: str
    text: str
    ref: str = ""
    meta: Meta = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _checked_id("doc_id", self.doc_id)
        if not self.ref:
            object.__setattr__(self, "ref", self.doc_id)


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
