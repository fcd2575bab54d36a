"""The files of a folder and of all below it, links followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from latinsearch.corpora.files import Notes, file_mode, natural, note, refused

_INDEX = {"meta.json", "passages.jsonl"}
"""The files by which an index that was saved among the texts is known; its word lists are no texts."""


def files_below(folder: Path, suffixes: Collection[str], notes: Notes) -> list[Path]:
    """The files with one of the suffixes in a folder and its sub-folders, part.2 before part.10.

    >>> from latinsearch.corpora.sample import FOLDER
    >>> [file.name for file in files_below(FOLDER, {".csv"}, {})]
    ['judgements.csv']

    Links to files and folders are followed; a folder that can be reached in several ways is read once, under its own
    name if that is below. Names that begin with a full stop and saved indexes are left alone. Noted: links that lead
    nowhere, and pipes and devices with one of the suffixes. Raises InputError, naming it, for a sub-folder that
    may not be read.
    """
    found = []
    for path in sorted(_walk(folder), key=natural):
        fits = path.suffix.lower() in suffixes
        if not fits and not path.is_symlink():
            continue
        mode = file_mode(path)
        if mode is None:
            note(notes, "this link leads nowhere; the other files are read", path)
        elif fits and stat.S_ISREG(mode):
            found.append(path)
        elif fits:
            note(notes, "not a regular file (a pipe or a device); the other files are read", path)
    return found


def _walk(folder: Path) -> Iterator[Path]:
    """The paths of all that is no folder. Links to folders wait until the folders themselves have been seen."""
    seen: set[str] = set()
    waiting = [folder]
    while waiting:
        links: list[Path] = []
        for start in waiting:
            for root, folders, names in os.walk(start, onerror=_refuse):
                real = os.path.realpath(root)
                if real in seen or _INDEX.issubset(names):
                    folders.clear()
                    continue
                seen.add(real)
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                links += [Path(root, name) for name in folders if Path(root, name).is_symlink()]
                yield from (Path(root, name) for name in names if not name.startswith("."))
        waiting = sorted(links, key=natural)


def _refuse(error: OSError) -> None:
    raise refused(error, error.filename) from None
