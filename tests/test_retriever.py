"""What every method keeps: one suite over METHODS, and the ranking rule."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Collection
from dataclasses import replace

import joblib
import numpy as np
import pytest
from corpus import passages, queries
from hypothesis import given
from hypothesis import strategies as st

import latinsearch as ls
from latinsearch.analyzer import Analyzer
from latinsearch.methods import METHODS, Recipe, build
from latinsearch.records import Hit, InputError, Passage, Query
from latinsearch.retriever import Fusion, LexicalRetriever, rank, search_all, signature
from latinsearch.scorers import BM25

every_method = pytest.mark.parametrize("method", METHODS)


def ranked(hits: list[Hit]) -> list[tuple[str, float]]:
    return [(hit.doc_id, hit.score) for hit in hits]


@every_method
def test_hits_are_numbered_ordered_and_carry_their_passage(method: str) -> None:
    made = build(passages(0), method)
    for query in queries(0):
        hits = made.search(query, k=7)
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1)) and len(hits) <= 7
        assert ranked(hits) == sorted(ranked(hits), key=lambda hit: (hit[1], hit[0]), reverse=True)
        assert all(hit.passage in made.passages and hit.passage.doc_id == hit.doc_id for hit in hits)


@every_method
def test_fewer_hits_are_the_first_of_more(method: str) -> None:
    made = build(passages(1), method)
    for query in queries(1):
        everything = ranked(made.search(query, k=1000))
        for k in (1, 2, 5, 11):
            assert ranked(made.search(query, k=k)) == everything[:k]


@every_method
def test_the_order_of_the_passages_does_not_matter(method: str) -> None:
    given_order = passages(2)
    shuffled = random.Random(0).sample(given_order, len(given_order))
    one, other = build(given_order, method), build(shuffled, method)
    assert one.signature == other.signature
    for query in queries(2):
        assert ranked(one.search(query, k=1000)) == ranked(other.search(query, k=1000))


@every_method
def test_within_bounds_the_hits_and_leaves_their_scores(method: str) -> None:
    made = build(passages(3), method)
    some = {passage.doc_id for passage in made.passages[::3]}
    for query in queries(3):
        everything = ranked(made.search(query, k=1000))
        assert ranked(made.search(query, k=1000, within=some)) == [hit for hit in everything if hit[0] in some]
        assert made.search(query, within=[]) == []


@every_method
def test_parts_rebuild_the_score_and_matches_stand_where_they_say(method: str) -> None:
    made = build(passages(4), method)
    explained = 0
    for query in queries(4):
        for hit in made.search(query, k=1000):
            explanation = made.explain(query, hit.doc_id)
            assert explanation.score == pytest.approx(hit.score, rel=1e-5, abs=1e-5)
            for match in explanation.matches:
                assert hit.passage.text[match.start : match.end] == match.passage
                assert query[match.query_start : match.query_end] == match.query
            explained += len(explanation.matches)
            assert hit.doc_id in str(explanation)
    assert explained > 50


@every_method
def test_a_passage_that_shares_nothing_has_no_parts(method: str) -> None:
    made = build([Passage("a", "arma uirumque"), Passage("b", "")], method)
    assert made.explain("arma uirumque", "b").parts == ()
    assert made.explain("arma uirumque", "b").score == 0


@every_method
@pytest.mark.parametrize("query", ["", "   ", "...", "xyzzyx quxquux", "Σαρπηδών", "\x00", "—" * 50])
def test_nothing_shared_no_hit(method: str, query: str) -> None:
    assert build(passages(5), method).search(query) == []


@every_method
def test_passages_without_words_are_indexed_and_never_found(method: str) -> None:
    empty = build([Passage("a", ""), Passage("b", " --- ")], method)
    assert empty.search("arma") == []
    made = build([*passages(6), Passage("void", "...")], method)
    assert all(hit.doc_id != "void" for query in queries(6) for hit in made.search(query, k=1000))


@every_method
def test_spelling_does_not_matter(method: str) -> None:
    made = build([Passage("a", "Arma virumque cano, Trojae qui"), Passage("b", "nihil est hic")], method)
    expected = ranked(made.search("arma uirumque cano troiae"))
    assert expected[0][0] == "a"
    assert ranked(made.search("ARMA VIRVMQVE CANO TROIAE")) == expected
    assert ranked(made.search("ārma virumque [cano] Trojæ".replace("æ", "ae"))) == expected


@every_method
def test_any_number_of_jobs_gives_the_same_run(method: str) -> None:
    asked = [Query(f"q{number}", text) for number, text in enumerate(queries(7))]
    one = build(passages(7), method)
    with joblib.parallel_config(backend="threading"):  # processes are tested once, below
        other = build(passages(7), method, n_jobs=2)
        runs = [search_all(one, asked, k=5), search_all(other, asked, k=5, n_jobs=2)]
    assert [[*hits.items()] for hits in runs[0].values()] == [[*hits.items()] for hits in runs[1].values()]


def test_processes_give_the_same_run() -> None:
    asked = [Query(f"q{number}", text) for number, text in enumerate(queries(8))]
    one, other = build(passages(8), "fusion"), build(passages(8), "fusion", n_jobs=2)
    assert search_all(one, asked, k=5) == search_all(other, asked, k=5, n_jobs=2)


def test_a_run_lists_every_query_also_without_hits() -> None:
    made = build(passages(0), "bm25-form")
    assert search_all(made, [Query("q1", "arma"), Query("q2", "xyzzyx")], k=1).keys() == {"q1", "q2"}
    with pytest.raises(InputError, match="'q1' repeats"):
        search_all(made, [Query("q1", "arma"), Query("q1", "uirum")])


def test_search_gives_the_same_for_any_hash_seed() -> None:
    code = (
        "from corpus import passages, queries; import latinsearch as ls\n"
        "for m in ('fusion', 'tesserae-one', 'tfidf-lemma'):\n"
        "    r = ls.build(passages(3), m); print([[(h.doc_id, h.score) for h in r.search(q, 99)] for q in queries(3)])"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**_environment(), "PYTHONHASHSEED": s},
        ).stdout
        for s in ("1", "2")
    ]
    assert found[0] == found[1] != ""


def _environment() -> dict[str, str]:
    import os
    from pathlib import Path

    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}


@given(
    st.lists(
        st.tuples(st.floats(-9, 9, width=16), st.text("ab1-é", min_size=1, max_size=3)),
        max_size=30,
        unique_by=lambda t: t[1],
    ),
    st.integers(1, 12),
)
def test_rank_is_a_sort_by_score_and_id_descending(scored: list[tuple[float, str]], k: int) -> None:
    scores, ids = np.array([s for s, _ in scored]), np.array([i for _, i in scored], dtype=str)
    expected = [i for _, i in sorted(scored, key=lambda t: (np.float32(t[0]), t[1]), reverse=True)]
    assert [ids[place] for place in rank(scores, ids)] == expected
    assert [ids[place] for place in rank(scores, ids, k)] == expected[:k]


def test_scores_that_are_one_as_32_bit_floats_are_ties() -> None:
    assert rank(np.array([1.0 + 1e-12, 1.0]), np.array(["a", "b"])).tolist() == [1, 0]


# ---- what is refused ----


@pytest.mark.parametrize("k", [0, -1, 2.5, "10", True, None])
def test_k_below_one_or_no_number_is_refused(k: object) -> None:
    with pytest.raises(InputError, match="whole number from 1 on"):
        build(passages(0)).search("arma", k=k)  # type: ignore[arg-type]


def test_a_list_of_tokens_is_no_query() -> None:
    with pytest.raises(InputError, match="takes a text, not list"):
        build(passages(0)).search(["arma"])  # type: ignore[arg-type]


def test_within_takes_known_ids_and_no_text() -> None:
    made = build(passages(0))
    with pytest.raises(InputError, match="no passage has the doc_id 'verg.aen.1.1'"):
        made.search("arma", within=["verg.aen.1.1"])
    with pytest.raises(InputError, match="must be a collection"):
        made.search("arma", within="p.1")
    with pytest.raises(InputError, match="no passage has the doc_id 'x'"):
        made.explain("arma", "x")


def test_build_refuses_what_it_cannot_use() -> None:
    with pytest.raises(InputError, match="unknown method 'bm42'; known are bm25-form, .*fusion"):
        build(passages(0), "bm42")
    with pytest.raises(InputError, match="no passages"):
        build([])
    with pytest.raises(InputError, match=r"1 doc_ids repeat, the first is 'a' \(2 times\)"):
        build([Passage("a", "x"), Passage("a", "y")])
    with pytest.raises(InputError, match="takes Passages, not str"):
        build(["arma"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="index of 40 passages"):
        cache: dict[Analyzer, ls.retriever.Index] = {}  # type: ignore[name-defined]
        build(passages(0), "bm25-form", indexes=cache)
        build(passages(0)[:3], "bm25-form", indexes=cache)


@pytest.mark.parametrize("doc_id", ["", "verg. aen. 1.1", "a\tb", "a\u00a0b"])
def test_ids_have_no_white_space(doc_id: str) -> None:
    with pytest.raises(InputError, match="white space"):
        Passage(doc_id, "arma")


@pytest.mark.parametrize("wrong", [{"k1": -1}, {"b": 2}, {"k3": float("nan")}, {"delta": -0.5}, {"variant": "bm42"}])
def test_bm25_parameters_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="BM25"):
        BM25(**wrong)  # type: ignore[arg-type]


# ---- options ----


def test_a_lemmatizer_of_the_users_own_replaces_the_methods() -> None:
    own = {"bella": ("pugna",), "proelia": ("pugna",)}
    made = build([Passage("a", "bella"), Passage("b", "cano")], lemmatizer=lambda form: own.get(form, ()))
    assert [hit.doc_id for hit in made.search("proelia")] == ["a"]
    assert "<lambda>" in made.signature
    assert build(passages(0), "bm25-form", lemmatizer="simplemma").fields[0].analyzer.lemmatizer == "none"


def test_signatures_name_everything_and_have_no_blanks() -> None:
    for method in METHODS:
        found = build(passages(0), method).signature
        assert found.startswith(f"{method}|") and f"latinsearch={ls.__version__}" in found and "passages=" in found
        assert not any(char.isspace() for char in found)
    assert "fold+lexicon-" in build(passages(0), "bm25-lemma").signature
    assert "fold+simplemma-" in build(passages(0), "bm25-lemma", lemmatizer="simplemma").signature
    assert "k1=0.9,b=0.4" in build(passages(0), "bm25-lemma").signature


def test_repeated_query_words_count_as_the_parameter_says() -> None:
    for k3, factor in ((None, 2.0), (0.0, 1.0), (1.0, 4 / 3)):
        made = build(passages(0), (Recipe("form", Analyzer(), BM25(k3=k3)),))
        once, twice = made.search("uirum", k=1), made.search("uirum uirum", k=1)
        assert twice[0].score == pytest.approx(factor * once[0].score, rel=1e-6)


class Foreign:
    """A retriever that is not ours: it has `search`, and nothing else."""

    def __init__(self, found: list[Passage]) -> None:
        self.found = found

    def search(self, query: str, k: int = 10, *, within: Collection[str] | None = None) -> list[Hit]:
        kept = [p for p in self.found if within is None or p.doc_id in within]
        return [Hit(n, p.doc_id, 1.0 / n, p) for n, p in enumerate(kept[:k], 1)]


def test_fusion_sums_any_retrievers() -> None:
    everything = passages(9)
    lexical, foreign = build(everything, "bm25-lemma"), Foreign(everything[:5])
    fused = Fusion((lexical, foreign), (1.0, 10.0))
    sums: dict[str, float] = {}
    for weight, found in ((1.0, lexical.search("arma cano", 1000)), (10.0, foreign.search("arma cano", 1000))):
        for hit in found:
            sums[hit.doc_id] = sums.get(hit.doc_id, 0) + weight * hit.score
    hits = fused.search("arma cano", 1000)
    assert {hit.doc_id: hit.score for hit in hits} == pytest.approx(sums, rel=1e-6)
    assert ranked(hits) == sorted(ranked(hits), key=lambda hit: (hit[1], hit[0]), reverse=True)
    assert signature(fused).startswith("1*[bm25-lemma|") and "10*[Foreign]" in signature(fused)
    assert [h.doc_id for h in fused.search("arma", within=[everything[0].doc_id])] == [everything[0].doc_id]
    with pytest.raises(InputError, match="one weight to each"):
        Fusion((lexical,), (1.0, 2.0))


def test_the_fusion_method_is_the_weighted_sum_of_its_fields() -> None:
    everything = passages(10)
    fused = build(everything, "fusion")
    parts = [(share, build(everything, (replace_share(r),))) for r in METHODS["fusion"] for share in [r.share]]
    for query in queries(10):
        sums: dict[str, float] = {}
        for share, part in parts:
            for hit in part.search(query, k=1000):
                sums[hit.doc_id] = sums.get(hit.doc_id, 0) + share * hit.score
        assert {hit.doc_id: hit.score for hit in fused.search(query, k=1000)} == pytest.approx(sums, rel=1e-5)


def replace_share(recipe: Recipe) -> Recipe:
    return recipe._replace(share=1.0)


def test_a_failed_search_leaves_the_next_one_right() -> None:
    made = build(passages(0), "bm25-lemma")
    expected = ranked(made.search("arma uirum", k=1000))
    (field,) = made.fields
    broken = replace(field)
    vars(broken)["_fitted"] = replace(field.fitted, floor=None, weights=None)  # type: ignore[type-var]
    with pytest.raises(AttributeError):
        LexicalRetriever("broken", made.passages, (broken,)).search("arma uirum")
    assert ranked(made.search("arma uirum", k=1000)) == expected
