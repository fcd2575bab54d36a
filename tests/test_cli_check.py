"""The command check: every line of a text is read, read though odd, or named as not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shell import Capture, printed, refused

from latinsearch.corpora.survey import survey
from latinsearch.corpora.texts import REPEATED, TWICE

ODD = """\ufeff<a. b. 1>\tarma uirumque cano
goes on without a reference
<a. b. 2> Troiae â€” qui primus
<a. b. 2>\tTroiae â€” qui  primus
<a. b. 2>\tsed alter
<a. b. 4>\tvÄ“nit <a. b. 5> profugus

<a. b. 3>
<a. b. 7-9>\tfirst of a span
<a. b. 7-9>\tsecond of a span
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "odd.tess").write_text(ODD, encoding="utf-8")
    (tmp_path / "bytes.txt").write_bytes("uirum\ncanō\n".encode().replace("ō".encode(), b"\xf3"))
    return tmp_path


def test_a_report_of_everything_odd(folder: Path, capsys: Capture) -> None:
    out = printed(capsys, "check", str(folder))
    counted = dict(line.rsplit(maxsplit=1) for line in out.split("\n\n")[0].splitlines())
    assert {name.strip(): int(count) for name, count in counted.items()} == {
        "files": 2,
        "lines with text": 11,
        "joined to another line's passage": 2,
        "passages begun within a line": 1,
        "not read": 2,
        "passages": 8,
        "words": 23,
    }
    odd, left = out.split("read, though odd:\n")[1].split("not read:\n")
    kinds = {line[11:]: int(line[:9]) for line in (odd + left).splitlines() if line[:9].strip()}
    assert kinds == {
        "the reference is lower than the one before; the file's order is kept": 1,
        "no reference; the line is joined to the passage before it": 1,
        "one reference to several lines; they are one passage": 1,
        "a second reference within the line begins a passage": 1,
        "no text after the reference; kept as a passage without words": 1,
        "not in UTF-8, read as Windows-1252; save the file as UTF-8": 1,
        "a byte-order mark; left out": 1,
        "blanks in place of the tab after the reference": 2,
        "double-encoded dash": 1,
        "double-encoded letter": 1,
        TWICE: 1,
        REPEATED: 1,
    }
    assert f"{folder / 'odd.tess'}:5 <a. b. 2>" in left


def test_places_lists_each(folder: Path, capsys: Capture) -> None:
    (folder / "more.tess").write_text("<c 2>\ta\n<c 1>\tb\n<c 3>\tc\n<c 2>\td\n<c 1>\te\n", encoding="utf-8")
    at = f"{folder / 'more.tess'}:"
    assert f"{at}5" not in printed(capsys, "check", str(folder))
    assert all(f"{at}{line} " in printed(capsys, "check", str(folder), "--places") for line in (2, 4, 5))


def test_json_has_the_places(folder: Path, capsys: Capture) -> None:
    told: dict[str, Any] = json.loads(printed(capsys, "check", str(folder), "--format", "json"))
    left = [place for places in told["left"].values() for place in places]
    assert [(place["line"], place["ref"]) for place in left] == [(4, "<a. b. 2>"), (5, "<a. b. 2>")]
    assert told["lines"] == told["passages"] + told["joined"] + len(left) - told["parted"]
    assert told["counts"]["double-encoded dash"] == 1


def test_bad_input_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    assert "there is no such file" in refused(capsys, "check", str(tmp_path / "not.tess"))
    (tmp_path / "empty.tess").write_text("")
    assert "the file is empty" in refused(capsys, "check", str(tmp_path / "empty.tess"))


def test_every_line_of_tesseraes_latin_is_accounted_for(data: Path) -> None:
    found = survey(data / "tesserae-la")
    assert found.adds_up
    assert (found.files, found.lines, len(found.passages)) == (748, 349_540, 338_056)
    assert (found.joined, found.parted) == (8 + 9_521, 21)
    assert {kind: len(places) for kind, places in found.left.items()} == {TWICE: 1_421, REPEATED: 555}
    assert sorted(map(len, found.odd.values())) == [1, 8, 21, 24, 112, 9_521]
    assert sorted(found.silent.values()) == [4, 226_298]
    assert all(place.line for places in (*found.odd.values(), *found.left.values()) for place in places)
