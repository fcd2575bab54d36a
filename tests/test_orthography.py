"""The fold and the tokenizer: golden cases of Latin spelling, and the laws that hold for any text."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus import every_fiftieth
from hypothesis import given, settings
from hypothesis import strategies as st

from latinsearch.analyzer import Analyzer
from latinsearch.lemmatizers.lexicon import likely
from latinsearch.normalizer import FOLD, RULES, Normalizer, fold, repair
from latinsearch.records import InputError
from latinsearch.tokenizer import forms, repairs, tokenize

CASES = json.loads((Path(__file__).parent / "golden" / "orthography.json").read_text(encoding="utf-8"))

# Letters, marks, signs and sequences that the rules are about, beside any character at all.
PIECES = "abeiuvjVJsfqæœęßſÂâÃÄÅÌáĳŒ€“”„«¸\x81\x94\u0304\u0327\u0328-‑¬\n\r ⟨⟩[]<>(){}†*'’ʼ\u00ad\u200b5XΣσς—×ð"
texts = st.text(st.one_of(st.sampled_from(PIECES), st.characters(codec="utf-8")), max_size=24)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['input']!r}")
def test_golden(case: dict[str, object]) -> None:
    analyze = Analyzer(rules=(*FOLD, *case.get("rules", [])))  # type: ignore[misc, attr-defined]
    assert [term.folded for term in analyze(str(case["input"]))] == case["expected"], case["why"]


@given(texts)
@settings(max_examples=600, deadline=None)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts)
@settings(max_examples=600, deadline=None)
def test_folding_commutes_with_tokenizing(text: str) -> None:
    assert [token.form for token in tokenize(fold(text))] == [fold(token.form) for token in tokenize(text)]


@given(texts)
@settings(max_examples=600, deadline=None)
def test_offsets_slice_back_to_the_form_and_no_letter_is_lost(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[token.start : token.end] == token.form for token in tokens)
    assert all(left.end <= right.start for left, right in itertools.pairwise(tokens))
    if not repairs(text):
        between = [*text]
        for token in reversed(tokens):
            del between[token.start : token.end]
        assert not any(char.isalpha() for char in between if char != "ʼ")


@given(st.text(st.sampled_from("abcdefghilmnopqrstuvxyz VJKW"), max_size=30))
def test_plain_letters_take_the_quick_way_to_the_same_end(text: str) -> None:
    slow = text
    for rule in FOLD:
        slow = RULES[rule](slow)
    assert fold(text) == slow


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_idempotent_on_latin(rule: str) -> None:
    for case in CASES:
        once = RULES[rule](case["input"])
        assert RULES[rule](once) == once


def test_rules_are_applied_in_their_own_order_whatever_order_is_asked() -> None:
    assert Normalizer(tuple(reversed(FOLD))) == Normalizer()
    assert Normalizer(("lower",))("VIRVM") == "virvm"


def test_an_unknown_rule_is_refused_and_the_known_are_listed() -> None:
    with pytest.raises(InputError, match=r"'macrons'.*unaccent"):
        Normalizer(("macrons",))


def test_repairs_are_counted_and_clean_text_has_none() -> None:
    assert repairs("fatur â€” et â€” abit, â€œheuâ€\x9d") == 4
    assert repairs("fatur — et “heu” Aënean Œdipus Σαρπηδών Âā É—") == 0


def test_offsets_are_those_of_the_text_as_given_around_double_encoded_letters() -> None:
    text = "venit â€” fÄ\x81ma volat"
    assert [text[t.start : t.end] for t in tokenize(text)] == ["venit", "fÄ\x81ma", "volat"]


def shown_as_windows(text: str) -> str:
    """UTF-8 read as Windows-1252, its five undefined bytes as Latin-1."""
    undefined = b"\x81\x8d\x8f\x90\x9d"
    return "".join(bytes([b]).decode("latin-1" if b in undefined else "cp1252") for b in text.encode())


@pytest.mark.parametrize("shown", [shown_as_windows, lambda text: text.encode().decode("latin-1")])
@pytest.mark.parametrize(
    ("word", "times"),
    [
        (word, 1)
        for word in "vēnit īra lūna Ōtium Œdipus ǣtas mīſſus prȩda Thȳbris fĭdĕ ROMĀ āēīōūȳ ve\u0304ni\u0306t".split()
    ]
    + [(word, 2) for word in "vēnit īra lūna ǣtas mīſſus ROMĀ āēīōūȳ ve\u0304ni\u0306t".split()],
)
def test_a_word_encoded_over_and_over_is_the_word(shown: Callable[[str], str], word: str, times: int) -> None:
    text = word
    for _ in range(times):
        text = shown(text)
    assert [fold(token.form) for token in tokenize(text)] == [fold(text)] == [fold(word)]
    assert [token.form for token in tokenize(text)] == [text] == forms(text)
    assert repairs(text) == sum(not char.isascii() for char in word)


@given(texts)
@settings(max_examples=600, deadline=None)
def test_forms_are_those_of_tokenize_and_repairs_are_what_changes(text: str) -> None:
    assert forms(text) == [token.form for token in tokenize(text)]
    assert (repairs(text) > 0) == (repair(text) != text)


@pytest.mark.parametrize("apostrophe", "'’ʼ")
def test_optional_rules_see_the_apostrophe_of_a_whole_text(apostrophe: str) -> None:
    text = f"bonu{apostrophe}st mea{apostrophe}st quoqu{apostrophe} atqu{apostrophe}illi"
    assert Normalizer(("prodelision",))(text).startswith("bonus est mea est quoqu")
    assert Normalizer(("elision",))(text).endswith(f"quoque atque{apostrophe}illi")


def test_prodelision_twice_is_once_and_touches_no_other_ending() -> None:
    once = RULES["prodelision"]("homost ubist turpest hocst amatust tuost bonu'st st Hasta postes testis")
    assert once == "homo est ubi est turpe est hoc est amatus est tuos est bonus est est Hasta postes testis"
    assert RULES["prodelision"](once) == once


def test_a_hyphen_behind_a_sign_with_a_mark_folds_once() -> None:
    assert fold(fold("\u2adc-\na")) == fold("\u2adc-\na")


def test_prodelision_finds_a_word_before_est_in_the_lexicon() -> None:
    split = [RULES["prodelision"](form).split() for form in every_fiftieth() if form.endswith("st")]
    pairs = [words for words in split if len(words) == 2]
    assert len(pairs) > 20
    assert sum(bool(likely(word)) for word, _ in pairs) / len(pairs) > 0.98
