"""Text against text: the same numbers as searching passage by passage, cases worked by hand, units, and bad input."""

from __future__ import annotations

import json
import math
import random
import re
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import passages

from latinsearch.analyzer import Analyzer
from latinsearch.compare import Parallel, compare, comparison
from latinsearch.corpora import read
from latinsearch.index import Index
from latinsearch.methods import METHODS, Recipe, build
from latinsearch.records import InputError, Passage, TextWarning
from latinsearch.scorers import BM25, Tesserae
from latinsearch.scorers.pairs import phrases, windows
from latinsearch.tokenizer import tokenize


def text(*lines: str, work: str = "w") -> list[Passage]:
    """The lines of a work."""
    return [Passage(f"{work}.{number}", line, meta={"work": work}) for number, line in enumerate(lines, 1)]


def adjacent(seed: int, size: int = 40) -> list[Passage]:
    """Passages with lines that follow each other."""
    return [replace(p, meta={**p.meta, "line": line}) for line, p in enumerate(passages(seed, size))]


def pairs(found: Any) -> list[tuple[str, str]]:
    return [(p.target.doc_id, p.source.doc_id) for p in found]


@pytest.mark.parametrize(("basis", "count"), [("texts", 8), ("corpus", 7)])
def test_worked_examples(data: Path, basis: Any, count: int) -> None:
    folder = data / "tesserae-mini"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[basis]
    lemmata = json.loads((folder / "lemmata.json").read_text(encoding="utf-8"))
    with pytest.warns(TextWarning, match="lower than the one before"):
        target = read(folder / "phar.tess")
    scorer = Tesserae(stoplist=tuple(expected["stoplist"]), frequency=basis, max_distance=expected["max_distance"])
    found = list(
        compare(target, read(folder / "aen.tess"), method=scorer, lemmatizer=lambda form: tuple(lemmata.get(form, ())))
    )
    assert len(found) == count
    rows = {(row["target"], row["source"]): row for row in expected["parallels"]}
    for parallel in found:
        row = rows[str(parallel.target.ref).strip("<>"), str(parallel.source.ref).strip("<>")]
        assert round(parallel.score, 3) == row["score"]
        assert parallel.distance == row["distance"] == sum(parallel.distances or ())
        for words, side in ((parallel.target_words, "target_matches"), (parallel.source_words, "source_matches")):
            assert [(w.form.lower().replace("v", "u"), round(w.weight, 3)) for w in words] == [
                (form, pytest.approx(weight, abs=1e-3)) for form, weight in row[side]
            ]
    assert [parallel.rank for parallel in found] == list(range(1, count + 1))


# f is counted in six words on each side, so a word that occurs once weighs 6, twice 3.
BY_HAND = {
    "two words, neighbours": ("a b x y z w", "a b p q r s", {}, math.log(24 / 4)),
    "two words, apart": ("a x y b z w", "a p q r s b", {}, math.log(24 / (4 + 6))),
    "three matches, the two rarest (first ones) give the distance": (
        "a b c y z w",
        "c p a q b s",
        {},
        math.log(36 / (2 + 3)),
    ),
    "three matches by span": ("a b c y z w", "c p a q b s", {"metric": "span"}, math.log(36 / (3 + 5))),
    "distance in the target alone": ("a x y b z w", "a b p q r s", {"metric": "frequency-target"}, math.log(24 / 4)),
    "distance in the source alone": ("a x y b z w", "a b p q r s", {"metric": "frequency-source"}, math.log(24 / 2)),
    "span in the target alone": ("a x b y c w", "a b c q r s", {"metric": "span-target"}, math.log(36 / 5)),
    "span in the source alone": ("a x b y c w", "a b c q r s", {"metric": "span-source"}, math.log(36 / 3)),
    "a form twice weighs half": ("a a b y z w", "a b p q r s", {}, math.log((3 + 3 + 6 + 6 + 6) / (3 + 2))),
    "one form twice is no parallel": ("a a x y z w", "a a p q r s", {}, None),
    "one word is no parallel": ("a x y z w v", "a p q r s t", {}, None),
    "too far apart": ("a x y b z w", "a p q r s b", {"max_distance": 9}, None),
    "far enough": ("a x y b z w", "a p q r s b", {"max_distance": 10}, math.log(24 / 10)),
    "below the cut-off": ("a b x y z w", "a b p q r s", {"cutoff": 1.8}, None),
    "a stopped word does not count": ("a b x y z w", "a b p q r s", {"stoplist": ("a",)}, None),
    "the form counts": ("a b x y z w", "a b p q r s", {"score_basis": "form"}, math.log(24 / 4)),
    "corpus: both texts, 12 words": ("a b x y z w", "a b p q r s", {"frequency": "corpus"}, math.log(4 * 6 / 4)),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_cases_worked_by_hand(case: str) -> None:
    target, source, parameters, expected = BY_HAND[case]
    scorer = Tesserae(**{"stoplist": (), **parameters})  # type: ignore[arg-type]
    found = list(compare(text(target), text(source), method=scorer, feature="form"))
    assert [p.score for p in found] == ([] if expected is None else [pytest.approx(expected, rel=1e-12)])


def test_a_stopped_lemma_leaves_the_others_of_its_word() -> None:
    lemmata = {"amor": ("amor", "amo"), "amas": ("amo",), "amorem": ("amor",)}

    def known(form: str) -> tuple[str, ...]:
        return lemmata.get(form, ())

    def found(stopped: tuple[str, ...]) -> list[tuple[str, ...]]:
        made = compare(text("amor uicit"), text("amorem uicit"), stoplist=stopped, lemmatizer=known)
        return [p.lemmata for p in made]

    assert found(("amo",)) == [("amor", "uicit")]
    assert found(("amor",)) == []


@pytest.mark.parametrize("stoplist", [(), ("et", "in")])
@pytest.mark.parametrize("seed", range(3))
def test_all_pairs_are_what_searching_line_by_line_gives(seed: int, stoplist: tuple[str, ...]) -> None:
    source = passages(seed)
    target = [Passage(p.doc_id, p.text, meta={"work": "one"}) for p in passages(seed + 50)]
    for method, least in (("tesserae", 0.0), ("tesserae-one", None)):
        made = list(compare(target, source, method=method, stoplist=stoplist))
        (recipe,) = METHODS[method]
        index, of_target = (Index.build(side, recipe.analyzer) for side in (source, target))
        scorer = Tesserae(stoplist=stoplist, min_matches=1 if least is None else 2, cutoff=least)
        fitted = scorer.fit(index, target=of_target)
        expected = {}
        for passage in target:
            places, scores = fitted.score(recipe.analyzer(passage.text))
            for place, score in zip(places.tolist(), scores.tolist(), strict=True):
                expected[passage.doc_id, source[place].doc_id] = score
        assert {(p.target.doc_id, p.source.doc_id) for p in made} == expected.keys()
        assert len(made) > 10
        assert all(p.score == pytest.approx(expected[p.target.doc_id, p.source.doc_id], rel=1e-6) for p in made)
        scores_made = np.array([p.score for p in made], dtype=np.float32)
        assert (np.diff(scores_made) <= 0).all()


@pytest.mark.parametrize("unit", ["line", "phrase", "window"])
@pytest.mark.parametrize("method", ["tesserae", "tesserae-one"])
def test_the_parts_rebuild_the_score_and_offsets_slice_the_text(method: str, unit: Any) -> None:
    found = list(compare(adjacent(1), adjacent(2), method=method, unit=unit, stoplist=3))
    assert len(found) > 10
    for p in found:
        assert p.rebuilt == pytest.approx(p.score, rel=1e-12)
        for passage, words in ((p.target, p.target_words), (p.source, p.source_words)):
            assert words
            assert all(passage.text[w.start : w.end] == w.form for w in words)
        assert set(p.lemmata) == {lemma for word in p.source_words for lemma in word.lemmata}


def test_a_text_with_itself_pairs_no_passage_with_itself() -> None:
    lines = text("arma uirum", "arma uirum cano", "cano arma")
    assert set(pairs(compare(lines, lines, stoplist=0, feature="form"))) == {
        ("w.1", "w.2"), ("w.2", "w.1"), ("w.2", "w.3"), ("w.3", "w.2"),
    }  # fmt: skip
    both = pairs(compare(lines, lines, stoplist=0, feature="form", unit="window"))
    assert all(one != other for one, other in both)
    searched = compare(lines, lines, method="bm25-form")
    assert all(one != other for one, other in pairs(searched))


def test_windows_find_a_match_across_a_line_end_once() -> None:
    target, source = text("x arma", "uirum y"), text("p q", "r arma", "uirum s")
    assert pairs(compare(target, source, stoplist=0, feature="form")) == []
    (found,) = compare(target, source, stoplist=0, feature="form", unit="window")
    assert (found.target.doc_id, found.source.doc_id) == ("w.1+w.2", "w.2+w.3")
    assert found.target.text == "x arma\nuirum y"
    assert found.distance == 4


def test_phrases_go_over_line_ends_and_not_over_full_stops_or_works() -> None:
    lines = [*text("a b. c", "d; e f", "g"), *text("h i", work="v")]
    units = phrases(Index.build(lines, Analyzer()), [line.text for line in lines])
    assert list(zip(*(column.tolist() for column in units), strict=True)) == [
        (0, 2, 0, 0), (2, 4, 0, 1), (4, 7, 1, 2), (7, 9, 3, 3),
    ]  # fmt: skip
    found = list(compare(text("x. arma", "uirum; y"), text("arma uirum"), stoplist=0, feature="form", unit="phrase"))
    assert [p.target.text for p in found] == ["arma\nuirum;"]


def test_windows_stay_within_a_work() -> None:
    lines = [*text("a", "b"), *text("c", "d", work="v")]
    units = windows(Index.build(lines, Analyzer()), lines)
    assert list(zip(units.first.tolist(), units.last.tolist(), strict=True)) == [
        (0, 0), (0, 1), (1, 1), (2, 2), (2, 3), (3, 3),
    ]  # fmt: skip


def test_features() -> None:
    target, source = text("bella gerit"), text("bello gessit", "bella gerit")

    def found(feature: Any) -> list[tuple[str, str]]:
        return pairs(compare(target, source, stoplist=0, feature=feature))

    assert set(found("lemma")) == {("w.1", "w.1"), ("w.1", "w.2")}
    assert found("form") == [("w.1", "w.2")]
    assert len(found("sound")) == 2  # bel, ell; ger and ge
    stopped = compare(target, source, stoplist=("bellum", "bellus", "bello", "gero"), feature="lemma or form")
    assert pairs(stopped) == [("w.1", "w.2")]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_compares_and_top_is_the_beginning(method: str) -> None:
    target, source = passages(3)[:40], passages(4)
    every = list(compare(target, source, method=method))
    assert len(every) > 20
    assert [p.score for p in every] == sorted((p.score for p in every), reverse=True)
    first = list(compare(target, source, method=method, top=7))
    assert [(p.target, p.source, p.score) for p in first] == [(p.target, p.source, p.score) for p in every[:7]]
    for parallel in every[:50]:
        assert isinstance(parallel, Parallel)
        assert parallel.rebuilt == pytest.approx(parallel.score, rel=1e-5)


def test_a_scorer_of_another_kind_gives_the_best_of_each_passage() -> None:
    target, source = passages(3)[:10], passages(4)
    made = list(compare(target, source, method=BM25()))
    retriever = build(source, (Recipe("lemma", METHODS["tesserae"][0].analyzer, BM25()),))
    assert len(made) == sum(len(retriever.search(passage.text, k=10)) for passage in target)


def test_the_signature_tells_stop_list_unit_and_parameters() -> None:
    made = comparison(text("arma uirum"), text("arma uirum"), stoplist=("et",), unit="window")
    assert "unit=window" in made.signature
    assert "min_matches=2" in made.signature
    assert made.stopped == ("et",)
    assert not any(char.isspace() for char in made.signature)


WORDS = text("arma uirum")


@pytest.mark.parametrize(
    ("target", "source", "given", "told"),
    [
        (text("..."), WORDS, {}, "the target has no words"),
        (WORDS, text("---"), {}, "the source has no words"),
        ([], WORDS, {}, "the target has no passages"),
        (WORDS, [], {}, "the source has no passages"),
        (["arma"], WORDS, {}, "must be Passages"),
        (WORDS, text("arma cano"), {"stoplist": 1000}, "leaves none"),
        (WORDS, WORDS, {"stoplist": -1}, "stoplist"),
        (WORDS, WORDS, {"stoplist": None}, "stoplist is None"),
        (WORDS, WORDS, {"stoplist": 1.5}, "stoplist is 1.5"),
        (WORDS, WORDS, {"stoplist": "nosuch"}, "unknown stop list 'nosuch'"),
        (WORDS, WORDS, {"stoplist": "9" * 5000}, "5,000 digits"),
        (WORDS, WORDS, {"method": None}, "method is None"),
        (WORDS, WORDS, {"method": ["tesserae"]}, "method is"),
        (WORDS, WORDS, {"method": Tesserae}, "method is"),
        (WORDS, WORDS, {"corpus": text("...")}, "the corpus has no words"),
        (WORDS, text("..."), {"method": "bm25-lemma"}, "the source has no words"),
        (WORDS, WORDS, {"method": "bm25-lemma", "stoplist": 5}, "a number of stop words"),
        (WORDS, WORDS, {"method": "bm25-lemma", "corpus": WORDS}, "corpus is for Tesserae's methods"),
        (WORDS, WORDS, {"method": Tesserae(stoplist=1), "stoplist": 10}, "stoplist beside a scorer"),
        (WORDS, WORDS, {"unit": "verse"}, "unknown unit 'verse'"),
        (WORDS, WORDS, {"feature": "metre"}, "unknown feature 'metre'"),
        (WORDS, WORDS, {"top": 0}, "top"),
        (WORDS, WORDS, {"method": "bm26"}, "unknown method"),
        (WORDS, WORDS, {"method": "bm25-lemma", "unit": "phrase"}, "for Tesserae's methods"),
        (WORDS, WORDS, {"feature": "form", "lemmatizer": "simplemma"}, "uses no lemmata"),
    ],
)
def test_bad_input_is_told(target: Any, source: Any, given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        list(compare(target, source, **given))


@pytest.mark.parametrize("wrong", [{"max_distance": -1}, {"metric": "frequency-both"}, {"stop_basis": "all"}])
def test_parameters_out_of_range_are_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Tesserae"):
        Tesserae(**wrong)


@pytest.mark.parametrize("given", [{}, {"unit": "window"}, {"unit": "phrase"}, {"method": "bm25-lemma"}])
def test_a_work_against_a_folder_that_holds_it_is_not_matched_with_itself(given: dict[str, Any]) -> None:
    lines = ("arma uirumque cano.", "Troiae qui primus. arma", "uirumque cano Troiae.", "litora multum")
    own = text(*lines, work="own")
    other = text("arma uirumque litora multum.", "primus Troiae cano", work="other")
    # In a folder the same passages may have other doc_ids, told apart by the name of their file.
    renamed = [Passage(f"file.{p.doc_id}", p.text, ref=p.doc_id, meta=p.meta) for p in own]
    alone = list(compare(own, own, stoplist=0, **given))
    among = list(compare(own, [*other, *renamed], stoplist=0, **given))
    assert alone
    within = {(p.target.doc_id, p.source.doc_id.replace("file.", "").replace("+file.", "+")) for p in among}
    assert set(pairs(alone)) <= within
    assert not any(one == two for one, two in within)
    assert any(two.startswith("other") for _, two in within)


@pytest.mark.parametrize("metric", ["frequency", "span", "frequency-target", "span-source"])
@pytest.mark.parametrize("unit", ["line", "window", "phrase"])
def test_the_distances_are_those_that_the_score_is_divided_by(metric: Any, unit: Any) -> None:
    target, source = adjacent(5, 60), adjacent(6, 60)
    scorer = Tesserae(stoplist=0, metric=metric, cutoff=None)
    found = list(compare(target, source, method=scorer, unit=unit))
    assert len(found) > 50
    for parallel in found:
        assert parallel.distances is not None
        chosen = {"target": parallel.distances[:1], "source": parallel.distances[1:]}
        assert parallel.distance == sum(chosen.get(metric.rpartition("-")[2], parallel.distances))
        for words, passage in ((parallel.target_words, parallel.target), (parallel.source_words, parallel.source)):
            spans = [(token.start, token.end) for token in tokenize(passage.text)]
            assert [spans[w.position or 0] for w in words] == [(w.start, w.end) for w in words]


def test_a_rarer_third_word_may_lower_the_score_and_the_distances_say_so() -> None:
    source, rest = text("a b x y z c", "a a b b"), "a a b b a a b b"
    two, three = text("a b q q q q", rest), text("a b q q q c", rest)
    before, after = (
        next(p for p in compare(t, source, stoplist=0) if p.source.doc_id == p.target.doc_id == "w.1")
        for t in (two, three)
    )
    assert (before.distances, after.distances) == ((2, 2), (6, 6))
    assert len(after.target_words) == 3
    assert after.score < before.score


@pytest.mark.parametrize(
    "given", [{}, {"metric": "span-target"}, {"min_matches": 1, "cutoff": None}, {"min_matches": 3}]
)
@pytest.mark.parametrize("unit", ["line", "window"])
def test_the_best_of_many_are_the_first_of_all(
    given: dict[str, Any], unit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "latinsearch.scorers.pairs._BLOCK", 40
    )  # so that there are many blocks, and a least score to beat
    target, source = adjacent(5, 80), adjacent(6, 80)
    scorer = Tesserae(stoplist=0, **given)
    found = list(compare(target, source, method=scorer, unit=unit))
    assert len(found) > 300 or given.get("min_matches") == 3
    for top in (1, 7, 100, len(found), len(found) + 1):
        assert list(compare(target, source, method=scorer, unit=unit, top=top)) == found[:top]


def test_a_passage_of_a_hundred_thousand_words() -> None:
    rest = " ".join(["et"] * 100_000)
    (found,) = compare(
        [Passage("a", f"arma {rest} uirum")], [Passage("b", f"cano {rest} arma uirum")], stoplist=("et",)
    )
    assert found.distances == (100_002, 2)
    assert [word.position for word in found.target_words] == [0, 100_001]
    assert [word.position for word in found.source_words] == [100_001, 100_002]


def slow_phrases(lines: list[Passage]) -> list[list[tuple[int, int]]]:
    """Phrases as lists of words (line, place in the line), character by character."""
    found: list[list[tuple[int, int]]] = [[]]
    for number, line in enumerate(lines):
        if number and line.meta["work"] != lines[number - 1].meta["work"]:
            found.append([])
        for place, piece in enumerate(re.findall(r"[a-z]+[^a-z]*|^[^a-z]+", line.text)):
            first = not re.match("[a-z]", line.text)
            if piece[0].isalpha():
                found[-1].append((number, place - first))
            if re.search("[.?!;:]", piece):
                found.append([])
    return [phrase for phrase in found if phrase]


def punctuated(draw: random.Random, work: str) -> list[Passage]:
    marks = ["", "", "", "", ",", ".", ";", "?", " ...", ":"]
    return [
        Passage(f"{work}.{line}", " ".join(words), meta={"work": f"{work}{line // 5}"})
        for line in range(9)
        for words in [[draw.choice("abcdefgh") + draw.choice(marks) for _ in range(draw.choice([0, 1, 2, 3, 5]))]]
    ] + [Passage(f"{work}.last", draw.choice([". a b", "a. b", ""]) + " c", meta={"work": f"{work}1"})]


@pytest.mark.parametrize("seed", range(60))
def test_phrases_are_compared_as_a_slow_version_does(seed: int) -> None:
    draw = random.Random(seed)
    target, source = punctuated(draw, "t"), punctuated(draw, "s")
    expected = []
    for asked in slow_phrases(target):
        for met in slow_phrases(source):
            sides = [
                [re.findall("[a-z]", lines[line].text)[place] for line, place in phrase]
                for lines, phrase in ((target, asked), (source, met))
            ]
            matched = [[word for word in side if word in other] for side, other in (sides, sides[::-1])]
            if all(len(set(words)) > 1 for words in matched):
                ends = [
                    (lines[phrase[0][0]].doc_id, lines[phrase[-1][0]].doc_id)
                    for lines, phrase in ((target, asked), (source, met))
                ]
                expected.append((*ends, *matched))
    scorer = Tesserae(stoplist=0, cutoff=None)
    found = list(compare(target, source, method=scorer, feature="form", unit="phrase"))
    assert sorted(
        (
            *((p.doc_id.split("+")[0], p.doc_id.split("+")[-1]) for p in (each.target, each.source)),
            *([word.form for word in words] for words in (each.target_words, each.source_words)),
        )
        for each in found
    ) == sorted(expected)
    assert all(each.rebuilt == pytest.approx(each.score, rel=1e-12) for each in found)


def test_a_phrase_over_a_line_end_counts_if_only_one_of_its_lines_matches() -> None:
    target, source = text("arma uirumque cano,", "Troiae qui primus."), text("arma uirumque fero.")
    (line,) = compare(target, source, stoplist=0)
    (phrase,) = compare(target, source, stoplist=0, unit="phrase")
    assert round(phrase.score, 3) == round(line.score, 3) == 1.504
    lines = text("nox.", "x y z. arma uirum cano.")
    for before in (lines, text("nox erat", "x. arma uirum cano.")):
        (found,) = compare(before, text("arma uirum."), stoplist=0, unit="phrase")
        assert (found.target.text, found.target.doc_id) == ("arma uirum cano.", "w.2")


def test_later_phrases_of_a_line_begin_in_it() -> None:
    lines = text("a b. c", "d. e")
    units = phrases(Index.build(lines, Analyzer()), [line.text for line in lines])
    assert list(zip(*(column.tolist() for column in units), strict=True)) == [(0, 2, 0, 0), (2, 4, 0, 1), (4, 5, 1, 1)]


def test_lucan_by_phrase(data: Path) -> None:
    folder = data / "tesserae-la"
    with pytest.warns(TextWarning, match=r"1\.430"):
        lucan = read(folder / "lucan.bellum_civile.part.1.tess")
    found = compare(lucan, read(folder / "vergil.aeneid.part.1.tess"), unit="phrase")
    assert sum(1 for _ in found) == 2_166


def test_windows_join_only_lines_that_follow_each_other() -> None:
    def lines(*places: tuple[int | str, int | str]) -> list[Passage]:
        return [
            Passage(f"p.{number}", "a", meta={"work": "w", "book": book, "line": line})
            for number, (book, line) in enumerate(places)
        ]

    given = lines((1, 1), (1, 2), (2, 1), (2, 2), (2, 900), (2, "900a"), (2, 901), (3, 902))
    units = windows(Index.build(given, Analyzer()), given)
    two = [pair for pair in zip(units.first.tolist(), units.last.tolist(), strict=True) if pair[0] != pair[1]]
    assert two == [(0, 1), (2, 3), (4, 5), (5, 6)]


def test_one_match_is_for_lines_and_no_match_is_there_twice() -> None:
    target, source = text("x arma", "y"), text("arma z", "w")
    (found,) = compare(target, source, method="tesserae-one", stoplist=0, feature="form", unit="window")
    assert (found.target.doc_id, found.source.doc_id) == ("w.1", "w.1")
    assert (found.distance, found.distances) == (None, None)
    seen = set()
    for each in compare(adjacent(1), adjacent(2), method="tesserae-one", stoplist=3, unit="window"):
        starts = [
            tuple((passage.doc_id, passage.text.count("\n", 0, word.start), word.position) for word in words)
            for passage, words in ((each.target, each.target_words), (each.source, each.source_words))
        ]
        key = (each.target.doc_id, each.source.doc_id, *starts)
        assert key not in seen
        assert each.distance or not {"+"} & {*each.target.doc_id, *each.source.doc_id}
        seen.add(key)


@pytest.mark.parametrize("basis", ["corpus", "both"])
def test_each_passage_counts_once_whatever_holds_what(basis: Any) -> None:
    one, other, third = (adjacent(seed) for seed in (1, 2, 3))
    one, other, third = (
        [replace(p, doc_id=f"{name}.{p.doc_id}", ref="", meta={"author": name, "work": "w"}) for p in lines]
        for name, lines in (("a", one), ("b", other), ("c", third))
    )
    whole = [*one, *other, *third]
    scorer = Tesserae(stoplist=4, frequency="corpus", stop_basis=basis)
    for target, source in ((whole, one), (one, whole), (whole, whole), ([*one, *other], [*other, *third])):
        union = [*source, *(p for p in target if p not in source)]
        made = comparison(target, source, method=scorer)
        told = comparison(target, source, method=replace(scorer, stop_basis="corpus"), corpus=union)
        assert made.stopped == told.stopped
        assert [p.score for p in made.parallels] == [p.score for p in told.parallels]


@pytest.mark.parametrize("method", ["tesserae", "bm25-lemma"])
def test_passages_that_are_the_same_in_everything_are_told_apart_by_their_place(method: str) -> None:
    lines = [Passage(doc_id, "arma uirumque cano", ref="x 1", meta={"work": "x"}) for doc_id in ("x.1", "b.x.1")]
    assert sorted(pairs(compare(lines, lines, stoplist=0, method=method))) == [("b.x.1", "x.1"), ("x.1", "b.x.1")]


def test_stop_lists_are_given_as_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "stop.txt").write_text("et\n", encoding="utf-8")
    lines = text("et arma uirumque", "et cano")

    def stopped(given: Any) -> tuple[str, ...]:
        return comparison(lines, lines, stoplist=given).stopped

    assert "apud" in stopped("latin")
    assert stopped(str(tmp_path / "stop.txt")) == stopped(tmp_path / "stop.txt") == ("et",)
    assert stopped(np.int64(1)) == stopped("1") == stopped("top-1") == stopped(1)


def test_a_stop_list_longer_than_the_vocabulary_leaves_the_words_that_are_not_in_it() -> None:
    (found,) = compare(text("arma uirumque"), text("arma uirum"), stoplist="latin")
    assert len(found.target_words) == 2


def test_lemma_or_form_takes_no_numeral_for_a_form_and_stops_forms() -> None:
    given: dict[str, Any] = {"feature": "lemma or form", "stoplist": 0, "method": "tesserae-one"}
    assert pairs(compare(text("anno 1"), text("die 10"), **given)) == []
    (found,) = compare(text("arma uirumque et"), text("et arma uirum"), **{**given, "stoplist": ("et",)})
    assert [word.form for word in found.target_words] == ["arma", "uirumque"]
    assert len(set(found.lemmata)) == len(found.lemmata)
    assert all(lemma.isalpha() for lemma in found.lemmata)
    made = comparison(text("et et arma uirumque"), text("et arma uirum"), **{**given, "stoplist": 1})
    assert made.stopped == ("et",)
    assert all("et" not in each.lemmata for each in made.parallels)


@pytest.mark.parametrize("method", ["tesserae", "tesserae-one"])
def test_a_word_that_both_sides_repeat_does_not_cost_its_square(method: str) -> None:
    line = " ".join(["arma uirum"] * 2000)
    tracemalloc.start()
    (found,) = compare([Passage("a", line)], [Passage("b", line)], stoplist=0, method=method)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.target_words) == 4000
    assert most < 50_000_000


def test_printed_scores_never_rise() -> None:
    draw = random.Random(1)
    words = [chr(97 + a) + chr(97 + b) for a in range(6) for b in range(6)]
    sides = [text(*(" ".join(draw.choices(words, k=draw.randint(2, 30))) for _ in range(300)), work=w) for w in "ts"]
    for method in ("tesserae", "tesserae-one"):
        printed = [float(f"{p.score:.6f}") for p in compare(*sides, stoplist=0, feature="form", method=method)]
        assert printed == sorted(printed, reverse=True)
        assert len(printed) > 10_000


def test_a_trigram_that_a_word_has_twice_weighs_alike_in_search_and_comparison() -> None:
    target, source = text("nanana est bella", "cano"), text("nanana bella gerit", "canere")
    scorer = Tesserae(stoplist=0, frequency="corpus")
    analyzer = Analyzer(ngrams=3)
    index, of_target = Index.build(source, analyzer), Index.build(target, analyzer)
    fitted = scorer.fit(index, target=of_target)
    found = list(compare(target, source, method=scorer, feature="sound"))
    assert found
    for each in found:
        places, scores = fitted.score(analyzer(each.target.text))
        (at,) = np.flatnonzero(places == [p.doc_id for p in source].index(each.source.doc_id))
        assert each.score == pytest.approx(scores[at], rel=1e-12)
