"""Run and judgement files: what is written is what is read, and what is wrong is named with its line."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latinsearch.records import InputError, Qrels, Run, TextWarning
from latinsearch.trec import rankings, read_qrels, read_run, write_qrels, write_run

# A byte-order mark as the first letter of an id could not be told from that of the file; a NUL is refused.
IDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff\0"), min_size=1, max_size=8).filter(
    lambda text: text.split() == [text]
)
SCORES = st.floats(allow_nan=False, allow_infinity=False, width=32)
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=6), min_size=1, max_size=4)
QRELS = st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 5), min_size=1, max_size=6), min_size=1, max_size=4)


@given(run=RUNS)
def test_a_run_survives_the_file(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("trec") / "a.run"
    write_run(run, path, "tag")
    assert read_run(path) == run


@given(qrels=QRELS)
def test_judgements_survive_the_file(qrels: Qrels, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("trec") / "qrels"
    write_qrels(qrels, path)
    assert read_qrels(path) == qrels


def test_lines_stand_best_first_and_ties_by_doc_id_descending(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    run: Run = {"q2": {"d": 1.0}, "q1": {"v-9": 0.5, "v-10": 0.5, "v-8": 0.5 + 1e-9, "a": 3.0}, "q0": {}}
    write_run(run, path, "bm25-lemma")
    assert path.read_bytes().decode() == (
        "q1 Q0 a 1 3 bm25-lemma\n"
        "q1 Q0 v-9 2 0.5 bm25-lemma\n"
        "q1 Q0 v-8 3 0.5 bm25-lemma\n"
        "q1 Q0 v-10 4 0.5 bm25-lemma\n"
        "q2 Q0 d 1 1 bm25-lemma\n"
    )


def test_the_file_does_not_depend_on_the_order_of_the_run(tmp_path: Path) -> None:
    rng = random.Random(3)
    run = {f"q{number}": {f"d{doc}": float(rng.randrange(5)) for doc in range(30)} for number in range(12)}
    shuffled = {
        query_id: dict(rng.sample(list(run[query_id].items()), len(run[query_id])))
        for query_id in rng.sample(list(run), len(run))
    }
    write_run(run, tmp_path / "a.run", "t")
    write_run(shuffled, tmp_path / "b.run", "t")
    assert (tmp_path / "a.run").read_bytes() == (tmp_path / "b.run").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.run", "b.run"]


def test_numpy_scores_and_grades_are_written_as_numbers(tmp_path: Path) -> None:
    scores, grades = np.array([0.1, 2.5], np.float32), np.array([2], np.int64)
    write_run({"q": {"a": scores[0], "b": scores[1]}}, tmp_path / "a.run", "t")
    assert (tmp_path / "a.run").read_text() == "q Q0 b 1 2.5 t\nq Q0 a 2 0.100000001 t\n"
    write_qrels({"q": {"a": grades[0]}}, tmp_path / "qrels")
    assert (tmp_path / "qrels").read_text() == "q 0 a 2\n"


def test_rankings_keep_the_order_of_queries() -> None:
    found = [
        (query_id, docs, scores.tolist()) for query_id, docs, scores in rankings({"q2": {}, "q1": {"a": 1, "b": 2}})
    ]
    assert found == [("q2", [], []), ("q1", ["b", "a"], [2.0, 1.0])]


def test_foreign_line_ends_a_byte_order_mark_and_empty_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes("\ufeffq1\tQ0\tverg.aen.1.1\t1\t1e-3\tx\r\n\r\nq1 Q0  ov.met.1.1 2 -0.5 x".encode())
    assert read_run(path) == {"q1": {"verg.aen.1.1": float(np.float32(1e-3)), "ov.met.1.1": -0.5}}
    path.write_bytes("\ufeffq1 0 verg.aen.1.1 +2\r\nq1 0 ov.met.1.1 -1\n".encode())
    assert read_qrels(path) == {"q1": {"verg.aen.1.1": 2, "ov.met.1.1": -1}}


def test_repeated_pairs_are_kept_once_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("q Q0 a 1 2.0 t\nq Q0 a 2 2 t\nq Q0 a 3 2 t\n")
    with pytest.warns(TextWarning, match=r"a: 2 lines repeat a pair .* lines 2, 3"):
        assert read_run(path) == {"q": {"a": 2.0}}
    path.write_text("q 0 a 1\nq 0 a 1\n")
    with pytest.warns(TextWarning, match=r"a: 1 lines repeat a pair .* lines 2"):
        assert read_qrels(path) == {"q": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad is empty; it needs at least one line of the form: query_id Q0 doc_id rank score tag"),
        ("\n \n", "bad is empty"),
        ("q Q0 a 1 2.0 t\nq Q0 a 1 2.0\n", "bad, line 2: 5 columns where 6 are needed"),
        ("q Q0 <verg. aen. 1.1> 1 2.0 t\n", "bad, line 1: 8 columns where 6 are needed"),
        ("\nq Q0 a 1 x t\n", "bad, line 2: the score 'x' is not a finite 32-bit number"),
        ("q Q0 a 1 nan t\n", "bad, line 1: the score 'nan' is not a finite"),
        ("q Q0 a 1 -inf t\n", "bad, line 1: the score '-inf' is not a finite"),
        ("q Q0 a 1 1e39 t\n", "bad, line 1: the score '1e39' is not a finite"),
        ("q Q0 a 1 1_0 t\n", "bad, line 1: the score '1_0' is not a finite"),
        ("q Q0 a 1 ١ t\n", "bad, line 1: the score '١' is not a finite"),
        ("q Q0 a 1 2 t\nq Q0 b\0 1 1 t\n", "bad, line 2: a NUL byte, so this is no text"),
        (f"q Q0 a 1 {'9' * 5000} t\n", f"bad, line 1: the score '{'9' * 60}…' is not a finite"),
        (f"{'q ' * 500}\n", "bad, line 1: 500 columns where 6 are needed (query_id Q0 doc_id rank score tag"),
        (
            "q Q0 a 1 2.0 t\nq Q0 a 2 1.5 t\n",
            "bad, line 2: query 'q', document 'a' has the score 1.5 here and 2 in an earlier line; keep one",
        ),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_bad_run_names_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad is empty; it needs at least one line of the form: query_id 0 doc_id grade"),
        ("query-id\tcorpus-id\tscore\n", "bad, line 1: 3 columns where 4 are needed (query_id 0 doc_id grade"),
        ("q 0 a 1\nq 0 b 1.0\n", "bad, line 2: the grade '1.0' is not a whole number"),
        ("q 0 a nan\n", "bad, line 1: the grade 'nan' is not a whole number"),
        ("q 0 a ١\n", "bad, line 1: the grade '١' is not a whole number"),
        (f"q 0 a {'9' * 5000}\n", f"bad, line 1: the grade '{'9' * 60}…' is not a whole number"),
        ("q 0 a 1\nq 0 a 0\n", "bad, line 2: query 'q', document 'a' has the grade 0 here and 1 in an earlier line"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_bad_judgements_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert message in str(caught.value)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.run; check the path"):
        read_run(tmp_path / "none.run")
    with pytest.raises(InputError, match="is a folder"):
        read_qrels(tmp_path)
    (tmp_path / "latin1").write_bytes(b"q Q0 a 1 2.0 t\nq Q0 \xe6 1 2.0 t\n")
    with pytest.raises(InputError, match="latin1, line 2: not UTF-8"):
        read_run(tmp_path / "latin1")


@pytest.mark.parametrize(
    ("run", "tag", "message"),
    [
        ({"q": {"a": 1.0}}, "bm25 lemma", "tag 'bm25 lemma' is empty or has white space in it"),
        ({"q": {"a": 1.0}}, "", "tag '' is empty or has white space in it"),
        ({"q": {"verg. aen.": 1.0}}, "t", "doc_id 'verg. aen.' is empty or has white space in it"),
        ({"q\u00a01": {"a": 1.0}}, "t", "query_id 'q\\xa01' is empty or has white space in it"),
        ({"q": {"a": float("nan")}}, "t", "query 'q', document 'a': the score nan is not a finite 32-bit float"),
        ({"q": {"b": 1.0, "a": 1e300}}, "t", "query 'q', document 'a': the score 1e+300 is not a finite 32-bit float"),
        ({"q": {"b": 1.0, "a": "high"}}, "t", "query 'q': a score is not a number"),
        ({"q": {1: 1.0, "a": 1.0}}, "t", "doc_id 1 is not a text (str) but int"),
        ({1: {"a": 1.0}, "q": {}}, "t", "query_id 1 is not a text (str) but int"),
        ({"q": {"\ud800": 1.0}}, "t", "doc_id '\\ud800' has a NUL or a lone surrogate in it"),
        ({"q\0": {"a": 1.0}}, "t", "query_id 'q\\x00' has a NUL or a lone surrogate in it"),
        ({"q": {"b": 1.0, "a": None}}, "t", "query 'q', document 'a': the score None is not a finite"),
    ],
)
def test_a_run_that_cannot_be_written_leaves_the_old_file(tmp_path: Path, run: Run, tag: str, message: str) -> None:
    path = tmp_path / "a.run"
    path.write_text("old")
    with pytest.raises(InputError) as caught:
        write_run(run, path, tag)
    assert message in str(caught.value)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.run", "old")]


@pytest.mark.parametrize("grade", [float("nan"), None, 1.7, 1.0, True, "1", 10**18, 10**5000], ids=lambda _: "grade")
def test_a_grade_that_is_no_whole_number_is_refused(tmp_path: Path, grade: Any) -> None:
    with pytest.raises(InputError, match="query 'q', document 'a': the grade .* is not a whole number"):
        write_qrels({"q": {"b": 1, "a": grade}}, tmp_path / "qrels")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("bad", [1, "\ud800", "a\0", "a b", ""])
def test_ids_of_judgements_that_no_file_can_hold_are_refused(tmp_path: Path, bad: Any) -> None:
    for qrels in ({"q": {"a": 1, bad: 1}}, {"q": {"a": 1}, bad: {"a": 1}}):
        with pytest.raises(InputError, match="(doc|query)_id .* (is not a text|has a NUL|is empty or has white space)"):
            write_qrels(qrels, tmp_path / "qrels")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_links_and_pipes_are_written_through(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for link, target in (("a", "old"), ("b", "new")):
        (tmp_path / link).symlink_to(target)
        write_qrels({"q": {"d": 1}}, tmp_path / link)
        assert (tmp_path / link).is_symlink()
        assert (tmp_path / target).read_text() == "q 0 d 1\n"
    (tmp_path / "c").symlink_to("nowhere/c")
    with pytest.raises(FileNotFoundError, match="leads to a folder that is not there"):
        write_qrels({"q": {"d": 1}}, tmp_path / "c")
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE, text=True) as reader:
        write_run({"q": {"d": 1.0}}, tmp_path / "pipe", "t")
        assert reader.communicate(timeout=10)[0] == "q Q0 d 1 1 t\n"
    assert (tmp_path / "pipe").is_fifo()
    write_qrels({"q": {"d": 1}}, os.devnull)
    assert not Path(os.devnull).is_file()


def test_a_place_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*runs to write into; make it first"):
        write_run({"q": {"a": 1.0}}, tmp_path / "runs" / "a.run", "t")
    with pytest.raises(InputError, match="is a folder; give the path of a file"):
        write_qrels({"q": {"a": 1}}, tmp_path)
