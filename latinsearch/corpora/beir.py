"""The BEIR layout: corpus.jsonl, queries.jsonl and qrels/*.tsv, read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from latinsearch.corpora.benchmark import Judged, Sources, benchmark, records_of, whole_grade
from latinsearch.corpora.files import MOST_DIGITS, Notes, decoded, existing, natural, read_text, short, warn
from latinsearch.records import Benchmark, InputError, Passage, Query

Row = dict[str, Any]
Placed = tuple[str, Row, str]
"""The id of a row, the row, and its place `file:line`."""

_HEADERS = {"query-id", "qid"}


def read_beir(folder: str | os.PathLike[str], *, name: str = "") -> Benchmark:
    """The Benchmark in any BEIR folder, named after the folder if no name is given.

    `title` and `text` are joined by a blank as BEIR does; `metadata` becomes `meta` (its `ref` the passage's ref;
    what is neither a text nor a whole number is kept as JSON, null left out). Of several qrels files test.tsv is read;
    a query that it does not judge belongs to another split and is left out.

    Raises InputError, naming file and line, for a file, a field or a grade that is missing or wrong, an id that is
    there twice, and a judgement of what is not there.
    """
    path = _folder(folder)
    corpus, queries, judgements = _rows(path)
    judged = {each.query_id for each in judgements}
    passages = records_of(corpus, _passage)
    asked = records_of((row for row in queries if row[0] in judged), _query)
    return benchmark(name or decoded(path.resolve().name), passages, asked, judgements)


def is_beir_layout(folder: Path) -> bool:
    """Whether a folder has one of the files of the layout."""
    return any((folder / f"{part}.jsonl").is_file() for part in ("corpus", "queries")) or bool(_qrels(folder))


def sources(folder: Path) -> Sources:
    """Ids and texts of the passages and queries, titles before the texts, and the judgements."""
    corpus, queries, judgements = _rows(folder)
    return Sources(
        [(doc_id, _text(row), at) for doc_id, row, at in corpus],
        [(query_id, _text(row), at) for query_id, row, at in queries],
        judgements,
    )


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


def _folder(folder: str | os.PathLike[str]) -> Path:
    path = existing(folder)
    if not path.is_dir():
        raise InputError(f"{path} is a file; give the folder with corpus.jsonl, queries.jsonl and qrels/test.tsv")
    return path


def _rows(folder: Path) -> tuple[list[Placed], list[Placed], list[Judged]]:
    """The rows of corpus.jsonl and queries.jsonl, each with `_id` and `text`, and the judgements."""
    missing = [f"{part}.jsonl" for part in ("corpus", "queries") if not (folder / f"{part}.jsonl").is_file()]
    missing += [] if _qrels(folder) else ["qrels/test.tsv"]
    if missing:
        raise InputError(
            f"{folder}: of the BEIR layout {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; it "
            "has corpus.jsonl, queries.jsonl and the judgements in qrels/test.tsv"
        )
    notes: Notes = {}
    corpus, queries = ([*_records(folder / f"{part}.jsonl", notes)] for part in ("corpus", "queries"))
    judgements = list(_judgements(_qrels_file(folder), notes))
    warn(notes)
    return corpus, queries, judgements


def _passage(doc_id: str, row: Row) -> Passage:
    meta = _meta(row)
    return Passage(doc_id, _text(row), str(meta.pop("ref", "")), meta)


def _query(query_id: str, row: Row) -> Query:
    return Query(query_id, _text(row), _meta(row))


def _text(row: Row) -> str:
    return f"{row['title']} {row['text']}" if row.get("title") else str(row["text"])


def _meta(row: Row) -> dict[str, str | int]:
    return {name: _value(value) for name, value in (row.get("metadata") or {}).items() if value is not None}


def _value(value: object) -> str | int:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    return json.dumps(value, ensure_ascii=False)


def _records(path: Path, notes: Notes) -> Iterator[Placed]:
    empty = True
    for number, line in enumerate(read_text(path, notes).split("\n"), 1):
        if line.strip():
            empty = False
            row = _row(line, f"{path}:{number}")
            yield row["_id"], row, f"{path}:{number}"
    if empty:
        raise InputError(f"{path}: the file is empty; it should hold one JSON object a line, with '_id' and 'text'")


def _row(line: str, at: str) -> Row:
    try:
        row = json.loads(line, parse_int=_integer)
    except (ValueError, RecursionError) as error:  # json.JSONDecodeError is a ValueError
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        raise InputError(f"{at}: not JSON ({reason}); one object a line is expected") from None
    if not isinstance(row, dict):
        raise InputError(f"{at}: {short(row)} is no object; an object with '_id' and 'text' is expected")
    row_id = row["_id"] if row.get("_id") is not None else row.get("id")
    if not isinstance(row_id, str | int) or isinstance(row_id, bool) or not isinstance(row.get("text"), str):
        raise InputError(f"{at}: an object with '_id' and 'text' is expected, both texts; this is {short(line)}")
    if not isinstance(row.get("title") or "", str):
        raise InputError(f"{at}: the title {short(row['title'])} is no text")
    if not isinstance(row.get("metadata") or {}, Mapping):
        raise InputError(f"{at}: the metadata {short(row['metadata'])} is no object of names and values")
    return {**row, "_id": str(row_id)}


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _qrels(folder: Path) -> list[Path]:
    return sorted((folder / "qrels").glob("*.tsv"), key=natural)


def _qrels_file(folder: Path) -> Path:
    files = _qrels(folder)
    named = [file for file in files if file.name == "test.tsv"] or files
    if len(named) > 1:
        raise InputError(
            f"{folder / 'qrels'}: several splits ({', '.join(file.name for file in named)}) and no test.tsv; "
            "name the one that is meant test.tsv"
        )
    return named[0]


def _judgements(path: Path, notes: Notes) -> Iterator[Judged]:
    """The judgements in three columns (query-id, corpus-id, score) or TREC's four, with a header or without."""
    first = True
    empty = True
    for number, line in enumerate(read_text(path, notes).split("\n"), 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in (line.split("\t") if "\t" in line else line.split())]
        header, first = first and fields[0].lower().replace("_", "-") in _HEADERS, False
        if header:
            continue
        if len(fields) not in (3, 4):
            raise InputError(
                f"{path}:{number}: {len(fields)} columns; query-id, corpus-id, score (or TREC's four) are expected: "
                f"{short(line)}"
            )
        for column, value in (("query-id", fields[0]), ("corpus-id", fields[-2])):
            if value.split() != [value]:
                raise InputError(f"{path}:{number}: the {column} {short(value)} is empty or has a blank in it")
        empty = False
        yield Judged(fields[0], fields[-2], whole_grade(fields[-1], f"{path}:{number}"), f"{path}:{number}")
    if empty:
        raise InputError(f"{path}: there is no judgement in it; query-id, corpus-id, score are expected, with tabs")
