"""Two writers, writers that are killed, and what they leave: an index is the old one or the new one, whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from latinsearch import build, load
from latinsearch.records import InputError, Passage
from latinsearch.retriever import LexicalRetriever
from latinsearch.storage import _locked

OLD = [Passage(f"old.{number}", "arma uirumque cano " * 3) for number in range(300)]
NEW = [Passage(f"new.{number}", "litora multum ille " * 3) for number in range(300)]

WRITER = """
import sys
from latinsearch import build, load
from latinsearch.records import Passage
retriever = load(sys.argv[1])
print("ready", flush=True)
while True:
    retriever.save(sys.argv[2])
    print("saved", flush=True)
"""


def kind(retriever: LexicalRetriever) -> set[str]:
    """Which passages it has, of the two sorts; searched, so that its arrays are read."""
    assert len(retriever.search("cano multum", 1000)) == 300
    return {passage.doc_id.split(".")[0] for passage in retriever.passages}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_whenever_a_writer_is_killed_the_index_is_whole(tmp_path: Path) -> None:
    index, new = tmp_path / "index", tmp_path / "new"
    build(OLD, "bm25-form").save(index)
    build(NEW, "bm25-form").save(new)
    draw = random.Random(11)
    kinds = set()
    for _ in range(20):
        with subprocess.Popen([sys.executable, "-c", WRITER, new, index], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(draw.random() * 0.06)
            writer.send_signal(signal.SIGKILL)
        kinds |= kind(load(index))
        build(OLD, "bm25-form").save(index)  # the lock has ended with its holder
        assert kind(load(index)) == {"old"}
        assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "new"]
    assert kinds == {"old", "new"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_reader_is_not_disturbed_by_a_writer(tmp_path: Path) -> None:
    index, new = tmp_path / "index", tmp_path / "new"
    build(OLD, "bm25-form").save(index)
    build(NEW, "bm25-form").save(new)
    with subprocess.Popen([sys.executable, "-c", WRITER, new, index], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        seen = [kind(load(index)) for _ in range(150)]
        writer.kill()
    assert {"new"} in seen
    assert all(each in ({"old"}, {"new"}) for each in seen)


def test_of_two_writers_one_is_told_to_wait(tmp_path: Path) -> None:
    with _locked(tmp_path / "index"), pytest.raises(InputError, match="another process is writing it"):
        build(OLD[:2], "bm25-form").save(tmp_path / "index")
    build(OLD[:2], "bm25-form").save(tmp_path / "index")
    with _locked(tmp_path / "other"):
        build(OLD[:2], "bm25-form").save(tmp_path / "index")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_what_a_killed_writer_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    left = (".a.01234567.new", ".a.0123abcd.old", ".a.lock")
    kept = (".a.b.01234567.new", ".a.1.new", ".b.01234567.new", "a.01234567.new")
    for name in (*left[:2], *kept):
        (tmp_path / name).mkdir()
    (tmp_path / ".a.lock").touch()
    build(OLD[:2], "bm25-form").save(tmp_path / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, "a"])


def test_an_index_that_was_moved_away_when_its_writer_was_killed_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(OLD[:2], "bm25-form").save(tmp_path / "a")
    (tmp_path / "a").rename(tmp_path / ".a.0123abcd.old")
    (tmp_path / "a" / "not an index").mkdir(parents=True)
    with pytest.raises(InputError, match="is not an index"):
        build(NEW[:2], "bm25-form").save(tmp_path / "a")
    (tmp_path / "a" / "not an index").rmdir()
    (tmp_path / "a").rmdir()

    def full(passages: object, folder: Path) -> Iterator[Passage]:
        raise OSError("No space left on device")
        yield

    with monkeypatch.context() as patched, pytest.raises(OSError, match="what was there before is as it was"):
        patched.setattr("latinsearch.retriever.written", full)
        build(NEW[:2], "bm25-form").save(tmp_path / "a")
    assert kind_of_two(load(tmp_path / "a")) == {"old"}


def kind_of_two(retriever: LexicalRetriever) -> set[str]:
    return {passage.doc_id.split(".")[0] for passage in retriever.passages}


@pytest.mark.parametrize("exchange", [True, False])
def test_replaced_in_one_step_or_in_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool) -> None:
    if not exchange:
        monkeypatch.setattr("latinsearch.storage._exchanged", lambda one, other: False)
    build(OLD, "bm25-form").save(tmp_path / "index")
    before = load(tmp_path / "index")
    build(NEW, "bm25-form").save(tmp_path / "index")
    assert kind(before) == {"old"}  # opened before, and still as it was
    assert kind(load(tmp_path / "index")) == {"new"}
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
