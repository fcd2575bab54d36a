"""Text files as lines, whatever their encoding, and the notes on what was amiss in them."""

from __future__ import annotations

import codecs
import os
import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from latinsearch.records import InputError, Passage, TextWarning

Notes = dict[str, list[str]]
"""{what is amiss: the places, `file:line`, in the order met}."""


@dataclass(frozen=True, slots=True)
class Located:
    """A passage and the line of the file it begins on."""

    line: int
    passage: Passage


_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def note(notes: Notes, fault: str, path: Path, line: int, ref: str = "") -> None:
    """The fault, added to the notes with its place: the file, the line and, if there is one, the reference."""
    notes.setdefault(fault, []).append(f"{path}:{line}{f' {ref}' if ref else ''}")


def warn(notes: Notes) -> None:
    """One TextWarning for each kind of fault, with the first place and the count.

    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn({"no text after the reference": ["a.tess:3 <luc. 1.3>"]})
    >>> print(caught[0].message)
    a.tess:3 <luc. 1.3>: no text after the reference (1 line in all)
    """
    for fault, places in notes.items():
        count = f"{len(places)} line{'s' if len(places) > 1 else ''} in all"
        warnings.warn(f"{places[0]}: {fault} ({count})", TextWarning, stacklevel=3)


def existing(path: str | os.PathLike[str]) -> Path:
    """The path, which is there: FileNotFoundError otherwise, naming it and the folder looked in.

    >>> existing("nowhere/aeneid.tess")
    Traceback (most recent call last):
    FileNotFoundError: nowhere/aeneid.tess: there is no such file or folder; check the path
    """
    found = Path(path).expanduser()
    if not found.exists():
        relative = "" if found.is_absolute() or len(found.parts) > 1 else f" in {Path.cwd()}"
        raise FileNotFoundError(f"{path}: there is no such file or folder{relative}; check the path")
    return found


def natural(path: Path) -> list[list[str | int]]:
    """A sort key in which part.2 comes before part.10, folder by folder.

    >>> sorted([Path("a.part.10.tess"), Path("a.part.2.tess")], key=natural)[0].name
    'a.part.2.tess'
    """
    return [
        [int(piece) if piece.isdecimal() else piece for piece in re.split(r"(\d+)", part)] + [part]
        for part in path.parts
    ]


def read_text(path: Path, notes: Notes) -> str:
    r"""The text of a file with `\n` between its lines and without a byte-order mark.

    UTF-8 is expected; UTF-16 and UTF-32 are known by their byte-order mark. A line that is not in UTF-8 is read
    as Windows-1252 (as Latin-1 where that has no letter for a byte), noted, and leaves the other lines as they
    are, so that one bad byte does not spoil the Greek of the rest.

    Raises InputError for a file that is no text.
    """
    data = path.read_bytes()
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    text = _marked(data, encoding, path) if encoding else _unmarked(data, path, notes)
    if "\0" in text:
        raise InputError(f"{path}: this is no text (it holds a NUL byte); give a text file in UTF-8")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Files joined with `cat` keep the marks of each: four files of Tesserae's Latin begin with one.
    return re.sub("^\ufeff+", "", text, flags=re.MULTILINE) if "\ufeff" in text else text


def _marked(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: begins like {encoding.upper()} but breaks off ({error.reason}); save it as UTF-8"
        ) from None


def _unmarked(data: bytes, path: Path, notes: Notes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "\n".join(_decoded(line, path, number, notes) for number, line in enumerate(data.splitlines(), 1))


def _decoded(line: bytes, path: Path, number: int, notes: Notes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        note(notes, "not in UTF-8, read as Windows-1252; save the file as UTF-8", path, number)
    try:
        return line.decode("cp1252")
    except UnicodeDecodeError:
        return line.decode("latin-1")
