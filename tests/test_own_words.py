"""What a user adds: a lexicon of their own, stop lists; and the report that tells them what to add."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from latinsearch.__main__ import run
from latinsearch.analyzer import Analyzer
from latinsearch.coverage import coverage
from latinsearch.lexicon_file import read_lexicon, read_stopwords
from latinsearch.methods import METHODS, Recipe, build
from latinsearch.normalizer import fold
from latinsearch.records import InputError, Passage
from latinsearch.retriever import load
from latinsearch.scorers import BM25
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
    assert coverage([], Analyzer(lemmatizer="simplemma")).share == 1


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


# ---- entries that would be lost, or do nothing ----


def test_the_lemmata_of_forms_that_fold_alike_are_joined(tmp_path: Path) -> None:
    analyze = Analyzer(lemmatizer="simplemma", lexicon={"Arma": ("x", "y"), "árma": ["y", "z"], "[arma]": ("W",)})
    assert analyze("ARMA")[0].candidates == ("x", "y", "z", "w")
    (tmp_path / "own.tsv").write_text("Arma\tx\narma\ty\n", encoding="utf-8")
    own = read_lexicon(tmp_path / "own.tsv")
    assert Analyzer(lemmatizer="lexicon", lexicon=own)("arma")[0].candidates == ("x", "y")
    apart = Analyzer(rules=(), lemmatizer="simplemma", lexicon=own)
    assert [t.candidates for t in apart("Arma arma")] == [("x",), ("y",)]


NEVER = ["a b", "a-b", '"arma"', "arma.", "a\0", "[]", "[a b]", "a'b", "—", "a\udcff", "\udcff"]


@pytest.mark.parametrize("form", NEVER)
def test_a_form_that_could_never_match_is_refused_by_name(form: str) -> None:
    with pytest.raises(InputError) as told:
        Analyzer(lemmatizer="simplemma", lexicon={"arma": ("x",), form: ("c",)})
    assert repr(form) in str(told.value) and "would never match" in str(told.value)


@pytest.mark.parametrize(
    "line", [*(f"{form}\tc" for form in NEVER if "\udcff" not in form), "arma\t[]", "arma\ta\0", "arma\ta\x1bb"]
)
def test_an_entry_of_no_use_is_refused_with_file_and_line(line: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(f"# mine\narma\tx\x0b\n{line}\n", encoding="utf-8", newline="")
    with pytest.raises(InputError, match=r"own\.tsv:3: "):
        read_lexicon(path)
    assert run(["analyze", "arma", "--lexicon", str(path)]) == 2
    assert "own.tsv:3: " in capsys.readouterr().err


@pytest.mark.parametrize("lemma", ["a\0b", "\x1b", "\x85\x9f", "[]", "\u200b"])
def test_a_lemma_of_signs_or_with_control_characters_is_refused_by_name(lemma: str) -> None:
    with pytest.raises(InputError, match="control character|nothing but signs") as told:
        Analyzer(lemmatizer="simplemma", lexicon={"arma": ("x", lemma)})
    assert repr(lemma) in str(told.value) and "'arma'" in str(told.value)


@pytest.mark.parametrize("form", ["⟨ar⟩ma", " arma\n", "A\u0304rma", "Σαρπηδών", "17", "pop(ulus)", "conti-\nnuo"])
def test_a_form_that_is_one_word_is_taken_however_it_is_written(form: str) -> None:
    analyze = Analyzer(lemmatizer="simplemma", lexicon={form: ("res\npublica",)})
    assert [(t.candidates, t.source) for t in analyze(form)] == [(("res publica",), "own")]


def test_lemmata_that_can_be_gone_through_once_are(tmp_path: Path) -> None:
    def own() -> Any:
        return {"xyzthen": (lemma for lemma in ("Xyzthes", "xyz"))}

    assert Analyzer(lemmatizer="simplemma", lexicon=own())("xyzthen")[0].candidates == ("xyzthes", "xyz")
    lemma = METHODS["bm25-lemma"][0]
    made = build(TEXT, (lemma, lemma._replace(name="again", scorer=BM25())), lexicon=own())
    assert {f.analyzer.lexicon for f in made.fields} == {(("xyzthen", ("xyzthes", "xyz")),)}


@pytest.mark.parametrize(
    "wrong", [{1: ("a",)}, {b"a": ("a",)}, {None: ("a",)}, b"", "", {"a": b"x"}, {"a": {1, "x"}}, 5]
)
def test_what_is_no_lexicon_is_named(wrong: Any) -> None:
    for make in (lambda: Analyzer(lemmatizer="simplemma", lexicon=wrong), lambda: build(TEXT, lexicon=wrong)):
        with pytest.raises(InputError, match="lexicon|lemmata of 'a'"):
            make()


def test_a_lexicon_or_lemmatizer_that_would_do_nothing_is_refused(tmp_path: Path, capsys: Capture) -> None:
    forms = (Recipe("form", Analyzer(), BM25()),)
    for method in ("bm25-form", "bm25-grams", "tfidf-form", forms):
        with pytest.raises(InputError, match=r"uses no lemmata, so .* does nothing; leave it out, or choose"):
            build(TEXT, method, lexicon=OWN)
        assert build(TEXT, method, lemmatizer="simplemma").fields[0].analyzer.lemmatizer == "none"
        assert build(TEXT, method, lexicon={}).search("vidit")
    for method in ("bm25-lemma", "fusion"):
        with pytest.raises(InputError, match="no lemmata with lemmatizer 'none', so a lexicon does nothing"):
            build(TEXT, method, lemmatizer="none", lexicon=OWN)
        assert build(TEXT, method, lemmatizer="none").search("vidit")
    fused = build(TEXT, "fusion", lemmatizer="simplemma", lexicon=OWN)
    assert [bool(f.analyzer.lexicon) for f in fused.fields] == [False, True, False]
    (tmp_path / "own.tsv").write_text("Xyzthen\tXyzthes\n", encoding="utf-8")
    own = ["--lemmatizer", "none", "--lexicon", str(tmp_path / "own.tsv")]
    (tmp_path / "t.txt").write_text("arma", encoding="utf-8")
    for command in (["index", str(tmp_path / "t.txt"), "--output", str(tmp_path / "i")], ["analyze", "arma"]):
        assert run([*command, *own]) == 2
        assert "no lemmata" in capsys.readouterr().err
    assert not (tmp_path / "i").exists()


# ---- what stands where a file should ----


def test_what_is_no_file_is_told_as_what_it_is(tmp_path: Path, text: Path, capsys: Capture) -> None:
    (tmp_path / "folder").mkdir()
    for read in (read_lexicon, read_stopwords):
        for wrong, told in ((tmp_path / "folder", "folder is a folder; give a file with"), ("", "the path is empty")):
            with pytest.raises(InputError, match=told):
                read(wrong)
        with pytest.raises(InputError, match="cannot be the path of a file"):
            read("a\0b")
        with pytest.raises(FileNotFoundError, match="there is no such file; give a file with"):
            read(text / "below")
    index = ["index", str(text), "--output", str(tmp_path / "i")]
    for option, wrong, told in (
        (
            "--lexicon",
            str(tmp_path / "folder"),
            "folder is a folder; give a file with a form, a tab and a lemma a line",
        ),
        ("--lexicon", "", "the path is empty"),
        ("--stopwords", str(tmp_path / "folder"), "folder is a folder; give a file with one stop word a line"),
        ("--stopwords", "", "unknown stop list ''"),
        ("--stopwords", "x" * 5000, "unknown stop list"),
    ):
        assert run([*index, option, wrong]) == 2
        assert told in capsys.readouterr().err
    with pytest.raises(InputError, match="is a folder"):
        stopwords(tmp_path)


def test_the_name_of_a_folder_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stop").mkdir()
    Path("latin").mkdir()
    with pytest.raises(InputError, match="stop is a folder"):
        stopwords("stop")
    assert stopwords("latin") == LATIN


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_device_is_not_read() -> None:
    with pytest.raises(InputError, match="is a device; give a file"):
        read_lexicon("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read(tmp_path: Path, text: Path, capsys: Capture) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for option, line, told in (("--lexicon", "Xyzthen\tXyzthes\n", "own-1-"), ("--stopwords", "et\n", "stop=et|")):
        writer = threading.Thread(target=pipe.write_text, args=(line,))
        writer.start()
        assert run(["index", str(text), "--output", str(tmp_path / "i"), option, str(pipe)]) == 0
        writer.join()
        assert told in capsys.readouterr().out


# ---- stop words ----


@pytest.mark.parametrize("word", ["et in", "", "[]", " ", '"et"', "a,b", "et,in", "—", "\udcff"])
def test_a_stop_word_that_could_never_match_is_refused(word: str, tmp_path: Path) -> None:
    for parameters in ({}, {"ngrams": 4}, {"lemmatizer": "simplemma"}):
        with pytest.raises(InputError, match="never match|lone surrogate") as told:
            Analyzer(**parameters, stopwords=("et", word))  # type: ignore[arg-type]
        assert repr(word) in str(told.value)
    with pytest.raises(InputError, match="never match|lone surrogate"):
        build(TEXT, "fusion", stopwords=[word])
    if word.strip() and word.isprintable():
        (tmp_path / "stop.txt").write_text(f"et\n{word}\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"stop\.txt:2: "):
            read_stopwords(tmp_path / "stop.txt")


def test_a_stop_word_is_refused_if_the_rules_make_two_of_it() -> None:
    with pytest.raises(InputError, match="'amatast' is not one word"):
        Analyzer(rules=("lower", "prodelision"), stopwords=("amatast",))


def test_with_lemmata_stop_words_are_lemmata() -> None:
    analyze = Analyzer(lemmatizer="lexicon", stopwords=("oris",))
    assert analyze("oris") == Analyzer(lemmatizer="lexicon")("oris")
    assert "os" not in Analyzer(lemmatizer="lexicon", stopwords=("os",))("oris")[0].candidates


def test_a_lemma_that_is_no_word_can_be_stopped() -> None:
    own = {"rp": ("res publica", "a,b")}
    for given in ({"lemmatizer": "simplemma", "lexicon": own}, {"lemmatizer": lambda form: own.get(form, ())}):
        assert Analyzer(**given, stopwords=("Res\nPublica", "a,b"))("rp et")[0].folded == "et"  # type: ignore[arg-type]
    assert Analyzer(lemmatizer=lambda form: ("cn.", "c"), stopwords=("cn.",))("cn")[0].candidates == ("c",)
    text = [Passage("a", "rp rp"), Passage("b", "rp arma")]
    made = build(text, "fusion", lemmatizer="simplemma", lexicon=own, stopwords=["res publica", "arma"])
    assert [f.analyzer.stopwords for f in made.fields] == [("arma",), ("res publica", "arma"), ()]
    made = build(text, lemmatizer="simplemma", lexicon=own, stopwords="top-2")
    assert made.fields[0].index.vocabulary == ("arma",)


def test_signatures_of_other_stop_words_are_other() -> None:
    def lemmata(form: str) -> tuple[str, ...]:
        return (form,)

    lists = [("a,b",), ("a", "b"), ("a b",), ("a%20b",), ("a%2Cb",), ("a_b",), ("a+b",), ("a", "+b"), ("a|b",)]
    assert len({Analyzer(lemmatizer=lemmata, stopwords=words).signature for words in lists}) == len(lists)


# ---- coverage ----


def test_coverage_counts_words_whatever_is_stopped() -> None:
    texts = [p.text for p in TEXT]
    plain = coverage(texts, Analyzer(lemmatizer="simplemma"))
    assert coverage(texts, Analyzer(lemmatizer="simplemma", stopwords=("et", "xyzthes"))) == plain
    assert coverage(texts, Analyzer(lemmatizer="simplemma", candidates="first", stopwords=LATIN)) == plain


def test_coverage_of_forms_is_refused(text: Path, capsys: Capture) -> None:
    for analyzer in (Analyzer(), Analyzer(ngrams=4)):
        with pytest.raises(InputError, match="forms have no lemmata, known or not; choose a lemmatizer"):
            coverage(["arma"], analyzer)
    assert run(["coverage", str(text), "--lemmatizer", "none"]) == 2
    assert "forms have no lemmata" in capsys.readouterr().err
    assert run(["coverage", str(text), "--lemmatizer", ""]) == 2
    assert "unknown lemmatizer ''" in capsys.readouterr().err


@pytest.mark.parametrize("layout", ["text", "json"])
def test_more_unknown_forms_can_be_asked_for_than_there_are(layout: str, text: Path, capsys: Capture) -> None:
    outputs = []
    for number in ("3", "99999999999999999999"):
        arguments = ["coverage", str(text), "--lemmatizer", "simplemma", "-n", number, "--format", layout]
        assert run(arguments) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] and "xyzthenque" in outputs[0]
    assert run(["coverage", str(text), "-n", "0"]) == 0
    assert "commonest" not in capsys.readouterr().out
