"""An index on disk: the same bytes, the same hits, every damage named, nothing of the user's overwritten, nothing executed."""

from __future__ import annotations

import json
import mmap
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from corpus import passages, queries

import latinsearch as ls
from latinsearch.damage import damages
from latinsearch.methods import METHODS, build
from latinsearch.records import InputError, Passage, Query
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


def hits(retriever: ls.retriever.LexicalRetriever) -> list[object]:  # type: ignore[name-defined]
    """All that a user sees of some searches, and of a run."""
    asked = [Query(f"q{number}", text) for number, text in enumerate(queries(0))]
    run = ls.retriever.search_all(retriever, asked)  # type: ignore[attr-defined]
    return [run, *(retriever.search(query.text, 1000) for query in asked), list(retriever.passages)]


def test_of_two_hundred_flipped_bits_each_is_found(saved: Path) -> None:
    """`verify` names the file; a search gives the right hits or an error that names it, never others."""
    expected, draw = hits(load(saved)), random.Random(5)
    whole = contents(saved)
    for _ in range(200):
        name = draw.choices(sorted(whole), [len(whole[name]) for name in sorted(whole)])[0]
        at = draw.randrange(len(whole[name]))
        flipped = bytes([*whole[name][:at], whole[name][at] ^ (1 << draw.randrange(8)), *whole[name][at + 1 :]])
        (saved / name).write_bytes(flipped)
        (fault,) = damages(saved)
        assert str(saved / name) in fault or (name == "meta.json" and str(saved) in fault)
        try:
            assert hits(load(saved)) == expected
        except InputError as error:
            assert str(saved) in str(error)
        else:
            pytest.fail(f"{name}, byte {at}: not noticed")
        (saved / name).write_bytes(whole[name])
    assert hits(load(saved)) == expected


def test_great_files_are_checked_when_they_are_used(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `SMALL` does it with files over a megabyte: opening is cheap, and what is damaged gives no hit."""
    monkeypatch.setattr("latinsearch.stored.SMALL", 0)
    monkeypatch.setattr("latinsearch.stored._BLOCK", 256)
    build(passages(0), "fusion").save(saved)
    expected, whole = hits(load(saved)), contents(saved)
    late = 0
    for name in sorted(whole.keys() - {"meta.json"}):
        for at in (0, len(whole[name]) // 2, len(whole[name]) - 1):
            (saved / name).write_bytes(bytes([*whole[name][:at], whole[name][at] ^ 4, *whole[name][at + 1 :]]))
            try:
                loaded = load(saved)
            except InputError:
                continue
            late += 1
            try:
                assert hits(loaded) == expected, name  # of a file that no search of this method needs
            except InputError as error:
                assert name in str(error)
        assert name in damages(saved)[0]
        (saved / name).write_bytes(whole[name])
    assert late > 50


def test_every_fault_is_named_and_a_foreign_file_too(saved: Path) -> None:
    assert damages(saved) == []
    (saved / "field-0" / "notes.txt").write_text("mine", encoding="utf-8")
    (saved / "field-1" / "forms.txt").unlink()
    (saved / "field-2" / "tokens.npy").write_bytes(b"")
    named = damages(saved)
    assert [
        name in fault for name, fault in zip(("forms.txt: missing", "tokens.npy: has 0 bytes"), named, strict=False)
    ]
    assert named[2] == f"{saved / 'field-0' / 'notes.txt'}: is not part of the index; move it elsewhere"


def test_what_does_not_fit_together_is_named_although_every_checksum_is_right(saved: Path) -> None:
    def changed(name: str, values: object) -> None:
        path, meta = saved / name, json.loads((saved / "meta.json").read_text(encoding="utf-8"))
        array = np.load(path)
        array.flat[: len(np.atleast_1d(values))] = values
        np.save(path, array)
        meta["files"][name] = file_facts(path)
        altered(saved, files=meta["files"])

    for name, values, fault in (
        ("field-0/tokens.npy", 10_000, "tokens has a number out of range"),
        ("field-0/tokens.npy", -1, "tokens has a number out of range"),
        ("field-0/token_offsets.npy", 1, "token_offsets does not rise from 0"),
        ("field-0/shard-0/counts.npy", 9, "the counts of shard 0 are not those of the words"),
        ("field-0/shard-0/weights.npy", 0.125, "the weights are not those of the counts"),
        ("field-0/shard-0/rows.npy", 10_000, "the counts of shard 0 are not those of the words"),
        ("doc_id_order.npy", [3, 3], "the order of the doc_ids"),
    ):
        before = contents(saved)
        changed(name, values)
        assert any(fault in each for each in damages(saved)), (name, damages(saved))
        for changed_name, data in before.items():
            (saved / changed_name).write_bytes(data)
    assert damages(saved) == []


def test_postings_out_of_range_never_reach_the_kernel(saved: Path) -> None:
    path, meta = (
        saved / "field-0" / "shard-0" / "rows.npy",
        json.loads((saved / "meta.json").read_text(encoding="utf-8")),
    )
    array = np.load(path)
    array[-1] = 2**30
    np.save(path, array)
    meta["files"]["field-0/shard-0/rows.npy"] = file_facts(path)
    with pytest.raises(InputError, match="a passage is out of range"):
        load(altered(saved, files=meta["files"])).search("arma")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(saved: Path) -> None:
    saved.parent.chmod(0o555)
    try:
        with pytest.raises(OSError, match="Permission denied"):
            build(passages(1)).save(saved)
    finally:
        saved.parent.chmod(0o755)


def test_an_index_that_may_only_be_read_is_read(saved: Path) -> None:
    expected = hits(load(saved))
    for path in (*saved.rglob("*"), saved, saved.parent):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert hits(load(saved)) == expected
        assert damages(saved) == []
    finally:
        for path in (saved.parent, saved, *saved.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)


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
