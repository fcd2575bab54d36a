"""What a user adds: a lexicon of their own, stop lists; and the report that tells them what to add."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from latinsearch.__main__ import run
from latinsearch.analyzer import Analyzer
from latinsearch.coverage import coverage
from latinsearch.lexicon_file import read_lexicon, read_stopwords
from latinsearch.methods import build
from latinsearch.normalizer import fold
from latinsearch.records import InputError, Passage
from latinsearch.retriever import load
from latinsearch.stoplists import LATIN, STOPLISTS, stopwords

Capture = pytest.CaptureFixture[str]

TEXT = [Passage("a", "Xyzthen vidit et abit"), Passage("b", "Xyzthes et videt et Xyzthenque")]
OWN = {"Xyzthen": ("Xyzthes",), "xyzthes": ("Xyzthes",)}


def test_entries_of_ones_own_come_first_are_folded_and_take_enclitics() -> None:
    analyze = Analyzer(lemmatizer="simplemma", lexicon=OWN)
    found = [(t.candidates, t.source) for t in analyze("Xyzthen xyzthenque vidit")]
    assert found == [(("xyzthes",), "own"), (("xyzthes",), "enclitic"), (("uideo",), "exact")]
    assert Analyzer(lemmatizer="simplemma", lexicon={"vidit": ("Videre",)})("uidit")[0].candidates == ("uidere",)


def test_they_are_saved_with_the_index_and_named_in_its_signature(tmp_path: Path) -> None:
    made = build(TEXT, "bm25-lemma", lexicon=OWN)
    made.save(tmp_path / "index")
    loaded = load(tmp_path / "index")
    assert (
        [hit.doc_id for hit in loaded.search("xyzthes")] == [hit.doc_id for hit in made.search("xyzthes")] == ["b", "a"]
    )
    assert loaded.signature == made.signature != build(TEXT, "bm25-lemma").signature
    assert "own-2-" in made.signature
    assert Analyzer(lemmatizer="simplemma", lexicon=OWN) == Analyzer(
        lemmatizer="simplemma", lexicon=dict(reversed(OWN.items()))
    )


@pytest.mark.parametrize(
    "wrong", [5, "arma", {"arma": "arma"}, {"arma": (1,)}, {"": ("x",)}, {"x": ()}, {"x": ("",)}, ["ab"]]
)
def test_a_lexicon_is_a_dict_of_forms_and_lemmata(wrong: object) -> None:
    with pytest.raises(InputError):
        Analyzer(lemmatizer="simplemma", lexicon=wrong)  # type: ignore[arg-type]


def test_a_lexicon_without_lemmata_is_refused() -> None:
    with pytest.raises(InputError, match="forms have no lemmata"):
        Analyzer(lexicon=OWN)


def test_a_lexicon_file_names_the_line_at_fault(tmp_path: Path) -> None:
    path = tmp_path / "extra.tsv"
    path.write_text("\ufeff# mine\nXyzthen\tXyzthes\n\nXyzthen\tXyzthe\n", encoding="utf-8")
    assert read_lexicon(path) == {"Xyzthen": ("Xyzthes", "Xyzthe")}
    for text, told in (("a\tb\nab", r"extra\.tsv:2: 'ab' is not"), ("a\t", "1:"), ("a\tb\tc", "1:"), ("", "no entry")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=told):
            read_lexicon(path)
    path.write_bytes(b"a\t\xe9")
    with pytest.raises(InputError, match="not UTF-8"):
        read_lexicon(path)
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        read_lexicon(tmp_path / "none.tsv")


def test_stop_lists_by_name_frequency_and_file(tmp_path: Path) -> None:
    assert [fold(word) for word in LATIN] == list(LATIN)
    assert len(set(LATIN)) == len(LATIN)
    (tmp_path / "stop.txt").write_text("# mine\nET\nabeo\n", encoding="utf-8")
    assert read_stopwords(tmp_path / "stop.txt") == ("ET", "abeo")
    for choice, kept in (
        ((), {"xyzthen", "xyzthes", "xyzthenque", "uideo", "et", "abeo"}),
        ("latin", {"xyzthen", "xyzthes", "xyzthenque", "uideo", "abeo"}),
        ("top-1", {"xyzthen", "xyzthes", "xyzthenque", "uideo", "abeo"}),
        (tmp_path / "stop.txt", {"xyzthen", "xyzthes", "xyzthenque", "uideo"}),
        (str(tmp_path / "stop.txt"), {"xyzthen", "xyzthes", "xyzthenque", "uideo"}),
        (["et"], {"xyzthen", "xyzthes", "xyzthenque", "uideo", "abeo"}),
    ):
        made = build(TEXT, "bm25-lemma", lemmatizer="simplemma", stopwords=choice)
        assert set(made.fields[0].index.vocabulary) == kept, choice
        assert ("stop=" in made.signature) == bool(choice)
    assert "stop=et|" in build(TEXT, "bm25-lemma", stopwords="top-1").signature


def test_stop_lists_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"unknown stop list 'english'; known are {', '.join(STOPLISTS)}, top-N"):
        build(TEXT, stopwords="english")
    with pytest.raises(InputError, match="only 6 terms"):
        build(TEXT, lemmatizer="simplemma", stopwords="top-7")
    with pytest.raises(FileNotFoundError):
        stopwords(tmp_path / "none.txt")
    (tmp_path / "two.txt").write_text("et in\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"two\.txt:1: 'et in' is not one word"):
        stopwords(tmp_path / "two.txt")


def test_none_is_the_default() -> None:
    for method in ("bm25-form", "bm25-lemma", "tfidf-lemma", "fusion"):
        assert "stop=" not in build(TEXT, method).signature


def test_coverage_counts_sources_and_unknown_forms() -> None:
    found = coverage([p.text for p in TEXT], Analyzer(lemmatizer="simplemma"))
    assert found.words == 9
    assert found.sources == {"exact": 6, "unknown": 3}
    assert list(found.unknown.items()) == [("xyzthen", 1), ("xyzthenque", 1), ("xyzthes", 1)]
    assert found.share == pytest.approx(6 / 9)
    assert coverage([], Analyzer()).share == 1


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(p.text for p in TEXT), encoding="utf-8")
    return path


def test_coverage_from_the_shell(text: Path, tmp_path: Path, capsys: Capture) -> None:
    lemmas = ["--lemmatizer", "simplemma"]
    assert run(["coverage", str(text), *lemmas]) == 0
    shown = capsys.readouterr().out
    assert "unknown" in shown and "     1 xyzthenque" in shown
    (tmp_path / "extra.tsv").write_text("Xyzthen\tXyzthes\nXyzthes\tXyzthes\n", encoding="utf-8")
    own = ["--lexicon", str(tmp_path / "extra.tsv")]
    assert run(["coverage", str(text), *lemmas, *own, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "words": 9,
        "sources": {"exact": 6, "own": 2, "enclitic": 1},
        "unknown": {},
        "share": 1.0,
    }


def test_own_words_from_the_shell(text: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "extra.tsv").write_text("Xyzthen\tXyzthes\n", encoding="utf-8")
    own = ["--lexicon", str(tmp_path / "extra.tsv")]
    assert run(["analyze", "Xyzthenque", *own]) == 0
    assert "xyzthes" in capsys.readouterr().out
    assert run(["index", str(text), "--output", str(tmp_path / "i"), *own, "--stopwords", "top-1"]) == 0
    assert "own-1-" in capsys.readouterr().out
    assert run(["search", str(tmp_path / "i"), "Xyzthes", "--format", "json"]) == 0
    assert [hit["doc_id"] for hit in json.loads(capsys.readouterr().out)["hits"]] == ["text.2", "text.1"]
    for wrong, told in (
        (["--lexicon", str(tmp_path / "none.tsv")], "none.tsv: there is no such file"),
        (["--stopwords", "english"], "unknown stop list 'english'"),
        (["--method", "bm25-form", *own], "uses no lemmata"),
    ):
        assert run(["index", str(text), "--output", str(tmp_path / "j"), *wrong]) == 2
        assert told in capsys.readouterr().err
