"""Tesserae's formula: the worked examples to three decimals, a slow obvious version, and the two modes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from corpus import passages, queries

from latinsearch.analyzer import Analyzer, Term
from latinsearch.corpora import read
from latinsearch.index import Index
from latinsearch.methods import Recipe, build
from latinsearch.records import InputError, Passage, TextWarning
from latinsearch.scorers import Tesserae


@pytest.mark.parametrize(("basis", "count"), [("texts", 8), ("corpus", 7)])
def test_worked_examples(data: Path, basis: str, count: int) -> None:
    folder = data / "tesserae-mini"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[basis]
    lemmata = json.loads((folder / "lemmata.json").read_text(encoding="utf-8"))
    analyze = Analyzer(lemmatizer=lambda form: tuple(lemmata.get(form, ())))
    aeneid = read(folder / "aen.tess")
    with pytest.warns(TextWarning, match="lower than the one before"):  # the sample is not in the order of the poem
        pharsalia = read(folder / "phar.tess")
    source, target = Index.build(aeneid, analyze), Index.build(pharsalia, analyze)
    scorer = Tesserae(
        stoplist=tuple(expected["stoplist"]),
        frequency=basis,
        max_distance=expected["max_distance"],  # type: ignore[arg-type]
    )
    fitted = scorer.fit(source, target=target, corpus=Index.build([*aeneid, *pharsalia], analyze))
    found = {}
    for passage in pharsalia:
        for place, score in zip(*fitted.score(analyze(passage.text)), strict=True):
            pair = (passage.ref.strip("<>"), aeneid[place].ref.strip("<>"))
            part = fitted.explain(analyze(passage.text), int(place), analyze(aeneid[place].text), "lemma", 1.0)
            assert part.score == pytest.approx(score, rel=1e-12)
            total = sum(match.weight for match in part.matches)
            found[pair] = (round(float(score), 3), part.distance, round(total, 3))
    assert found == {
        (row["target"], row["source"]): (row["score"], row["distance"], row["sum_inverse_frequency"])
        for row in expected["parallels"]
    }
    assert len(found) == count


AMBIGUOUS = {
    "canis": ("canis", "canus", "cano"),
    "cano": ("cano", "canus"),
    "bella": ("bellum",),
    "bello": ("bellum", "bello"),
}
analyze = Analyzer(lemmatizer=lambda form: AMBIGUOUS.get(form, ()))


def slow(query: str, passage: Passage, everything: list[Passage], stopped: set[str]) -> float | None:
    """The score of one pair by the words of the definition, min_matches 2, basis texts, metric frequency."""

    def shares(one: Term, other: Term) -> bool:
        return bool(set(one.candidates) & set(other.candidates))

    def meets(one: Term, other: Term) -> bool:
        return bool((set(one.candidates) & set(other.candidates)) - stopped)

    asked, here = analyze(query), analyze(passage.text)
    work = [t for p in everything if p.meta["author"] == passage.meta["author"] for t in analyze(p.text)]
    words = [t for p in everything for t in analyze(p.text)]
    target = [i for i, q in enumerate(asked) if any(meets(q, p) for p in here)]
    source = [i for i, p in enumerate(here) if any(meets(p, q) for q in asked)]
    if len({asked[i].folded for i in target}) < 2 or len({here[i].folded for i in source}) < 2:
        return None
    rare_target = {i: len(words) / sum(shares(asked[i], w) for w in words) for i in target}
    rare_source = {i: len(work) / sum(shares(here[i], w) for w in work) for i in source}
    distance = 0
    for rare in (rare_target, rare_source):
        one, other = sorted(rare, key=lambda i: (-rare[i], i))[:2]
        distance += abs(one - other) + 1
    return math.log((sum(rare_target.values()) + sum(rare_source.values())) / distance)


@pytest.mark.parametrize("stopped", [(), ("et", "in")])
@pytest.mark.parametrize("seed", range(4))
def test_against_the_definition(seed: int, stopped: tuple[str, ...]) -> None:
    everything = passages(seed)
    made = build(everything, (Recipe("lemma", analyze, Tesserae(stoplist=stopped, cutoff=None)),))
    compared = 0
    for query in queries(seed, size=14):
        found = {hit.doc_id: hit.score for hit in made.search(query, k=1000)}
        for passage in everything:
            expected = slow(query, passage, everything, set(stopped))
            assert found.get(passage.doc_id) == (None if expected is None else pytest.approx(expected, rel=1e-6))
            compared += expected is not None
    assert compared > 20


def test_two_forms_are_needed_on_each_side_but_not_two_lemmata() -> None:
    made = build(
        [Passage("two.forms", "per tela perque hostis"), Passage("one.form", "arma et arma")],
        (Recipe("lemma", Analyzer(lemmatizer=lambda f: ("per",) if f == "perque" else ()), Tesserae(stoplist=())),),
    )
    assert [hit.doc_id for hit in made.search("per stuppea uincula perque")] == ["two.forms"]
    assert made.search("arma fremit arma") == []


def test_metric_span_limit_and_cutoff() -> None:
    text = [Passage("a", "arma x y uir z cano"), Passage("b", "nihil est hic tale uero")]
    recipe = Analyzer()

    def score(query: str, **parameters: object) -> float | None:
        made = build(text, (Recipe("form", recipe, Tesserae(stoplist=(), **parameters)),))  # type: ignore[arg-type]
        hits = made.search(query)
        return hits[0].score if hits else None

    # every word of `a` occurs once in 11 words, so each 1/f is 11; ties in rarity go by position
    assert score("arma uir cano") == pytest.approx(math.log(66 / (2 + 4)), rel=1e-6)
    assert score("arma uir cano", metric="span") == pytest.approx(math.log(66 / (3 + 6)), rel=1e-6)
    assert score("arma uir cano", max_distance=6) is not None
    assert score("arma uir cano", max_distance=5) is None
    assert score("arma uir cano", cutoff=2.3) is not None
    assert score("arma uir cano", cutoff=2.4) is None
    assert score("arma uir", min_matches=3) is None
    assert score("arma uir cano", min_matches=3) is not None


@pytest.mark.parametrize("seed", range(4))
def test_one_match_is_enough_but_follows_every_two(seed: int) -> None:
    everything = passages(seed)
    two = build(everything, (Recipe("lemma", analyze, Tesserae(stoplist=3, cutoff=None)),))
    one = build(everything, (Recipe("lemma", analyze, Tesserae(stoplist=3, cutoff=None, min_matches=1)),))
    singles = 0
    for query in queries(seed):
        strict, lax = two.search(query, k=1000), one.search(query, k=1000)
        assert [(h.doc_id, h.score) for h in lax[: len(strict)]] == [(h.doc_id, h.score) for h in strict]
        assert all(hit.score < -20 for hit in lax[len(strict) :])
        singles += len(lax) - len(strict)
    assert singles > 20


def test_one_match_is_ranked_by_rarity() -> None:
    text = [Passage("rare", "lupus fuit"), Passage("common", "arma fuit"), Passage("more", "arma arma uidit")]
    made = build(text, (Recipe("form", Analyzer(), Tesserae(min_matches=1, cutoff=None, stoplist=())),))
    assert [hit.doc_id for hit in made.search("lupus arma")] == ["rare", "more", "common"]


def test_the_stop_list_takes_a_key_but_not_the_word_that_matches_through_another() -> None:
    made = build(
        [Passage("a", "canis latrat acer"), Passage("b", "canus stat acer")],
        (Recipe("lemma", analyze, Tesserae(stoplist=("canus",), min_matches=1, cutoff=None)),),
    )
    assert [hit.doc_id for hit in made.search("cano")] == ["a"]


def test_the_ten_most_frequent_are_stopped_but_not_all_of_a_small_text() -> None:
    def stopped(words: int, **parameters: int) -> frozenset[str]:
        rare = ("".join(chr(97 + i // 26**place % 26) for place in range(3)) for i in range(words - 2))
        index = Index.build([Passage(f"p.{word}", f"{word} et in") for word in rare], Analyzer())
        return Tesserae(**parameters).fit(index).stopped

    assert stopped(60) == frozenset()
    assert stopped(60, stoplist=2) == {"et", "in"}
    assert stopped(60, stoplist=10) > {"et", "in"}
    assert len(stopped(60, stoplist=10)) == 10
    assert len(stopped(5000, stoplist=10)) == len(stopped(5000)) == 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_matches": 0},
        {"stoplist": -1},
        {"stoplist": "et"},
        {"frequency": "book"},
        {"metric": "x"},
        {"max_distance": 0},
    ],
)
def test_parameters_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(wrong))}"):
        Tesserae(**wrong)  # type: ignore[arg-type]
