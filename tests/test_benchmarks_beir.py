"""The checksum, the builder that validates, and the BEIR layout."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from latinsearch.corpora import beir, load_benchmark
from latinsearch.corpora.benchmark import benchmark, checksum
from latinsearch.records import InputError, Passage, Query

PASSAGES = [Passage("a", "arma\u2028uirum"), Passage("b", "", "<b. 1>", {"author": "B", "line": 1})]
QUERIES = [Query("q", "arma"), Query("r", 'bella "per"', {"line": "7a"})]
JUDGEMENTS = [("q", "a", 1), ("r", "b", 5), ("r", "a", 0)]


def test_the_checksum_does_not_depend_on_order_and_names_the_data() -> None:
    bench = load_benchmark("sample")
    passages, queries = list(bench.passages), list(bench.queries)
    random.Random(1).shuffle(passages)
    random.Random(2).shuffle(queries)
    qrels = {query_id: dict(reversed(grades.items())) for query_id, grades in reversed(bench.qrels.items())}
    assert checksum(passages, queries, qrels) == bench.checksum
    changed = [Passage(passages[0].doc_id, passages[0].text + " "), *passages[1:]]
    assert checksum(changed, queries, qrels) != bench.checksum
    assert checksum(passages, queries, {**qrels, "vf-1-1-1": {"vergil-1-1": 2}}) != bench.checksum


@pytest.mark.parametrize(
    ("passages", "queries", "judgements", "match"),
    [
        ([*PASSAGES, PASSAGES[0]], QUERIES, JUDGEMENTS, "the doc_id 'a' occurs 2 times"),
        (PASSAGES, [*QUERIES, QUERIES[1]], JUDGEMENTS, "the query_id 'r' occurs 2 times"),
        (PASSAGES, QUERIES, [*JUDGEMENTS, ("q", "c", 1)], "query 'q' names the passage 'c', which is not among the 2"),
        (PASSAGES, QUERIES, [*JUDGEMENTS, ("s", "a", 1)], "names the query 's', which is not among the 2 queries"),
        (PASSAGES, QUERIES, JUDGEMENTS[:1], "1 queries have no judgement, the first 'r'"),
        (PASSAGES, QUERIES, [*JUDGEMENTS, ("q", "a", 2)], "query 'q' and passage 'a' are judged 1 and 2"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    passages: list[Passage], queries: list[Query], judgements: list[tuple[str, str, int]], match: str
) -> None:
    with pytest.raises(InputError, match=f"mine: .*{match}"):
        benchmark("mine", passages, queries, judgements)


def test_any_benchmark_comes_back_from_its_beir_folder(tmp_path: Path) -> None:
    mine = benchmark("mine", PASSAGES, QUERIES, [*JUDGEMENTS, JUDGEMENTS[0]])
    beir.write_beir(mine, tmp_path / "mine")
    assert beir.read_beir(tmp_path / "mine") == mine
    sample = load_benchmark("sample")
    beir.write_beir(sample, tmp_path / "sample")
    assert load_benchmark("sample", tmp_path / "sample") == sample


def test_any_beir_folder_is_a_benchmark_named_after_it(folder: Path) -> None:
    bench = load_benchmark("beir", folder)
    assert (bench.name, bench.judgements) == (folder.name, 2)
    with pytest.raises(
        InputError, match="not the data of sample; the benchmark named beir takes any .*passages: expected 107, found 2"
    ):
        load_benchmark("sample", folder)
    with pytest.raises(InputError, match="--data FOLDER on the command line, path= in Python"):
        load_benchmark("beir")
    with pytest.raises(InputError, match=r"corpus\.jsonl is a file; give the folder"):
        load_benchmark("beir", folder / "corpus.jsonl")


def test_a_changed_sample_is_not_the_sample(tmp_path: Path) -> None:
    beir.write_beir(load_benchmark("sample"), tmp_path)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(corpus.read_text(encoding="utf-8").replace("Arma", "Alma"), encoding="utf-8")
    with pytest.raises(InputError, match="not the data of sample; .* checksum: expected 035ff77ba99de68b, found"):
        load_benchmark("sample", tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A BEIR folder as others write it: titles, no metadata, a query of another split."""
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "a", "title": "Liber I", "text": "arma"}\n{"_id": 2, "text": "b"}\n'
    )
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "arma"}\n\n{"_id": "train", "text": "x"}\n')
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\nq\t2\t0\n")
    (tmp_path / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\ntrain\ta\t1\n")
    return tmp_path


def test_a_beir_folder_of_others_is_read(folder: Path) -> None:
    bench = beir.read_beir(folder, name="other")
    assert [(passage.doc_id, passage.text) for passage in bench.passages] == [("a", "Liber I arma"), ("2", "b")]
    assert [query.query_id for query in bench.queries] == ["q"]
    assert bench.qrels == {"q": {"a": 1, "2": 0}}


@pytest.mark.parametrize(
    "qrels",
    [
        "\n\nqid\tdocid\trelevance\nq\ta\t1\nq\t2\t0\n",
        "q\ta\t1\nq\t2\t0\n",
        "q 0 a 1\nq 0 2 0\n",
        "query_id\tcorpus_id\tscore\nq\t0\ta\t1.0\r\nq\t0\t2\t0",
    ],
)
def test_qrels_with_and_without_header_and_in_trec_columns(folder: Path, qrels: str) -> None:
    (folder / "qrels" / "test.tsv").write_text(qrels)
    assert beir.read_beir(folder).qrels == {"q": {"a": 1, "2": 0}}


@pytest.mark.parametrize(
    ("file", "content", "match"),
    [
        ("qrels/test.tsv", "q\ta\n", r"test\.tsv:1: 2 columns"),
        ("qrels/test.tsv", "q\ta\t1\nq\ta\thigh\n", r"test\.tsv:2: the grade 'high' is not a whole number"),
        ("qrels/test.tsv", "q\ta\tnan\n", r"test\.tsv:1: the grade 'nan' is not a whole number"),
        ("qrels/test.tsv", "q\ta\t1_0\n", r"test\.tsv:1: the grade '1_0' is not a whole number"),
        ("qrels/test.tsv", "q\ta\t1e3\n", r"test\.tsv:1: the grade '1e3' is not a whole number"),
        ("qrels/test.tsv", f"q\ta\t{'9' * 5000}\n", r"test\.tsv:1: the grade '9{60}…' is not a whole number"),
        ("qrels/test.tsv", "q\ta\t١\n", r"test\.tsv:1: the grade '١' is not a whole number"),
        ("qrels/test.tsv", "q\ta\t1\nquery-id\tcorpus-id\tscore\n", r"test\.tsv:2: the grade 'score' is not"),
        ("qrels/test.tsv", "q\tz\t1\n", r"test\.tsv:1: .* names the passage 'z'"),
        ("qrels/test.tsv", "q\ta\t1\nz\ta\t1\n", r"test\.tsv:2: a judgement names the query 'z'"),
        ("qrels/test.tsv", "q\ta\t1\n\nq\ta\t2\n", r"test\.tsv:3: query 'q' and passage 'a' are judged 1 and 2"),
        ("qrels/test.tsv", "q 1\ta\t1\n", r"test\.tsv:1: the query-id 'q 1' is empty or has a blank"),
        ("qrels/test.tsv", "q\t\t1\n", r"test\.tsv:1: the corpus-id '' is empty or has a blank"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\n", r"test\.tsv: there is no judgement in it"),
        ("qrels/test.tsv", "", r"test\.tsv: there is no judgement in it"),
        ("corpus.jsonl", "\n", r"corpus\.jsonl: the file is empty"),
        ("queries.jsonl", "", r"queries\.jsonl: the file is empty"),
        ("corpus.jsonl", '{"_id": "a", "text": "x"}\n' * 2, r"corpus\.jsonl:2: the id 'a' was there already, at .*:1;"),
        ("queries.jsonl", '{"_id": "q", "text": "x"}\n' * 2, r"queries\.jsonl:2: the id 'q' was there already"),
        ("corpus.jsonl", '{"_id": "a b", "text": "x"}\n', r"corpus\.jsonl:1: doc_id 'a b' is empty or has white"),
        ("corpus.jsonl", '{"_id": true, "text": "x"}\n', r"corpus\.jsonl:1: an object with '_id' and 'text'"),
        ("corpus.jsonl", '{"_id": "a", "text": null}\n', r"corpus\.jsonl:1: an object with '_id' and 'text'"),
        ("corpus.jsonl", '{"_id": "a", "text": "x", "title": 5}\n', r"corpus\.jsonl:1: the title 5 is no text"),
        ("corpus.jsonl", '{"_id": "a", "text": "x", "metadata": [1]}\n', r"corpus\.jsonl:1: the metadata \[1\] is no"),
        ("queries.jsonl", '{"_id": "q", "text": "x", "metadata": "y"}\n', r"queries\.jsonl:1: the metadata 'y' is no"),
        ("corpus.jsonl", '{"_id": "a", "text": "\\ud800"}\n', r"corpus\.jsonl:1: the text of a has a lone surrogate"),
        ("corpus.jsonl", '{"n": ' + "[" * 100_000 + "\n", r"corpus\.jsonl:1: not JSON"),
        ("corpus.jsonl", '{"_id": "' + "a " * 9000 + '", "text": "x"}\n', r"corpus\.jsonl:1: doc_id '[a ]+…$"),
        ("corpus.jsonl", '{"_id": "a", "text": "arma"}\n{"_id": "b"\n', r"corpus\.jsonl:2: not JSON"),
        ("corpus.jsonl", '{"_id": "a"}\n', r"corpus\.jsonl:1: an object with '_id' and 'text' is expected"),
        ("queries.jsonl", "[]\n", r"queries\.jsonl:1: \[\] is no object; an object with '_id' and 'text' is expected"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_faults_of_a_beir_folder_are_named_with_their_place(folder: Path, file: str, content: str, match: str) -> None:
    (folder / file).write_text(content)
    with pytest.raises(InputError, match=match):
        beir.read_beir(folder)


def test_metadata_of_any_type_is_kept_as_text_or_number(folder: Path) -> None:
    many = "9" * 5000
    (folder / "corpus.jsonl").write_text(
        f'{{"_id": "a", "text": "arma", "n": {many}, "metadata": {{"line": 7, "huge": {many}, "none": null, "no": true, '
        f'"list": ["x", 1.5]}}}}\n{{"_id": {"9" * 20}, "text": "b"}}\n'
    )
    (folder / "qrels" / "test.tsv").write_text("q\ta\t1\n")
    first, second = beir.read_beir(folder).passages
    assert first.meta == {"line": 7, "huge": many, "no": "true", "list": '["x", 1.5]'}
    assert second.doc_id == "9" * 20


def test_missing_parts_of_a_beir_folder_are_named(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    with pytest.raises(InputError, match=r"several splits \(dev\.tsv, train\.tsv\) and no test\.tsv"):
        beir.read_beir(folder)
    (folder / "qrels" / "train.tsv").unlink()
    (folder / "qrels" / "dev.tsv").rename(folder / "qrels" / "only.tsv")
    assert beir.read_beir(folder).judgements == 2
    (folder / "qrels" / "only.tsv").unlink()
    with pytest.raises(InputError, match=r"of the BEIR layout qrels/test\.tsv is missing"):
        beir.read_beir(folder)
    (folder / "queries.jsonl").unlink()
    with pytest.raises(InputError, match=r"of the BEIR layout queries\.jsonl and qrels/test\.tsv are missing"):
        beir.read_beir(folder)
    with pytest.raises(InputError, match=r"of the BEIR layout .* are missing"):
        load_benchmark("latin-epic", folder)
