"""The BEIR layout: corpus.jsonl, queries.jsonl and qrels/*.tsv, read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from latinsearch.corpora.benchmark import Judgement, benchmark, whole_grade
from latinsearch.corpora.files import Notes, existing, natural, read_text, warn
from latinsearch.records import Benchmark, InputError, Passage, Query

Row = dict[str, Any]


def read_beir(folder: str | os.PathLike[str], *, name: str = "") -> Benchmark:
    """The Benchmark in any BEIR folder, named after the folder if no name is given.

    `title` and `text` are joined by a blank as BEIR does; `metadata` becomes `meta` (its `ref` the passage's ref).
    Of several qrels files test.tsv is read; a query that it does not judge belongs to
    another split and is left out. Raises InputError for a file, a field or a grade that is missing or wrong.
    """
    path = existing(folder)
    corpus, queries, judgements = rows(path)
    passages = [Passage(row["_id"], _text(row), str(_meta(row).pop("ref", "")), _without_ref(row)) for row in corpus]
    judged = {query_id for query_id, _, _ in judgements}
    asked = [Query(row["_id"], row["text"], _meta(row)) for row in queries if row["_id"] in judged]
    return benchmark(name or path.resolve().name, passages, asked, judgements)


def is_beir_layout(folder: Path) -> bool:
    """Whether a folder has a corpus.jsonl."""
    return (folder / "corpus.jsonl").is_file()


def id_text(records: Iterable[Row]) -> list[tuple[str, str]]:
    """The ids and texts of rows of corpus.jsonl or queries.jsonl, titles before the texts."""
    return [(row["_id"], _text(row)) for row in records]


def rows(folder: Path) -> tuple[list[Row], list[Row], list[Judgement]]:
    """The rows of corpus.jsonl and queries.jsonl, each with `_id` and `text`, and the judgements."""
    notes: Notes = {}
    read = [list(_records(folder / f"{part}.jsonl", notes)) for part in ("corpus", "queries")]
    judgements = list(_judgements(_qrels_file(folder), notes))
    warn(notes)
    return read[0], read[1], judgements


def write_beir(data: Benchmark, folder: str | os.PathLike[str]) -> None:
    """A BEIR folder with the benchmark: corpus.jsonl, queries.jsonl and qrels/test.tsv; `read_beir` gives it back.

    The folder is made if it is not there; files of the same names are replaced.
    """
    path = Path(folder)
    (path / "qrels").mkdir(parents=True, exist_ok=True)
    _write(
        path / "corpus.jsonl",
        (
            {"_id": each.doc_id, "title": "", "text": each.text, "metadata": {**each.meta, "ref": each.ref}}
            for each in data.passages
        ),
    )
    _write(
        path / "queries.jsonl",
        ({"_id": each.query_id, "text": each.text, "metadata": dict(each.meta)} for each in data.queries),
    )
    lines = ["query-id\tcorpus-id\tscore"]
    lines += [f"{query}\t{doc}\t{grade}" for query, grades in data.qrels.items() for doc, grade in grades.items()]
    (path / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _write(path: Path, records: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _text(row: Row) -> str:
    return f"{row['title']} {row['text']}" if row.get("title") else str(row["text"])


def _meta(row: Row) -> dict[str, str | int]:
    meta = row.get("metadata") or {}
    return {name: value if isinstance(value, int) else str(value) for name, value in meta.items()}


def _without_ref(row: Row) -> dict[str, str | int]:
    return {name: value for name, value in _meta(row).items() if name != "ref"}


def _records(path: Path, notes: Notes) -> Iterator[Row]:
    if not path.is_file():
        raise InputError(f"{path}: this file of the BEIR layout is missing")
    for number, line in enumerate(read_text(path, notes).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}:{number}: not JSON ({error.msg}); one object a line is expected") from None
        row = {"_id": row.get("id"), **row} if isinstance(row, dict) else {}
        if not isinstance(row.get("_id"), str | int) or not isinstance(row.get("text"), str):
            raise InputError(f"{path}:{number}: an object with '_id' and 'text' is expected")
        yield {**row, "_id": str(row["_id"])}


def _qrels_file(folder: Path) -> Path:
    files = sorted((folder / "qrels").glob("*.tsv"), key=natural)
    if not files:
        raise InputError(f"{folder / 'qrels'}: no .tsv file with the judgements; the BEIR layout has qrels/test.tsv")
    named = [file for file in files if file.name == "test.tsv"] or files
    if len(named) > 1:
        raise InputError(
            f"{folder / 'qrels'}: several splits ({', '.join(file.name for file in named)}) and no test.tsv; "
            "name the one that is meant test.tsv"
        )
    return named[0]


def _judgements(path: Path, notes: Notes) -> Iterator[Judgement]:
    """The judgements in three columns (query-id, corpus-id, score) or TREC's four, with a header or without."""
    for number, line in enumerate(read_text(path, notes).split("\n"), 1):
        fields = line.split("\t") if "\t" in line else line.split()
        if not fields or (number == 1 and fields[0].lower().replace("_", "-") in {"query-id", "qid"}):
            continue
        if len(fields) not in (3, 4):
            raise InputError(
                f"{path}:{number}: {len(fields)} columns; query-id, corpus-id, score (or TREC's four) are expected"
            )
        yield fields[0].strip(), fields[-2].strip(), whole_grade(fields[-1], f"{path}:{number}")
