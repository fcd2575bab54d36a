"""An index on disk: the same bytes, the same hits, every damage named, nothing of the user's overwritten, nothing executed."""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from corpus import passages, queries

import latinsearch as ls
from latinsearch.methods import METHODS, build
from latinsearch.records import InputError, Passage
from latinsearch.retriever import load
from latinsearch.storage import _digest, file_facts


def found(retriever: ls.retriever.LexicalRetriever, seed: int) -> list[list[tuple[str, float]]]:  # type: ignore[name-defined]
    return [[(h.doc_id, h.score) for h in retriever.search(query, k=1000)] for query in queries(seed)]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("method", METHODS)
def test_save_load_search_is_search(method: str, tmp_path: Path) -> None:
    made = build(passages(0), method)
    made.save(tmp_path / "index")
    loaded = load(tmp_path / "index")
    assert loaded.signature == made.signature
    assert tuple(loaded.passages) == tuple(made.passages)
    assert found(loaded, 0) == found(made, 0)
    hit = loaded.search("arma uirumque cano bello")[0]
    assert str(loaded.explain("arma uirumque cano bello", hit.doc_id)) == str(
        made.explain("arma uirumque cano bello", hit.doc_id)
    )


def test_passages_keep_everything(tmp_path: Path) -> None:
    odd = [
        Passage("a", "Arma\nvirumque\r\n \u2028cano\x85 Σαρπηδών", "<verg. aen. 1.1>", {"author": "Vergil", "line": 1}),
        Passage("b", ""),
        Passage("c", '"quoted" \\ \ttab  '),
    ]
    build(odd).save(tmp_path / "index")
    assert load(tmp_path / "index").passages == tuple(odd)


def test_passages_without_words_are_saved_too(tmp_path: Path) -> None:
    for method in METHODS:
        build([Passage("a", ""), Passage("b", "...")], method).save(tmp_path / method)
        assert load(tmp_path / method).search("arma") == []


def test_same_bytes_for_any_hash_seed_and_number_of_jobs(tmp_path: Path) -> None:
    code = "import sys; from corpus import passages; import latinsearch as ls; \
ls.build(passages(0), 'fusion', n_jobs=int(sys.argv[2])).save(sys.argv[1])"
    for name, seed, jobs in (("one", "1", "1"), ("two", "2", "2")):
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / name), jobs],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
        )
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert found(load(tmp_path / "one"), 0) == found(build(passages(0), "fusion"), 0)


def test_an_index_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    build(passages(0)).save(tmp_path / "index")
    build(passages(1), "fusion").save(tmp_path / "index")
    assert found(load(tmp_path / "index"), 1) == found(build(passages(1), "fusion"), 1)
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_a_failed_save_leaves_the_old_index_and_no_remains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(passages(0)).save(tmp_path / "index")
    before = contents(tmp_path / "index")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="No space left"):
        build(passages(1)).save(tmp_path / "index")
    assert contents(tmp_path / "index") == before
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_what_is_not_an_index_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    for target in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(InputError, match="not an index of latinsearch; give another folder"):
            build(passages(0)).save(target)
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "years of work"
    (tmp_path / "empty").mkdir()
    build(passages(0)).save(tmp_path / "empty")
    assert load(tmp_path / "empty").passages


def test_what_is_not_an_index_is_not_loaded(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"not an index of latinsearch, it has no meta\.json"):
        load(tmp_path)
    for text in ("", "[]", '{"format": 1}', '{"files": 3, "format": 1}', "\x00\x01"):
        (tmp_path / "meta.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"meta\.json: damaged or not of latinsearch"):
            load(tmp_path)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    build(passages(0), "fusion").save(tmp_path / "index")
    return tmp_path / "index"


def test_every_file_cut_short_or_changed_or_gone_is_named(saved: Path) -> None:
    names = [name for name in contents(saved) if name != "meta.json"]
    assert len(names) == 5 + 3 * 13
    for name in names:
        path, whole = saved / name, (saved / name).read_bytes()
        flipped = bytes([*whole[:-1], whole[-1] ^ 1]) if whole else b"x"
        for damaged in (whole[:-1] if whole else b"xx", flipped):
            path.write_bytes(damaged)
            with pytest.raises(InputError, match=path.name):
                load(saved)
        path.unlink()
        with pytest.raises(InputError, match=rf"{path.name}: missing"):
            load(saved)
        path.write_bytes(whole)
    assert load(saved).passages


def altered(saved: Path, **changes: object) -> Path:
    meta = json.loads((saved / "meta.json").read_text(encoding="utf-8"))
    content = {name: value for name, value in {**meta, **changes}.items() if name != "sha256"}
    (saved / "meta.json").write_text(json.dumps({**content, "sha256": _digest(content)}), encoding="utf-8")
    return saved


def test_a_newer_format_is_refused_with_the_version_that_wrote_it(saved: Path) -> None:
    with pytest.raises(InputError, match=r"index format 99, this version reads 2; latinsearch 9\.9 wrote it"):
        load(altered(saved, format=99, version="9.9"))


def test_texts_read_by_another_analysis_are_refused(saved: Path) -> None:
    meta = json.loads((saved / "meta.json").read_text(encoding="utf-8"))
    recipe = meta["recipe"].replace("lexicon-", "lexicon-0.")
    with pytest.raises(InputError, match=r"its texts were read by .*lexicon-0\..*, queries would be read by"):
        load(altered(saved, recipe=recipe))


@pytest.mark.parametrize("name", ["../secret", "/etc/hostname"])
def test_no_path_leads_out_of_the_folder(saved: Path, name: str) -> None:
    with pytest.raises(InputError, match="outside the folder"):
        load(altered(saved, files={name: {"size": 1, "sha256": "0"}}))


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [{}],
        "x",
        None,
        [
            {
                "analyzer": {
                    "lemmatizer": "none",
                    "rules": ["os.system"],
                    "stopwords": [],
                    "candidates": "all",
                    "ngrams": None,
                }
            }
        ],
    ],
)
def test_a_meta_file_that_was_meddled_with_is_refused(saved: Path, fields: object) -> None:
    with pytest.raises(InputError):
        load(altered(saved, fields=fields))


def test_pickled_arrays_are_not_opened(saved: Path) -> None:
    path = saved / "field-0" / "tokens.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    meta = json.loads((saved / "meta.json").read_text(encoding="utf-8"))
    meta["files"]["field-0/tokens.npy"] = file_facts(path)
    with pytest.raises(InputError, match=r"tokens\.npy: cannot be read as an array"):
        load(altered(saved, files=meta["files"]))


def test_arrays_are_memory_mapped_and_read_only(saved: Path) -> None:
    index = load(saved).fields[0].index
    assert isinstance(memoryview(index.tokens.base).obj, mmap.mmap)
    with pytest.raises(ValueError, match="read-only"):
        index.tokens[0] = 1


def test_a_lemmatizer_of_the_users_own_must_be_given_again(tmp_path: Path) -> None:
    def lemmata(form: str) -> tuple[str, ...]:
        return ("pugna",) if form == "bella" else ()

    made = build(passages(0), "bm25-lemma", lemmatizer=lemmata)
    made.save(tmp_path / "index")
    with pytest.raises(InputError, match="lemmatizer of the user's own"):
        load(tmp_path / "index")
    assert found(load(tmp_path / "index", lemmatizer=lemmata), 0) == found(made, 0)
    with pytest.raises(InputError, match="queries would be read by"):
        load(tmp_path / "index", lemmatizer="simplemma")
