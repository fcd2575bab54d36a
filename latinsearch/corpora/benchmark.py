"""A Benchmark whose parts fit together, and the checksum that names exactly its data."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from latinsearch.corpora.files import MOST_DIGITS, short
from latinsearch.records import Benchmark, InputError, Passage, Qrels, Query

Judgement = tuple[str, str, int]
"""(query_id, doc_id, grade)."""


class Judged(NamedTuple):
    """A judgement and the place it was read at, `file:line`."""

    query_id: str
    doc_id: str
    grade: int
    at: str


class Sources(NamedTuple):
    """What a benchmark is made of: (id, text, place) of passages and of queries, and the judgements."""

    corpus: list[tuple[str, str, str]]
    queries: list[tuple[str, str, str]]
    judgements: list[Judged]


Content = TypeVar("Content")
Record = TypeVar("Record", Passage, Query)
_GRADE = re.compile(rf"([+-]?[0-9]{{1,{MOST_DIGITS}}})(?:\.0*)?")


def checksum(passages: Iterable[Passage], queries: Iterable[Query], qrels: Qrels) -> str:
    """16 hexadecimal digits that are equal for equal data in any order, and differ otherwise.

    >>> checksum([Passage("a", "arma")], [Query("q", "arma")], {"q": {"a": 1}})
    '4a11ff0640aa9529'

    The beginning of the SHA-256 of JSON lines in UTF-8: [doc_id, text] of the passages, [query_id, text] of the
    queries, [query_id, doc_id, grade] of the judgements, each group sorted, an empty line after each group.
    """
    groups: list[list[tuple[str, str] | Judgement]] = [
        sorted((passage.doc_id, passage.text) for passage in passages),
        sorted((query.query_id, query.text) for query in queries),
        sorted((query_id, doc_id, grade) for query_id, grades in qrels.items() for doc_id, grade in grades.items()),
    ]
    digest = hashlib.sha256()
    for group in groups:
        for record in group:
            digest.update(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        digest.update(b"\n")
    return digest.hexdigest()[:16]


def benchmark(
    name: str, passages: Iterable[Passage], queries: Iterable[Query], judgements: Iterable[Judgement | Judged]
) -> Benchmark:
    """The Benchmark of these passages, queries and judgements; a judgement that occurs twice counts once.

    Raises InputError for an id that occurs twice, a judgement on a passage or a query that is not there, two grades
    for one pair, and a query without any judgement; with the place of the judgement if it has one, else the name.
    """
    texts, asked = tuple(passages), tuple(queries)
    known = _unique(name, "doc_id", [passage.doc_id for passage in texts])
    qrels: Qrels = {query_id: {} for query_id in _unique(name, "query_id", [query.query_id for query in asked])}
    for query_id, doc_id, grade, *place in judgements:
        at = place[0] if place else name
        if query_id not in qrels:
            raise InputError(
                f"{at}: a judgement names the query {short(query_id)}, which is not among the {len(asked)} queries"
            )
        if doc_id not in known:
            raise InputError(
                f"{at}: the judgement of query {short(query_id)} names the passage {short(doc_id)}, "
                f"which is not among the {len(texts)} passages"
            )
        if qrels[query_id].setdefault(doc_id, grade) != grade:
            raise InputError(
                f"{at}: query {short(query_id)} and passage {short(doc_id)} are judged "
                f"{qrels[query_id][doc_id]} and {grade}; leave one judgement of the pair"
            )
    bare = [query_id for query_id, grades in qrels.items() if not grades]
    if bare:
        raise InputError(f"{name}: {len(bare)} queries have no judgement, the first {bare[0]!r}; leave them out")
    return Benchmark(name, texts, asked, qrels, checksum(texts, asked, qrels))


def records_of(rows: Iterable[tuple[str, Content, str]], make: Callable[[str, Content], Record]) -> list[Record]:
    """The record that `make` gives of each id and content.

    Raises InputError, naming the place, for a record that cannot be made and for an id that was there before.
    """
    places: dict[str, str] = {}
    records = []
    for record_id, content, at in rows:
        if record_id in places:
            raise InputError(
                f"{at}: the id {short(record_id)} was there already, at {places[record_id]}; "
                "every id must be there once"
            )
        places[record_id] = at
        try:
            records.append(make(record_id, content))
        except InputError as error:
            raise InputError(f"{at}: {short(str(error), quoted=False, most=300)}") from None
    return records


def whole_grade(value: object, at: object) -> int:
    """A grade as an int, whether it is written 1, 1.0 or "1". Raises InputError, naming the place, for any other."""
    match = _GRADE.fullmatch(str(value).strip())
    if match is None:
        raise InputError(f"{at}: the grade {short(value)} is not a whole number of at most {MOST_DIGITS} digits")
    return int(match[1])


def assert_facts(name: str, where: object, expected: Mapping[str, int], found: Mapping[str, int]) -> None:
    """Nothing if the counts are those that the benchmark is known by.

    Raises InputError with every count expected and found otherwise.
    """
    if any(found.get(fact, 0) != number for fact, number in expected.items()):
        counts = "; ".join(
            f"{fact}: expected {number:,}, found {found.get(fact, 0):,}" for fact, number in expected.items()
        )
        raise InputError(f"{where}: these are not the data of {name}. {counts}")


def _unique(name: str, kind: str, ids: Collection[str]) -> set[str]:
    unique = set(ids)
    if len(unique) < len(ids):
        repeated, times = Counter(ids).most_common(1)[0]
        raise InputError(f"{name}: the {kind} {short(repeated)} occurs {times} times; every id must be there once")
    return unique
