"""Plain text: every line with something in it is a passage."""

from __future__ import annotations

from pathlib import Path

from latinsearch.corpora.files import Located, Notes, read_text, stem_of
from latinsearch.records import Passage


def read_plain(path: Path, notes: Notes) -> list[Located]:
    """Every line of a text file that is not blank, named after the file and the line: `catullus.2`, ref `catullus 2`.

    Blanks in the file's name become full stops in the doc_id. `meta` has the file's name without suffix as work,
    and the line. A file with nothing but blanks gives an empty list.
    """
    stem = stem_of(path, notes)
    slug = ".".join(stem.split())
    return [
        Located(number, Passage(f"{slug}.{number}", line, f"{stem} {number}", {"work": stem, "line": number}))
        for number, line in enumerate(read_text(path, notes).split("\n"), 1)
        if line.strip()
    ]
