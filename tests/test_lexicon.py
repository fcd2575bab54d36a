"""The shipped lexicon: what it answers, what it weighs, how fast it is, that its files are what their checksum says."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
import time
import zlib
from importlib import import_module
from importlib.resources import files

import pytest
from corpus import every_fiftieth
from hypothesis import given
from hypothesis import strategies as st

from latinsearch.analyzer import Analyzer
from latinsearch.lemmatizers import lemmatizer
from latinsearch.lemmatizers.guesses import guesses
from latinsearch.lemmatizers.lexicon import _FRONT, FORMAT, _loaded, lexicon, lexicon_version, likely
from latinsearch.normalizer import fold
from latinsearch.records import InputError

FOLDER = files("latinsearch.lemmatizers").joinpath("data")

# What other lemmatizers get wrong: the first candidate.
FIRST = (
    "est sum; es sum; estis sum; itaque itaque; bene bene; ore os; oris os; canis canis; quoque quoque; uita uita; uiris uir; "
    "uires uis; arma arma; altae altus; latium latium; memorem memor; mari mare; freta fretum; unda unda; deo deus; age ago; "
    "nam nam; lupi lupus; lupos lupus; troiae troia; partem pars; bellum bellum; cano cano"
)
# Proper names of epic, in the cases that poets give them.
NAMES = (
    "troia troia; troiam troia; phoebi phoebus; phoebo phoebus; iuno iuno; iunonis iuno; iunonem iuno; "
    "aenean aeneas; "
    "danai danai; danaum danai; danais danai; argolicis argolicus; argolicas argolicus; iouis iuppiter; iouem iuppiter; "
    "hectora hector; hectoris hector; achillem achilles; achilli achilles; priami priamus; "
    "hippomedonta hippomedon; "
    "pallada pallas; calydona calydon; thetis thetis; procnen procne; menoeceus menoeceus; dardaniae dardania; caesaris caesar"
)
# One lemma a word, whatever a source calls it.
CONVENTIONS = (
    "melior bonus; optimus bonus; maximus magnus; peior malus; coniuge coniunx; coniunx coniunx; nobis nos; mihi ego; "
    "armis arma; "
    "sequitur sequor; inicit inicio; expectat exspecto; conlocat colloco; uolnere uulnus; castris castra; tenebris tenebrae; "
    "tulit fero; ait aio; inquit inquam; quendam quidam; cuiusque quisque; eosdem idem; nec neque; ac atque; "
    "licet licet; odit odi"
)


def pairs(text: str) -> list[tuple[str, str]]:
    return [(form, lemma) for form, lemma in (pair.split() for pair in text.split(";"))]


@pytest.mark.parametrize(("form", "lemma"), pairs("; ".join((FIRST, NAMES, CONVENTIONS))))
def test_the_first_candidate(form: str, lemma: str) -> None:
    assert lexicon(form)[0] == lemma


# One source's mistakes, or a rule's; they are no candidates that a search goes by.
NOT_SEARCHED = (
    "ore aurum; oris auris; quoque quisque; deae deferuesco; tam tus; tus sextus; uua labrusca; mos mus; similis stimula; "
    "die zeus; i iuuenis; minatur paruus; animaeque animus; bene benus; itaque ito; mari marus; persae permulceo"
)
PARADIGMS = {
    "minor": "minor minaris minatur minamur minantur minabatur minata minari minanti minanturque",
    "sequor": "sequor sequitur sequuntur secutus secuta sequi sequens sequentem secutaque",
    "fero": "fero fers fert ferimus ferunt tuli tulit tulerunt latus lata ferre ferens ferentem ferebat feret",
    "eo": "eo is it imus eunt ibat ibunt iit ire iens euntem eundum",
    "uolo": "uolo uis uult uolt uolumus uolunt uolebat uoluit uelle uellet uolens",
    "sum": "sum es est sumus sunt eram erat erit fui fuit fuere esse foret",
    "capio": "capio capit capiunt cepit ceperunt captus capta capere capiens capiebat",
    "audio": "audio audit audiunt audibat audiebat audiuit audierat auditus audire audiens",
    "moneo": "moneo monet monent monuit monitus monere monens monebat moneant",
    "rex": "rex regis regi regem rege reges regum regibus regisque",
    "corpus": "corpus corporis corpori corpore corpora corporum corporibus",
    "manus": "manus manum manui manu manuum manibus manusque",
    "dies": "dies diei diem die dierum diebus",
    "domus": "domus domi domum domo domos domibus domorum",
    "uir": "uir uiri uiro uirum uiros uirorum uiris uirumque",
    "acer": "acer acris acri acrem acre acres acria acrium acribus",
    "aeneas": "aeneas aeneae aenean aeneam aenea aeneasque",
    "anchises": "anchises anchisae anchisen anchise",
    "dido": "dido didonis didonem didoni didone",
    "hector": "hector hectoris hectora hectorem hectori hectore hectoreque",
    "orpheus": "orpheus orphei orpheo orphea orpheu",
    "paris": "paris paridis paridi paridem parin paride",
    "itys": "itys ityn ityos",
    "teumesius": "teumesius teumesia teumesiam teumesii teumesio",
    "rutulus": "rutulus rutuli rutulis rutulos rutulorum rutulum",
    "haemonia": "haemonia haemoniae haemoniam",
    "iuppiter": "iuppiter iouis ioui iouem ioue iouemque",
}


@pytest.mark.parametrize(("form", "lemma"), pairs(NOT_SEARCHED))
def test_a_mistake_of_one_source_is_no_likely_candidate(form: str, lemma: str) -> None:
    assert lemma not in lemmatizer("lexicon", only_likely=True)(form).candidates


@pytest.mark.parametrize(("lemma", "forms"), PARADIGMS.items())
def test_the_forms_of_a_word_meet(lemma: str, forms: str) -> None:
    chain = lemmatizer("lexicon", only_likely=True)
    assert [form for form in forms.split() if lemma not in chain(form).candidates] == []


def test_every_lemma_is_a_candidate_of_itself() -> None:
    lemmata = {lemma for form in every_fiftieth() for lemma in likely(form)}
    assert len(lemmata) > 10_000
    assert [lemma for lemma in sorted(lemmata) if lemma not in likely(lemma)] == []


@pytest.mark.parametrize(
    ("form", "lemmata"),
    [
        ("canis", "canis canus cano"),
        ("oris", "os ora"),
        ("latus", "latus fero"),
        ("uenit", "uenio ueneo"),
        ("est", "sum edo"),
        ("ducis", "dux duco"),
    ],
)
def test_an_ambiguous_form_has_all_its_lemmata(form: str, lemmata: str) -> None:
    assert set(lemmata.split()) <= set(lexicon(form))


@pytest.mark.parametrize(
    "form", ["", "xyzque", "Virum", "uirum1", "iouem.", "σαρπηδων", "jacet", "ſ", "a b", "q" * 5000, "\0", "~{`"]
)
def test_what_is_not_a_folded_form_of_the_lexicon_is_not_known(form: str) -> None:
    assert lexicon(form) == ()


@given(st.text(max_size=12) | st.text("aeiouqrstn1V`{", max_size=8))
def test_any_text_may_be_asked_for_and_answers_are_folded(text: str) -> None:
    for lemma in lexicon(text):
        assert lemma == fold(lemma)
        assert lemma.isascii() and lemma.isalpha() and not {"v", "j"} & set(lemma)


def test_no_form_has_a_lemma_twice_and_every_line_of_edits_is_used() -> None:
    found = _loaded()
    assert {unit >> 5 for unit in found.units[_FRONT:] if unit & 31 == 0} == set(range(len(found.lines)))
    for line in found.lines:
        first, _, further = line.partition("|")
        edits = [*first.split(" "), *further.split()]
        assert len(edits) == len(set(edits))
        assert 1 <= len(first.split(" ")) <= 8
        assert len(further.split()) <= 8
        assert all(cut.isdigit() and (end == "" or end.isalpha()) for cut, _, end in (e.partition("-") for e in edits))


@pytest.mark.parametrize("form", ["arma", "canis", "inponatis", "itaque", "falerna"])
def test_further_candidates_come_after_the_likely_ones_and_are_not_searched_for(form: str) -> None:
    assert lexicon(form)[: len(likely(form))] == likely(form)
    assert Analyzer(lemmatizer="lexicon")(form)[0].candidates == likely(form)
    assert Analyzer(lemmatizer="lexicon", candidates="all")(form)[0].candidates == lexicon(form)


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("inponatis", "inpono"),  # as a source writes it
        ("itaque", "ita"),  # et ita
        ("constanter", "consto"),  # the verb of its participle
        ("iuliam", "iulia"),  # a name's feminine
        ("suom", "suus"),  # an older spelling
        ("prouincis", "prouincia"),  # one i for two
    ],
)
def test_what_else_a_form_may_be_is_a_further_candidate(form: str, lemma: str) -> None:
    assert lemma in lexicon(form)


def test_an_unknown_form_is_its_own_lemma_and_the_nominatives_of_its_ending_are_further_candidates() -> None:
    assert lemmatizer("lexicon")("philopoemenem") == (
        ("philopoemenem", "philopoemen", "philopoemenis", "philopoemenes"),
        "unknown",
    )
    assert lemmatizer("lexicon", only_likely=True)("philopoemenem") == (("philopoemenem",), "unknown")
    assert lemmatizer("lexicon")("xyzque") == (("xyzque",), "unknown")
    (term,) = Analyzer(lemmatizer="lexicon")("Philopoemenem")
    assert (term.candidates, term.source) == (("philopoemenem",), "unknown")


@given(st.text(max_size=12) | st.text("aeiouqrstnm", max_size=14))
def test_guesses_begin_with_the_form_and_are_no_empty_words(form: str) -> None:
    first, *others = guesses(form)
    assert first == form
    assert all(len(other) > 2 and other.isalpha() for other in others)


def test_the_version_is_the_checksum_of_the_data() -> None:
    units = zlib.decompress(FOLDER.joinpath("forms.zlib").read_bytes())
    digest = hashlib.sha256(units + FOLDER.joinpath("edits.txt").read_bytes()).hexdigest()
    meta = json.loads(FOLDER.joinpath("meta.json").read_text(encoding="utf-8"))
    assert lexicon_version() == digest[:8] == meta["version"]
    assert meta["format"] == FORMAT
    notice = FOLDER.joinpath("NOTICE").read_text(encoding="utf-8")
    assert all(f"{name} {version}" in notice for name, version in meta["sources"].items())


def test_another_format_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("latinsearch.lemmatizers.lexicon")  # the package has the function under this name
    module._meta.cache_clear()
    monkeypatch.setattr(module, "FORMAT", FORMAT + 1)
    with pytest.raises(InputError, match="reinstall the package"):
        module.lexicon_version()


def test_it_is_small_and_loads_at_once() -> None:
    content = [path.read_bytes() for path in FOLDER.iterdir() if path.is_file()]
    assert sum(len(zlib.compress(data, 9)) for data in content) < 3_000_000
    code = (
        "import sys, time\n"
        "from latinsearch.lemmatizers.lexicon import lexicon\n"
        "assert 'simplemma' not in sys.modules\n"
        "resident = lambda: int(open('/proc/self/statm').read().split()[1]) * 4096 if sys.platform == 'linux' else 0\n"
        "before, begun = resident(), time.perf_counter()\n"
        "assert lexicon('uirum')[0] == 'uir'\n"
        "print(time.perf_counter() - begun, resident() - before)"
    )
    done = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    seconds, memory = (min(values) for values in zip(*(map(float, run.stdout.split()) for run in done), strict=True))
    assert seconds < 0.1
    assert memory < 40e6


def test_two_hundred_thousand_forms_a_second() -> None:
    stems, endings = (
        "am laud port cant nauig uoc pugn spect rog mut".split(),
        "o as at amus atis ant abam abis auit are".split(),
    )
    forms = [stem + ending for stem in stems for ending in endings] * 200
    lexicon("arma")
    rates = []
    for _ in range(5):
        begun = time.perf_counter()
        known = sum(bool(lexicon(form)) for form in forms)
        rates.append(len(forms) / (time.perf_counter() - begun))
    assert known > 0.9 * len(forms)
    assert max(rates) > 200_000


def test_threads_may_ask_while_it_is_loading() -> None:
    _loaded.cache_clear()
    answers: list[tuple[str, ...]] = []
    threads = [threading.Thread(target=lambda: answers.append(lexicon("canis"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and len(set(answers)) == 1
