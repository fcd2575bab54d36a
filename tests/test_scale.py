"""Many passages: streamed to disk, in shards, added to an index; the hits are those of one build of all in memory."""

from __future__ import annotations

import random
import weakref
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from corpus import passages, queries
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import Capture, printed, refused
from test_storage import contents, found

from latinsearch.__main__ import run
from latinsearch.analyzer import Analyzer
from latinsearch.damage import damages
from latinsearch.index import Index
from latinsearch.methods import METHODS, build
from latinsearch.records import InputError, Passage, Query
from latinsearch.retriever import load, search_all
from latinsearch.words import words_of


@pytest.mark.parametrize("shards", [2, 7, 60])
@pytest.mark.parametrize("method", METHODS)
def test_hits_do_not_depend_on_shards(method: str, shards: int, tmp_path: Path) -> None:
    whole, parted = build(passages(3), method), build(passages(3), method, shards=shards)
    assert parted.fields[0].index.shards == shards
    assert found(parted, 3) == found(whole, 3)
    asked = [Query(f"q{number}", text) for number, text in enumerate(queries(3))]
    for k in (1, 5, 1000):
        assert search_all(parted, asked, k) == search_all(whole, asked, k)
    parted.save(tmp_path / "index")
    assert found(load(tmp_path / "index"), 3) == found(whole, 3)
    assert damages(tmp_path / "index") == []


@pytest.mark.parametrize("method", METHODS)
def test_built_into_a_folder_is_built_and_saved(method: str, tmp_path: Path) -> None:
    for shards in (1, 3):
        streamed = build(iter(passages(4)), method, folder=tmp_path / "streamed", shards=shards)
        build(passages(4), method, shards=shards).save(tmp_path / "saved")
        assert contents(tmp_path / "streamed") == contents(tmp_path / "saved")
        assert streamed.source is not None
        assert found(streamed, 4) == found(build(passages(4), method), 4)


def test_passages_that_are_streamed_are_not_kept(tmp_path: Path) -> None:
    class Watched(Passage):
        __slots__ = ("__weakref__",)

    alive: list[weakref.ref[Passage]] = []
    most = 0

    def stream() -> Iterator[Passage]:
        nonlocal most
        for number in range(30_000):
            passage = Watched(f"p{number}", "arma uirumque cano")
            alive.append(weakref.ref(passage))
            if number % 5000 == 0:
                most = max(most, sum(each() is not None for each in alive))
            yield passage

    assert len(build(stream(), "bm25-form", folder=tmp_path / "index").passages) == 30_000
    assert most <= 9000  # two blocks


def test_a_stream_that_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    build(passages(0)).save(tmp_path / "index")
    before = contents(tmp_path / "index")

    def broken() -> Iterator[Passage]:
        yield from passages(1)
        raise InputError("line 41 of the corpus is damaged")

    repeated = [*passages(1), passages(1)[0]]
    for stream, message in (
        (broken(), "line 41"),
        (iter(repeated), "1 doc_ids repeat"),
        (iter(()), "no passages"),
        (iter(["arma"]), "not str"),
    ):
        with pytest.raises(InputError, match=message):
            build(stream, folder=tmp_path / "index")  # type: ignore[arg-type]
    assert contents(tmp_path / "index") == before
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


@pytest.mark.parametrize("method", METHODS)
def test_extended_is_built_of_all(method: str, tmp_path: Path) -> None:
    every = [
        *passages(5),
        *(Passage(f"more.{p.doc_id}", p.text, meta=p.meta) for p in passages(6)),
        Passage("z", "nouum"),
    ]
    for cut in (1, 20, 80):
        first = build(every[:cut], method, shards=2)
        first.save(tmp_path / "first")
        for grown in (first.extended(every[cut:]), load(tmp_path / "first").extended(every[cut:])):
            whole = build(every, method, shards=2)
            assert found(grown, 5) == found(whole, 5)
            assert grown.signature == whole.signature
            grown.save(tmp_path / "grown")
            whole.save(tmp_path / "whole")
            assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


def test_extending_does_not_analyze_the_old_texts_again() -> None:
    asked: list[str] = []

    def lemmata(form: str) -> tuple[str, ...]:
        asked.append(form)
        return (form,)

    first = build([Passage("a", "arma uirumque"), Passage("b", "cano")], lemmatizer=lemmata)
    asked.clear()
    grown = first.extended([Passage("c", "troiae cano")])
    assert set(asked) <= {"troiae", "cano"}
    assert [hit.doc_id for hit in grown.search("cano")] == ["c", "b"] or len(grown.search("cano")) == 2


def test_extended_refuses_what_build_refuses() -> None:
    first = build([Passage("a", "arma")])
    for further, message in (
        ([Passage("a", "cano")], "1 doc_ids repeat, the first is 'a'"),
        ([Passage("b", "x"), Passage("b", "y")], "1 doc_ids repeat"),
        ([], "no passages"),
        (["arma"], "not str"),
    ):
        with pytest.raises(InputError, match=message):
            first.extended(further)  # type: ignore[arg-type]


@given(st.integers(0, 10_000), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_counts_of_shards_together_are_the_counts(seed: int, shards: int) -> None:
    words = words_of(passages(seed, size=random.Random(seed).randint(1, 30)))
    for analyzer in (Analyzer(lemmatizer="lexicon"), Analyzer(ngrams=3)):
        one, many = Index.of(words, analyzer), Index.of(words, analyzer, shards=shards)
        assert (one.counts != many.counts).nnz == 0
        assert one.df.tolist() == many.df.tolist() == np.diff(one.counts.indptr).tolist()
        assert one.frequencies.tolist() == many.frequencies.tolist()


def test_words_do_not_depend_on_jobs() -> None:
    many = [Passage(f"p{number}", f"arma {'abcdefghij'[number % 10]}uirum cano") for number in range(9000)]
    one, two = words_of(many), words_of(iter(many), n_jobs=2)
    assert one.forms == two.forms
    assert all(np.array_equal(a, b) for a, b in zip(one[1:4], two[1:4], strict=True))
    words = [one.forms[number] for number in one.numbers[one.offsets[8992] : one.offsets[8993]]]
    assert words == ["arma", "cuirum", "cano"]


def test_texts_are_added_from_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    for name, lines in (("one", ("arma uirumque cano", "troiae qui primus")), ("two", ("arma cano", "litora"))):
        text = "".join(f"<verg. {name} {number}>\t{line}\n" for number, line in enumerate(lines, 1))
        (tmp_path / f"{name}.tess").write_text(text, encoding="utf-8")
    one, two, index, whole = (str(tmp_path / name) for name in ("one.tess", "two.tess", "index", "whole"))
    printed(capsys, "index", one, "--output", index, "--shards", "2")
    assert "passages       4" in printed(capsys, "index", two, "--output", index, "--add")
    printed(capsys, "index", one, two, "--output", whole, "--shards", "2", "--jobs", "2")
    assert contents(Path(index)) == contents(Path(whole))
    for arguments, message in (
        ((two, "--output", index, "--add"), "doc_ids repeat"),
        ((two, "--output", index, "--add", "--method", "fusion"), "--method beside --add does nothing"),
        ((two, "--output", index, "--add", "--shards", "1"), "--shards beside --add does nothing"),
        ((two, "--output", str(tmp_path / "nowhere"), "--add"), "no such folder"),
        ((two, "--output", str(tmp_path / "new"), "--shards", "0"), "0 shards"),
    ):
        assert message in refused(capsys, "index", *arguments)
    assert contents(Path(index)) == contents(Path(whole))


def test_verify_from_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    index = tmp_path / "index"
    build(passages(0), "fusion", shards=2).save(index)
    assert "is whole: " in printed(capsys, "verify", str(index))
    damaged = [index / name for name in ("field-1/tokens.npy", "field-0/shard-1/rows.npy")]
    for path in damaged:
        path.write_bytes(path.read_bytes()[:-1] + b"\x07")
    assert run(["verify", str(index)]) == 2
    told = capsys.readouterr()
    assert all(f"{path}: its checksum differs" in told.out for path in damaged)
    assert "is damaged: 2 faults" in told.err
    assert "no such folder" in (run(["verify", str(tmp_path / "nowhere")]), capsys.readouterr().out)[1]


def test_a_generator_of_passages_may_be_built_in_memory_too() -> None:
    assert len(build(islice(iter(passages(0)), 10)).passages) == 10
