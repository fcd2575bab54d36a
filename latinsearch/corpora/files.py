"""Text files as lines, whatever their encoding, and the notes on what was amiss in them."""

from __future__ import annotations

import codecs
import os
import re
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

from latinsearch.records import InputError, Passage, TextWarning

MOST_DIGITS = 18
"""The digits of the longest number read as one; a longer one is no line number, and above 4,300 int() refuses it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was amiss: a file, its line (None if it is the file itself), the reference if there is one."""

    path: Path
    line: int | None = None
    ref: str = ""

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        return f"{decoded(str(self.path))}{line}{f' {short(self.ref, quoted=False)}' if self.ref else ''}"


Notes = dict[str, list[Place]]
"""{what is amiss: the places, in the order met}."""


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
_SHOWN = 60
"""Characters of a value that a message echoes."""


def note(notes: Notes, fault: str, path: Path, line: int | None = None, ref: str = "") -> None:
    """The fault, added to the notes with its place: the file, the line and the reference, where there are such."""
    notes.setdefault(fault, []).append(Place(path, line, ref))


def warn(notes: Notes) -> None:
    """One TextWarning for each kind of fault, with the first place and the count of lines or files.

    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn({"no text after the reference": [Place(Path("a.tess"), 3, "<luc. 1.3>")]})
    >>> print(caught[0].message)
    a.tess:3 <luc. 1.3>: no text after the reference (1 line in all)
    """
    for fault, places in notes.items():
        kind = "file" if places[0].line is None else "line"
        count = f"{len(places):,} {kind}{'s' if len(places) > 1 else ''} in all"
        warnings.warn(f"{places[0]}: {fault} ({count})", TextWarning, stacklevel=3)


def short(value: object, *, quoted: bool = True, most: int = _SHOWN) -> str:
    """A value as a message shows it: in quotation marks as Python writes it, of a long one the beginning.

    >>> short("x"), short("lituraque" * 20)
    ("'x'", "'lituraquelituraquelituraquelituraquelituraquelituraquelitura…'")
    """
    if isinstance(value, str):
        text = value if len(value) <= most else f"{value[:most]}…"
        return repr(text) if quoted else text
    return short(repr(value), quoted=False, most=most)


def decoded(name: str) -> str:
    """The name of a file with U+FFFD for the bytes that are not in UTF-8, which no text can hold."""
    return name if name.isascii() else os.fsencode(name).decode(errors="replace")


def stem_of(path: Path, notes: Notes) -> str:
    """The name of a file without its suffix, for ids; bytes in it that are not in UTF-8 are replaced and noted."""
    stem = decoded(path.stem)
    if stem != path.stem:
        note(notes, "the file's name is not in UTF-8; the ids have U+FFFD for its unknown bytes", path)
    return stem


def existing(path: str | os.PathLike[str]) -> Path:
    """The path, which is a file or a folder.

    >>> existing("nowhere/aeneid.tess")
    Traceback (most recent call last):
    FileNotFoundError: nowhere/aeneid.tess: there is no such file or folder; check the path

    A `~` is the shell's to expand, not ours. Raises FileNotFoundError, naming it and the folder looked in, if there
    is nothing; InputError for an empty path, a broken link, a pipe or a device, and what may not be looked at.
    """
    given = os.fspath(path)
    if not isinstance(given, str) or not given.strip("\0"):
        raise InputError(f"the path {given!r} is empty or no text; give a file or a folder, . for the current folder")
    found = Path(given)
    mode = file_mode(found)
    if mode is None:
        if found.is_symlink():
            raise FileNotFoundError(f"{path}: this link leads to {found.readlink()}, where there is nothing; mend it")
        relative = "" if found.is_absolute() or len(found.parts) > 1 else f" in {Path.cwd()}"
        home = " (a ~ is not expanded here)" if given.startswith("~") else ""
        raise FileNotFoundError(f"{path}: there is no such file or folder{relative}; check the path{home}")
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise InputError(f"{path}: not a regular file (a pipe or a device); save the text in a file and give that")
    return found


def file_mode(path: Path) -> int | None:
    """What stands at a path, links followed, as `os.stat` has it; None if nothing does.

    Raises InputError if that cannot be known: permission denied, links in a circle, a NUL in the name.
    """
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise refused(error, path) from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: this cannot be the path of a file ({error})") from None


def refused(error: OSError, path: object) -> InputError:
    """The error that says why the operating system does not let a file or folder be read."""
    reason = (error.strerror or str(error)).lower()
    return InputError(f"{path}: {reason}; it must be there and readable for you")


def natural(path: Path) -> list[tuple[list[str | int], str]]:
    """A sort key in which part.2 comes before part.10, folder by folder.

    >>> sorted([Path("a.part.10.tess"), Path("a.part.2.tess")], key=natural)[0].name
    'a.part.2.tess'
    """
    return [
        ([int(piece) if number % 2 else piece for number, piece in enumerate(re.split(r"(\d+)", part))], part)
        for part in path.parts
    ]


def read_text(path: Path, notes: Notes) -> str:
    r"""The text of a file with `\n` between its lines and without a byte-order mark.

    UTF-8 is expected; UTF-16 and UTF-32 are known by their byte-order mark. A line that is not in UTF-8 is read
    as Windows-1252 (as Latin-1 where that has no letter for a byte), noted, and leaves the other lines as they
    are, so that one bad byte does not spoil the Greek of the rest.

    Raises InputError for a file that is no text or may not be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise refused(error, path) from None
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    # Bytes without a mark that hold a NUL are not decoded line by line, which would note every line of a picture.
    if not encoding and b"\0" in data:
        raise InputError(f"{path}: {_no_text(data)}")
    text = _marked(data, encoding, path) if encoding else _unmarked(data, path, notes)
    if "\0" in text:
        raise InputError(f"{path}: this is no text (it holds a NUL byte); give a text file in UTF-8")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Files joined with `cat` keep the marks of each: four files of Tesserae's Latin begin with one.
    return re.sub("^\ufeff+", "", text, flags=re.MULTILINE) if "\ufeff" in text else text


def _no_text(data: bytes) -> str:
    """Why bytes with a NUL among them are no text: in UTF-16 nearly every second byte of Latin is NUL."""
    half = len(data) // 2
    if max(data[::2].count(0), data[1::2].count(0)) > 0.6 * half:
        return "perhaps UTF-16 without its byte-order mark (every second byte is NUL); save the file as UTF-8"
    return "this is no text (it holds a NUL byte); give a text file in UTF-8"


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
