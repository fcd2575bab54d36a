"""Why a passage was found: which words matched, where, how much each gave. The parts rebuild the score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from latinsearch.analyzer import Term


class Match(NamedTuple):
    """A word of the query and a word of the passage that meet in a lemma (or form, or n-gram), and what that gave.

    start and end are the passage word's place in the passage's text, query_start and query_end the query word's.
    """

    query: str
    passage: str
    lemma: str
    weight: float
    start: int
    end: int
    query_start: int
    query_end: int


def match(query: Term, passage: Term, lemma: str, weight: float) -> Match:
    """The Match of a query term with a passage term."""
    return Match(
        query.token.form,
        passage.token.form,
        lemma,
        weight,
        passage.token.start,
        passage.token.end,
        query.token.start,
        query.token.end,
    )


@dataclass(frozen=True, slots=True)
class Part:
    """What one field of a retriever gave: its matches, and the rule that makes a score of them.

    rule `sum`: the weights' sum, plus `constant` (what a scorer gives for query words that the passage lacks: BM25+).
    rule `tesserae`: ln(sum of the weights / distance), plus `constant`, where a weight is the 1/f of a matched word
    and is listed once, although the word may match several.
    """

    field: str
    share: float
    matches: tuple[Match, ...]
    rule: Literal["sum", "tesserae"] = "sum"
    constant: float = 0.0
    distance: int = 1

    @property
    def score(self) -> float:
        """The field's score, rebuilt from the parts."""
        total = math.fsum(match.weight for match in self.matches)
        if self.rule == "tesserae":
            return math.log(total / self.distance) + self.constant
        return total + self.constant


@dataclass(frozen=True, slots=True)
class Explanation:
    """The score of one passage for one query, part by part.

    >>> part = Part("lemma", 1.0, (Match("uirum", "virumque", "uir", 2.5, 5, 13, 0, 5),))
    >>> explanation = Explanation("uirum", "verg.aen.1.1", (part,))
    >>> explanation.score
    2.5
    >>> print(explanation)
    verg.aen.1.1 scores 2.500 = 2.500
      lemma 2.500 = sum of
        uirum ~ virumque (uir) 2.500
    """

    query: str
    doc_id: str
    parts: tuple[Part, ...]

    @property
    def score(self) -> float:
        """The score, rebuilt from the parts: each field's score times its share."""
        return math.fsum(part.share * part.score for part in self.parts)

    @property
    def matches(self) -> tuple[Match, ...]:
        """All matches, in the order of the passage; weights times the share of their field."""
        shared = (found._replace(weight=part.share * found.weight) for part in self.parts for found in part.matches)
        return tuple(sorted(shared, key=lambda found: (found.start, found.query_start)))

    def __str__(self) -> str:
        terms = " + ".join(
            f"{part.score:.3f}" if part.share == 1 else f"{part.share:g} x {part.score:.3f}" for part in self.parts
        )
        lines = [f"{self.doc_id} scores {self.score:.3f} = {terms or 0}"]
        for part in self.parts:
            rule = "sum of" if part.rule == "sum" else f"ln(sum / distance {part.distance}) of"
            constant = f" {part.constant:+g} and" if part.constant else ""
            lines.append(f"  {part.field} {part.score:.3f} ={constant} {rule}")
            lines += [f"    {m.query} ~ {m.passage} ({m.lemma}) {m.weight:.3f}" for m in part.matches]
        return "\n".join(lines)
