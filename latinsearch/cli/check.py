"""`latinsearch check`: what is odd in texts, and what is made of it, before they are searched."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from latinsearch.cli.options import PATH, format_option
from latinsearch.cli.terminal import one_line, waiting
from latinsearch.records import InputError

if TYPE_CHECKING:
    from latinsearch.corpora.files import Place
    from latinsearch.corpora.survey import Survey


@click.command("check", short_help="Show what is odd in texts and how it is read.")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=PATH)
@click.option("--places", is_flag=True, help="List the file and the line of everything odd.")
@format_option("text", "json")
def check_texts(inputs: tuple[Path, ...], places: bool, layout: str) -> None:
    """Count the lines of texts: those read, those repaired, by kind, and those that are not read.

    INPUT is a .tess or .txt file or a folder of such files. Lines with text are the passages, without those begun
    within a line, and the lines joined, and the lines not read: what has a reference that occurred before. A file that
    cannot be read is named, and the others are counted.

    \b
    Example:
      latinsearch check aeneid.tess
      latinsearch check texts/ --places
    """
    from latinsearch.corpora.survey import survey
    from latinsearch.tokenizer import forms, repaired

    with waiting("reading the texts"):
        found = survey(*inputs, kinds=lambda line: map(_kind, repaired(line)))
    with waiting(f"counting the words of {len(found.passages):,} passages"):
        words = sum(len(forms(passage.text)) for passage in found.passages)
    if layout == "json":
        click.echo(_json(found, words, places))
    else:
        click.echo("\n".join(_text_lines(found, words, places)))
    if found.failed:
        raise InputError(
            f"{len(found.failed)} of {found.files + len(found.failed)} files cannot be read; they are named above"
        )


def _kind(char: str) -> str:
    """What kind of character was encoded twice."""
    kinds = {"L": "letter", "M": "letter", "P": "quotation mark or other punctuation", "Pd": "dash"}
    category = unicodedata.category(char)
    return f"double-encoded {kinds.get(category) or kinds.get(category[0], 'other character')}"


def _text_lines(found: Survey, words: int, places: bool) -> Iterable[str]:
    from latinsearch.corpora.files import decoded

    yield from _counted(
        [
            ("files", found.files),
            ("lines with text", found.lines),
            ("  joined to another line's passage", found.joined),
            ("  passages begun within a line", found.parted),
            ("  not read", found.unread),
            ("passages", len(found.passages)),
            ("words", words),
        ]
    )
    yield "" if found.adds_up else "lines and passages do not add up; please report it"
    yield from _kinds("read, though odd:", found.odd, places)
    yield from _kinds("not read:", found.left, places)
    if found.failed:
        yield "files that cannot be read:"
        yield from (f"           {one_line(decoded(reason))}" for reason in found.failed.values())


def _kinds(title: str, noted: dict[str, list[Place]], places: bool) -> Iterable[str]:
    """Each kind with its count and its first place or all of them; a line that has it several times is listed once."""
    if not noted:
        return
    yield title
    for kind, at in noted.items():
        distinct = list(dict.fromkeys(at))
        within = f" (on {len(distinct):,} line{'s' if len(distinct) > 1 else ''})" if len(distinct) < len(at) else ""
        yield f"{len(at):>9,}  {kind}{within}"
        yield from (f"           {one_line(str(place))}" for place in (distinct if places else distinct[:1]))


def _counted(rows: Iterable[tuple[str, int]]) -> Iterable[str]:
    return (f"{name:<36}{count:>11,}" for name, count in rows)


def _json(found: Survey, words: int, places: bool) -> str:
    from latinsearch.corpora.files import decoded

    def listed(notes: dict[str, list[Place]]) -> dict[str, dict[str, object]]:
        return {
            kind: {"count": len(at), "places": [_place(place) for place in at]} if places else {"count": len(at)}
            for kind, at in notes.items()
        }

    told = {
        "files": found.files,
        "lines": found.lines,
        "passages": len(found.passages),
        "words": words,
        "joined": found.joined,
        "parted": found.parted,
        "unread": found.unread,
        "odd": listed(found.odd),
        "left": listed(found.left),
        "failed": {decoded(str(file)): decoded(reason) for file, reason in found.failed.items()},
    }
    return json.dumps(told, ensure_ascii=False, indent=2)


def _place(place: Place) -> dict[str, object]:
    from latinsearch.corpora.files import decoded

    return {"file": decoded(str(place.path)), "line": place.line, "ref": place.ref or None}
