"""The commands index, search and analyze."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from shell import Capture, printed, refused

from latinsearch import build, load, read
from latinsearch.__main__ import run
from latinsearch.cli import terminal
from latinsearch.cli.hits import marked_text
from latinsearch.cli.within import doc_ids_within
from latinsearch.corpora.sample import FOLDER
from latinsearch.explanation import Match
from latinsearch.records import InputError, Passage

VERGIL = FOLDER / "vergil.aeneid.part.1.tess"
OVID = FOLDER / "ovid.metamorphoses.part.1.tess"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample's verses of Vergil and Ovid."""
    path = tmp_path_factory.mktemp("index") / "epic"
    build([*read(VERGIL), *read(OVID)]).save(path)
    return path


def searched(capsys: Capture, *arguments: str) -> str:
    """What a search prints."""
    return printed(capsys, "search", *arguments)


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


# --- index


def test_index_says_what_it_read_and_saves_what_build_makes(tmp_path: Path, capsys: Capture) -> None:
    assert run(["index", str(VERGIL), str(OVID), "--output", str(tmp_path / "made")]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = dict(line.split(maxsplit=1) for line in captured.out.splitlines())
    expected = build([*read(VERGIL), *read(OVID)])
    index = expected.fields[0].index
    assert lines["passages"] == "53"
    assert lines["words"] == f"{len(index.tokens)}"
    assert f"{index.unknown} ({index.unknown / len(index.tokens):.1%})" in captured.out
    assert lines["repaired"] == "0 double-encoded characters"
    assert lines["signature"] == expected.signature
    assert lines["folder"] == str(tmp_path / "made")
    assert lines["size"].endswith(" MB")
    found = [(hit.doc_id, hit.score) for hit in load(tmp_path / "made").search("arma deum")]
    assert found == [(hit.doc_id, hit.score) for hit in expected.search("arma deum")]


def test_index_with_two_jobs_makes_the_same_bytes(tmp_path: Path, capsys: Capture) -> None:
    for jobs in ("1", "2"):
        out = str(tmp_path / jobs)
        assert run(["index", str(FOLDER), "--method", "fusion", "--jobs", jobs, "--output", out]) == 0
    capsys.readouterr()
    one, two = (
        {p.relative_to(d): p.read_bytes() for p in d.rglob("*") if p.is_file()}
        for d in (tmp_path / "1", tmp_path / "2")
    )
    assert one == two


def _files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_index_counts_no_unknown_words_where_no_lemmata_are_used(tmp_path: Path, capsys: Capture) -> None:
    for method in (["--method", "bm25-form"], ["--lemmatizer", "none"]):
        assert run(["index", str(VERGIL), *method, "--output", str(tmp_path / "made")]) == 0
        assert "unknown words" not in capsys.readouterr().out


def test_index_counts_repaired_characters_and_warns_of_the_text(tmp_path: Path, capsys: Capture) -> None:
    text = tmp_path / "a.tess"
    text.write_text("<luc. 1.1>\tBella â€” per\n<luc. 1.1>\tplus quam\n", encoding="utf-8")
    assert run(["index", str(text), "--output", str(tmp_path / "made")]) == 0
    captured = capsys.readouterr()
    assert "repaired       1 double-encoded" in captured.out
    assert captured.err.startswith(f"latinsearch: warning: {text}:2 <luc. 1.1>: ")
    assert captured.err.count("\n") == 1


def test_index_replaces_an_index_but_nothing_else(tmp_path: Path, capsys: Capture) -> None:
    made = tmp_path / "made"
    for text in (VERGIL, OVID):
        assert run(["index", str(text), "--output", str(made)]) == 0
    assert load(made).passages[0].doc_id.startswith("ov.met.")
    capsys.readouterr()
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "thesis.txt").write_text("mine")
    assert "is not an index" in refused(capsys, "index", str(VERGIL), "--output", str(kept))
    assert "is not an index" in refused(capsys, "index", str(VERGIL), "--output", str(kept / "thesis.txt"))
    assert (kept / "thesis.txt").read_text() == "mine"


def test_index_does_not_read_the_word_lists_of_an_index_as_texts(tmp_path: Path, capsys: Capture) -> None:
    shutil.copy(VERGIL, tmp_path)
    assert run(["index", str(tmp_path), "--output", str(tmp_path / "made")]) == 0
    capsys.readouterr()
    first = load(tmp_path / "made")
    assert run(["index", str(tmp_path), "--output", str(tmp_path / "made")]) == 0
    assert load(tmp_path / "made").passages == first.passages


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing.tess"], "missing.tess: there is no such file"),
        (["empty.tess"], "empty"),
        (["none"], "no text file"),
        (["thesis.doc"], ".doc"),
        (["nul.txt"], "NUL"),
        (["a.txt", "--method", "bm26"], "unknown method 'bm26'; known are bm25-form, bm25-lemma"),
        (["a.txt", "--lemmatizer", "cicero"], "unknown lemmatizer 'cicero'; known are lexicon, simplemma"),
        (["a.txt", "--method", "bm25-grams", "--lemmatizer", "simplemma"], "uses no lemmata"),
    ],
)
def test_index_refuses(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none").mkdir()
    for name, data in (("empty.tess", b""), ("thesis.doc", b"arma"), ("nul.txt", b"a\0b"), ("a.txt", b"arma")):
        Path(name).write_bytes(data)
    assert told in refused(capsys, "index", *arguments, "--output", "made")
    assert not Path("made").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_index_names_a_file_that_may_not_be_read(tmp_path: Path, capsys: Capture) -> None:
    text = tmp_path / "a.txt"
    text.write_text("arma")
    text.chmod(0)
    assert f"{text}: Permission denied" in refused(capsys, "index", str(text), "--output", str(tmp_path / "made"))


def test_a_passage_without_words_is_indexed(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.txt").write_text("arma\n---\n")
    assert run(["index", str(tmp_path / "a.txt"), "--output", str(tmp_path / "made")]) == 0
    assert "passages       2\nwords          1\n" in capsys.readouterr().out
    assert len(json.loads(searched(capsys, str(tmp_path / "made"), "arma", "--format", "json"))["hits"]) == 1


# --- search


def test_search_text_lists_matched_words_behind_the_text(folder: Path, capsys: Capture) -> None:
    lines = searched(capsys, str(folder), "arma uirumque cano", "-k", "2").splitlines()
    assert len(lines) == 2
    assert lines[0].split()[0] == "1"
    assert lines[0].endswith(
        "  <verg. aen. 1.1>   Arma virumque cano, Troiae qui primus ab oris  [Arma, virumque, cano]"
    )
    assert lines[1].endswith("[arma]")


def test_search_on_a_terminal_marks_by_colour(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert terminal.coloured()
    text = searched(capsys, str(folder), "uirumque", "-k", "1")
    assert "Arma \x1b[32m\x1b[1mvirumque\x1b[0m cano" in text or "\x1b[1mvirum\x1b[0m" in text
    assert "[virum" not in text
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in searched(capsys, str(folder), "uirumque")


def test_marked_text_keeps_to_one_line_and_gives_the_terminal_nothing_to_obey() -> None:
    match = Match("uirum", "virum", "uir", 1.0, 5, 10, 0, 5)
    text = "Arma\nvirum\tcano\x1b[2J"
    assert marked_text(text, [match, match], colour=False) == "Arma / virum cano[2J  [virum]"
    assert marked_text(text, [match], colour=True) == "Arma / \x1b[32m\x1b[1mvirum\x1b[0m cano[2J"


def test_search_explains_below_each_hit(folder: Path, capsys: Capture) -> None:
    lines = searched(capsys, str(folder), "arma uirumque", "-k", "1", "--explain").splitlines()
    explanation = load(folder).explain("arma uirumque", "verg.aen.1.1")
    assert [line.strip() for line in lines[1:]] == [line.strip() for line in str(explanation).splitlines()[1:]]
    assert len(lines) == 4


def test_search_json_has_the_agreed_shape(folder: Path, capsys: Capture) -> None:
    printed = json.loads(searched(capsys, str(folder), "Ārma uirumque", "-k", "3", "--format", "json"))
    retriever = load(folder)
    assert list(printed) == ["query", "signature", "hits"]
    assert (printed["query"], printed["signature"]) == ("Ārma uirumque", retriever.signature)
    hits = retriever.search("Ārma uirumque", 3)
    assert len(printed["hits"]) == len(hits) == 3
    for shown, hit in zip(printed["hits"], hits, strict=True):
        assert list(shown) == ["rank", "doc_id", "ref", "score", "text", "matches"]
        assert (shown["rank"], shown["doc_id"], shown["score"]) == (hit.rank, hit.doc_id, hit.score)
        assert (shown["ref"], shown["text"]) == (hit.passage.ref, hit.passage.text)
        assert shown["matches"]
        for match in shown["matches"]:
            assert list(match) == ["query", "passage", "lemma", "weight", "start", "end"]
            assert hit.passage.text[match["start"] : match["end"]] == match["passage"]
        assert sum(match["weight"] for match in shown["matches"]) == pytest.approx(hit.score, rel=1e-6)


def test_search_csv_can_be_read_back(folder: Path, capsys: Capture) -> None:
    rows = list(csv.DictReader(io.StringIO(searched(capsys, str(folder), "arma uirumque", "--format", "csv"))))
    hits = load(folder).search("arma uirumque")
    assert list(rows[0]) == ["rank", "doc_id", "ref", "score", "text", "matches"]
    assert [(row["doc_id"], float(row["score"]), row["text"]) for row in rows] == [
        (hit.doc_id, hit.score, hit.passage.text) for hit in hits
    ]
    first = next(row for row in rows if row["doc_id"] == "verg.aen.1.1")
    assert first["matches"].startswith("arma~Arma (arma) ")
    assert "; uirumque~virumque (uir) " in first["matches"]


def test_search_reads_a_query_from_standard_input(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "\ufeffārma uirumque\r\n".encode())
    assert json.loads(searched(capsys, str(folder), "-", "--format", "json"))["query"] == "ārma uirumque"
    typed(monkeypatch, b"arma\nuirum \xe9\n")
    assert "standard input, line 2: not UTF-8" in refused(capsys, "search", str(folder), "-")
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in refused(capsys, "search", str(folder), "-")


@pytest.mark.parametrize(
    ("query", "method", "reason"),
    [
        ("", "bm25-lemma", "there is no word in the query"),
        (" --- ", "bm25-lemma", "there is no word in the query"),
        ("xyzzy", "bm25-lemma", "none of the words occurs in the 27 passages"),
        ("virumque", "tesserae", "no passage shares enough of them for the method tesserae"),
    ],
)
def test_no_hits_says_why(query: str, method: str, reason: str, tmp_path: Path, capsys: Capture) -> None:
    passages = read(VERGIL)
    build(passages, method).save(tmp_path / "made")
    out = searched(capsys, str(tmp_path / "made"), query)
    assert out.startswith("No hits: ")
    assert reason.replace("27", str(len(passages))) in out
    assert out.count("\n") == 1
    assert json.loads(searched(capsys, str(tmp_path / "made"), query, "--format", "json"))["hits"] == []
    assert searched(capsys, str(tmp_path / "made"), query, "--format", "csv") == "rank,doc_id,ref,score,text,matches\n"


def test_more_hits_wanted_than_there_are(folder: Path, capsys: Capture) -> None:
    shown = json.loads(searched(capsys, str(folder), "arma", "-k", "1000000", "--format", "json"))["hits"]
    assert [hit["rank"] for hit in shown] == list(range(1, len(load(folder).search("arma", 53)) + 1))


@pytest.mark.parametrize("k", ["0", "-3"])
def test_k_below_one_is_refused(k: str, folder: Path, capsys: Capture) -> None:
    assert f"k is {k}; it must be a whole number from 1 on" in refused(capsys, "search", str(folder), "arma", "-k", k)


def test_search_within(folder: Path, capsys: Capture) -> None:
    def authors(*within: str) -> set[str]:
        options = [part for condition in within for part in ("--within", condition)]
        shown = json.loads(searched(capsys, str(folder), "et terra", "-k", "50", "--format", "json", *options))["hits"]
        return {hit["doc_id"].split(".")[0] for hit in shown}

    assert authors() == {"verg", "ov"}
    assert authors("author=vergil") == authors("AUTHOR = Vergil,work=Aeneid") == authors("author=Vergil", "work=aeneid")
    assert authors("author=vergil") == {"verg"}
    assert authors("author=Vergil,Ovid", "book=1") == authors("author=Vergil", "author=Ovid") == {"verg", "ov"}
    out = searched(capsys, str(folder), "arma", "--within", "author=Ovid,line=1")
    assert out == "No hits: none of the 1 passages that --within allows shares enough with the query.\n"


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("autor=Vergil", "no passage has the key 'autor' of --within; they have author, book, line, work"),
        ("author=Homer", "no passage has author=Homer; there is Ovid, Vergil"),
        ("line=99", "there is 1, 2, 3,"),
        ("Vergil", "write it like author=Vergil"),
        ("author=Vergil,work=Metamorphoses", "no passage has author=vergil and work=metamorphoses together"),
    ],
)
def test_search_within_refuses(condition: str, told: str, folder: Path, capsys: Capture) -> None:
    assert told in refused(capsys, "search", str(folder), "arma", "--within", condition)


def test_within_takes_values_with_commas_and_passages_without_meta() -> None:
    maro, bare = Passage("a", "arma", meta={"author": "Vergilius Maro, P."}), Passage("b", "arma")
    assert doc_ids_within([maro, bare], ["author=Vergilius Maro, P."]) == {"a"}
    with pytest.raises(InputError, match="they have nothing to choose by"):
        doc_ids_within([bare], ["author=Vergil"])


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda made: (made / "meta.json").unlink(), "not an index of latinsearch"),
        (lambda made: (made / "meta.json").write_text("{"), "damaged"),
        (lambda made: (made / "meta.json").write_text('{"name": "other"}'), "damaged or not of latinsearch"),
        (lambda made: (made / "passages.jsonl").write_text("x"), "passages.jsonl: has 1 bytes"),
        (lambda made: (made / "passages.jsonl").unlink(), "missing from the index"),
        (shutil.rmtree, "no such folder"),
        (
            lambda made: (made / "meta.json").write_text(
                (made / "meta.json").read_text(encoding="utf-8").replace('"format": 2', '"format": 99'),
                encoding="utf-8",
            ),
            "index format 99",
        ),
    ],
)
def test_a_damaged_or_foreign_index_is_refused(
    damage: object, told: str, folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    made = tmp_path / "made"
    shutil.copytree(folder, made)
    assert callable(damage)
    damage(made)
    assert told in refused(capsys, "search", str(made), "arma")


# --- analyze


def test_analyze_json_has_the_agreed_shape(capsys: Capture) -> None:
    assert run(["analyze", "Vēnit, armaque", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["tokens"]
    assert [list(token) for token in printed["tokens"]] == [["form", "start", "end", "folded", "lemmata", "source"]] * 2
    first, second = printed["tokens"]
    assert (first["form"], first["start"], first["end"], first["folded"]) == ("Vēnit", 0, 5, "uenit")
    assert (second["lemmata"], second["source"]) == (["arma", "armo", "armus"], "enclitic")


def test_analyze_text_is_an_aligned_table_with_counts(capsys: Capture) -> None:
    assert run(["analyze", "ve\u0304nit xyzzyx â€” Σαρπηδών"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["form", "place", "fold", "lemmata", "source"]
    place = lines[0].index("place")
    assert lines[1][place + 1 :].startswith("0-6")  # the combining macron is a character, but no column
    assert lines[2][place:].startswith("7-13")
    assert lines[2].split() == ["xyzzyx", "7-13", "xyzzyx", "xyzzyx", "unknown"]
    assert lines[-1] == "3 words, 2 unknown, 1 double-encoded character repaired"


def test_analyze_without_words(capsys: Capture) -> None:
    assert run(["analyze", ""]) == 0
    assert capsys.readouterr().out == "0 words, 0 unknown, 0 double-encoded characters repaired\n"


def test_analyze_by_method_and_lemmatizer(capsys: Capture) -> None:
    assert run(["analyze", "armaque", "--lemmatizer", "none"]) == 0
    assert run(["analyze", "armaque", "--method", "bm25-form"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:3] == out[3:]
    assert out[1].split() == ["armaque", "0-7", "armaque", "armaque", "form"]
    assert "unknown" not in out[2]
    assert run(["analyze", "arma", "--method", "bm25-grams", "--format", "json"]) == 0
    tokens = json.loads(capsys.readouterr().out)["tokens"]
    assert [token["lemmata"] for token in tokens] == [["_arm"], ["arma"], ["rma_"]]


def test_analyze_reads_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "Arma\nvirūmque conti-\nnuo\n".encode())
    assert run(["analyze", "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:3] == ["virūmque", "5-13", "uirumque"]
    assert "continuo" in lines[3]
    assert len(lines) == 5
    typed(monkeypatch, b"arma \xff\n")
    assert "standard input, line 1: not UTF-8" in refused(capsys, "analyze", "-")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--method", "bm26"], "unknown method 'bm26'; known are"),
        (["--lemmatizer", "cicero"], "unknown lemmatizer 'cicero'; known are"),
        (["--method", "bm25-form", "--lemmatizer", "none"], "give one of them"),
        (["--method", "fusion"], "fusion reads a text in 3 ways; choose one of bm25-form, bm25-lemma, bm25-grams"),
    ],
)
def test_analyze_refuses(arguments: list[str], told: str, capsys: Capture) -> None:
    assert told in refused(capsys, "analyze", "arma", *arguments)
