"""The command compare, and parallels as text, CSV, JSON lines and a page."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest
from shell import Capture, refused

from latinsearch.__main__ import run
from latinsearch.cli.parallels import CSV_COLUMNS, csv_lines, formula, html_lines, starred, text_lines
from latinsearch.compare import Parallel, Word, compare, comparison
from latinsearch.corpora import read
from latinsearch.corpora.sample import FOLDER
from latinsearch.records import Passage
from latinsearch.scorers import Tesserae

VERGIL = FOLDER / "vergil.aeneid.part.1.tess"
LUCAN = FOLDER / "lucan.bellum_civile.part.1.tess"


def compared(capsys: Capture, *arguments: str) -> tuple[str, str]:
    """What a comparison of Lucan with all the sample's texts prints, and what it says beside it."""
    assert run(["compare", str(LUCAN), str(FOLDER), *arguments]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


def expected(**given: object) -> list[Parallel]:
    return list(compare(read(LUCAN), read(FOLDER), **given))  # type: ignore[arg-type]


def test_text_has_signature_stop_list_and_three_lines_a_parallel(capsys: Capture) -> None:
    out, err = compared(capsys, "--stoplist", "3")
    assert err == ""
    made = comparison(read(LUCAN), read(FOLDER), stoplist=3)
    lines = out.splitlines()
    assert lines[0] == made.signature
    assert lines[1] == "lemmata that do not count: " + ", ".join(made.stopped)
    assert len(made.stopped) == 3
    parallels = list(made.parallels)
    assert len(lines) == 3 + 3 * len(parallels)
    first = parallels[0]
    assert first.distances is not None
    assert lines[3].startswith(f"1  {first.score:.3f}  distance {first.distances[0]} + {first.distances[1]}  ")
    assert lines[4].split()[:2] == str(first.target.ref).strip("<>").split()
    assert lines[5].endswith(f"  [{', '.join(word.form for word in first.source_words)}]")


def test_csv_has_tesseraes_columns_and_gives_the_texts_back(capsys: Capture) -> None:
    out, err = compared(capsys, "--format", "csv", "--stoplist", "0")
    assert "lemmata that do not count: none" in err
    rows = list(csv.DictReader(io.StringIO(out)))
    parallels = expected(stoplist=0)
    assert len(rows) == len(parallels) > 10
    assert tuple(rows[0]) == CSV_COLUMNS
    for row, p in zip(rows, parallels, strict=True):
        assert int(row["RESULT"]) == p.rank
        assert row["TARGET_TXT"].replace("**", "") == p.target.text
        assert row["SOURCE_TXT"].replace("**", "") == p.source.text
        assert f"<{row['TARGET_LOC']}>" == p.target.ref
        assert row["SHARED"].split("; ") == list(p.lemmata)
        assert float(row["SCORE"]) == pytest.approx(p.score, abs=1e-6)
        assert int(row["DISTANCE"]) == p.distance
        listed = re.findall(r"(\S+) (\d+)-(\d+) (\S+)", row["SOURCE_WORDS"])
        assert [p.source.text[int(start) : int(end)] for _, start, end, _ in listed] == [form for form, *_ in listed]
        assert [f"**{form}**" in row["SOURCE_TXT"] for form, *_ in listed] == [True] * len(p.source_words)


def test_the_csv_has_the_columns_of_tesseraes_own_download(data: Path) -> None:
    with (data / "peers" / "tesresultsVergil.csv").open(encoding="utf-8", newline="") as file:
        theirs = next(csv.reader(file))
    assert list(CSV_COLUMNS[: len(theirs)]) == theirs


def test_json_lines_hold_everything_a_parallel_has(capsys: Capture) -> None:
    out, _ = compared(capsys, "--format", "jsonl", "--top", "5", "--unit", "window")
    parallels = expected(top=5, unit="window")
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 5
    for line, p in zip(lines, parallels, strict=True):
        assert (line["rank"], line["score"], line["distance"]) == (p.rank, p.score, p.distance)
        for side, passage, words in (("target", p.target, p.target_words), ("source", p.source, p.source_words)):
            assert line[side]["text"] == passage.text
            given = [Word(**{**word, "lemmata": tuple(word["lemmata"])}) for word in line[side]["words"]]
            assert given == list(words)


class Page(HTMLParser):
    """The rows of the table: their data, and the marked words and the text of each cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[dict[str, str | None]] = []
        self.marked: list[list[str]] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        if tag == "tr" and attrs:
            self.rows.append(dict(attrs))
            self.marked.append([])

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, text: str) -> None:
        if "mark" in self.open:
            self.marked[-1].append(text)


def test_the_page_has_a_row_a_parallel_and_marks_the_matched_words(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "found.html"
    printed, err = compared(capsys, "--format", "html", "--output", str(out))
    assert (printed, err) == ("", "")
    page = Page(out.read_text(encoding="utf-8"))
    parallels = expected()
    assert len(page.rows) == len(parallels)
    places = {p.doc_id: place for place, p in enumerate(read(LUCAN))}
    for row, marked, p in zip(page.rows, page.marked, parallels, strict=True):
        assert float(str(row["data-score"])) == p.score
        assert int(str(row["data-target"])) == places[p.target.doc_id]
        assert marked == [word.form for word in (*p.target_words, *p.source_words)]
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert "http://" not in out.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["found.html"]


def test_the_page_has_the_numbers_to_work_the_score_out_again() -> None:
    for parallel in expected(stoplist=0)[:20]:
        match = re.fullmatch(r"ln\(\((.*)\) / \((\d+) \+ (\d+)\)\) = (\S+)", formula(parallel))
        assert match is not None
        weights, one, other, score = match.groups()
        total = sum(float(part.rsplit(" ", 1)[1]) for part in weights.split(" + "))
        assert math.log(total / (int(one) + int(other))) == pytest.approx(float(score), abs=1e-5)


def test_explain_prints_the_formula_below_each_parallel(capsys: Capture) -> None:
    out, _ = compared(capsys, "--explain", "--top", "4", "--metric", "span-target")
    lines = out.splitlines()[3:]
    assert len(lines) == 16
    found = expected(top=4, method=Tesserae(stoplist=10, metric="span-target"))
    assert [line.strip() for line in lines[3::4]] == [formula(p) for p in found]
    assert all(f") / {p.distance}) = " in formula(p) for p in found)
    assert "is for the format text" in refused(
        capsys, "compare", str(LUCAN), str(VERGIL), "--explain", "--format", "csv"
    )


HOSTILE = "<script>alert(1)</script> & \"arma\" 'uirum' </table>"


def test_texts_are_escaped_in_the_page() -> None:
    target = [Passage("a", HOSTILE, ref='<x "1">', meta={"author": "<b>"})]
    made = comparison(target, [Passage("b", "arma uirum <i>")], stoplist=0)
    page = "\n".join(html_lines(made, title="<b> ~ &", target=target, source=[Passage("b", "arma uirum <i>")]))
    assert page.count("<script>") == 1  # its own
    assert "alert(1)&lt;/script&gt;" in page
    assert "<title>&lt;b&gt; ~ &amp;</title>" in page
    assert "<i>" not in page.split("<tbody>")[1]


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_a_cell_is_no_formula_of_a_spreadsheet(start: str) -> None:
    target = [Passage("a", f"{start}1+2 arma uirum")]
    (_, row) = csv_lines(compare(target, [Passage("b", "uirum arma")], stoplist=0))
    cells = next(csv.reader([row]))
    assert cells[2] == f"'{start}1+2 **arma** **uirum**"
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


@pytest.mark.parametrize("text", ['arma, "uirum"\ncano\r\nTroiae;', "arma\nuirum", "arma\ruirum", "arma\r\nuirum"])
def test_a_passage_with_quotes_commas_and_line_breaks_comes_back(text: str) -> None:
    rows = "\n".join(csv_lines(compare([Passage("a", text)], [Passage("b", "uirum arma")], stoplist=0)))
    found = list(csv.DictReader(io.StringIO(rows, newline="")))
    assert found[0]["TARGET_TXT"].replace("**", "") == text


def test_overlapping_words_are_marked_once_and_a_terminal_obeys_no_text() -> None:
    words = [Word("arma", 0, 4, ("arma",), 1.0), Word("rma", 1, 4, ("rma",), 1.0)]
    assert starred("arma\x1b[2J", words) == "**arma**\x1b[2J"
    parallel = Parallel(1, 1.0, Passage("a", "arma\x1b[2J"), Passage("b", "arma"), tuple(words), (), rule="sum")
    assert not any("\x1b" in line for line in text_lines([parallel], colour=False))


def test_every_method_can_be_printed_in_every_format(capsys: Capture) -> None:
    from latinsearch.methods import METHODS

    for method in METHODS:
        counts = []
        for layout in ("text", "csv", "jsonl", "html"):
            out, _ = compared(capsys, "--method", method, "--format", layout, "--top", "7")
            counts.append({"text": (len(out.splitlines()) - 3) // 3, "html": out.count("<tr ")}.get(layout, 0))
            if layout == "csv":
                counts[-1] = len(list(csv.DictReader(io.StringIO(out))))
            elif layout == "jsonl":
                counts[-1] = len(out.splitlines())
        assert counts == [7] * 4, method


@pytest.mark.parametrize(
    "arguments",
    [
        ["--preset", "v5", "--cutoff", "2"],
        ["--metric", "span", "--max-distance", "12"],
        ["--frequency", "corpus", "--stoplist-basis", "source"],
        ["--score-basis", "form", "--stoplist", "latin"],
        ["--feature", "form", "--unit", "phrase"],
        ["--feature", "sound", "--stoplist", "50"],
        ["--lemmatizer", "simplemma"],
        ["--corpus", str(FOLDER)],
    ],
)
def test_the_options_reach_the_scorer(capsys: Capture, arguments: list[str]) -> None:
    out, _ = compared(capsys, *arguments, "--top", "3")
    plain, _ = compared(capsys, "--top", "3")
    assert out.splitlines()[0] != plain.splitlines()[0]
    named = {"--stoplist-basis": "stop_basis", "--preset": "score_basis"}
    for option, value in zip(arguments[::2], arguments[1::2], strict=True):
        name = named.get(option, option[2:].replace("-", "_"))
        if name in ("metric", "max_distance", "cutoff", "frequency", "stop_basis"):
            assert f"{name}={value}" in out.splitlines()[0]
    if "--preset" in arguments:
        assert "max_distance=10" in out
        assert "score_basis=form" in out


def test_the_preset_v3_is_the_default(capsys: Capture) -> None:
    assert compared(capsys, "--preset", "v3") == compared(capsys)


def test_more_than_are_shown_are_announced(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from latinsearch.cli import compare as command

    monkeypatch.setitem(command.SHOWN, "text", 4)
    out, err = compared(capsys)
    assert len(out.splitlines()) == 3 + 3 * 4
    assert err == "latinsearch: the best 4 are shown, there are more; --top N shows N\n"
    monkeypatch.setitem(command.SHOWN, "text", len(expected()))
    assert compared(capsys)[1] == ""


def test_no_parallels_is_said_and_is_no_error(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("arma uirumque\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("litora multum\n", encoding="utf-8")
    for layout, lines in (("text", 3), ("jsonl", 0), ("csv", 1)):
        given = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--stoplist", "0", "--format", layout]
        assert run(["compare", *given]) == 0
        captured = capsys.readouterr()
        assert len(captured.out.splitlines()) == lines
        assert "No parallels." in captured.err


def test_a_text_with_itself(capsys: Capture) -> None:
    assert run(["compare", str(VERGIL), str(VERGIL), "--format", "jsonl"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found
    assert all(line["target"]["doc_id"] != line["source"]["doc_id"] for line in found)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--top", "0"], "--top"),
        (["--stoplist", "-1"], "stoplist"),
        (["--stoplist", "999999"], "stop list of"),
        (["--stoplist", "nosuch"], "unknown stop list 'nosuch'"),
        (["--max-distance", "-3"], "max_distance"),
        (["--cutoff", "nan"], "cutoff"),
        (["--method", "bm25"], "unknown method 'bm25'"),
        (["--method", "fusion", "--unit", "phrase"], "unit and feature are for Tesserae's methods"),
        (
            ["--method", "bm25-lemma", "--max-distance", "3"],
            "--max-distance: for Tesserae's methods, not for bm25-lemma",
        ),
        (["--method", "bm25-lemma", "--stoplist-basis", "both"], "--stoplist-basis: for Tesserae's methods"),
        (["--method", "bm25-lemma", "--corpus", str(FOLDER)], "--corpus is for Tesserae's methods"),
        (["--method", "tesserae-one", "--preset", "v5"], "--preset has the two matches"),
        (["--unit", "stanza"], "'stanza' is not one of"),
        (["--feature", "form", "--lemmatizer", "simplemma"], "uses no lemmata"),
        (["--lemmatizer", "nosuch"], "unknown lemmatizer 'nosuch'"),
        (["--output", ""], "the path is empty"),
        (["--corpus", ""], "the path is empty"),
        (["--output", str(LUCAN)], "is one of the data that are read"),
        (["--output", "/nowhere/found.csv"], "there is no folder /nowhere"),
        (["--stoplist", "--5"], "unknown stop list '--5'"),
        (["--stoplist", "9" * 5000], "5,000 digits"),
        (["--method", "bm25-lemma", "--stoplist", "5"], "a number of stop words"),
        (["--stoplist", "latin", "--stoplist-basis", "source"], "leave one out"),
        (["--corpus", str(FOLDER), "--stoplist", "0"], "nothing is counted in --corpus"),
    ],
)
def test_bad_input_is_one_line(capsys: Capture, arguments: list[str], told: str) -> None:
    assert told in refused(capsys, "compare", str(LUCAN), str(VERGIL), *arguments)


def test_texts_that_cannot_be_compared_are_named(capsys: Capture, tmp_path: Path) -> None:
    empty, blank = tmp_path / "empty.tess", tmp_path / "blank.tess"
    empty.write_text("", encoding="utf-8")
    blank.write_text("<a 1>\t...\n<a 2>\t- -\n", encoding="utf-8")
    assert f"{empty}: the file is empty" in refused(capsys, "compare", str(empty), str(VERGIL))
    assert "the source has no words" in refused(capsys, "compare", str(VERGIL), str(blank))
    assert "there is no such file" in refused(capsys, "compare", str(VERGIL), str(tmp_path / "not.tess"))


def test_a_file_that_was_there_stays_if_the_comparison_fails(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "found.csv"
    out.write_text("old", encoding="utf-8")
    refused(capsys, "compare", str(LUCAN), str(VERGIL), "--stoplist", "999999", "--output", str(out))
    assert out.read_text(encoding="utf-8") == "old"
    compared(capsys, "--format", "csv", "--output", str(out))
    assert out.read_text(encoding="utf-8").startswith("RESULT,")
    assert list(tmp_path.iterdir()) == [out]


def test_a_reader_that_closes_the_pipe_ends_it_without_a_word() -> None:
    command = [sys.executable, "-m", "latinsearch", "compare", str(FOLDER), str(FOLDER), "--format", "jsonl"]
    env = {**os.environ, "PYTHONWARNINGS": "error"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read().decode()
    assert "Traceback" not in told
    assert "Error" not in told


def test_help_names_what_there_is() -> None:
    import click

    from latinsearch.cli.compare import compare_texts
    from latinsearch.compare import Feature, Unit
    from latinsearch.scorers.tesserae import CHOICES

    known = {"unit": get_args(Unit), "feature": get_args(Feature), **CHOICES}
    given = {o.name: o.type.choices for o in compare_texts.params if isinstance(o.type, click.Choice)}
    assert {name: tuple(given[name]) for name in known} == known


def test_a_negative_score_is_a_number_in_csv(capsys: Capture) -> None:
    out, _ = compared(capsys, "--format", "csv", "--method", "tesserae-one")
    rows = list(csv.DictReader(io.StringIO(out)))
    scores = [float(row["SCORE"]) for row in rows]
    assert scores[-1] < -20
    assert scores == sorted(scores, reverse=True)
    assert {row["DISTANCE"] == "" for row in rows if float(row["SCORE"]) < -20} == {True}


def test_the_formula_gives_the_score_to_its_last_decimal() -> None:
    for parallel in [*expected(stoplist=0), *expected(method="tesserae-one", top=2000)]:
        left, right = formula(parallel).split(" = ")
        weights = [float(each) for each in re.findall(r" (\d[\d.]*)(?= \+|\)|$)", left.split(" / ")[0].split(" - ")[0])]
        divisor = re.search(r"/ \((\d+) \+ (\d+)\)", left)
        distance = sum(map(int, divisor.groups())) if divisor else 1
        constant = 60 if left.endswith("- 60") else 0
        assert f"{math.log(sum(weights) / distance) - constant:.6f}" == right


def test_no_input_is_overwritten(capsys: Capture, tmp_path: Path) -> None:
    folder, stop = tmp_path / "texts", tmp_path / "stop.txt"
    folder.mkdir()
    stop.write_text("et\n", encoding="utf-8")
    (folder / "a.txt").write_text("arma uirumque\n", encoding="utf-8")
    told = refused(capsys, "compare", str(folder), str(folder), "--stoplist", str(stop), "--output", str(stop))
    assert "is one of the data that are read" in told
    told = refused(capsys, "compare", str(folder), str(VERGIL), "--output", str(folder / "new.txt"))
    assert f"is in the folder {folder}" in told
    assert stop.read_text(encoding="utf-8") == "et\n"


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u00a0", "\x0b", "\r"])
def test_no_separator_runs_words_together(separator: str) -> None:
    found = compare([Passage("a", f"arma{separator}uirum")], [Passage("b", "arma uirum")], stoplist=0)
    assert "  arma uirum  [arma, uirum]" in list(text_lines(found, colour=False))[1]


def test_the_page_of_the_current_folder_has_a_title(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("arma uirumque\narma uirum\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "texts")
    assert run(["compare", ".", ".", "--stoplist", "0", "--format", "html"]) == 0
    assert "<title>texts ~ texts</title>" in capsys.readouterr().out
