"""The default lemmatizer on the golden cases of Latin: variants, enclitics, lemmata; one test a row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from latinsearch.analyzer import Analyzer
from latinsearch.methods import LEMMATIZER
from latinsearch.normalizer import fold

GOLDEN = Path(__file__).parent / "golden"
analyze = Analyzer(lemmatizer=LEMMATIZER)


def rows(name: str) -> list[Any]:
    return [
        pytest.param(case, id=str(case.get("form") or "/".join(case["spellings"])))
        for case in json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("case", rows("variants"))
def test_two_spellings_of_a_word_meet(case: dict[str, Any]) -> None:
    one, other = (analyze(spelling)[0].candidates for spelling in case["spellings"])
    assert set(one) & set(other), case["why"]
    if "lemma" in case:
        assert case["lemma"] in one
        assert case["lemma"] in other


@pytest.mark.parametrize("case", rows("enclitics"))
def test_enclitics(case: dict[str, Any]) -> None:
    (term,) = analyze(case["form"])
    if case["split"]:
        assert term.candidates[0] in case["lemmata"], case["why"]
    else:
        assert term.source != "enclitic", (case["why"], term.candidates)


@pytest.mark.parametrize("case", rows("lemmata"))
def test_lemmata(case: dict[str, Any]) -> None:
    (term,) = analyze(case["form"])
    if "first" in case:
        assert term.candidates[0] == case["first"], (case["why"], term.candidates)
    assert set(case.get("among", ())) <= set(term.candidates), (case["why"], term.candidates)
    for lemma in term.candidates:
        assert lemma == fold(lemma)
        assert not any(char.isdigit() for char in lemma)
