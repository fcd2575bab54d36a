"""CLTK's backoff lemmatizer: the extra itself where it is installed, its messages where it or its models are not."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path

import pytest

import latinsearch as ls
from latinsearch.corpora.sample import sample
from latinsearch.lemmatizers import lemmatizer
from latinsearch.normalizer import fold
from latinsearch.records import InputError

module = import_module("latinsearch.lemmatizers.cltk")
cltk = module.cltk
# The package is not imported to find out: it writes to the home folder as soon as it is.
installed = pytest.mark.skipif(
    find_spec("cltk") is None, reason="CLTK is not installed: pip install 'latinsearch[cltk]' on Python 3.11 or 3.12"
)


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder of CLTK's models, which CLTK_DATA names meanwhile."""
    named = os.environ.get("CLTK_DATA")
    path = Path(named) if named else request.getfixturevalue("data") / "cltk_data"
    if not path.is_dir():
        pytest.skip(f"CLTK's models are not at {path}; name their folder in CLTK_DATA")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLTK_DATA", str(path))
        yield path


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """The models alone in a new folder that can be written to."""
    target = tmp_path / "models"
    (target / module._FOLDER).mkdir(parents=True)
    for name in module._MODELS:
        shutil.copyfile(folder / module._FOLDER / name, target / module._FOLDER / name)
    return target


def in_a_new_process(data: Path, tmp_path: Path) -> tuple[set[str], set[str]]:
    """One form looked up there; the files it left in the home folder and in the folder of temporary files."""
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    home.mkdir()
    temporary.mkdir()
    code = (
        "import os, random, sys\n"
        "from latinsearch.lemmatizers.cltk import cltk_lemmatizer\n"
        "random.seed(7); drawn = random.random(); random.seed(7)\n"
        "lemmatize = cltk_lemmatizer(sys.argv[1])\n"
        "print('torch' in sys.modules, lemmatize('uirum'), random.random() == drawn, 'CLTK_DATA' in os.environ)"
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("CLTK_DATA", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(data)],
        env=environment | {"HOME": str(home), "TMPDIR": str(temporary)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("False ('uir',) True False\n", "")
    return {path.name for path in home.rglob("*")}, {path.name for path in temporary.rglob("*")}


def test_the_folder_is_the_one_given_then_the_variable_then_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLTK_DATA", "named")
    assert module.cltk_data("given") == Path("given").absolute()
    assert module.cltk_data() == Path("named").absolute()
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("CLTK_DATA")
        else:
            monkeypatch.setenv("CLTK_DATA", unset)
        assert module.cltk_data() == Path.home() / "cltk_data"


def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", missing)
    for ask in (module.cltk_version, module.cltk_lemmatizer):
        with pytest.raises(InputError, match=r"pip install 'latinsearch\[cltk\]'") as caught:
            ask()
        assert ("Python 3.11 or 3.12" in str(caught.value)) == (sys.version_info >= (3, 13))


def test_cltk_2_which_has_no_such_lemmatizer_is_told_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "version", lambda name: "2.4.1")
    with pytest.raises(InputError, match=r"CLTK 2\.4\.1 has no LatinBackoffLemmatizer.*pip install"):
        module.cltk_version(tmp_path)


def test_without_models_the_message_names_folder_file_and_the_way_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "version", lambda name: "1.5.0")
    monkeypatch.setenv("CLTK_DATA", str(tmp_path))
    for ask in (module.cltk_version, module.cltk_lemmatizer, lambda: cltk("uirum")):
        with pytest.raises(InputError, match=r"latin_lemmata_cltk\.pickle is missing.*CLTK_DATA.*git clone") as caught:
            ask()
        assert str(tmp_path) in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_it_travels_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(cltk)) is cltk
    named = module.CltkLemmatizer(Path("models"), "cltk-1.5.0")
    assert pickle.loads(pickle.dumps(named)) == named


@installed
@pytest.mark.parametrize(
    ("form", "lemmata"),
    [
        ("uirum", ("uir",)),
        ("iouem", ("iuppiter",)),
        ("iunonis", ("iuno",)),
        ("troiae", ("troia",)),
        ("achiuis", ("achiuus",)),
        ("est", ("sum",)),
        ("uolui", ("uolo", "uoluo")),
        ("xyzq", ()),
        ("mortiferumque", ()),
        ("", ()),
    ],
)
def test_a_folded_form_gives_its_lemmata(folder: Path, form: str, lemmata: tuple[str, ...]) -> None:
    assert cltk(form) == lemmata


@installed
def test_lemmata_are_folded_and_of_letters(folder: Path) -> None:
    for form in "campis uolo iuno absyrti bonum heu que circum cum acanthi iuuenes uulgus".split():
        for lemma in cltk(form):
            assert lemma == fold(lemma) and lemma.isalpha() and not set("vj") & set(lemma)


@installed
def test_the_chain_strips_enclitics_and_knows_the_words_that_only_look_like_it(folder: Path) -> None:
    chain = lemmatizer("cltk")
    assert chain("mortiferumque") == (("mortiferus",), "enclitic")
    assert chain("itaque") == (("itaque",), "exact")
    assert chain("nomine") == (("nomen",), "exact")
    assert chain("xyzq") == (("xyzq",), "unknown")


@installed
def test_bm25_lemma_on_it_finds_other_forms_of_the_words(folder: Path) -> None:
    bench = sample()
    retriever = ls.build(bench.passages, "bm25-lemma", lemmatizer="cltk")
    assert retriever.search("arma uir canere", k=1)[0].passage.text.startswith("Arma virumque cano")
    assert ls.evaluate(retriever, bench).means["R@10"] > 0
    assert "cltk-1.5.0+models." in retriever.signature


@installed
def test_a_folder_of_ones_own_gives_the_same_and_is_named_in_the_signature(folder: Path, copy: Path) -> None:
    named = module.cltk_lemmatizer(copy)
    assert [named(form) for form in ("uirum", "uolui", "xyzq")] == [cltk(form) for form in ("uirum", "uolui", "xyzq")]
    assert named.signature == f"cltk-{module.cltk_version(folder)}"
    assert named.signature in ls.build(sample().passages, lemmatizer=named).signature


@installed
def test_damaged_models_are_told_so(folder: Path, copy: Path) -> None:
    cltk("uirum")
    state = random.getstate()
    (copy / module._FOLDER / module._MODELS[1]).write_bytes(b"not a pickle")
    with pytest.raises(InputError, match=r"with the models in .*models cannot be used \(UnpicklingError"):
        module.cltk_lemmatizer(copy)("uirum")
    assert random.getstate() == state


@installed
def test_the_home_folder_is_not_written_to_when_a_folder_is_given(copy: Path, tmp_path: Path) -> None:
    assert in_a_new_process(copy, tmp_path) == (set(), set())
    assert {path.name for path in copy.iterdir()} == {"lat", "cltk.log"}


@installed
def test_a_folder_marked_read_only_is_not_written_to(copy: Path, tmp_path: Path) -> None:
    copy.chmod(0o555)
    try:
        assert in_a_new_process(copy, tmp_path) == (set(), set())
        assert {path.name for path in copy.iterdir()} == {"lat"}
    finally:
        copy.chmod(0o755)
