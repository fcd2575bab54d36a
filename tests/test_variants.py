"""Each spelling rule over the whole lexicon: the share of forms that it leads to a related form has a floor.

A rule is asked for forms that are not known. How often it is right on those is estimated on the known ones: wherever a
known form is changed into another known form, the two should be forms of one word (a lemma in common, or lemmata that
the same rule makes one of the other).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import pytest
from corpus import every_fiftieth

from latinsearch.lemmatizers.lexicon import lexicon_forms
from latinsearch.lemmatizers.lexicon import likely as lexicon
from latinsearch.lemmatizers.variants import LONGEST, RULES, Rule, variant

FLOORS = {
    "assimilation": 0.95,
    "qu_for_c": 0.90,
    "uo_for_uu": 0.95,
    "ue_for_uo": 0.95,
    "mpt_for_mt": 0.90,
    "iebat_for_ibat": 0.80,
    "ti_for_ci": 0.87,
    "iens_for_ies": 0.80,
    "initial_gn": 0.90,
    "nx_for_x": 0.90,
    "genitive_um": 0.90,
    "accusative_is": 0.88,
    "u_for_i": 0.85,
    "initial_h": 0.70,
    "diphthongs": 0.88,
    "aspirates": 0.65,
    "doubled": 0.70,
    "greek_endings": 0.90,
}


def related(rule: Rule, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two forms with these lemmata are forms of one word."""
    if set(one) & set(other):
        return True
    return any(set(rule(lemma)) & set(other) for lemma in one) or any(set(rule(lemma)) & set(one) for lemma in other)


@lru_cache(maxsize=1)
def every_form() -> list[str]:
    return list(lexicon_forms())


def precision(rule: Rule, forms: Iterable[str]) -> tuple[int, float]:
    """How many known forms the rule makes of known forms, and the share of them that are related."""
    count = right = 0
    for form in forms:
        for changed in rule(form):
            if changed != form and (lemmata := lexicon(changed)):
                count += 1
                right += related(rule, lexicon(form), lemmata)
    return count, right / count if count else 1.0


def test_every_rule_has_a_floor() -> None:
    assert FLOORS.keys() == RULES.keys()


@pytest.mark.parametrize("name", RULES)
def test_rules_hold_on_a_sample(name: str) -> None:
    count, share = precision(RULES[name], every_fiftieth())
    assert share >= FLOORS[name] - (0.1 if count < 200 else 0.02), (count, share)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_rules_hold_over_the_whole_lexicon(name: str) -> None:
    count, share = precision(RULES[name], every_form())
    assert count > 0
    assert share >= FLOORS[name], (count, share)


@pytest.mark.parametrize("name", RULES)
def test_rules_give_other_spellings_and_never_fail(name: str) -> None:
    for form in ("", "a", "u", "um", "qu", "h", "x", "uuuu", "aeoe", "ii", "σαρπηδων"):
        assert all(isinstance(spelling, str) for spelling in RULES[name](form))


def test_no_known_form_is_longer_than_what_is_respelled() -> None:
    assert max(map(len, every_fiftieth())) < LONGEST
    asked: list[str] = []

    def known(form: str) -> tuple[str, ...]:
        asked.append(form)
        return ()

    assert variant("ae" * LONGEST, known) == ()
    assert asked == []


def test_a_rule_can_be_left_out() -> None:
    def known(form: str) -> tuple[str, ...]:
        return ("natus",) if form == "natus" else ()

    assert variant("gnatus", known) == ("natus",)
    assert variant("gnatus", known, tuple(name for name in RULES if name != "initial_gn")) == ()
