"""The verses of a work by book and line, from its `.tess` files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from latinsearch.corpora.epic import Work
from latinsearch.corpora.files import Located, Notes, natural, warn
from latinsearch.corpora.tess import LOWER, read_tess
from latinsearch.records import InputError

Position = tuple[str | int, str | int]
"""(book, line); a line such as 565a is a str."""

Verses = Mapping[Position, str]
"""{(book, line): text}."""


def tess_files(folder: Path) -> list[Path]:
    """The `.tess` files of a folder and its sub-folders, part.2 before part.10. Raises InputError if there are none."""
    files = sorted((file for file in folder.rglob("*.tess") if file.is_file()), key=natural)
    if not files:
        raise InputError(
            f"{folder}: no .tess file in this folder or below; give the folder of the sources (.tess files and CSV), "
            "of the Hub's layout (corpus, queries, qrels) or of a BEIR data set (corpus.jsonl)"
        )
    return files


def read_verses(files: Iterable[Path], work: Work) -> dict[Position, str]:
    """The verses of a work in the order of its files; of a repeated reference the first.

    Repeated references and verses out of order are known of these texts and not warned of; other faults are.
    Raises InputError if none of the files is the work's or a reference is not book.line.
    """
    notes: Notes = {}
    verses: dict[Position, str] = {}
    own = [file for file in files if file.name.startswith(f"{work.stem}.")]
    if not own:
        raise InputError(
            f"no file of {work.author}, {work.title} among the .tess files; they are named {work.stem}.part.1.tess"
        )
    for file in own:
        for located in read_tess(file, notes):
            verses.setdefault(_position(located, file), located.passage.text)
    notes.pop(LOWER, None)
    warn(notes)
    return verses


def _position(located: Located, file: Path) -> Position:
    meta = located.passage.meta
    if "book" not in meta or "line" not in meta:
        raise InputError(f"{file}:{located.line}: the reference {located.passage.ref} is not book.line")
    return meta["book"], meta["line"]
