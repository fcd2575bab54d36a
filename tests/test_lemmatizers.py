"""Forms to lemmata: simplemma through our fold, enclitics, unknown forms, the user's own callable."""

from __future__ import annotations

import pytest

from latinsearch.analyzer import Analyzer
from latinsearch.lemmatizers import LEMMATIZERS, lemmatizer
from latinsearch.lemmatizers.enclitics import without_enclitic
from latinsearch.lemmatizers.simplemma import simplemma, spellings
from latinsearch.normalizer import fold
from latinsearch.records import InputError

lemmata = lemmatizer("simplemma")


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("uirum", "uir"),
        ("iacet", "iaceo"),
        ("iouem", "iuppiter"),
        ("aenean", "aeneas"),
        ("troiae", "troia"),
        ("est", "sum"),
    ],
)
def test_a_folded_form_finds_the_entry_however_the_table_spells_it(form: str, lemma: str) -> None:
    assert lemmata(form) == ((lemma,), "exact")


def test_spellings_that_are_two_words_give_both() -> None:
    assert set(lemmata("uolui").candidates) == {"uolo", "uoluo"}


@pytest.mark.parametrize(
    ("form", "lemma"), [("armaque", "arma"), ("uirumque", "uir"), ("iouemque", "iuppiter"), ("hominumque", "homo")]
)
def test_an_enclitic_is_stripped_when_the_rest_is_known(form: str, lemma: str) -> None:
    assert lemmata(form) == ((lemma,), "enclitic")


@pytest.mark.parametrize(
    "form",
    "atque neque quoque usque undique ubique utique itaque denique absque namque sine bene paene mane siue neue".split(),
)
def test_words_that_only_look_like_it_stay_whole(form: str) -> None:
    assert lemmata(form).candidates == (form,)


@pytest.mark.parametrize(
    "form",
    "omne nomine crimine carmine imagine uirgine ratione salue aue graue breue leue naue quisque uterque plerique "
    "hippomedon creon amphion tarchon haemon cithaeron phaethon hippomedone catone".split(),
)
def test_no_enclitic_is_found_in_ablatives_greek_names_and_the_like(form: str) -> None:
    assert lemmata(form).source != "enclitic"


@pytest.mark.parametrize(("form", "lemma"), [("mecum", "ego"), ("tecum", "tu"), ("secum", "sui"), ("quibuscum", "qui")])
def test_the_pronoun_before_cum_is_found(form: str, lemma: str) -> None:
    assert lemmata(form).candidates == (lemma,)


def test_an_enclitic_stays_when_the_rest_is_unknown() -> None:
    assert without_enclitic("xyzque", lambda form: ()) == ()
    assert lemmata("xyzque") == (("xyzque",), "unknown")


def test_what_is_known_by_no_source_is_its_own_lemma() -> None:
    assert lemmata("iarbitanque") == (("iarbitanque",), "unknown")


@pytest.mark.parametrize("form", ["uirum", "iuno", "iunonis", "deo", "uiuo", "aether", "phoebe", "lupos", "oris"])
def test_lemmata_are_folded_and_without_digits(form: str) -> None:
    for lemma in lemmata(form).candidates:
        assert lemma == fold(lemma)
        assert not set("vjVJ0123456789") & set(lemma)
        assert lemma.islower()


def test_a_form_of_many_spellings_is_bounded() -> None:
    assert len(list(spellings("uiauiauiauiauiauiauia"))) == 64
    assert simplemma("uiauiauiauiauiauiauia") == ()


def test_a_callable_is_a_lemmatizer_and_its_answers_are_folded() -> None:
    analyze = Analyzer(lemmatizer=lambda form: ("Vir1", "VIR1") if form == "uirum" else ())
    assert [(t.candidates, t.source) for t in analyze("virum cano")] == [(("uir1",), "exact"), (("cano",), "unknown")]


@pytest.mark.parametrize("answer", ["uir", ["uir", None], (1,)])
def test_a_callable_that_gives_no_tuple_of_words_is_told_so(answer: object) -> None:
    with pytest.raises(InputError, match="must give a tuple of lemmata"):
        Analyzer(lemmatizer=lambda form: answer)("uirum")  # type: ignore[arg-type, return-value]


def test_an_unknown_lemmatizer_is_refused_and_the_known_are_listed() -> None:
    with pytest.raises(InputError, match=f"'morpheus'.*{'.*'.join(LEMMATIZERS)}"):
        Analyzer(lemmatizer="morpheus")


def test_analysis_marks_where_candidates_come_from_and_stop_words_are_folded() -> None:
    analyze = Analyzer(lemmatizer="simplemma", stopwords=("ET", "Vir"))
    assert [t.candidates for t in analyze("et virum virumque arma")] == [("arma",)]
    assert analyze.signature.endswith("stop=et,uir")


def test_n_grams_have_word_boundaries_and_no_lemmatizer() -> None:
    assert [t.candidates[0] for t in Analyzer(ngrams=4)("Iovem")] == ["_iou", "ioue", "ouem", "uem_"]
    with pytest.raises(InputError, match="n-grams are taken of forms"):
        Analyzer(ngrams=4, lemmatizer="simplemma")
