r"""The `.tess` format of Tesserae: a reference in angle brackets, a tab, a verse or a sentence.

What is read as what, with the counts of the 748 Latin texts of Tesserae (349,532 lines with a reference):

* `<verg. aen. 1.1>` gives doc_id `verg.aen.1.1`: a full stop with blanks after it, or blanks alone, become one full
  stop. The reference stays as it is printed, with its brackets.
* The text is what follows the reference after tabs and blanks, to the end of the line, blanks at the end included.
* A line without a reference goes on the one before it, joined by a line break (8 lines). `<et>` or `<et non>` at
  the beginning is an editor's supplement and no reference: a reference has a number or an abbreviation in it.
* A reference to several lines that stands before each of them, as in Seneca's tragedies (`<sen. ag. 440-4>`, 9,521
  lines), is one passage of these lines, joined by line breaks.
* A second reference within a line begins a new passage if its words are those of the first (21).
* A bracket that was never opened or closed is supplied if a reference can be told apart from the text.
* Text before the first reference, or after an empty one, is a passage named after the file and the line.

All but the first two are noted, and so are passages without text (24) and numbers that go backwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from latinsearch.corpora.files import Located, Notes, note, read_text, stem_of
from latinsearch.corpora.reference import (
    closed,
    doc_id,
    is_abbreviated,
    is_reference,
    is_span,
    numbers_meta,
    opened,
    split_reference,
)
from latinsearch.records import InputError, Meta, Passage

LOWER = "the reference is lower than the one before; the file's order is kept"
"""The note on verses out of order, which editors make on purpose."""
JOINED = "no reference; the line is joined to the passage before it"
SPAN = "one reference to several lines; they are one passage"
SECOND = "a second reference within the line begins a passage"
"""The notes by which a file has more lines than passages, or fewer."""

_TAG = re.compile(r"\s*<([^<>]*)>[ \t]*")
_INNER = re.compile(r"<([^<>]*)>[ \t]*")
_NAME = re.compile(r"([^.]+)\.([^.]+)(?:\.part\..+)?", re.DOTALL)
_DIGIT = re.compile(r"\d")


@dataclass(slots=True)
class _Entry:
    line: int
    tag: str
    lines: list[str]


def read_tess(path: Path, notes: Notes) -> list[Located]:
    """Every passage of a `.tess` file with its line, repeated references included; oddities go to the notes.

    Author and work are those of the file's name (`lucan.bellum_civile.part.1.tess` gives Lucan, Bellum Civile), of a
    name that is not author.work.tess those of the reference if it has two words (verg, aen). Book, chapter and line
    are those of the reference, see `reference.reference_meta`. An empty file gives an empty list. Raises InputError if there
    are lines and none has a reference.
    """
    stem = stem_of(path, notes)
    entries = _entries(path, notes)
    if entries and not any(entry.tag for entry in entries):
        raise InputError(
            f"{path}: no line has a reference such as <verg. aen. 1.1>; a plain text needs the suffix .txt"
        )
    named = _name_meta(stem)
    located: list[Located] = []
    last: list[int | str] = []
    for entry in entries:
        words, numbers = split_reference(entry.tag)
        passage = _passage(entry, stem, {**(named or _words_meta(words)), **numbers_meta(numbers)})
        if not passage.text.strip():
            note(notes, "no text after the reference; kept as a passage without words", path, entry.line, passage.ref)
        if _lower(numbers, last):
            note(notes, LOWER, path, entry.line, passage.ref)
        last = numbers or last
        located.append(Located(entry.line, passage))
    return located


def _lower(numbers: list[int | str], last: list[int | str]) -> bool:
    """Whether a reference is lower than the last; those of another shape are not compared."""
    for number, before in zip(numbers, last, strict=False):
        if number != before:
            return isinstance(number, int) and isinstance(before, int) and number < before and len(numbers) == len(last)
    return False


def _name_meta(stem: str) -> Meta:
    """Author and work of a file name: valerius_flaccus.argonautica.part.1 -> Valerius Flaccus, Argonautica."""
    match = _NAME.fullmatch(stem)
    return dict(zip(("author", "work"), map(_title, match.groups()), strict=True)) if match else {}


def _title(slug: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in slug.split("_") if word)


def _words_meta(words: list[str]) -> Meta:
    return {"author": words[0], "work": " ".join(words[1:])} if len(words) > 1 else {}


def _passage(entry: _Entry, stem: str, meta: Meta) -> Passage:
    text = entry.lines[0] if len(entry.lines) == 1 else "\n".join(entry.lines)
    if entry.tag:
        return Passage(doc_id(entry.tag), text, f"<{entry.tag}>", meta)
    return Passage(f"{doc_id(stem)}.{entry.line}", text, f"{stem} {entry.line}", {**meta, "line": entry.line})


def _entries(path: Path, notes: Notes) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, line in enumerate(read_text(path, notes).split("\n"), 1):
        if not line.strip():
            continue
        tag, text = _reference(line, path, number, notes)
        if tag is None and entries:
            note(notes, JOINED, path, number)
            entries[-1].lines.append(text)
        elif not tag:
            note(notes, "text without a reference; named after the file and the line", path, number)
            entries.append(_Entry(number, "", [text]))
        elif entries and tag == entries[-1].tag and is_span(tag):
            note(notes, SPAN, path, number, f"<{tag}>")
            entries[-1].lines.append(text)
        else:
            entries += _parted(_Entry(number, tag, [text]), path, notes)
    return entries


def _reference(line: str, path: Path, number: int, notes: Notes) -> tuple[str | None, str]:
    """The reference at the beginning of a line ("" if its brackets are empty, None if it has none) and the text."""
    if match := _TAG.match(line):
        tag = match[1].strip()
        # A tag without number or abbreviation is a supplement of the editor, and so the text's.
        return (tag, line[match.end() :]) if not tag or is_reference(tag) else (None, line)
    found = opened(line) or closed(line)
    if found and is_reference(found[0]) and is_abbreviated(found[0]):
        begin = line.strip()[: 1 + len(found[0])].rstrip()
        note(notes, "a reference with only one of its brackets; the other is supplied", path, number, begin)
        return found[0].strip(), found[1]
    return None, line


def _parted(entry: _Entry, path: Path, notes: Notes) -> Iterator[_Entry]:
    """The entry, parted where another reference of the same work stands within its line."""
    text, start = entry.lines[0], 0
    inner = [match for match in _INNER.finditer(text) if _DIGIT.search(match[1])] if "<" in text else []
    words = split_reference(entry.tag)[0] if inner else []
    for match in inner:
        if words and split_reference(match[1])[0] == words:
            note(notes, SECOND, path, entry.line, match[0].strip())
            yield _Entry(entry.line, entry.tag, [text[start : match.start()]])
            entry, start = _Entry(entry.line, match[1].strip(), []), match.end()
    yield _Entry(entry.line, entry.tag, [text[start:]])
