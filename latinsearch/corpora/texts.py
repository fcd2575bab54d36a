"""Many text files as one list of passages in which every doc_id is there once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from latinsearch.corpora.files import Located, Notes, existing, natural, note, warn
from latinsearch.corpora.plain import read_plain
from latinsearch.corpora.tess import read_tess
from latinsearch.records import InputError, Passage

Reader = Callable[[Path, Notes], list[Located]]

Work = tuple[str, ...]
"""(author, work), or the file where they are not known."""

READERS: dict[str, Reader] = {".tess": read_tess, ".txt": read_plain}
"""{suffix of the file, in small letters: its reader}."""


def read(path: str | os.PathLike[str]) -> list[Passage]:
    """The passages of a text file, or of all the text files in a folder and its sub-folders.

    >>> from latinsearch.corpora.sample import FOLDER
    >>> read(FOLDER / "vergil.aeneid.part.1.tess")[0]  # doctest: +NORMALIZE_WHITESPACE
    Passage(doc_id='verg.aen.1.1', text='Arma virumque cano, Troiae qui primus ab oris', ref='<verg. aen. 1.1>',
            meta={'author': 'Vergil', 'work': 'Aeneid', 'book': 1, 'line': 1})

    `.tess` files (module `tess`) and `.txt` files (module `plain`) are read, in natural order: part.2 before part.10.
    Other files of a folder, and those whose names begin with a full stop, are left alone, and so are the word lists of
    an index that was saved in it.

    A reference that occurs again in the same work, in one file or over several, keeps its first text; the rest is
    not read and is counted in a warning. In the 748 Latin texts of Tesserae that is 1,976 lines: 1,421 are the same
    line once more, in the others the numbering is at fault. Where files of different works (other author or work,
    or other file where neither is known) have references in common, such as `<1.1>` in both, all passages are read:
    the doc_ids of the later work begin with the path of their file within the folder (`lucan.bellum_civile.1.1`).

    Warns (TextWarning) once for each kind of fault, with file, line and count. Raises FileNotFoundError for a path
    that is not there, InputError for an unknown suffix and for a file or folder without any passage.
    """
    found = existing(path)
    notes: Notes = {}
    files = [found] if found.is_file() else _text_files(found)
    passages = first_kept(((file, _read_file(file, notes, alone=found.is_file())) for file in files), found, notes)
    warn(notes)
    if not passages:
        raise InputError(f"{found}: all text files in this folder are empty; nothing can be read from it")
    return passages


def first_kept(files: Iterable[tuple[Path, list[Located]]], root: Path, notes: Notes) -> list[Passage]:
    """The passages of the files in order, each doc_id once: see `read` for which text is kept."""
    kept: list[tuple[Path, Work, Passage]] = []
    works: dict[Work, set[str]] = {}
    for file, located in files:
        for each in located:
            work = _work(file, each.passage)
            own = works.setdefault(work, set())
            if each.passage.doc_id in own:
                fault = "the reference occurs again; the first text is kept and this one is not read"
                note(notes, fault, file, each.line, each.passage.ref)
            else:
                own.add(each.passage.doc_id)
                kept.append((file, work, each.passage))
    later = _sharing(works)
    return [
        replace(passage, doc_id=f"{_within(file, root)}.{passage.doc_id}") if work in later else passage
        for file, work, passage in kept
    ]


def _sharing(works: Mapping[Work, set[str]]) -> set[Work]:
    """The works that have a doc_id in common with one before them."""
    seen: set[str] = set()
    sharing = set()
    for work, doc_ids in works.items():
        if not seen.isdisjoint(doc_ids):
            sharing.add(work)
        seen |= doc_ids
    return sharing


def _work(file: Path, passage: Passage) -> Work:
    author, work = passage.meta.get("author"), passage.meta.get("work")
    return (str(author), str(work)) if author and work else (str(file),)


def _within(file: Path, root: Path) -> str:
    """The path of a file within the folder as the beginning of a doc_id: `poets/lucan.tess` gives poets.lucan."""
    relative = file.relative_to(root) if file != root else Path(file.name)
    return ".".join(".".join(relative.with_suffix("").parts).split())


def _text_files(folder: Path) -> list[Path]:
    indexes = {meta.parent for meta in folder.rglob("meta.json") if (meta.parent / "passages.jsonl").is_file()}
    files = [
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in READERS
        and file.is_file()
        and indexes.isdisjoint(file.parents)
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    ]
    if not files:
        raise InputError(f"{folder}: no text file in this folder; files are read that end in {', '.join(READERS)}")
    return sorted(files, key=natural)


def _read_file(file: Path, notes: Notes, *, alone: bool) -> list[Located]:
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise InputError(f"{file}: unknown suffix {file.suffix!r}; files are read that end in {', '.join(READERS)}")
    if not alone and not file.read_bytes().strip():
        note(notes, "the file is empty; the others are read", file, 1)
        return []
    return reader(file, notes)
