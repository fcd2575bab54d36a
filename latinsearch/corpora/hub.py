"""The layout of the Hugging Face Hub: configs corpus, queries and qrels, in parquet files or from the Hub by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from latinsearch.corpora.benchmark import Judged, Sources, whole_grade
from latinsearch.corpora.files import file_mode, natural, short
from latinsearch.records import InputError

Rows = Sequence[Mapping[str, Any]]
Table = Iterable[tuple[str, Rows]]
"""The rows of a config, in parts, each with the file or data set it is of."""

CONFIGS = ("corpus", "queries", "qrels")
_TEXTS = (("id", "_id"), ("text",))
_JUDGEMENTS = (("query-id", "query_id"), ("corpus-id", "corpus_id"), ("score",))
"""The columns, each with its other name."""


def is_hub_layout(folder: Path) -> bool:
    """Whether a folder has a sub-folder with parquet files for one of the three configs."""
    return any(any((folder / config).glob("*.parquet")) for config in CONFIGS)


def from_parquet(folder: Path) -> Sources:
    """The rows of a folder in the Hub's layout.

    Raises InputError for a config, a file or a column that is missing, and for a value of another type than text,
    with file, column and row.
    """
    try:
        from pyarrow import ArrowException, parquet
    except Exception as error:  # a package that is there but broken raises what it likes
        raise InputError(
            f"{folder}: reading parquet needs pyarrow ({_reason(error)}): pip install 'latinsearch[hub]'"
        ) from None
    tables: dict[str, list[tuple[str, Rows]]] = {}
    for config in CONFIGS:
        files = sorted((folder / config).glob("*.parquet"), key=natural)
        if not files:
            raise InputError(
                f"{folder / config}: no .parquet file; the Hub's layout has the folders {', '.join(CONFIGS)}"
            )
        tables[config] = []
        for file in files:
            try:
                # Not read_table: it takes a folder named text=1 for a column.
                with parquet.ParquetFile(file) as opened:
                    tables[config].append((str(file), opened.read().to_pylist()))
            except (OSError, ValueError, ArrowException) as error:
                what = "a readable parquet file" if file_mode(file) else "there: the link leads nowhere"
                raise InputError(f"{file}: not {what} ({_reason(error)})") from None
    return _sources(tables)


def from_hub(name: str) -> Sources:
    """The rows of a data set on the Hub, by way of the package datasets, split test.

    Raises InputError in one line if the package is not installed or does not work, or the Hub is out of reach.
    """
    way_out = "or give a folder with the data: --data PATH on the command line, path= in Python"
    try:
        from datasets import load_dataset
    except Exception as error:  # a package that is there but broken raises what it likes
        raise InputError(
            f"{name} comes from the Hub with the package datasets, which cannot be imported ({_reason(error)}): "
            f"pip install 'latinsearch[hub]', {way_out}"
        ) from None
    tables: dict[str, list[tuple[str, Rows]]] = {}
    for config in CONFIGS:
        try:
            tables[config] = [(f"{name}, {config}", list(load_dataset(name, config, split="test")))]
        except Exception as error:  # datasets, huggingface_hub, requests and httpx each have errors of their own
            raise InputError(
                f"{name} could not be loaded from the Hub ({_reason(error)}); check the connection, {way_out}"
            ) from error
    return _sources(tables)


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{text[:200]}…" if len(text) > 200 else text or type(error).__name__


def _sources(tables: Mapping[str, Table]) -> Sources:
    corpus, queries = ([(doc_id, text, at) for (doc_id, text), at in _texts(tables[each])] for each in CONFIGS[:2])
    judgements = [
        Judged(_str(query_id, "query-id", at), _str(doc_id, "corpus-id", at), whole_grade(grade, f"{at}, score"), at)
        for (query_id, doc_id, grade), at in _columns(tables["qrels"], _JUDGEMENTS)
    ]
    return Sources(corpus, queries, judgements)


def _texts(table: Table) -> Iterator[tuple[tuple[str, str], str]]:
    for (doc_id, text), at in _columns(table, _TEXTS):
        yield (_str(doc_id, "id", at), _str(text, "text", at)), at


def _str(value: object, column: str, at: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{at}, column {column!r}: {short(value)} is no text; the column must hold texts alone")
    return value


def _columns(table: Table, names: Sequence[tuple[str, ...]]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The columns of the given names, each of which may have another name, and the place, row by row."""
    for where, rows in table:
        if not rows:
            raise InputError(f"{where}: there is no row in it")
        chosen = []
        for alternatives in names:
            found = [name for name in alternatives if name in rows[0]]
            if not found:
                raise InputError(
                    f"{where}: no column {' or '.join(map(repr, alternatives))}; it has {', '.join(rows[0])}"
                )
            chosen.append(found[0])
        for number, row in enumerate(rows, 1):
            yield tuple(row[name] for name in chosen), f"{where}, row {number}"
