"""The layout of the Hugging Face Hub: configs corpus, queries and qrels, in parquet files or from the Hub by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from latinsearch.corpora.benchmark import Judgement, whole_grade
from latinsearch.corpora.files import natural
from latinsearch.records import InputError

Rows = tuple[list[tuple[str, str]], list[tuple[str, str]], list[Judgement]]
"""Ids and texts of the passages, ids and texts of the queries, the judgements."""

CONFIGS = ("corpus", "queries", "qrels")


def is_hub_layout(folder: Path) -> bool:
    """Whether a folder has a sub-folder with parquet files for one of the three configs."""
    return any(any((folder / config).glob("*.parquet")) for config in CONFIGS)


def from_parquet(folder: Path) -> Rows:
    """The rows of a folder in the Hub's layout. Raises InputError for a config, a file or a column that is missing."""
    try:
        from pyarrow import parquet
    except ImportError:
        raise InputError(f"{folder}: reading parquet needs pyarrow: pip install 'latinsearch[hub]'") from None
    tables: dict[str, list[dict[str, Any]]] = {}
    for config in CONFIGS:
        files = sorted((folder / config).glob("*.parquet"), key=natural)
        if not files:
            raise InputError(
                f"{folder / config}: no .parquet file; the Hub's layout has the folders {', '.join(CONFIGS)}"
            )
        tables[config] = []
        for file in files:
            try:
                tables[config] += parquet.read_table(file).to_pylist()
            except (OSError, ValueError) as error:  # pyarrow.ArrowInvalid is a ValueError
                raise InputError(f"{file}: not a readable parquet file ({' '.join(str(error).split())})") from None
    return _rows(tables, folder)


def from_hub(name: str) -> Rows:
    """The rows of a data set on the Hub, by way of the package datasets, split test.

    Raises InputError in one line if the package is not installed or the Hub is out of reach.
    """
    way_out = "or give a folder with the data: --data PATH on the command line, path= in Python"
    try:
        from datasets import load_dataset
    except ImportError:
        raise InputError(
            f"{name} comes from the Hub with the package datasets: pip install 'latinsearch[hub]', {way_out}"
        ) from None
    tables: dict[str, list[dict[str, Any]]] = {}
    for config in CONFIGS:
        try:
            tables[config] = list(load_dataset(name, config, split="test"))
        except Exception as error:  # datasets, huggingface_hub, requests and httpx each have errors of their own
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise InputError(
                f"{name} could not be loaded from the Hub ({reason}); check the connection, {way_out}"
            ) from error
    return _rows(tables, name)


def _rows(tables: Mapping[str, list[dict[str, Any]]], where: object) -> Rows:
    texts = [
        [
            (str(doc_id), str(text))
            for doc_id, text in _columns(tables[config], f"{where}, {config}", ("id", "_id"), ("text",))
        ]
        for config in ("corpus", "queries")
    ]
    names = (("query-id", "query_id"), ("corpus-id", "corpus_id"), ("score",))
    judgements = [
        (str(query_id), str(doc_id), whole_grade(grade, f"{where}, qrels, {query_id}"))
        for query_id, doc_id, grade in _columns(tables["qrels"], f"{where}, qrels", *names)
    ]
    return texts[0], texts[1], judgements


def _columns(rows: list[dict[str, Any]], where: str, *names: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    """The columns of the given names, each of which may have another name, row by row."""
    if not rows:
        raise InputError(f"{where}: there is no row in it")
    chosen = []
    for alternatives in names:
        found = [name for name in alternatives if name in rows[0]]
        if not found:
            raise InputError(f"{where}: no column {' or '.join(map(repr, alternatives))}; it has {', '.join(rows[0])}")
        chosen.append(found[0])
    return (tuple(row[name] for name in chosen) for row in rows)
