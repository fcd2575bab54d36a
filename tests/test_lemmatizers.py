"""Forms to lemmata: simplemma through our fold, enclitics, unknown forms, the user's own callable."""

from __future__ import annotations

import pytest

from latinsearch.analyzer import Analyzer
from latinsearch.lemmatizers import LEMMATIZERS, Chain, Lemmata, is_named, lemmatizer
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


# ---- chains ----


def mine(form: str) -> tuple[str, ...]:
    return ("xyzthes",) if form == "xyzthen" else ()


def test_a_chain_is_a_step_of_a_chain() -> None:
    inner = lemmatizer("simplemma")
    for steps in (
        (("in", inner), ("mine", mine)),
        (("mine", mine), ("in", inner)),
        (("in", Chain("i", (("x", inner),))),),
    ):
        for chain in (Chain("outer", steps), lemmatizer(Chain("outer", steps))):
            assert chain("uirum") == (("uir",), "exact")
            assert chain("uirumque") == (("uir",), "enclitic")
            assert chain("xyzque") == (("xyzque",), "unknown")
    assert Chain("outer", (("in", inner), ("mine", mine)))("xyzthen") == (("xyzthes",), "mine")
    analyze = Analyzer(lemmatizer=Chain("o", (("in", inner), ("m", mine))))
    assert [t.source for t in analyze("Virumque xyzthen xyz")] == ["enclitic", "m", "unknown"]


def test_a_form_that_the_inner_chain_only_guesses_at_is_asked_of_the_next() -> None:
    inner = lemmatizer("lexicon")
    assert len(inner("xyzthenem").candidates) > 1
    assert Chain("o", (("in", inner),))("xyzthenem") == (("xyzthenem",), "unknown")
    assert Chain("o", (("in", inner), ("mine", lambda form: ("xyzthen",))))("xyzthenem") == (("xyzthen",), "mine")


def test_a_function_may_answer_lemmata() -> None:
    assert lemmatizer(lambda form: Lemmata(("uir", " "), "list"))("uirum") == (("uir",), "list")
    assert lemmatizer(lambda form: Lemmata((), "list"))("uirum") == (("uirum",), "unknown")
    with pytest.raises(InputError, match="must give a tuple of lemmata"):
        lemmatizer(lambda form: Lemmata((None,), "list"))("uirum")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["exact", "form", "unknown", "own", "gram"])
def test_answers_are_folded_whatever_the_step_is_called(name: str) -> None:
    chain = Chain("mine", ((name, lambda form: ("Vir", "VIR", "Res\nPublica")),))
    assert [(t.candidates, t.source) for t in Analyzer(lemmatizer=chain)("x")] == [(("uir", "res publica"), name)]


@pytest.mark.parametrize("answer", [("uir\udcff",), ["\ud800"], ("uir", "a\udfffb")])
def test_lemmata_that_could_not_be_saved_are_refused_and_the_lemmatizer_named(answer: tuple[str, ...]) -> None:
    for chain in (
        Chain("mine-7", (("a", lambda form: answer),)),
        Chain("mine-7", (("a", lambda f: Lemmata(answer, "b")),)),
    ):
        with pytest.raises(InputError, match="lemmatizer mine-7 gave for 'uirum'.*lone surrogate"):
            Analyzer(lemmatizer=chain)("virum")


# ---- names ----


def of(table: dict[str, tuple[str, ...]]) -> list[object]:
    def closed(form: str) -> tuple[str, ...]:
        return table.get(form, ())

    def by_default(form: str, table: dict[str, tuple[str, ...]] = table) -> tuple[str, ...]:
        return table.get(form, ())

    def by_keyword(form: str, *, table: dict[str, tuple[str, ...]] = table) -> tuple[str, ...]:
        return table.get(form, ())

    return [closed, by_default, by_keyword]


def test_functions_that_answer_by_what_they_were_made_with_have_no_name() -> None:
    for function in of({}):
        assert not is_named(function)  # type: ignore[arg-type]
        function.signature = "mine-1"  # type: ignore[attr-defined]
        assert is_named(function)  # type: ignore[arg-type]
        assert lemmatizer(function).signature == "mine-1"  # type: ignore[arg-type]

    def inner(form: str) -> tuple[str, ...]:
        return (form,)

    assert is_named(inner) and is_named(mine) and is_named(Chain("mine", ()))


def test_a_signature_that_could_not_be_saved_is_refused() -> None:
    def named(form: str) -> tuple[str, ...]:
        return (form,)

    named.signature = "mine\udcff"  # type: ignore[attr-defined]
    for lemmata_of in (named, Chain("mine\udcff", (("exact", mine),))):
        with pytest.raises(InputError, match="signature of a lemmatizer.*lone surrogate"):
            Analyzer(lemmatizer=lemmata_of)
