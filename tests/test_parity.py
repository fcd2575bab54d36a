"""Our scorers beside independent tools and beside a slow obvious version, with the tolerance written down."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import bm25s
import numpy as np
import pytest
import rank_bm25
from corpus import passages, queries
from sklearn.feature_extraction.text import TfidfVectorizer

from latinsearch.analyzer import Analyzer, Terms
from latinsearch.methods import METHODS, Recipe, build
from latinsearch.records import Passage
from latinsearch.retriever import LexicalRetriever
from latinsearch.scorers import BM25, RankBM25, Scorer, TfIdf

TOLERANCE = 1e-6  # relative: a Hit's score is a 32-bit float, half a unit in its last place is 6e-8 of it
SEEDS = range(6)


def retriever(seed: int, scorer: Scorer, analyzer: Analyzer | None = None) -> LexicalRetriever:
    return build(passages(seed), (Recipe("form", analyzer or Analyzer(), scorer),))


def scores(made: LexicalRetriever, query: str) -> dict[str, float]:
    return {hit.doc_id: hit.score for hit in made.search(query, k=10_000)}


def tokens(text: str) -> list[str]:
    return [term.candidates[0] for term in Analyzer()(text)]


def sharing(made: LexicalRetriever, query: str) -> list[int]:
    return [i for i, p in enumerate(made.passages) if set(tokens(p.text)) & set(tokens(query))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("variant", "package"),
    [("okapi", rank_bm25.BM25Okapi), ("l", rank_bm25.BM25L), ("plus", rank_bm25.BM25Plus)],
)
def test_bm25_variants_are_those_of_rank_bm25(seed: int, variant: str, package: Any) -> None:
    made = retriever(seed, BM25(variant=variant))
    reference = package([tokens(p.text) for p in made.passages])
    for query in queries(seed):
        expected = reference.get_scores(tokens(query))
        found = scores(made, query)
        assert sorted(found) == sorted(made.passages[i].doc_id for i in sharing(made, query))
        for i in sharing(made, query):
            assert found[made.passages[i].doc_id] == pytest.approx(expected[i], rel=TOLERANCE, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_bm25_is_bm25s_with_method_lucene(seed: int) -> None:
    filled = [Passage(p.doc_id, p.text or "uacuus") for p in passages(seed)]  # bm25s needs a token in each passage
    made = build(filled, (Recipe("form", Analyzer(), BM25(k1=1.2, b=0.75)),))
    reference = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    reference.index([tokens(p.text) for p in filled], show_progress=False)
    for query in queries(seed):
        known = [word for word in tokens(query) if word in made.fields[0].index.term_ids]
        if not known:
            assert scores(made, query) == {}
            continue
        expected = reference.get_scores(known)
        found = scores(made, query)
        for i, passage in enumerate(made.passages):
            # bm25s sums in 32 bits: 1e-5 relative
            assert found.get(passage.doc_id, 0.0) == pytest.approx(float(expected[i]), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("sublinear", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_tfidf_is_scikit_learns(seed: int, sublinear: bool) -> None:
    made = retriever(seed, TfIdf(sublinear_tf=sublinear))
    vectorizer = TfidfVectorizer(analyzer=tokens, sublinear_tf=sublinear)
    matrix = vectorizer.fit_transform([p.text for p in made.passages])
    for query in queries(seed):
        expected = (matrix @ vectorizer.transform([query]).T).toarray().ravel()
        found = scores(made, query)
        for i, passage in enumerate(made.passages):
            assert found.get(passage.doc_id, 0.0) == pytest.approx(expected[i], rel=TOLERANCE, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_package_itself_and_our_okapi_agree_on_every_hit(seed: int) -> None:
    analyzer = METHODS["rank-bm25"][0].analyzer
    package, ours = retriever(seed, RankBM25(), analyzer), retriever(seed, BM25(variant="okapi"), analyzer)
    for query in queries(seed):
        assert [h.doc_id for h in package.search(query, 50)] == [h.doc_id for h in ours.search(query, 50)]
        assert scores(package, query) == pytest.approx(scores(ours, query), abs=1e-6)


def slow_bm25(made: LexicalRetriever, query: Terms, passage: Passage, k1: float, b: float, k3: float | None) -> float:
    """BM25 over candidate lemmata as it is defined, one passage at a time: each query word once, as its best candidate."""
    analyze = made.fields[0].analyzer
    texts = [analyze(p.text) for p in made.passages]
    here = analyze(passage.text)
    mean = sum(map(len, texts)) / len(texts)
    total = 0.0
    for candidates, times in Counter(term.candidates for term in query).items():
        best = 0.0
        for lemma in candidates:
            df = sum(any(lemma in term.candidates for term in text) for text in texts)
            tf = sum(lemma in term.candidates for term in here)
            if tf:
                idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
                best = max(best, idf * tf / (tf + k1 * (1 - b + b * len(here) / mean)))
        total += best * (times if k3 is None else times * (k3 + 1) / (times + k3))
    return total


AMBIGUOUS = {
    "canis": ("canis", "canus", "cano"),
    "cano": ("cano", "canus"),
    "oris": ("os", "ora"),
    "uirum": ("uir",),
    "uirumque": ("uir",),
    "bella": ("bellum", "bellus"),
    "bello": ("bellum", "bello"),
}


@pytest.mark.parametrize("k3", [None, 0.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_word_of_several_candidates_scores_once_as_the_best(seed: int, k3: float | None) -> None:
    analyzer = Analyzer(lemmatizer=lambda form: AMBIGUOUS.get(form, ()))
    made = retriever(seed, BM25(k1=0.9, b=0.4, k3=k3), analyzer)
    for query in queries(seed):
        found = scores(made, query)
        for passage in made.passages:
            expected = slow_bm25(made, analyzer(query), passage, 0.9, 0.4, k3)
            assert found.get(passage.doc_id, 0.0) == pytest.approx(expected, rel=TOLERANCE)


def test_candidates_add_nothing_up() -> None:
    made = build(
        [Passage("a", "canis"), Passage("b", "canus"), Passage("c", "mus")],
        (Recipe("lemma", Analyzer(lemmatizer=lambda form: AMBIGUOUS.get(form, ())), BM25()),),
    )
    scores = {hit.doc_id: hit.score for hit in made.search("canis")}
    # `canis` shares three candidates with itself and one with `canus`, and scores as one word both times: all passages
    # have one word, so a weight is idf / (1 + k1), and the rarest of the three lemmata stands in one passage of three.
    assert scores == {
        "a": pytest.approx(math.log(1 + 2.5 / 1.5) / 2.5, rel=TOLERANCE),
        "b": pytest.approx(math.log(1 + 1.5 / 2.5) / 2.5, rel=TOLERANCE),
    }


def test_scores_are_32_bit_floats() -> None:
    for hit in build(passages(1), "bm25-form").search("arma uirumque cano"):
        assert hit.score == float(np.float32(hit.score))


def slow_tfidf(made: LexicalRetriever, query: Terms, passage: Passage) -> float:
    """Cosine of tf-idf vectors with candidates, as it is defined: each query word as the candidate that gives most."""
    analyze = made.fields[0].analyzer
    texts = [analyze(p.text) for p in made.passages]

    def df(lemma: str) -> int:
        return sum(any(lemma in term.candidates for term in text) for text in texts)

    def idf(lemma: str) -> float:
        return math.log((len(texts) + 1) / (df(lemma) + 1)) + 1

    counts = Counter(lemma for term in analyze(passage.text) for lemma in term.candidates)
    here = {lemma: (1 + math.log(count)) * idf(lemma) for lemma, count in counts.items()}
    length = math.sqrt(sum(weight**2 for weight in here.values()))
    total, squares = 0.0, 0.0
    for candidates, times in Counter(term.candidates for term in query).items():
        known = [lemma for lemma in candidates if df(lemma)]
        if known:
            squares += max((1 + math.log(times)) * idf(lemma) for lemma in known) ** 2
            total += max((1 + math.log(times)) * idf(lemma) * here.get(lemma, 0.0) for lemma in known)
    return total / length / math.sqrt(squares) if total else 0.0


@pytest.mark.parametrize("seed", range(3))
def test_tfidf_too_takes_a_word_as_its_best_candidate(seed: int) -> None:
    analyzer = Analyzer(lemmatizer=lambda form: AMBIGUOUS.get(form, ()))
    made = retriever(seed, TfIdf(), analyzer)
    for query in queries(seed):
        found = scores(made, query)
        for passage in made.passages:
            expected = slow_tfidf(made, analyzer(query), passage)
            assert found.get(passage.doc_id, 0.0) == pytest.approx(expected, rel=TOLERANCE)
