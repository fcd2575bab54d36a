"""The records of a table with named columns (CSV or TSV), each with the line on which it begins."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from latinsearch.corpora.files import MOST_DIGITS, short
from latinsearch.records import InputError

Row = tuple[str, Mapping[str, str]]
"""Where a record begins (`file:line`), and its values by column."""


def csv_rows(path: Path, text: str, columns: Sequence[str], delimiter: str = ",") -> Iterator[Row]:
    r"""The place and the needed columns of every record; a value that a short record lacks is empty.

    >>> list(csv_rows(Path("a.csv"), "LINE,NOTE,TYPE\n7,x,4\n", ["TYPE", "LINE"]))
    [('a.csv:2', {'TYPE': '4', 'LINE': '7'})]

    The first line is checked at once, the records as they are read. Raises InputError, with the line on which the
    record begins, for an empty file, a needed column that is missing or there twice, more values than columns, and a
    quotation mark that is not closed.
    """
    records = _records(path, text, delimiter)
    at, header = next(records, (str(path), []))
    if not header:
        raise InputError(f"{path}: the file is empty; the columns needed are {', '.join(columns)}")
    if missing := [column for column in columns if column not in header]:
        named = ", ".join(map(repr, missing))
        raise InputError(f"{path}: no column {named}; the columns needed are {', '.join(columns)}")
    if twice := [column for column in columns if header.count(column) > 1]:
        raise InputError(f"{at}: the column {twice[0]!r} is there twice; leave the one that is meant")
    return _values(records, header, columns)


def integer(row: Mapping[str, str], column: str, at: str) -> int:
    """The whole number in a column of a row. Raises InputError naming the place, the column and the value."""
    value = row[column].strip()
    if not (value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS):
        raise InputError(
            f"{at}: {short(value)} in column {column!r} is not a number; write it in digits, at most {MOST_DIGITS}"
        )
    return int(value)


def _values(records: Iterator[tuple[str, list[str]]], header: list[str], columns: Sequence[str]) -> Iterator[Row]:
    places = {column: header.index(column) for column in columns}
    for at, values in records:
        if any(values[len(header) :]):
            raise InputError(
                f"{at}: {len(values)} values for {len(header)} columns, the first too many "
                f"{short(next(filter(None, values[len(header) :])))}; a value with the delimiter in it stands in "
                "quotation marks"
            )
        yield at, {column: values[place] if place < len(values) else "" for column, place in places.items()}


def _records(path: Path, text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            values = next(reader, None)
        except csv.Error as error:  # also a field of more than 131,072 characters
            raise InputError(
                f"{path}:{begin}: no record of a table begins here ({error}); look for a quotation mark that is not "
                "closed, or double it within a value"
            ) from None
        if values is None:
            return
        if values:
            yield f"{path}:{begin}", values
