"""What is odd or wrong: refused by a message that names it, or handled as the docstring says; never lost."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from corpus import passages, queries

from latinsearch.analyzer import Analyzer
from latinsearch.lemmatizers import lemmatizer
from latinsearch.methods import METHODS, Recipe, build
from latinsearch.normalizer import fold
from latinsearch.records import InputError, Passage, Query
from latinsearch.retriever import Fusion, LexicalRetriever, load, search_all
from latinsearch.scorers import BM25, RankBM25, Scorer, Tesserae, TfIdf

TEXT = [Passage("a", "arma virumque cano"), Passage("b", "arma ducem cano troiae"), Passage("c", "nihil hic est")]


def scored(made: LexicalRetriever, query: str) -> dict[str, float]:
    return {hit.doc_id: hit.score for hit in made.search(query, k=1000)}


def with_lemmata(
    answer: Callable[[str], Any], scorer: Scorer | None = None, text: list[Passage] = TEXT
) -> LexicalRetriever:
    return build(text, (Recipe("lemma", Analyzer(lemmatizer=answer), scorer or BM25()),))


# ---- records ----


@pytest.mark.parametrize("value", [None, b"arma", 5, ["arma"], "arma \udcff"])
def test_texts_are_texts(value: Any) -> None:
    for make in (lambda: Passage("a", value), lambda: Query("q", value), lambda: Passage("a", "x", value)):
        with pytest.raises(InputError, match="must be a text|lone surrogate"):
            make()


@pytest.mark.parametrize("value", [None, 5, b"a", "\ud800"])
def test_ids_are_texts(value: Any) -> None:
    for make in (Passage, Query):
        with pytest.raises(InputError, match="doc_id|query_id"):
            make(value, "arma")


def test_meta_takes_numpys_numbers_and_nothing_stranger(tmp_path: Path) -> None:
    passage = Passage("a", "arma", meta={"line": np.int64(3), "author": np.str_("Vergil")})
    assert type(passage.meta["line"]) is int
    build([passage]).save(tmp_path / "index")
    assert load(tmp_path / "index").passages == (passage,)
    for meta in (None, [1], {1: "x"}, {"line": 1.5}, {"line": None}, {"author": "\ud800"}):
        with pytest.raises(InputError, match="meta"):
            Passage("a", "arma", meta=meta)  # type: ignore[arg-type]


# ---- analyzers and lemmatizers ----


def test_rules_decide_what_matches() -> None:
    text = [Passage("v", "Virum"), Passage("u", "uirum")]
    for rules, found in ((("lower",), {"v"}), ((), set()), (("lower", "v_to_u"), {"v", "u"})):
        made = build(text, (Recipe("form", Analyzer(rules=rules), BM25()),))
        assert scored(made, "virum").keys() == found


def test_answers_of_a_lemmatizer_are_folded_by_the_same_rules() -> None:
    assert Analyzer(lemmatizer=lambda form: ("Vir",))("x")[0].candidates == ("uir",)
    assert Analyzer(rules=("lower",), lemmatizer=lambda form: ("Vir",))("x")[0].candidates == ("vir",)


def test_stop_words_stop_n_grams_too_and_only_the_candidates_that_they_name() -> None:
    assert [t.folded for t in Analyzer(ngrams=4, stopwords=("Arma",))("arma cano")] == ["cano"] * 3
    analyze = Analyzer(lemmatizer=lambda form: ("canus", "cano"), stopwords=("cano",))
    assert [t.candidates for t in analyze("cano")] == [("canus",)]
    assert Analyzer(stopwords={"et", "in"}) == Analyzer(stopwords=("et", "in"))


@pytest.mark.parametrize(
    "answer", [lambda f: (c for c in [f]), lambda f: {f}, lambda f: f, lambda f: (1,), lambda f: 5, lambda f: {f: 1}]
)
def test_a_lemmatizer_gives_a_tuple(answer: Callable[[str], Any]) -> None:
    with pytest.raises(InputError, match="must give a tuple of lemmata"):
        with_lemmata(answer)


@pytest.mark.parametrize("nothing", [None, (), [], ("",), (" ",), ("***",), ("", "()")])
def test_lemmata_of_nothing_are_no_lemmata(nothing: Any) -> None:
    made = with_lemmata(lambda form: nothing)
    assert made.fields[0].index.vocabulary[:3] == ("arma", "uirumque", "cano")
    assert scored(made, "zzz") == {}
    assert made.fields[0].index.unknown == 10


def test_a_lemma_of_two_words_stays_one_lemma_of_two_words(tmp_path: Path) -> None:
    def phrase(form: str) -> tuple[str, ...]:
        return ("res\npublica",)

    made = with_lemmata(phrase)
    assert made.fields[0].index.vocabulary == ("res publica",)
    made.save(tmp_path / "index")
    assert load(tmp_path / "index", lemmatizer=phrase).fields[0].index.vocabulary == ("res publica",)


def test_a_chain_is_a_lemmatizer() -> None:
    assert Analyzer(lemmatizer=lemmatizer("simplemma"))("uirumque")[0].candidates == ("uir",)


@pytest.mark.parametrize("wrong", [{"arma": ("arma",)}, 5, None, b"simplemma"])
def test_what_is_no_lemmatizer_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="unknown lemmatizer"):
        Analyzer(lemmatizer=wrong)


def test_a_lemmatizer_without_a_name_is_used_but_not_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no name of its own"):
        with_lemmata(lambda form: ()).save(tmp_path / "index")
    with pytest.raises(InputError, match="has no name of its own"):
        with_lemmata({"arma": ("arma",)}.get).save(tmp_path / "index")
    assert not (tmp_path / "index").exists()


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, form: str) -> tuple[str, ...]:
        return (form,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ngrams": 0},
        {"ngrams": 2.5},
        {"ngrams": "4"},
        {"ngrams": True},
        {"stopwords": "et"},
        {"stopwords": None},
        {"stopwords": (1,)},
        {"rules": None},
        {"rules": "lower"},
        {"candidates": "some"},
        {"lemmatizer": Unhashable()},
    ],
)
def test_analyzers_refuse_other_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Analyzer(**wrong)


@pytest.mark.parametrize("text", [None, 5, ["arma"], b"arma", Passage("a", "arma")])
@pytest.mark.parametrize("analyze", [Analyzer(), Analyzer(lemmatizer="simplemma"), Analyzer(ngrams=4)])
def test_analyzers_take_texts(analyze: Analyzer, text: Any) -> None:
    for call in (analyze, analyze.explain):
        with pytest.raises(InputError, match=f"takes a text, not {type(text).__name__}"):
            call(text)


@pytest.mark.parametrize("surrogate", ["\udcff", "et\ud800"])
def test_what_could_not_be_saved_is_refused_where_it_comes_in(surrogate: str) -> None:
    for make in (
        lambda: Analyzer(stopwords=(surrogate,)),
        lambda: Analyzer(lemmatizer="simplemma", lexicon={"arma": (surrogate,)}),
        lambda: Analyzer(lemmatizer="simplemma", lexicon={surrogate: ("arma",)}),
        lambda: Analyzer(lemmatizer=lambda form: (surrogate,))("arma"),
        lambda: Analyzer(rules=(surrogate,)),
        lambda: Tesserae(stoplist=(surrogate,)),
        lambda: build(TEXT, stopwords=[surrogate]),
        lambda: build(TEXT, lexicon={"arma": [surrogate]}),
    ):
        with pytest.raises(InputError, match="lone surrogate|not one word"):
            make()


@pytest.mark.parametrize("mixed", [{1, "et"}, {"et", None}])
def test_a_set_of_words_and_other_things_is_refused(mixed: Any) -> None:
    with pytest.raises(InputError, match="must be a tuple of words"):
        Analyzer(stopwords=mixed)


def test_one_letter_grams_have_no_boundary_that_matches_everything() -> None:
    made = build(TEXT, (Recipe("grams", Analyzer(ngrams=1), BM25()),))
    assert scored(made, "zzz") == {}


def test_signatures_have_no_blanks_whatever_is_in_them() -> None:
    analyzer = Analyzer(stopwords=("res publica",), lemmatizer=lambda form: ())
    made = build(TEXT, (Recipe("a b", analyzer, Tesserae(stoplist=("res publica",)), 1 / 3),))
    assert not any(char.isspace() for char in made.signature)
    assert "0.333333333333*a_b[" in made.signature


def test_signs_at_a_line_end_join_in_one_go() -> None:
    for text in ("A-\r\n\xad e", "a-[\n e", "a-\u2028e", "a-\n]e"):
        assert fold(text) == fold(fold(text)) == "ae"


def test_a_long_run_of_signs_is_folded_at_once() -> None:
    assert fold("[" * 100_000 + "a") == "a"  # was quadratic: minutes
    assert fold("5" + "[" * 100_000 + "6").startswith("5[")


# ---- methods and scorers ----


@pytest.mark.parametrize("method", [(), [], None, 5, b"fusion", ["bm25-form"], Recipe("form", Analyzer(), BM25())])
def test_build_takes_a_name_or_recipes(method: Any) -> None:
    with pytest.raises(InputError, match="method"):
        build(TEXT, method)


@pytest.mark.parametrize("share", [None, "1", float("nan"), float("inf")])
def test_shares_are_finite_numbers(share: Any) -> None:
    with pytest.raises(InputError, match="share of form"):
        build(TEXT, (Recipe("form", Analyzer(), BM25(), share),))


@pytest.mark.parametrize(
    "make",
    [
        lambda: BM25(k1="x"),  # type: ignore[arg-type]
        lambda: BM25(k1=None),  # type: ignore[arg-type]
        lambda: BM25(b=None),  # type: ignore[arg-type]
        lambda: BM25(k3="a"),  # type: ignore[arg-type]
        lambda: BM25(variant=["l"]),  # type: ignore[arg-type]
        lambda: RankBM25(k1=0),
        lambda: RankBM25(b=5),
        lambda: RankBM25(epsilon=float("nan")),
        lambda: TfIdf(sublinear_tf="no"),  # type: ignore[arg-type]
        lambda: Tesserae(min_matches=2.5),  # type: ignore[arg-type]
        lambda: Tesserae(stoplist=2.5),  # type: ignore[arg-type]
        lambda: Tesserae(stoplist=(None,)),  # type: ignore[arg-type]
        lambda: Tesserae(stoplist=True),
        lambda: Tesserae(max_distance="x"),  # type: ignore[arg-type]
        lambda: Tesserae(cutoff="x"),  # type: ignore[arg-type]
        lambda: Tesserae(cutoff=float("nan")),
        lambda: Fusion((build(TEXT),), ("a",)),  # type: ignore[arg-type]
        lambda: Fusion((build(TEXT),), (float("nan"),)),
        lambda: Fusion((build(TEXT),), (1.0,), depth=0),
    ],
)
def test_scorers_refuse_other_parameters(make: Callable[[], object]) -> None:
    with pytest.raises(InputError):
        make()


def test_numpys_numbers_are_taken_and_saved(tmp_path: Path) -> None:
    recipes = (
        Recipe("bm25", Analyzer(), BM25(k1=np.float64(0.9), k3=np.float32(0.5))),  # type: ignore[arg-type]
        Recipe("grams", Analyzer(ngrams=np.int64(4)), Tesserae(min_matches=np.int64(1), stoplist=np.int32(2))),  # type: ignore[arg-type]
    )
    made = build(TEXT, recipes)
    made.save(tmp_path / "index")
    assert scored(load(tmp_path / "index"), "arma") == scored(made, "arma")
    assert len(made.search("arma", k=np.int64(1))) == 1  # type: ignore[arg-type]


def test_a_set_of_stop_words_has_an_order() -> None:
    assert Tesserae(stoplist={"qui", "et", "in"}).stoplist == ("et", "in", "qui")  # type: ignore[arg-type]


def test_a_scorer_that_cannot_be_saved_is_used_and_signed() -> None:
    class Mine(BM25):
        pass

    made = build(TEXT, (Recipe("form", Analyzer(), Mine()),))
    assert made.search("arma")
    assert "Mine(k1=1.5" in made.signature


def test_the_package_does_not_depend_on_the_order_of_passages() -> None:
    for seed in range(40):
        text = passages(seed, size=6, longest=5)
        one, other = build(text, "rank-bm25"), build(text[::-1], "rank-bm25")
        for query in queries(seed):
            assert [(h.doc_id, h.score) for h in one.search(query)] == [
                (h.doc_id, h.score) for h in other.search(query)
            ]


def test_the_package_and_its_explanation_see_the_same_candidate() -> None:
    lemmata = {"amb": ("p", "arma")}
    made = with_lemmata(lambda form: lemmata.get(form, ()), RankBM25())
    assert scored(made, "amb") == {}
    assert made.explain("amb", "a").score == 0


def test_bm25_plus_explains_a_word_whose_absent_candidate_weighs_more() -> None:
    lemmata = {"q": ("rare", "com")}
    text = [Passage(str(n), t) for n, t in enumerate(("com", "com", "rare com com", "com x", "y"))]
    made = with_lemmata(lambda form: lemmata.get(form, ()), BM25(variant="plus"), text)
    for doc_id, score in scored(made, "q com x").items():
        assert made.explain("q com x", doc_id).score == pytest.approx(score, rel=1e-6)


def test_one_match_is_enough_with_the_usual_cut_off_too() -> None:
    made = build(TEXT, (Recipe("form", Analyzer(), Tesserae(min_matches=1)),))
    assert scored(made, "troiae").keys() == {"b"}


def test_words_that_a_corpus_lacks_are_as_rare_on_both_sides() -> None:
    from latinsearch.index import Index

    analyze = Analyzer()
    source, corpus = (
        Index.build([Passage("a", text)], analyze) for text in ("rara auis arma", "sex uerba sunt in hoc libro")
    )
    fitted = Tesserae(frequency="corpus", stoplist=0).fit(source, corpus=corpus)
    assert fitted.inverse.tolist() == [6.0, 6.0, 6.0]
    assert fitted.frequencies.of_query_word("rara", ("rara",)) == 6.0


@pytest.mark.parametrize("seed", range(3))
def test_tesserae_over_n_grams_is_explained(seed: int) -> None:
    made = build(passages(seed), (Recipe("grams", Analyzer(ngrams=3), Tesserae(stoplist=0, min_matches=1)),))
    for query in queries(seed):
        for hit in made.search(query, k=100):
            assert made.explain(query, hit.doc_id).score == pytest.approx(hit.score, rel=1e-5)


def test_a_form_that_splits_into_several_words_is_explained() -> None:
    made = build(
        [Passage("a", "ab-\ncd-\nab-\nxx yy zz"), Passage("b", "qq")],
        (Recipe("form", Analyzer(rules=("lower",)), Tesserae(stoplist=0)),),
    )
    (hit,) = made.search("yy zz")
    explanation = made.explain("yy zz", "a")
    assert explanation.score == pytest.approx(hit.score, rel=1e-6)
    assert [match.passage for match in explanation.matches] == ["yy", "zz"]


# ---- search, jobs, processes ----


def test_within_of_a_fusion_bounds_every_retriever() -> None:
    fused = Fusion((build(TEXT, "bm25-form"), build(TEXT, "bm25-lemma")), (1.0, 1.0))
    expected = [(h.doc_id, h.score) for h in fused.search("arma", within=["a", "b"])]
    assert [(h.doc_id, h.score) for h in fused.search("arma", within=np.array(["a", "b"]))] == expected  # type: ignore[arg-type]
    for wrong in ((x for x in ["a"]), "a", 5):
        with pytest.raises(InputError, match="within is"):
            fused.search("arma", within=wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no passage has the doc_id"):
        build(TEXT).search("arma", within=[["a"]])  # type: ignore[list-item]


def test_queries_may_be_any_iterable_of_queries() -> None:
    made = build(TEXT)
    assert search_all(made, (Query(q, "arma") for q in ("q1", "q2"))).keys() == {"q1", "q2"}  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"make each by Query"):
        search_all(made, ["arma"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="is no retriever"):
        search_all(object(), [Query("q", "arma")])  # type: ignore[arg-type]


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", None, True])
def test_jobs_are_a_whole_number(n_jobs: Any) -> None:
    with pytest.raises(InputError, match="n_jobs"):
        build(TEXT, n_jobs=n_jobs)
    with pytest.raises(InputError, match="n_jobs"):
        search_all(build(TEXT), [Query("q", "arma")], n_jobs=n_jobs)


@pytest.mark.parametrize("method", METHODS)
def test_a_retriever_travels_by_pickle(method: str) -> None:
    made = build(passages(1), method)
    other = pickle.loads(pickle.dumps(made))
    for query in queries(1):
        assert scored(other, query) == scored(made, query)


def test_a_backend_that_gives_all_at_once_is_taken_too() -> None:
    asked = [Query(f"q{n}", text) for n, text in enumerate(queries(2))]
    made = build(passages(2), "bm25-form")
    with joblib.parallel_config(backend="multiprocessing"):
        assert search_all(made, asked, n_jobs=2) == search_all(made, asked)


def test_a_loaded_index_travels_whole_even_if_its_folder_was_replaced(tmp_path: Path) -> None:
    text = [Passage("a", "arma cano"), Passage("b", "cano"), Passage("c", "fata")]
    build(text, "bm25-form").save(tmp_path / "index")
    loaded = load(tmp_path / "index")
    expected = search_all(loaded, [Query("q", "cano")])
    build(text[::-1], "bm25-form").save(tmp_path / "index")
    assert search_all(loaded, [Query("q", "cano")], n_jobs=2) == expected == {"q": expected["q"]}
    assert expected["q"].keys() == {"a", "b"}


# ---- index folders ----


def test_files_of_the_users_own_in_an_index_folder_are_not_lost(tmp_path: Path) -> None:
    build(TEXT).save(tmp_path / "index")
    (tmp_path / "index" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.txt is not part of the index there and would be lost"):
        build(TEXT).save(tmp_path / "index")
    assert (tmp_path / "index" / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_link_to_an_index_stays_a_link(tmp_path: Path) -> None:
    build(TEXT).save(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    build(TEXT, "fusion").save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load(tmp_path / "real").method == "fusion"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


def test_the_current_folder_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="current folder"):
        build(TEXT).save(".")


@pytest.mark.parametrize(
    "changes",
    [
        {"files": {}},
        {"format": True},
        {"fields": [{"analyzer": "x"}]},
        {"fields": [{"analyzer": {"lemmatizer": "none", "rules": [], "stopwords": [1]}}]},
        {
            "fields": [
                {"name": "form", "analyzer": {"lemmatizer": "none", "rules": [], "stopwords": []}, "scorer": None}
            ]
        },
        {"recipe": None},
    ],
)
def test_a_meta_file_that_says_something_else_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    from test_storage import altered

    build(TEXT, "bm25-form").save(tmp_path / "index")
    with pytest.raises(InputError):
        load(altered(tmp_path / "index", **changes))


def test_every_flipped_byte_of_the_meta_file_is_noticed(tmp_path: Path) -> None:
    build(TEXT, "bm25-form").save(tmp_path / "index")
    path = tmp_path / "index" / "meta.json"
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(bytes([*whole[:place], whole[place] ^ 1, *whole[place + 1 :]]))
        try:
            loaded = load(tmp_path / "index")
        except InputError as error:
            assert str(tmp_path) in str(error)
        else:  # a blank of the layout may be another blank
            assert loaded.signature == build(TEXT, "bm25-form").signature
