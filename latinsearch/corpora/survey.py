"""What a reader makes of text files, line by line: read as they stand, read though odd, or not read, each counted."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from latinsearch.corpora.files import Place, read_text
from latinsearch.corpora.tess import JOINED, SECOND, SPAN
from latinsearch.corpora.texts import REPEATED, TWICE, read_noted
from latinsearch.records import Passage

MARKED = "a byte-order mark; left out"
NO_TAB = "blanks in place of the tab after the reference"
_LEFT_OUT = (TWICE, REPEATED)
_TAGGED = re.compile(r"^\s*<[^<>]*>([ \t]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Survey:
    """The lines of text files, of which `lines` have something in them, and what became of them.

    odd: by kind the places of lines (or files) that are read, though not as they stand or not without a remark. silent: kinds
    of such that are too common for places, with their counts. left: by kind the places of lines that are not read.

    lines == passages + joined + len(left) - parted, see `adds_up`.
    """

    files: int
    lines: int
    passages: tuple[Passage, ...]
    odd: dict[str, list[Place]]
    silent: dict[str, int]
    left: dict[str, list[Place]]

    @property
    def joined(self) -> int:
        """How many lines go on a passage that another line began."""
        return sum(len(self.odd.get(kind, ())) for kind in (JOINED, SPAN))

    @property
    def parted(self) -> int:
        """How many passages begin within a line."""
        return len(self.odd.get(SECOND, ()))

    @property
    def adds_up(self) -> bool:
        """Whether every line is accounted for."""
        left = sum(map(len, self.left.values()))
        return self.lines == len(self.passages) + self.joined + left - self.parted


def survey(path: str | os.PathLike[str], *more: str | os.PathLike[str]) -> Survey:
    """The survey of text files, and of folders of such, as `read` reads them.

    >>> from latinsearch.corpora.sample import FOLDER
    >>> found = survey(FOLDER)
    >>> found.files, found.lines, len(found.passages), found.odd, found.left, found.adds_up
    (5, 128, 128, {}, {}, True)

    Raises what `read` raises; warns of nothing, since all of it is in the result.
    """
    passages, files, notes = read_noted(path, *more)
    texts = [(file, read_text(file, {})) for file in files]
    untabbed = sum("\t" not in match[1] for file, text in texts if _is_tess(file) for match in _TAGGED.finditer(text))
    counts = {MARKED: sum(file.read_bytes().count("\ufeff".encode()) for file in files), NO_TAB: untabbed}
    return Survey(
        len(files),
        sum(bool(line.strip()) for _, text in texts for line in text.split("\n")),
        tuple(passages),
        {kind: places for kind, places in notes.items() if kind not in _LEFT_OUT},
        {kind: count for kind, count in counts.items() if count},
        {kind: places for kind, places in notes.items() if kind in _LEFT_OUT},
    )


def _is_tess(file: Path) -> bool:
    return file.suffix.lower() == ".tess"
