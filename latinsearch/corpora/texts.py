"""Many text files as one list of passages in which every doc_id is there once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from latinsearch.corpora.files import Located, Notes, decoded, existing, note, warn
from latinsearch.corpora.folders import files_below
from latinsearch.corpora.plain import read_plain
from latinsearch.corpora.tess import read_tess
from latinsearch.records import InputError, Passage

Reader = Callable[[Path, Notes], list[Located]]

Work = tuple[str, ...]
"""(author, work), or the file where they are not known."""

Source = tuple[Path, str]
"""A file, and its path within the folder that was given, without the suffix: the beginning of a doc_id."""

READERS: dict[str, Reader] = {".tess": read_tess, ".txt": read_plain}
"""{suffix of the file, in small letters: its reader}."""


REPEATED = "the reference occurs again; the first text is kept and this one is not read"
"""The note on a line whose text is left out."""
TWICE = "the reference and its text occur again; they are read once"
"""The note on a line that is the same once more."""


def read(path: str | os.PathLike[str], *more: str | os.PathLike[str]) -> list[Passage]:
    """The passages of text files and of all the text files in folders and their sub-folders.

    >>> from latinsearch.corpora.sample import FOLDER
    >>> read(FOLDER / "vergil.aeneid.part.1.tess")[0]  # doctest: +NORMALIZE_WHITESPACE
    Passage(doc_id='verg.aen.1.1', text='Arma virumque cano, Troiae qui primus ab oris', ref='<verg. aen. 1.1>',
            meta={'author': 'Vergil', 'work': 'Aeneid', 'book': 1, 'line': 1})

    `.tess` files (module `tess`) and `.txt` files (module `plain`) are read, of a folder in natural order: part.2
    before part.10. Several paths are read in the order given, as if they were one folder. Other files of a folder,
    and those whose names begin with a full stop, are left alone, and so are the word lists of an index that was saved
    in it; links are followed (module `folders`).

    A reference that occurs again in the same work, in one file or over several, keeps its first text; the rest is
    not read and is counted in a warning. In the 748 Latin texts of Tesserae that is 1,976 passages: 1,421 are the
    same line once more, in the others the numbering is at fault. Where files of different works (other author or work,
    or other file where neither is known) have references in common, such as `<1.1>` in both, all passages are read:
    the doc_ids of the later work begin with the path of their file within the folder (`lucan.bellum_civile.1.1`),
    and with a number if that is not enough to tell two files apart (`lucan.bellum_civile.2.1.1`).

    Warns (TextWarning) once for each kind of fault, with file, line and count. Raises FileNotFoundError for a path
    that is not there, InputError for an unknown suffix, a sub-folder that may not be read, and for a file or folder
    without any passage.
    """
    passages, _, notes = read_noted(path, *more)
    warn(notes)
    return passages


def read_noted(path: str | os.PathLike[str], *more: str | os.PathLike[str]) -> tuple[list[Passage], list[Path], Notes]:
    """What `read` gives, the files it comes from, and the notes in place of warnings."""
    notes: Notes = {}
    sources = [source for each in (path, *more) for source in _sources(existing(each), notes)]
    texts = [(source, _reader(source[0])(source[0], notes)) for source in sources]
    for (file, _), located in texts:
        if not located:
            note(notes, "the file is empty; the others are read", file)
    if not any(located for _, located in texts):
        what = "the file is" if len(sources) == 1 else f"all {len(sources)} text files are"
        raise InputError(f"{', '.join(map(str, (path, *more)))}: {what} empty; nothing can be read")
    return first_kept(texts, notes), [file for file, _ in sources], notes


def first_kept(texts: Iterable[tuple[Source, list[Located]]], notes: Notes) -> list[Passage]:
    """The passages of the files in order, each doc_id once: see `read` for which text is kept."""
    kept: dict[Source, list[tuple[Work, Passage]]] = {}
    works: dict[Work, dict[str, str]] = {}
    for source, located in texts:
        # A file given twice, by whatever path, is the same work.
        alone = (os.path.realpath(source[0]),)
        for each in located:
            work = _work(each.passage) or alone
            own = works.setdefault(work, {})
            first = own.get(each.passage.doc_id)
            if first is not None:
                same = first == each.passage.text or first.split() == each.passage.text.split()
                note(notes, TWICE if same else REPEATED, source[0], each.line, each.passage.ref)
            else:
                own[each.passage.doc_id] = each.passage.text
                kept.setdefault(source, []).append((work, each.passage))
    later = _sharing(works)
    renamed = _renamed(kept, later)
    return [
        replace(passage, doc_id=f"{renamed[source]}.{passage.doc_id}") if work in later else passage
        for source, passages in kept.items()
        for work, passage in passages
    ]


def _sharing(works: Mapping[Work, Mapping[str, str]]) -> set[Work]:
    """The works that have a doc_id in common with one before them."""
    seen: set[str] = set()
    sharing = set()
    for work, doc_ids in works.items():
        if not seen.isdisjoint(doc_ids):
            sharing.add(work)
        seen.update(doc_ids)
    return sharing


def _renamed(kept: Mapping[Source, list[tuple[Work, Passage]]], later: set[Work]) -> dict[Source, str]:
    """What the doc_ids of the later works begin with, by file: a beginning that no other file has, and no clash."""
    if not later:
        return {}
    taken = {passage.doc_id for passages in kept.values() for work, passage in passages if work not in later}
    beginnings: dict[Source, str] = {}
    for source, passages in kept.items():
        doc_ids = [passage.doc_id for work, passage in passages if work in later]
        if not doc_ids:
            continue
        used = set(beginnings.values())
        beginnings[source] = next(
            beginning
            for beginning in chain([source[1]], (f"{source[1]}.{number}" for number in count(2)))
            if beginning not in used and taken.isdisjoint(f"{beginning}.{doc_id}" for doc_id in doc_ids)
        )
        taken.update(f"{beginnings[source]}.{doc_id}" for doc_id in doc_ids)
    return beginnings


def _work(passage: Passage) -> Work | None:
    author, work = passage.meta.get("author"), passage.meta.get("work")
    return (str(author), str(work)) if author and work else None


def _sources(path: Path, notes: Notes) -> list[Source]:
    """The text files of a path, each with its path within the folder: `poets/lucan.tess` gives poets.lucan."""
    if path.is_file():
        return [(path, _beginning(Path(path.name)))]
    files = files_below(path, READERS, notes)
    if not files:
        raise InputError(f"{path}: no text file in this folder; files are read that end in {', '.join(READERS)}")
    return [(file, _beginning(file.relative_to(path))) for file in files]


def _beginning(relative: Path) -> str:
    return ".".join(decoded(".".join(relative.with_suffix("").parts)).split())


def _reader(file: Path) -> Reader:
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise InputError(f"{file}: unknown suffix {file.suffix!r}; files are read that end in {', '.join(READERS)}")
    return reader
