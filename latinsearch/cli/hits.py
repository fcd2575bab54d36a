"""Hits as the command line shows them: for readers with the matched words marked, as JSON, as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from latinsearch.cli.terminal import csv_row, one_line

if TYPE_CHECKING:
    from latinsearch.compare import Word
    from latinsearch.explanation import Explanation, Match
    from latinsearch.records import Hit
    from latinsearch.retriever import LexicalRetriever

Explained = tuple["Hit", "Explanation"]
"""A hit and why it was found."""

CSV_COLUMNS = ("rank", "doc_id", "ref", "score", "text", "matches")
_MATCH_KEYS = ("query", "passage", "lemma", "weight", "start", "end")


def explained_hits(retriever: LexicalRetriever, query: str, hits: Iterable[Hit]) -> list[Explained]:
    """Each hit with its explanation."""
    return [(hit, retriever.explain(query, hit.doc_id)) for hit in hits]


def hits_text(found: Sequence[Explained], *, colour: bool, explain: bool = False) -> str:
    """A line a hit: rank, score, reference, text; the matched words in colour, or listed behind it in brackets.

    explain: below each hit its explanation, word by word.
    """
    ranks = [f"{hit.rank}" for hit, _ in found]
    scores = [f"{hit.score:.3f}" for hit, _ in found]
    refs = [one_line(hit.passage.ref) for hit, _ in found]
    widths = [max(map(len, cells), default=0) for cells in (ranks, scores, refs)]
    lines = []
    for rank, score, ref, (hit, explanation) in zip(ranks, scores, refs, found, strict=True):
        text = marked_text(hit.passage.text, explanation.matches, colour=colour)
        lines.append(f"{rank:>{widths[0]}}  {score:>{widths[1]}}  {ref:<{widths[2]}}  {text}")
        if explain:
            lines += [f"    {one_line(line)}" for line in str(explanation).split("\n")[1:]]
    return "\n".join(lines)


def marked_text(text: str, matches: Iterable[Match | Word], *, colour: bool) -> str:
    """A passage in one line, its matched words in colour, or without colour listed behind it in brackets.

    >>> from latinsearch.explanation import Match
    >>> marked_text("Arma virumque cano", [Match("uirum", "virumque", "uir", 2.5, 5, 13, 0, 5)], colour=False)
    'Arma virumque cano  [virumque]'
    """
    spans = sorted({(match.start, match.end) for match in matches})
    words = [one_line(text[start:end]) for start, end in spans]
    if not colour:
        return f"{one_line(text).strip()}  [{', '.join(words)}]"
    pieces, done = [], 0
    for (start, end), word in zip(spans, words, strict=True):
        pieces += [one_line(text[done:start]), click.style(word, fg="green", bold=True)]
        done = end
    return "".join([*pieces, one_line(text[done:])]).strip()


def hits_json(query: str, signature: str, found: Iterable[Explained]) -> str:
    """The query, the retriever's signature and the hits with their matches, as JSON; start and end count characters."""
    hits = [
        {
            "rank": hit.rank,
            "doc_id": hit.doc_id,
            "ref": hit.passage.ref,
            "score": hit.score,
            "text": hit.passage.text,
            "matches": [{key: getattr(match, key) for key in _MATCH_KEYS} for match in explanation.matches],
        }
        for hit, explanation in found
    ]
    return json.dumps({"query": query, "signature": signature, "hits": hits}, ensure_ascii=False, indent=2)


def hits_csv(found: Iterable[Explained]) -> str:
    """The hits as CSV under the header CSV_COLUMNS; matches are `query~passage (lemma) weight`, parted by `; `."""
    rows: list[tuple[object, ...]] = [CSV_COLUMNS]
    for hit, explanation in found:
        matches = "; ".join(f"{m.query}~{m.passage} ({m.lemma}) {m.weight:.3f}" for m in explanation.matches)
        rows.append((hit.rank, hit.doc_id, hit.passage.ref, hit.score, hit.passage.text, matches))
    return "\n".join(map(csv_row, rows))
