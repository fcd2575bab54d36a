"""Parallels as the command line shows them: text, CSV named as Tesserae's download, JSON lines, a page of HTML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from latinsearch.cli.hits import marked_text
from latinsearch.cli.terminal import csv_row, one_line

if TYPE_CHECKING:
    from latinsearch.compare import Comparison, Parallel, Word
    from latinsearch.records import Passage

CSV_COLUMNS = (
    "RESULT", "TARGET_LOC", "TARGET_TXT", "SOURCE_LOC", "SOURCE_TXT", "SHARED", "SCORE",
    "DISTANCE", "TARGET_ID", "SOURCE_ID", "TARGET_WORDS", "SOURCE_WORDS",
)  # fmt: skip
"""The first seven are those of Tesserae's own download, in its order."""
DIGITS = 10
"""Of a weight; with six the last decimal of the score does not come out."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def location(passage: Passage) -> str:
    """The reference without the brackets of `.tess`, or the doc_id."""
    return passage.ref.replace("<", "").replace(">", "") if passage.ref else passage.doc_id


def starred(text: str, words: Iterable[Word]) -> str:
    """A text with two stars around each matched word, as Tesserae's download has them.

    >>> from latinsearch.compare import Word
    >>> starred("arma virumque", [Word("arma", 0, 4, ("arma",), 1.0)])
    '**arma** virumque'
    """
    return "".join(f"**{piece}**" if matched else piece for piece, matched in _pieces(text, words))


def _pieces(text: str, words: Iterable[Word]) -> Iterator[tuple[str, bool]]:
    """The text cut at its matched words, and whether each piece is one."""
    done = 0
    for start, end in sorted({(word.start, word.end) for word in words}):
        if start >= done:
            yield text[done:start], False
            yield text[start:end], True
            done = end
    yield text[done:], False


def text_lines(parallels: Iterable[Parallel], *, colour: bool, explain: bool = False) -> Iterator[str]:
    """Three lines a parallel: rank, score, distance and lemmata; the target; the source; matched words marked.

    explain: a fourth line, the formula with its numbers.
    """
    for p in parallels:
        distance = "" if p.distance is None else f"  distance {_distance(p)}"
        yield f"{p.rank}  {p.score:.3f}{distance}  {', '.join(p.lemmata)}"
        for passage, words in ((p.target, p.target_words), (p.source, p.source_words)):
            yield f"    {one_line(location(passage))}  {marked_text(_parted(passage.text), words, colour=colour)}"
        if explain:
            yield f"    {formula(p)}"


def _parted(text: str) -> str:
    r"""A text with blanks for the separators that a line of text would leave out, so that no words run together.

    >>> _parted("arma\u2028uirum\u00a0cano")
    'arma uirum cano'
    """
    return "".join(" " if char.isspace() and char != "\n" else char for char in text)


def _distance(p: Parallel) -> str:
    """The distance as what it is made of: `2 + 3`."""
    if p.distances is None or sum(p.distances) != p.distance:  # of one side alone
        return str(p.distance)
    return f"{p.distances[0]} + {p.distances[1]}"


def csv_lines(parallels: Iterable[Parallel]) -> Iterator[str]:
    """A header of CSV_COLUMNS and a row a parallel.

    Matched words are between two stars in the texts, and listed as `form start-end weight`, parted by `; `; start and
    end count characters of the passage's text: of the cell without these stars, and without the apostrophe that is in front
    of a text which a spreadsheet would take for a formula.
    """
    yield csv_row(CSV_COLUMNS)
    for p in parallels:
        cells = (
            p.rank, location(p.target), starred(p.target.text, p.target_words),
            location(p.source), starred(p.source.text, p.source_words),
            "; ".join(p.lemmata), p.score, "" if p.distance is None else p.distance,
            p.target.doc_id, p.source.doc_id, _listed(p.target_words), _listed(p.source_words),
        )  # fmt: skip
        yield csv_row(map(_cell_of, cells))


def _cell_of(value: str | float) -> str:
    """A text that is no formula; a number, negative ones too, as it is."""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def _listed(words: Iterable[Word]) -> str:
    return "; ".join(f"{word.form} {word.start}-{word.end} {word.weight:.{DIGITS}g}" for word in words)


def jsonl_lines(parallels: Iterable[Parallel]) -> Iterator[str]:
    """An object a parallel: rank, score, distance, rule, constant, lemmata, both passages and their matched words."""
    for p in parallels:
        sides = {
            side: {
                "doc_id": passage.doc_id,
                "ref": passage.ref,
                "text": passage.text,
                "words": [w._asdict() for w in words],
            }
            for side, passage, words in (("target", p.target, p.target_words), ("source", p.source, p.source_words))
        }
        parts = {
            "distance": p.distance,
            "distances": p.distances,
            "rule": p.rule,
            "constant": p.constant,
            "lemmata": list(p.lemmata),
        }
        yield json.dumps({"rank": p.rank, "score": p.score, **parts, **sides}, ensure_ascii=False)


_STYLE = """
body{font:16px/1.5 Georgia,serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;table-layout:fixed}
td,th{padding:.4rem .6rem;vertical-align:top;text-align:left;border-top:1px solid #ddd}
th:nth-child(1){width:3.5rem}th:nth-child(2){width:9rem}
td.n{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}.t{white-space:pre-wrap}
.r{color:#666;font-size:.85em;display:block}mark{background:#ffe9a8;padding:0 .1em}
details{font-size:.85em;color:#444}code{overflow-wrap:anywhere;font-size:.85em}
button{font:inherit;margin-right:.5rem}button[aria-pressed=true]{font-weight:bold}
@media print{button{display:none}}
"""
_SCRIPT = """
var buttons=document.querySelectorAll('button[data-by]');
buttons.forEach(function(button){button.addEventListener('click',function(){
var body=document.querySelector('tbody'),by=button.dataset.by,down=by==='score'?-1:1;
var rows=Array.prototype.slice.call(body.rows),sorted=document.createDocumentFragment();
rows.sort(function(a,b){return down*(a.dataset[by]-b.dataset[by])||a.dataset.rank-b.dataset.rank});
rows.forEach(function(row){sorted.appendChild(row)});
body.appendChild(sorted);
buttons.forEach(function(other){other.setAttribute('aria-pressed',other===button)});
})});
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def html_lines(made: Comparison, *, title: str, target: Sequence[Passage], source: Sequence[Passage]) -> Iterator[str]:
    """A page that needs nothing but itself: two columns, matched words marked, sorted by score or by either text.

    target, source: the passages of the texts, whose order sorts the rows. Without script it stands by score. A policy in its
    head forbids the browser to fetch anything.
    """
    orders = [{passage.doc_id: number for number, passage in enumerate(side)} for side in (target, source)]
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(title)}</h1><p><code>{escape(made.signature)}</code></p>"
    yield f'<p>Lemmata that do not count: <i lang="la">{escape(", ".join(made.stopped)) or "none"}</i>.</p>'
    yield '<p><button data-by="score" aria-pressed="true">by score</button>'
    yield '<button data-by="target" aria-pressed="false">by the target</button>'
    yield '<button data-by="source" aria-pressed="false">by the source</button></p>'
    yield "<table><thead><tr><th>#</th><th>score</th><th>target</th><th>source</th></tr></thead><tbody>"
    count = 0
    for count, p in enumerate(made.parallels, 1):  # noqa: B007 - the last number is the count
        places = [_place(order, passage.doc_id) for order, passage in zip(orders, (p.target, p.source), strict=True)]
        yield (
            f'<tr data-rank="{p.rank}" data-score="{p.score!r}" data-target="{places[0]}" data-source="{places[1]}">'
            f'<td class="n">{p.rank}</td><td class="n">{p.score:.3f}{_details(p)}</td>'
            f"{_cell(p.target, p.target_words)}{_cell(p.source, p.source_words)}</tr>"
        )
    yield f"</tbody></table><p>{count:,} parallels.</p><script>{_SCRIPT}</script></body></html>"


def _place(order: Mapping[str, int], doc_id: str) -> int:
    """The place of a passage in its text; of several lines that of the first."""
    while doc_id not in order and "+" in doc_id:
        doc_id = doc_id.rpartition("+")[0]
    return order.get(doc_id, 0)


def _cell(passage: Passage, words: Iterable[Word]) -> str:
    text = "".join(f"<mark>{escape(s)}</mark>" if matched else escape(s) for s, matched in _pieces(passage.text, words))
    return f'<td><span class="r">{escape(location(passage))}</span><span class="t" lang="la">{text}</span></td>'


def _details(p: Parallel) -> str:
    return f"<details><summary>{escape(', '.join(p.lemmata))}</summary>{escape(formula(p))}</details>"


def formula(p: Parallel) -> str:
    """The formula of a parallel's score with its numbers, so that it can be worked out again by hand.

    >>> from latinsearch.compare import compare
    >>> from latinsearch.records import Passage
    >>> (found,) = compare([Passage("a.1", "bella plus quam")], [Passage("b.1", "plus et bellum erat")], stoplist=0)
    >>> formula(found)
    'ln((bella 3 + plus 3 + plus 4 + bellum 4) / (2 + 3)) = 1.029619'
    """
    asked, met = (
        " + ".join(f"{one_line(word.form)} {word.weight:.{DIGITS}g}" for word in words)
        for words in (p.target_words, p.source_words)
    )
    constant = f" {'-' if p.constant < 0 else '+'} {abs(p.constant):.{DIGITS}g}" if p.constant else ""
    distance = f"({_distance(p)})" if " " in _distance(p) else _distance(p)
    both = f"{asked} + {met}" if p.distance is None else f"({asked} + {met}) / {distance}"
    left = f"ln({both})" if p.rule == "tesserae" else asked
    return f"{left}{constant} = {p.score:.6f}"
