"""Files of the user's own: a lexicon that comes before every other source, a list of stop words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from latinsearch.records import InputError


def read_lexicon(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    r"""Forms and their lemmata from a file with a form, a tab and a lemma a line.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "extra.tsv"
    >>> _ = path.write_text("# names\nHypsipylen\tHypsipyle\nHypsipyles\tHypsipyle\n", encoding="utf-8")
    >>> read_lexicon(path)
    {'Hypsipylen': ('Hypsipyle',), 'Hypsipyles': ('Hypsipyle',)}
    >>> folder.cleanup()

    A form on several lines has all their lemmata, in that order. Empty lines and those that begin with # are left out.
    Raises FileNotFoundError, and InputError naming file and line for a line that has not two columns.
    """
    entries: dict[str, tuple[str, ...]] = {}
    for number, line in _lines(path):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 2 or not all(columns):
            raise InputError(f"{path}:{number}: {line[:60]!r} is not a form, a tab and a lemma")
        form, lemma = columns
        entries[form] = tuple(dict.fromkeys((*entries.get(form, ()), lemma)))
    if not entries:
        raise InputError(f"{path}: no entry in this file; a line is a form, a tab and a lemma")
    return entries


def read_stopwords(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Stop words from a file with one a line; empty lines and those that begin with # are left out.

    Raises FileNotFoundError, and InputError naming file and line for a line with several words.
    """
    found = []
    for number, line in _lines(path):
        if len(line.split()) != 1:
            raise InputError(f"{path}:{number}: {line[:60]!r} is not one word; write one stop word a line")
        found.append(line.strip())
    if not found:
        raise InputError(f"{path}: no word in this file; write one stop word a line")
    return tuple(found)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"{file}: there is no such file")
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 at byte {error.start} ({error.reason}); save it in UTF-8") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line
