"""The command check: every line of a text is read, read though odd, or named as not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shell import Capture, printed, refused

from latinsearch.__main__ import run
from latinsearch.corpora.files import Notes
from latinsearch.corpora.survey import MARKED, NO_TAB, survey
from latinsearch.corpora.tess import JOINED, SECOND, SPAN
from latinsearch.corpora.texts import REPEATED, TWICE
from latinsearch.tokenizer import repairs

ODD = """\ufeffINCIPIT
<a. b. 1>\tarma uirumque cano
<et> goes on without a reference
<a. b. 2> Troiae â€” qui â€” primus
<a. b. 2>\tTroiae â€” qui â€”  primus
<a. b. 2>\tsed alter
<a. b. 4>\tvÄ“nit <a. b. 5> profugus

<a. b. 3>
a. b. 6> Italiam
<a. b. 7-9>\tfirst of a span
<a. b. 7-9>\tsecond of a span
<a. b. 10>Lauinaque
<a. b. 7-9> again, â€”
<a. b. 7-9> and its second, â€”
"""
REPORT = """\
files                                         3
lines with text                              16
  joined to another line's passage            2
  passages begun within a line                1
  not read                                    4
passages                                     11
words                                        27

read, though odd:
        1  not in UTF-8, read as Windows-1252; save the file as UTF-8
           bytes.txt:2
        1  text without a reference; named after the file and the line
           odd.tess:1
        1  no reference; the line is joined to the passage before it
           odd.tess:3
        1  a second reference within the line begins a passage
           odd.tess:7 <a. b. 5>
        1  a reference with only one of its brackets; the other is supplied
           odd.tess:10 a. b. 6>
        1  one reference to several lines; they are one passage
           odd.tess:12 <a. b. 7-9>
        1  no text after the reference; kept as a passage without words
           odd.tess:9 <a. b. 3>
        1  the reference is lower than the one before; the file's order is kept
           odd.tess:9 <a. b. 3>
        1  the file is empty; the others are read
           empty.tess
        1  a byte-order mark; left out
           odd.tess:1
        3  no tab after the reference; the text is what follows
           odd.tess:4 <a. b. 2>
        2  double-encoded dash (on 1 line)
           odd.tess:4 <a. b. 2>
        1  double-encoded letter
           odd.tess:7 <a. b. 4>
not read:
        3  the reference occurs again; the first text is kept and this one is not read
           odd.tess:6 <a. b. 2>
        1  the reference and its text occur again; they are read once
           odd.tess:5 <a. b. 2>
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "odd.tess").write_text(ODD, encoding="utf-8")
    (tmp_path / "bytes.txt").write_bytes(b"uirum\ncan\xf3\n")
    (tmp_path / "empty.tess").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_report_of_everything_odd(folder: Path, capsys: Capture) -> None:
    assert printed(capsys, "check", ".") == REPORT


def test_places_lists_each(folder: Path, capsys: Capture) -> None:
    told = printed(capsys, "check", "odd.tess", "--places").splitlines()
    tabs = told.index("        3  no tab after the reference; the text is what follows")
    assert [line.strip() for line in told[tabs + 1 : tabs + 4]] == [
        "odd.tess:4 <a. b. 2>",
        "odd.tess:9 <a. b. 3>",
        "odd.tess:13 <a. b. 10>",
    ]
    left = told[told.index("not read:") + 2 :]
    # The lines of a passage that is not read are all listed, not only the one with which it begins.
    assert [line.strip().split(" ")[0] for line in left[:3]] == ["odd.tess:6", "odd.tess:14", "odd.tess:15"]


def test_json_has_counts_and_the_places_if_asked(folder: Path, capsys: Capture) -> None:
    told: dict[str, Any] = json.loads(printed(capsys, "check", "odd.tess", "--format", "json"))
    assert told["left"] == {TWICE: {"count": 1}, REPEATED: {"count": 3}}
    assert told["odd"]["double-encoded dash"] == {"count": 2}
    assert told["lines"] == told["passages"] - told["parted"] + told["joined"] + told["unread"]
    told = json.loads(printed(capsys, "check", "odd.tess", "--format", "json", "--places"))
    assert told["left"][TWICE]["places"] == [{"file": "odd.tess", "line": 5, "ref": "<a. b. 2>"}]


def test_a_file_given_twice_is_accounted_for(folder: Path) -> None:
    once, twice = survey("odd.tess"), survey("odd.tess", "odd.tess")
    assert twice.adds_up
    assert (twice.lines, twice.passages) == (2 * once.lines, once.passages)
    assert twice.odd[NO_TAB] == once.odd[NO_TAB]


def test_byte_order_marks_are_found_whatever_the_encoding(folder: Path) -> None:
    for encoding in ("utf-16", "utf-32"):
        Path("marked.tess").write_text("<a. 1>\tarma\n", encoding=encoding)
        assert [place.line for place in survey("marked.tess").odd[MARKED]] == [1]


def test_bad_input_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    assert "there is no such file" in refused(capsys, "check", str(tmp_path / "not.tess"))
    (tmp_path / "empty.tess").write_text("")
    assert "the file is empty" in refused(capsys, "check", str(tmp_path / "empty.tess"))


@pytest.mark.parametrize("layout", ["text", "json"])
def test_a_file_that_cannot_be_read_is_named_and_the_others_are_counted(
    folder: Path, capsys: Capture, layout: str
) -> None:
    (folder / "bad.tess").write_bytes(b"\0\1\2")
    assert run(["check", ".", "--format", layout]) == 2
    captured = capsys.readouterr()
    assert captured.err == "latinsearch: error: 1 of 4 files cannot be read; they are named above\n"
    assert "bad.tess" in captured.out
    if layout == "text":
        assert captured.out.startswith(REPORT.rstrip())
    else:
        assert json.loads(captured.out)["passages"] == 11


def counted(notes: Notes) -> dict[str, int]:
    return {kind: len(places) for kind, places in notes.items()}


def test_every_line_of_tesseraes_latin_is_accounted_for(data: Path) -> None:
    found = survey(data / "tesserae-la", kinds=lambda line: ["double-encoded"] * repairs(line))
    assert found.adds_up
    assert (found.files, found.lines, len(found.passages)) == (748, 349_540, 338_056)
    assert (found.joined, found.parted, found.unread) == (8 + 9_515, 21, 1_982)
    # 1,976 passages have a reference that occurred before; two in Seneca's Oedipus have six lines more.
    assert counted(found.left) == {REPEATED: 555 + 6, TWICE: 1_421}
    assert counted(found.odd) == {
        "the reference is lower than the one before; the file's order is kept": 112,
        JOINED: 8,
        SECOND: 21,
        "a reference with only one of its brackets; the other is supplied": 1,
        "no text after the reference; kept as a passage without words": 24,
        SPAN: 9_515,
        NO_TAB: 224_458,
        MARKED: 4,
        "double-encoded": 543 + 1_091 + 822 + 1,
    }
    assert len(found.odd["double-encoded"]) == sum(repairs(passage.text) for passage in found.passages)
    assert all(place.line for notes in (found.odd, found.left) for places in notes.values() for place in places)
