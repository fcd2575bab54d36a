"""A Benchmark whose parts fit together, and the checksum that names exactly its data."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from latinsearch.records import Benchmark, InputError, Passage, Qrels, Query

Judgement = tuple[str, str, int]
"""(query_id, doc_id, grade)."""


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
    name: str, passages: Iterable[Passage], queries: Iterable[Query], judgements: Iterable[Judgement]
) -> Benchmark:
    """The Benchmark of these passages, queries and judgements; a judgement that occurs twice counts once.

    Raises InputError for an id that occurs twice, a judgement on a passage or a query that is not there, two grades
    for one pair, and a query without any judgement.
    """
    texts, asked = tuple(passages), tuple(queries)
    known = _unique(name, "doc_id", [passage.doc_id for passage in texts])
    qrels: Qrels = {query_id: {} for query_id in _unique(name, "query_id", [query.query_id for query in asked])}
    for query_id, doc_id, grade in judgements:
        if query_id not in qrels:
            raise InputError(
                f"{name}: a judgement names the query {query_id!r}, which is not among the {len(asked)} queries"
            )
        if doc_id not in known:
            raise InputError(
                f"{name}: the judgement of query {query_id!r} names the passage {doc_id!r}, "
                f"which is not among the {len(texts)} passages"
            )
        if qrels[query_id].setdefault(doc_id, grade) != grade:
            raise InputError(
                f"{name}: query {query_id!r} and passage {doc_id!r} are judged {qrels[query_id][doc_id]} and {grade}; "
                "leave one judgement of the pair"
            )
    bare = [query_id for query_id, grades in qrels.items() if not grades]
    if bare:
        raise InputError(f"{name}: {len(bare)} queries have no judgement, the first {bare[0]!r}; leave them out")
    return Benchmark(name, texts, asked, qrels, checksum(texts, asked, qrels))


def whole_grade(value: object, at: object) -> int:
    """A grade as an int, whether it is written 1, 1.0 or "1". Raises InputError, naming the place, for any other."""
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if not number.is_integer():
        raise InputError(f"{at}: the grade {value!r} is not a whole number")
    return int(number)


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
        raise InputError(f"{name}: the {kind} {repeated!r} occurs {times} times; every id must be there once")
    return unique
