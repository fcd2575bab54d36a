"""The command benchmark."""

from __future__ import annotations

import builtins
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from shell import Capture, printed, refused

from latinsearch import METHODS, corpora, evaluate, load_benchmark
from latinsearch.__main__ import run
from latinsearch.cli import terminal
from latinsearch.corpora.sample import FOLDER
from latinsearch.evaluation import MEASURES
from latinsearch.methods import build
from latinsearch.trec import read_qrels, read_run

SAMPLE = ("benchmark", "--name", "sample")


def test_json_has_the_agreed_shape_and_the_scores_of_evaluate(capsys: Capture) -> None:
    shown = json.loads(printed(capsys, *SAMPLE, "--format", "json"))
    sample = load_benchmark("sample")
    assert shown["benchmark"] == {
        "name": "sample",
        "passages": len(sample.passages),
        "queries": len(sample.queries),
        "judgements": sample.judgements,
        "checksum": sample.checksum,
    }
    assert list(shown["methods"]) == list(METHODS)
    for name, scores in shown["methods"].items():
        assert list(scores) == ["signature", *MEASURES, "ties", "seconds"]
        assert list(scores["ties"]) == list(MEASURES)
        assert list(scores["seconds"]) == ["index", "search"]
        assert min(scores["seconds"].values()) > 0
        own = evaluate(build(sample.passages, name), sample)  # each with an index of its own
        assert {measure: scores[measure] for measure in MEASURES} == own.means
        assert scores["signature"] == own.signature


@pytest.mark.parametrize(("layout", "begins"), [("text", "method "), ("markdown", "| method |"), ("latex", "% needs")])
def test_formats(layout: str, begins: str, capsys: Capture) -> None:
    text = printed(capsys, *SAMPLE, "--methods", " bm25-form,tfidf-form,bm25-form, ", "--format", layout)
    assert text.startswith(begins)
    assert text.endswith("\n")
    assert "bm25-form" in text
    assert "tfidf-form" in text
    assert "bm25-lemma" not in text


def test_output_is_a_whole_file_and_nothing_is_printed(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "scores.md"
    file.write_text("old")
    options = (*SAMPLE, "--methods", "bm25-form", "--format", "markdown")
    assert printed(capsys, *options, "--output", str(file)) == ""
    assert file.read_text(encoding="utf-8") == printed(capsys, *options)
    assert [path.name for path in tmp_path.iterdir()] == ["scores.md"]


def test_output_that_cannot_be_is_refused_before_any_work(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> object:
        raise AssertionError("the benchmark was loaded")

    monkeypatch.setattr(corpora, "load_benchmark", never)
    missing = tmp_path / "nowhere" / "scores.txt"
    assert f"there is no folder {missing.parent}" in refused(capsys, *SAMPLE, "--output", str(missing))
    assert "is a folder" in refused(capsys, *SAMPLE, "--output", str(tmp_path))
    told = refused(capsys, *SAMPLE, "--methods", "bm25-form,bm26")
    assert f"unknown method 'bm26'; known are {', '.join(METHODS)}" in told
    assert "names no method" in refused(capsys, *SAMPLE, "--methods", ",")
    (tmp_path / "file").write_text("")
    assert str(tmp_path / "file") in refused(capsys, *SAMPLE, "--runs", str(tmp_path / "file"))


def test_write_whole_leaves_the_old_file_if_it_fails_and_a_link_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "scores.txt", tmp_path / "link.txt"
    terminal.write_whole(file, "old")
    link.symlink_to(file)
    terminal.write_whole(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"

    def full(*_: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        terminal.write_whole(file, "newer")
    assert file.read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "scores.txt"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX devices")
def test_write_whole_writes_into_a_device_instead_of_replacing_it() -> None:
    terminal.write_whole(Path(os.devnull), "scores")
    assert not Path(os.devnull).is_file()


def test_runs_are_trec_files_that_name_the_method(tmp_path: Path, capsys: Capture) -> None:
    printed(capsys, *SAMPLE, "--methods", "bm25-lemma,tesserae-one", "--runs", str(tmp_path / "a" / "runs"))
    folder = tmp_path / "a" / "runs"
    assert sorted(path.name for path in folder.iterdir()) == ["bm25-lemma.run", "qrels.txt", "tesserae-one.run"]
    sample = load_benchmark("sample")
    assert read_qrels(folder / "qrels.txt") == sample.qrels
    own = evaluate(build(sample.passages, "bm25-lemma"), sample).run
    assert read_run(folder / "bm25-lemma.run") == {query_id: hits for query_id, hits in own.items() if hits}
    lines = (folder / "tesserae-one.run").read_text(encoding="utf-8").splitlines()
    assert {line.split()[-1] for line in lines} == {"tesserae-one"}


def test_two_jobs_give_the_same_runs(tmp_path: Path, capsys: Capture) -> None:
    for jobs in ("1", "2"):
        printed(capsys, *SAMPLE, "--methods", "fusion", "--jobs", jobs, "--runs", str(tmp_path / jobs))
    assert (tmp_path / "1" / "fusion.run").read_bytes() == (tmp_path / "2" / "fusion.run").read_bytes()


def test_progress_goes_to_a_terminal_only(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(terminal, "_PATIENCE", 0.0)
    assert run([*SAMPLE, "--methods", "bm25-form,bm25-lemma"]) == 0
    captured = capsys.readouterr()
    assert "1/2 bm25-form: index " in captured.err
    assert "2/2 bm25-lemma: index " in captured.err
    assert captured.out.startswith("method ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--name", "iliad"], "unknown benchmark 'iliad'; known are latin-epic, lucan-vergil, sample"),
        (["--name", "lucan-vergil"], "lucan-vergil"),
        (["--data", "nowhere"], "nowhere: there is no such file or folder"),
        (["--data", "empty"], "no .tess file"),
        (["--data", "column"], "Intertext: Line End"),
        (["--data", "number"], "'one'"),
    ],
)
def test_data_that_cannot_be_used(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    table = (FOLDER / "judgements.csv").read_text(encoding="utf-8")
    faulty = {
        "column": table.replace(",Intertext: Line End", "", 1),
        "number": table.replace("1,1,Vergil", "one,1,Vergil", 1),
    }
    for name, text in faulty.items():
        Path(name).mkdir()
        for file in FOLDER.glob("*.tess"):
            (Path(name) / file.name).write_bytes(file.read_bytes())
        (Path(name) / "judgements.csv").write_text(text, encoding="utf-8")
    assert told in refused(capsys, "benchmark", *arguments)


def test_the_hub_out_of_reach_or_the_extra_missing_is_one_line_that_names_data(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    real = builtins.__import__

    def without_datasets(name: str, *rest: Any, **options: Any) -> Any:
        if name == "datasets":
            raise ImportError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without_datasets)
    told = refused(capsys, "benchmark")
    assert "pip install 'latinsearch[hub]'" in told
    assert "--data PATH" in told

    class Unreachable:
        @staticmethod
        def load_dataset(*_: object, **__: object) -> object:
            raise ConnectionError("no route\nto host")

    monkeypatch.setattr(builtins, "__import__", real)
    monkeypatch.setitem(sys.modules, "datasets", Unreachable)
    told = refused(capsys, "benchmark")
    assert "no route to host" in told
    assert "--data PATH" in told


def test_the_epic_from_its_sources(data: Path, capsys: Capture) -> None:
    out = printed(capsys, "benchmark", "--data", str(data / "epic"), "--methods", "bm25-form", "--format", "json")
    shown = json.loads(out)
    assert {key: shown["benchmark"][key] for key in ("passages", "queries", "judgements")} == {
        "passages": 39_675,
        "queries": 482,
        "judgements": 978,
    }
    assert shown["methods"]["bm25-form"]["nDCG@10"] >= 0.245
