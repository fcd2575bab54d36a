"""Runs and judgements as the plain text files that every TREC tool reads and writes."""

from __future__ import annotations

import math
import operator
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latinsearch.records import InputError, Qrels, Run, TextWarning
from latinsearch.retriever import rank

RUN_COLUMNS = "query_id Q0 doc_id rank score tag"
QRELS_COLUMNS = "query_id 0 doc_id grade"
_TOO_LARGE = float.fromhex("0x1.ffffffp+127")
"""The smallest number that a 32-bit float rounds to infinity."""
_MOST_DIGITS = 18
"""The digits of the longest grade; int() refuses more than 4,300, and no scale of grades needs ten."""
_SHOWN = 60
"""Characters of a value that a message echoes."""


def rankings(run: Run) -> Iterator[tuple[str, list[str], NDArray[np.float32]]]:
    """Every query with its doc_ids best first and their scores as 32-bit floats.

    >>> [(query_id, doc_ids) for query_id, doc_ids, scores in rankings({"q1": {"a": 1.0, "b": 2.0, "c": 1.0}})]
    [('q1', ['b', 'c', 'a'])]

    Queries come in the order of the run; doc_ids and scores have one entry a document, ordered by `retriever.rank`.

    Raises InputError, which names query and document, for a score that is not a finite 32-bit float.
    """
    place: dict[str, int] = {}
    for query_id, hits in run.items():
        doc_ids = list(hits)
        scores = _single(query_id, hits)
        if _is_ranked(doc_ids, scores):  # as our own runs are
            yield query_id, doc_ids, scores
            continue
        if not place:  # integers in the order of the ids sort some ten times faster than the ids themselves
            place = {
                doc_id: number for number, doc_id in enumerate(sorted({each for of in run.values() for each in of}))
            }
        order = rank(scores, np.fromiter(map(place.__getitem__, doc_ids), np.int64, len(doc_ids)))
        yield query_id, [doc_ids[position] for position in order.tolist()], scores[order]


def _is_ranked(doc_ids: list[str], scores: NDArray[np.float32]) -> bool:
    """Whether scores descend, and equal ones stand by doc_id, descending."""
    if (scores[1:] > scores[:-1]).any():
        return False
    tied = (scores[1:] == scores[:-1]).tolist()
    return all(map(operator.gt, compress(doc_ids, tied), compress(islice(doc_ids, 1, None), tied)))


def write_run(run: Run, path: str | Path, tag: str) -> None:
    """A file with one line a hit, `query_id Q0 doc_id rank score tag`, that trec_eval and its kin read.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "bm25.run"
    >>> write_run({"q1": {"verg.aen.1.1": 0.25, "verg.aen.1.2": 7.5}}, path, "bm25-lemma")
    >>> print(path.read_text(encoding="utf-8"), end="")
    q1 Q0 verg.aen.1.2 1 7.5 bm25-lemma
    q1 Q0 verg.aen.1.1 2 0.25 bm25-lemma

    Queries are sorted by id, hits stand best first; a score has nine significant digits, which give back the same
    32-bit float. Equal runs give equal bytes. The format has no line for a query without hits. The file appears
    whole or not at all; a link stays and the file it leads to is written; a pipe or device is written as it is.

    Raises InputError if an id or the tag is no text, is empty, has white space, a NUL or a lone surrogate in it, or a
    score is not a finite 32-bit float; FileNotFoundError if the folder does not exist.
    """
    _check_word("tag", tag)
    _check_ids(run)
    _write_lines(path, _run_lines(run, tag))


def read_run(path: str | Path) -> Run:
    """{query_id: {doc_id: score}} of a run file, queries and documents in the order of its lines.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "bm25.run"
    >>> _ = path.write_text("q1 Q0 verg.aen.1.2 1 7.5 bm25-lemma", encoding="utf-8")
    >>> read_run(path)
    {'q1': {'verg.aen.1.2': 7.5}}

    Scores are rounded to 32 bits, as trec_eval keeps them. The columns Q0, rank and tag are not used: the score alone
    orders, as in trec_eval. A pair that is repeated with the same score is kept once and counted in a TextWarning.

    Raises FileNotFoundError for a missing file; InputError, which names file and line, for an empty file, a wrong
    number of columns, a score that is not a finite 32-bit float, a pair given twice with different scores.
    """
    run: Run = {}
    repeated = []
    for number, columns in _rows(path, RUN_COLUMNS):
        query_id, _, doc_id, _, text, _ = columns
        score = _score(text, f"{path}, line {number}")
        hits = run.setdefault(query_id, {})
        if doc_id in hits:
            _check_same(
                hits[doc_id],
                score,
                "score",
                f"{path}, line {number}: query {_short(query_id)}, document {_short(doc_id)}",
            )
            repeated.append(number)
        hits[doc_id] = score
    _warn_repeated(path, repeated)
    return run


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """A file with one line a judgement, `query_id 0 doc_id grade`, sorted by query_id and doc_id.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "qrels"
    >>> write_qrels({"q1": {"verg.aen.1.2": 1, "verg.aen.1.1": 2}}, path)
    >>> print(path.read_text(encoding="utf-8"), end="")
    q1 0 verg.aen.1.1 2
    q1 0 verg.aen.1.2 1

    Equal judgements give equal bytes. The format has no line for a query without judgements. The file appears whole
    or not at all; a link stays and the file it leads to is written; a pipe or device is written as it is.

    Raises InputError if an id is no text, is empty, has white space, a NUL or a lone surrogate in it, or a grade is
    not a whole number; FileNotFoundError if the folder does not exist.
    """
    _check_ids(qrels)
    _write_lines(path, _qrels_lines(qrels))


def read_qrels(path: str | Path) -> Qrels:
    """{query_id: {doc_id: grade}} of a file of judgements, in the order of its lines.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "qrels"
    >>> _ = path.write_text("q1 0 verg.aen.1.1 2", encoding="utf-8")
    >>> read_qrels(path)
    {'q1': {'verg.aen.1.1': 2}}

    A grade is a whole number; 1 or more is relevant. The second column is not used. A pair that is repeated with the
    same grade is kept once and counted in a TextWarning.

    Raises FileNotFoundError for a missing file; InputError, which names file and line, for an empty file, a wrong
    number of columns, a grade that is not a whole number, a pair given twice with different grades.
    """
    qrels: Qrels = {}
    repeated = []
    for number, columns in _rows(path, QRELS_COLUMNS):
        query_id, _, doc_id, text = columns
        grade = _grade(text, f"{path}, line {number}")
        grades = qrels.setdefault(query_id, {})
        if doc_id in grades:
            _check_same(
                grades[doc_id],
                grade,
                "grade",
                f"{path}, line {number}: query {_short(query_id)}, document {_short(doc_id)}",
            )
            repeated.append(number)
        grades[doc_id] = grade
    _warn_repeated(path, repeated)
    return qrels


def _single(query_id: str, hits: dict[str, float]) -> NDArray[np.float32]:
    try:
        with np.errstate(over="ignore"):
            scores = np.fromiter(hits.values(), np.float64, len(hits)).astype(np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"query {_short(query_id)}: a score is not a number ({error}); give every document a number"
        ) from error
    for position in np.flatnonzero(~np.isfinite(scores)).tolist():
        doc_id, score = list(hits.items())[position]
        raise InputError(
            f"query {_short(query_id)}, document {_short(doc_id)}: the score {_short(score)} is not a finite 32-bit float, "
            f"so it has no place in a ranking; leave the document out or give it a number below {_TOO_LARGE:.2g}"
        )
    return scores


def _run_lines(run: Run, tag: str) -> Iterator[str]:
    for query_id, doc_ids, scores in rankings(dict(sorted(run.items()))):
        for place, (doc_id, score) in enumerate(zip(doc_ids, scores.tolist(), strict=True), start=1):
            yield f"{query_id} Q0 {doc_id} {place} {score:.9g} {tag}\n"


def _qrels_lines(qrels: Qrels) -> Iterator[str]:
    for query_id, grades in sorted(qrels.items()):
        for doc_id, grade in sorted(grades.items()):
            yield f"{query_id} 0 {doc_id} {_whole(grade, query_id, doc_id)}\n"


def _whole(grade: object, query_id: str, doc_id: str) -> int:
    try:
        number = None if isinstance(grade, bool) else operator.index(grade)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or abs(number) >= 10**_MOST_DIGITS:
        raise InputError(
            f"query {_short(query_id)}, document {_short(doc_id)}: the grade {_short(grade)} is not a whole number of "
            f"at most {_MOST_DIGITS} digits; give 0 for not relevant, 1 or more for relevant"
        )
    return number


def _check_ids(scores: Mapping[str, Mapping[str, object]]) -> None:
    for query_id in scores:
        _check_word("query_id", query_id)
    for doc_id in dict.fromkeys(doc_id for hits in scores.values() for doc_id in hits):
        _check_word("doc_id", doc_id)


def _check_word(kind: str, value: object) -> None:
    if not isinstance(value, str):
        raise InputError(f"{kind} {_short(value)} is not a text (str) but {type(value).__name__}; give str({kind})")
    if value.split() != [value]:
        raise InputError(
            f"{kind} {_short(value)} is empty or has white space in it; TREC files split lines on blanks, "
            f"so give one without them, such as {_short('.'.join(value.split()) or 'bm25-lemma')}"
        )
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise InputError(
            f"{kind} {_short(value)} has a NUL or a lone surrogate in it, which no text file can hold; give another"
        )


def _short(value: object) -> str:
    """A value as a message shows it: of a long one the beginning."""
    if isinstance(value, str):
        return repr(value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…")
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:  # repr() refuses one of more than 4,300 digits
        return f"of {value.bit_length()} bits"
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _write_lines(path: str | Path, lines: Iterable[str]) -> None:
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent} to write into; make it first")
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the path of a file in it")
    if _is_stream(path):
        data = "".join(lines)
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(data)
        return
    path = Path(os.path.realpath(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"{path}: the link leads to a folder that is not there; make it first, or mend the link"
        )
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    """Whether a path is a pipe or a device, or a name for an open file, which a new file must not take the place of."""
    return (path.exists() and not path.is_file()) or path.absolute().parts[1:2] in (("dev",), ("proc",))


def _rows(path: str | Path, columns: str) -> Iterator[tuple[int, list[str]]]:
    wanted = len(columns.split())
    empty = True
    for number, line in enumerate(_lines(path), start=1):
        row = line.split()
        if not row:
            continue
        if len(row) != wanted:
            raise InputError(
                f"{path}, line {number}: {len(row)} columns where {wanted} are needed ({columns}, blanks between): "
                f"{_short(line.strip())}; correct the line, or give a file in this format"
            )
        empty = False
        yield number, row
    if empty:
        raise InputError(f"{path} is empty; it needs at least one line of the form: {columns}")


def _lines(path: str | Path) -> list[str]:
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the path of a file with lines of the form asked for")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {path}; check the path") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{str(path)!r} cannot be read: {reason.lower()}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {number}: not UTF-8 ({error.reason}); save the file as UTF-8") from error
    if "\0" in text:
        number = len(re.findall(r"\r\n|\n|\r", text[: text.index("\0")])) + 1
        raise InputError(f"{path}, line {number}: a NUL byte, so this is no text; save the file as UTF-8")
    return re.split(r"\r\n|\n|\r", text)


def _score(text: str, where: str) -> float:
    try:
        score = float(text) if text.isascii() and "_" not in text else math.nan  # float() reads ١ and 1_0
    except ValueError:
        score = math.nan
    if not abs(score) < _TOO_LARGE:  # also true of nan
        raise InputError(
            f"{where}: the score {_short(text)} is not a finite 32-bit number; the fifth column of `{RUN_COLUMNS}` needs one"
        )
    return float(np.float32(score))


def _grade(text: str, where: str) -> int:
    if not re.fullmatch(rf"[+-]?[0-9]{{1,{_MOST_DIGITS}}}", text):
        raise InputError(
            f"{where}: the grade {_short(text)} is not a whole number of at most {_MOST_DIGITS} digits; "
            f"the fourth column of `{QRELS_COLUMNS}` needs one, 0 for not relevant"
        )
    return int(text)


def _check_same(known: float, value: float, kind: str, where: str) -> None:
    if known != value:
        raise InputError(
            f"{where} has the {kind} {value:.9g} here and {known:.9g} in an earlier line; keep one of the two"
        )


def _warn_repeated(path: str | Path, numbers: list[int]) -> None:
    if numbers:
        listed = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
        warnings.warn(
            TextWarning(f"{path}: {len(numbers)} lines repeat a pair of query and document, kept once: lines {listed}"),
            stacklevel=3,
        )
