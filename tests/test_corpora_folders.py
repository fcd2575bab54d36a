"""Paths of every kind: folders with links, pipes and names that are no text, and several paths at once."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from latinsearch.corpora import read
from latinsearch.corpora.files import Notes, natural, short
from latinsearch.corpora.folders import files_below
from latinsearch.records import InputError, TextWarning

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files, or no right to make them")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one .tess file, beside which others are made."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.tess").write_text("<a. 1>\tarma\n")
    return tmp_path / "texts"


def ids(*paths: str | Path) -> list[str]:
    return [passage.doc_id for passage in read(*paths)]


@posix_only
def test_links_are_followed_and_no_folder_is_read_twice(folder: Path) -> None:
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "b.txt").write_text("bella\n")
    (folder / "below").mkdir()
    (folder / "below" / "c.txt").write_text("cano\n")
    (folder / "again").symlink_to("below")
    (folder / "loop").symlink_to(".")
    (folder / "up").symlink_to("../other")
    (folder.parent / "other" / "back").symlink_to("../texts")
    (folder / "d.tess").symlink_to("a.tess")
    found = [str(file.relative_to(folder)) for file in files_below(folder, {".tess", ".txt"}, {})]
    assert found == ["a.tess", "below/c.txt", "d.tess", "up/b.txt"]
    (folder / "d.tess").unlink()
    assert ids(folder) == ["a.1", "c.1", "b.1"]


@posix_only
def test_broken_links_and_pipes_are_counted(folder: Path) -> None:
    for name in ("l.tess", "folder"):
        (folder / name).symlink_to("nowhere")
    os.mkfifo(folder / "p.tess")
    with pytest.warns(TextWarning) as caught:
        assert ids(folder) == ["a.1"]
    messages = [str(warning.message) for warning in caught]
    assert messages == [
        f"{folder}/folder: this link leads nowhere; the other files are read (2 files in all)",
        f"{folder}/p.tess: not a regular file (a pipe or a device); the other files are read (1 file in all)",
    ]


@posix_only
@pytest.mark.parametrize("name", ["pipe.tess", "circle.tess", "broken.tess", "null.tess"])
def test_what_is_no_regular_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe.tess")
    for link, target in (("circle.tess", "circle.tess"), ("broken.tess", "nowhere"), ("null.tess", "/dev/null")):
        (tmp_path / link).symlink_to(target)
    reasons = {"pipe": "not a regular file", "circle": "symbolic links", "broken": "leads to nowhere", "null": "device"}
    with pytest.raises((InputError, FileNotFoundError), match=rf"{name}: .*{reasons[name.split('.')[0]]}"):
        read(tmp_path / name)


def test_a_folder_that_may_not_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for the operating system, which refuses nothing to root."""
    (folder / "secret").mkdir()
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    for path in (folder, folder / "secret"):
        with pytest.raises(InputError, match="secret: permission denied"):
            read(path)


def test_a_file_that_may_not_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"a\.tess: permission denied"):
        read(folder)


@pytest.mark.parametrize(
    ("path", "match"),
    [
        ("", "the path '' is empty"),
        ("a\0b", "cannot be the path of a file"),
        ("~nobody/a.tess", r"~nobody/a\.tess: there is no such file .*~ is not expanded"),
    ],
)
def test_a_path_that_is_none_is_refused(path: str, match: str) -> None:
    with pytest.raises((InputError, FileNotFoundError), match=match):
        read(path)


def test_a_name_that_begins_with_a_tilde_is_a_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    Path("~x.txt").write_text("arma\n")
    assert ids("~x.txt") == ["~x.1"]


def test_names_and_numbers_are_ordered_together(tmp_path: Path) -> None:
    for name in ("aeneid2", "aeneid", "aeneid10", "2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text("arma\n")
    assert ids(tmp_path) == ["2.1", "aeneid.1", "aeneid2.1", "aeneid10.1"]
    names = ["a1", "a", "1a", "1", "a1b", "01", "²", "٣", "a.1"]
    assert sorted(map(Path, names), key=natural) == sorted(map(Path, reversed(names)), key=natural)


@posix_only
def test_a_file_name_that_is_not_in_utf8_gives_clean_ids(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"uo\xff.txt")).write_text("arma\n")
        (tmp_path / os.fsdecode(b"uo\xff.tess")).write_text("<1> arma\n")
        (tmp_path / os.fsdecode(b"vo\xff.tess")).write_text("<1> arma\n")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 alone")
    with pytest.warns(TextWarning, match="uo\ufffd.tess: the file's name is not in UTF-8.*3 files"):
        assert ids(tmp_path) == ["1", "uo\ufffd.1", "vo\ufffd.1"]


def test_several_paths_are_read_as_one_folder(folder: Path) -> None:
    (folder / "b.txt").write_text("bella\n")
    (folder.parent / "c.tess").write_text("<c. 1>\tcano\n<c. 1>\tcano\n")
    (folder.parent / "empty.txt").write_text("")
    with pytest.warns(TextWarning) as caught:
        found = ids(folder / "b.txt", folder.parent / "c.tess", folder.parent / "empty.txt", folder)
    assert found == ["b.1", "c.1", "a.1"]
    assert [str(warning.message).split(": ", 1)[1] for warning in caught] == [
        "the file is empty; the others are read (1 file in all)",
        "the reference and its text occur again; they are read once (2 lines in all)",
    ]
    with pytest.raises(InputError, match=r"empty\.txt, .*empty\.txt: all 2 text files are empty"):
        read(folder.parent / "empty.txt", folder.parent / "empty.txt")


def test_ids_are_unique_whatever_the_files_are_called(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name in ("0.tess", "a/b.tess", "a.b.tess"):
        (tmp_path / name).write_text("<1>\tarma\n")
    for name in ("a b.txt", "a.b.txt"):
        (tmp_path / name).write_text("bella\n")
    found = ids(tmp_path)
    assert len(set(found)) == 5
    assert {"1", "a.b.1"} < set(found)
    (tmp_path / "0.tess").write_text("<1>\tarma\n<a.b.2.1>\tcano\n")
    found = ids(tmp_path)
    assert len(set(found)) == 6
    shuffled = [tmp_path / name for name in ("a.b.tess", "a b.txt", "0.tess", "a.b.txt", "a/b.tess")]
    for seed in range(5):
        random.Random(seed).shuffle(shuffled)
        assert len(set(ids(*shuffled))) == 6


@pytest.mark.parametrize(
    "mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xff\xfe\0\0", "\ufeff \n".encode(), "\u00a0".encode()]
)
def test_a_file_with_nothing_but_a_mark_is_empty(folder: Path, mark: bytes) -> None:
    for name in ("b.tess", "c.txt"):
        (folder / name).write_bytes(mark)
    with pytest.warns(TextWarning, match=r"b\.tess: the file is empty; the others are read \(2 files in all\)"):
        assert ids(folder) == ["a.1"]


def test_what_is_no_text_is_told_from_utf16_without_its_mark(folder: Path) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        (folder / "b.tess").write_bytes("<b. 1>\tarma uirumque cano\n".encode(encoding))
        with pytest.raises(InputError, match=r"b\.tess: perhaps UTF-16 without its byte-order mark"):
            read(folder)
    (folder / "b.tess").write_bytes(b"\x89PNG\0\1\2\xff" * 50)
    with pytest.raises(InputError, match=r"b\.tess: this is no text"):
        read(folder)


def test_an_index_and_hidden_files_are_left_alone(folder: Path) -> None:
    (folder / "index" / "field-0").mkdir(parents=True)
    for name in ("meta.json", "passages.jsonl", "field-0/terms.txt"):
        (folder / "index" / name).write_text("arma\n")
    (folder / ".lock.tess").write_text("x")
    notes: Notes = {}
    assert [file.name for file in files_below(folder, {".tess", ".txt"}, notes)] == ["a.tess"]
    assert not notes


def test_long_values_are_shortened() -> None:
    assert short("a" * 61) == f"'{'a' * 60}…'"
    assert short(list(range(1000)), most=10) == "[0, 1, 2, …"
