"""What a reader makes of text files, line by line: read as they stand, read though odd, or not read, each counted."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from latinsearch.corpora.files import Notes, Place, existing, read_text
from latinsearch.corpora.folders import files_below
from latinsearch.corpora.reference import is_reference
from latinsearch.corpora.tess import JOINED, SECOND, SPAN
from latinsearch.corpora.texts import READERS, REPEATED, TWICE, read_noted
from latinsearch.records import InputError, Passage

MARKED = "a byte-order mark; left out"
NO_TAB = "no tab after the reference; the text is what follows"
"""The kinds that the readers are silent about: half of the lines of Tesserae's Latin have no tab."""

_LEFT_OUT = (REPEATED, TWICE)
_GOING_ON = (JOINED, SPAN)
_TAGGED = re.compile(r"\s*<([^<>]*)>([ \t]*)")
_MARKS = ("\ufeff".encode(), "\ufeff".encode("utf-16-le"), "\ufeff".encode("utf-16-be"), "\ufeff".encode("utf-32-be"))

_At = tuple[Path, int | None]


@dataclass(frozen=True, slots=True)
class Survey:
    """The lines of text files, of which `lines` have something in them, and what became of them.

    odd: by kind the places of lines (or files) that are read, though not as they stand or not without a remark; a line has a
    kind as often as it occurs in it. left: by kind the places of lines that are not read. failed: the files that cannot be
    read, and why; they are in none of the counts.

    Every line is there once: lines == passages - parted + joined + unread, see `adds_up`.
    """

    files: int
    lines: int
    passages: tuple[Passage, ...]
    odd: Notes
    left: Notes
    failed: dict[Path, str]

    @property
    def joined(self) -> int:
        """How many lines go on a passage that another line began, and are read."""
        return sum(len(self.odd.get(kind, ())) for kind in _GOING_ON)

    @property
    def parted(self) -> int:
        """How many passages begin within a line."""
        return len(self.odd.get(SECOND, ()))

    @property
    def unread(self) -> int:
        """How many lines are not read."""
        return sum(map(len, self.left.values()))

    @property
    def adds_up(self) -> bool:
        """Whether every line is accounted for."""
        return self.lines == len(self.passages) - self.parted + self.joined + self.unread


def _nothing(_line: str) -> Iterable[str]:
    return ()


def survey(
    path: str | os.PathLike[str], *more: str | os.PathLike[str], kinds: Callable[[str], Iterable[str]] = _nothing
) -> Survey:
    """The survey of text files, and of folders of such, as `read` reads them.

    >>> from latinsearch.corpora.sample import FOLDER
    >>> found = survey(FOLDER)
    >>> found.files, found.lines, len(found.passages), found.left, found.adds_up
    (5, 128, 128, {}, True)
    >>> {kind: len(places) for kind, places in found.odd.items()}
    {'no tab after the reference; the text is what follows': 31}

    `kinds` gives what else is odd in a line, each kind as often as it occurs. Raises what `read` raises, but goes on after
    a file that cannot be read if there are others; warns of nothing, since all of it is in the result.
    """
    failed: dict[Path, str] = {}
    try:
        passages, files, notes = read_noted(path, *more)
    except (InputError, PermissionError):
        good, failed = _readable([path, *more])
        if not good or not failed:
            raise
        passages, files, notes = read_noted(*good)
    readings = Counter(files)
    lines = {file: list(_lines(file)) for file in readings}
    starts = _starts(lines, {(place.path, place.line) for kind in _GOING_ON for place in notes.get(kind, ())})
    odd, left = _moved(notes, starts)
    parted = _counted(notes, (SECOND,))
    unread = _counted(notes, _LEFT_OUT)
    for file, numbered in lines.items():
        _note_marks(odd, file)
        for number, line in numbered:
            start = starts[file, number]
            # As often as the file was given, and as often as there are passages on the line: nothing of it is read.
            if unread[start] and unread[start] >= readings[file] + parted[start]:
                continue
            tag = _TAGGED.match(line) if file.suffix.lower() == ".tess" else None
            tag = tag if tag and is_reference(tag[1].strip()) else None
            untabbed = (NO_TAB,) if tag and "\t" not in tag[2] else ()
            for kind in (*untabbed, *kinds(line)):
                place = Place(file, number, f"<{tag[1].strip()}>" if tag else "")
                odd.setdefault(kind, []).append(place)
    total = sum(len(lines[file]) for file in files)
    return Survey(len(files), total, tuple(passages), odd, left, failed)


def _readable(paths: Iterable[str | os.PathLike[str]]) -> tuple[list[Path], dict[Path, str]]:
    """The files of paths that can be read, and those that cannot, with the reason."""
    good: list[Path] = []
    failed: dict[Path, str] = {}
    for path in map(existing, paths):
        for file in [path] if path.is_file() else files_below(path, READERS, {}):
            reader = READERS.get(file.suffix.lower())
            try:
                _ = reader(file, {}) if reader else read_noted(file)  # which refuses what has no reader
                good.append(file)
            except (InputError, PermissionError) as error:
                failed[file] = str(error)
    return good, failed


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with something in them, and their numbers."""
    numbered = enumerate(read_text(file, {}).split("\n"), 1)
    return ((number, line) for number, line in numbered if line.strip())


def _starts(lines: dict[Path, list[tuple[int, str]]], going_on: set[_At]) -> dict[_At, _At]:
    """For each line, the one on which its passage begins."""
    starts: dict[_At, _At] = {}
    for file, numbered in lines.items():
        start: _At = (file, None)
        for number, _ in numbered:
            if (file, number) not in going_on:
                start = (file, number)
            starts[file, number] = start
    return starts


def _moved(notes: Notes, starts: dict[_At, _At]) -> tuple[Notes, Notes]:
    """The notes on what is read and on what is not: a line that goes on a passage that is not read is not read either."""
    odd = {kind: list(places) for kind, places in notes.items() if kind not in _LEFT_OUT}
    left = {kind: list(notes[kind]) for kind in _LEFT_OUT if kind in notes}
    times = {kind: Counter((place.path, place.line) for place in places) for kind, places in left.items()}
    for going_on in _GOING_ON:
        kept = Counter(odd.get(going_on, ()))
        for place in list(kept):
            for kind, counts in times.items():
                gone = min(kept[place], counts[starts[place.path, place.line]])
                left[kind] += [place] * gone
                kept[place] -= gone
        odd[going_on] = list(kept.elements())
    order = {at: number for number, at in enumerate(starts)}
    for places in left.values():
        places.sort(key=lambda place: order[place.path, place.line])
    return {kind: places for kind, places in odd.items() if places}, left


def _counted(notes: Notes, kinds: Iterable[str]) -> Counter[_At]:
    return Counter((place.path, place.line) for kind in kinds for place in notes.get(kind, ()))


def _note_marks(odd: Notes, file: Path) -> None:
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        if line.startswith(_MARKS[0]) or (number == 1 and line.startswith(_MARKS)):
            odd.setdefault(MARKED, []).append(Place(file, number))
