"""`latinsearch check`: what is odd in texts, and what is made of it, before they are searched."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from latinsearch.cli.options import format_option
from latinsearch.cli.terminal import one_line, waiting

if TYPE_CHECKING:
    from latinsearch.corpora.files import Place
    from latinsearch.corpora.survey import Survey


@click.command("check", short_help="Show what is odd in texts and how it is read.")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--places", is_flag=True, help="List the file and the line of everything odd.")
@format_option("text", "json")
def check_texts(inputs: tuple[Path, ...], places: bool, layout: str) -> None:
    """Count the lines of texts: those read, those repaired, by kind, and those that are not read.

    INPUT is a .tess or .txt file or a folder of such files.

    \b
    Example:
      latinsearch check aeneid.tess
      latinsearch check texts/ --places
    """
    from latinsearch.corpora.survey import survey
    from latinsearch.tokenizer import forms, repaired

    with waiting("reading the texts"):
        found = survey(*inputs)
    with waiting(f"looking through {len(found.passages):,} passages"):
        texts = [passage.text for passage in found.passages]
        words = sum(len(forms(text)) for text in texts)
        encoded = Counter(_kind(char) for text in texts for char in repaired(text))
    if layout == "json":
        click.echo(_json(found, words, encoded))
    else:
        click.echo("\n".join(_text_lines(found, words, encoded, places)))


def _kind(char: str) -> str:
    """What kind of character was encoded twice."""
    kinds = {"L": "letter", "M": "letter", "P": "quotation mark or other punctuation", "Pd": "dash"}
    category = unicodedata.category(char)
    return f"double-encoded {kinds.get(category) or kinds.get(category[0], 'other character')}"


def _text_lines(found: Survey, words: int, encoded: Counter[str], places: bool) -> Iterable[str]:
    left = sum(map(len, found.left.values()))
    yield from _counted(
        [
            ("files", found.files),
            ("lines with text", found.lines),
            ("  joined to another line's passage", found.joined),
            ("  passages begun within a line", found.parted),
            ("  not read", left),
            ("passages", len(found.passages)),
            ("words", words),
        ]
    )
    yield "" if found.adds_up else "lines and passages do not add up; please report it"
    yield from _kinds("read, though odd:", found.odd, {**found.silent, **encoded}, places)
    yield from _kinds("not read:", found.left, {}, places)


def _kinds(title: str, noted: dict[str, list[Place]], counts: dict[str, int], places: bool) -> Iterable[str]:
    if not noted and not counts:
        return
    yield title
    for kind, at in noted.items():
        shown = at if places else at[:1]
        yield f"{len(at):>9,}  {kind}"
        yield from (f"           {one_line(str(place))}" for place in shown)
    yield from (f"{count:>9,}  {kind}" for kind, count in sorted(counts.items()))


def _counted(rows: Iterable[tuple[str, int]]) -> Iterable[str]:
    return (f"{name:<36}{count:>11,}" for name, count in rows)


def _json(found: Survey, words: int, encoded: Counter[str]) -> str:
    def listed(notes: dict[str, list[Place]]) -> dict[str, list[dict[str, object]]]:
        return {
            kind: [{"file": str(place.path), "line": place.line, "ref": place.ref or None} for place in at]
            for kind, at in notes.items()
        }

    told = {
        "files": found.files,
        "lines": found.lines,
        "passages": len(found.passages),
        "words": words,
        "joined": found.joined,
        "parted": found.parted,
        "odd": listed(found.odd),
        "counts": {**found.silent, **dict(sorted(encoded.items()))},
        "left": listed(found.left),
    }
    return json.dumps(told, ensure_ascii=False, indent=2)
