"""The verses of a work by book and line, from its `.tess` files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from latinsearch.corpora.epic import Work
from latinsearch.corpora.files import Located, Notes, note, short, warn
from latinsearch.corpora.tess import LOWER, read_tess
from latinsearch.records import InputError

Position = tuple[str | int, str | int]
"""(book, line); a line such as 565a is a str."""

KNOWN_REPEATS = {
    "lucan": {(1, 430), (5, 595), (7, 865), (7, 866), (7, 867), (7, 868), (7, 869), (9, 410)},
    "ovid": {(4, 768)},
}
"""The references that occur twice in one file of the benchmark's texts, by the key of the work."""


@dataclass(frozen=True, slots=True)
class Verse:
    """The text of a verse, its file and its line there."""

    text: str
    file: Path
    line: int

    @property
    def at(self) -> str:
        """The place, `file:line`."""
        return f"{self.file}:{self.line}"


Verses = dict[Position, Verse]


def tess_files(files: Sequence[Path], folder: Path) -> list[Path]:
    """The `.tess` files among the files of a folder. Raises InputError if there are none."""
    found = [file for file in files if file.suffix.lower() == ".tess"]
    if not found:
        raise InputError(
            f"{folder}: no .tess file in this folder or below; give the folder of the sources (.tess files and CSV), "
            "of the Hub's layout (corpus, queries, qrels) or of a BEIR data set (corpus.jsonl)"
        )
    return found


def read_verses(files: Sequence[Path], work: Work, folder: Path) -> Verses:
    """The verses of a work in the order of its files; of a reference repeated in one file the first.

    The repeated references of KNOWN_REPEATS and verses out of order are not warned of; other faults are. Raises
    InputError if none of the files is the work's, one is empty, a reference is not book.line, or two files have
    different texts for one: a stray copy would be read for the edition.
    """
    notes: Notes = {}
    verses: Verses = {}
    own = [file for file in files if file.name.lower().startswith(f"{work.stem}.")]
    if not own:
        raise InputError(
            f"{folder}: no file of {work.author}, {work.title} among the {len(files):,} .tess files in this folder and "
            f"below; they are named {work.stem}.part.1.tess"
        )
    for file in own:
        for position, verse in _of_file(file, work, notes).items():
            first = verses.setdefault(position, verse)
            if first.text != verse.text:
                book, line = position
                raise InputError(
                    f"{verse.at}: {work.author}, {work.title} {book}.{line} is another text here than in {first.at} "
                    f"({short(verse.text)}, {short(first.text)}); leave one of the two files in {folder}"
                )
    notes.pop(LOWER, None)
    warn(notes)
    return verses


def _of_file(file: Path, work: Work, notes: Notes) -> Verses:
    located = read_tess(file, notes)
    if not located:
        raise InputError(f"{file}: the file is empty; nothing can be read from it")
    verses: Verses = {}
    for each in located:
        position = _position(each, file)
        if position not in verses:
            verses[position] = Verse(each.passage.text, file, each.line)
        elif position not in KNOWN_REPEATS.get(work.key, ()):
            fault = "the reference occurs again; the first text is kept and this one is not read"
            note(notes, fault, file, each.line, each.passage.ref)
    return verses


def _position(located: Located, file: Path) -> Position:
    meta = located.passage.meta
    if "chapter" in meta or "book" not in meta or "line" not in meta:
        raise InputError(
            f"{file}:{located.line}: the reference {short(located.passage.ref, quoted=False)} is not book.line; "
            "correct it, or leave the line out"
        )
    return meta["book"], meta["line"]
