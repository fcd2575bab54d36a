"""Faults measured in other tools (a test each, where it is about search or scoring); ours does what stands in the name."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from latinsearch.analyzer import Analyzer
from latinsearch.corpora import load_benchmark, read
from latinsearch.evaluation import evaluate_run
from latinsearch.methods import METHODS, Recipe, build
from latinsearch.normalizer import fold
from latinsearch.records import InputError, Passage, TextWarning
from latinsearch.scorers import BM25
from latinsearch.trec import read_run, write_run

HALF = [Passage("a", "arma cano"), Passage("b", "arma fero"), Passage("c", "fata cano"), Passage("d", "fata fero")]
ALL = [Passage("a", "arma uirumque"), Passage("b", "arma fero"), Passage("c", "arma troiae")]


def okapi(passages: list[Passage], **parameters: float) -> dict[str, float]:
    made = build(passages, (Recipe("form", Analyzer(), BM25(variant="okapi", **parameters)),))
    return {hit.doc_id: hit.score for hit in made.search("arma")}


def test_rank_bm25_a_term_in_half_of_the_passages_has_weight() -> None:
    assert all(hit.score > 0 for hit in build(HALF, "bm25-form").search("arma"))
    assert okapi(HALF) == {"a": 0.0, "b": 0.0}  # the exact form, on request: still hits


@pytest.mark.parametrize("method", METHODS)
def test_rank_bm25_a_term_in_all_passages_never_ranks_a_match_below_no_match(method: str) -> None:
    made = build([*ALL, Passage("none", "nihil est")], method)
    hits = made.search("arma uirumque")
    assert {hit.doc_id for hit in hits} <= {"a", "b", "c"}
    assert hits[0].doc_id == "a"
    assert all(hit.score > 0 for hit in build(ALL, "bm25-form").search("arma"))


@pytest.mark.parametrize("method", METHODS)
def test_rank_bm25_no_passages_or_only_empty_ones(method: str) -> None:
    with pytest.raises(InputError, match="no passages"):
        build([], method)
    assert build([Passage("a", ""), Passage("b", "...")], method).search("arma") == []


def test_rank_bm25_a_repeated_query_word_is_a_parameter() -> None:
    def best(k3: float | None, query: str) -> float:
        return build(ALL, (Recipe("form", Analyzer(), BM25(k3=k3)),)).search(query)[0].score

    assert best(None, "troiae troiae") == pytest.approx(2 * best(None, "troiae"))
    assert best(0.0, "troiae troiae") == best(0.0, "troiae")


def test_rank_bm25_a_text_is_not_taken_for_its_letters() -> None:
    assert [hit.doc_id for hit in build(ALL, "bm25-form").search("troiae")] == ["c"]
    assert build(ALL, "bm25-form").search("t") == []


@pytest.mark.parametrize("method", METHODS)
def test_bm25s_more_hits_asked_than_there_are(method: str) -> None:
    assert len(build(ALL, method).search("arma uirumque", k=10**9)) <= 3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("query", ["", "ignotus"])
def test_bm25s_locisimiles_an_empty_or_unknown_query_has_no_hits(method: str, query: str) -> None:
    assert build(ALL, method).search(query, k=10) == []


def test_bm25s_the_vocabulary_is_numbered_by_first_occurrence() -> None:
    assert build(ALL, "bm25-form").fields[0].index.vocabulary == ("arma", "uirumque", "fero", "troiae")


def test_bm25s_no_english_stop_word_swallows_latin() -> None:
    made = build([Passage("a", "arma virumque cano a te in an at")], "bm25-form")
    for word in ("a", "te", "in", "an", "at"):
        assert [hit.doc_id for hit in made.search(word)] == ["a"]


def test_scikit_learn_one_letter_words_are_kept() -> None:
    made = build([Passage("a", "o patria"), Passage("b", "e terra"), Passage("c", "a litore")], "tfidf-form")
    assert [made.search(word)[0].doc_id for word in ("o", "e", "a")] == ["a", "b", "c"]


def test_scikit_learn_a_combining_macron_does_not_split_a_word() -> None:
    made = build([Passage("a", unicodedata.normalize("NFD", "vēnit ārma"))], "tfidf-form")
    assert made.fields[0].index.vocabulary == ("uenit", "arma")


def test_pytrec_eval_a_query_without_hits_counts_as_zero() -> None:
    results = evaluate_run({"q1": {"a": 1.0}, "q2": {}}, {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}})
    assert results.means["AP"] == pytest.approx(1 / 3)
    assert results.per_query["q2"]["AP"] == results.per_query["q3"]["AP"] == 0


def test_pytrec_eval_numpy_scores_and_grades_are_taken() -> None:
    run = {"q1": {"a": np.float32(2), "b": np.float64(1)}}
    assert evaluate_run(run, {"q1": {"b": np.int64(1)}}).means["RR@10"] == 0.5  # type: ignore[dict-item]


def test_trec_readers_a_reference_with_blanks_becomes_an_id_without(tmp_path: Path) -> None:
    (tmp_path / "verg.tess").write_text("<verg. aen. 1.1>\tArma virumque\n", encoding="utf-8")
    (passage,) = read(tmp_path / "verg.tess")
    assert (passage.doc_id, passage.ref) == ("verg.aen.1.1", "<verg. aen. 1.1>")
    write_run({"q1": {passage.doc_id: 1.0}}, tmp_path / "run", "tag")
    assert read_run(tmp_path / "run") == {"q1": {"verg.aen.1.1": 1.0}}


def test_locisimiles_spelling_and_enclitics_match() -> None:
    made = build([Passage("a", "virum"), Passage("b", "armaque")], "bm25-lemma")
    assert [hit.doc_id for hit in made.search("uirum")] == ["a"]
    assert [hit.doc_id for hit in made.search("arma")] == ["b"]


def test_locisimiles_a_retriever_does_not_change_when_the_list_does() -> None:
    passages = list(ALL)
    made = build(passages, "bm25-form")
    passages.append(Passage("new", "nouum"))
    assert made.search("nouum") == []
    assert isinstance(made.passages, tuple)
    assert [hit.doc_id for hit in build(passages, "bm25-form").search("nouum")] == ["new"]


def test_locisimiles_a_missing_file_is_named(tmp_path: Path) -> None:
    for missing in (tmp_path / "nowhere.tess", tmp_path / "no" / "folder"):
        with pytest.raises(FileNotFoundError, match=str(missing)):
            read(missing)


def test_latincy_preprocess_clean_text_is_not_changed() -> None:
    # Every word of the sample, folded, is the word as printed but for case, u/v and i/j.
    for passage in load_benchmark("sample").passages:
        for term in Analyzer()(passage.text):
            assert term.folded == term.token.form.lower().replace("v", "u").replace("j", "i")
            assert fold(term.folded) == term.folded


def test_tesserae_missing_repeated_and_disordered_lines_are_read_and_reported(tmp_path: Path) -> None:
    lines = ["<x. 1.1>\tarma", "<x. 1.5>\tuirum", "<x. 1.3>\tcano", "<x. 1.5>\ttroiae"]
    (tmp_path / "x.tess").write_text("\n".join(lines), encoding="utf-8")
    with pytest.warns(TextWarning) as caught:
        passages = read(tmp_path / "x.tess")
    assert [passage.doc_id for passage in passages] == ["x.1.1", "x.1.5", "x.1.3"]
    reports = " ".join(str(warning.message) for warning in caught)
    assert "x.tess:3" in reports and "x.tess:4" in reports
