"""lucan-vergil from bench4.txt and the .tess files."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from latinsearch.corpora import beir, load_benchmark, lucan_vergil
from latinsearch.corpora.lucan_vergil import first_line, stretch
from latinsearch.corpora.verses import Verse, Verses
from latinsearch.records import Benchmark, InputError

HEADER = '"BC_BOOK"\t"BC_LINE"\t"BC_TEXT"\t"AEN_BOOK"\t"AEN_LINE"\t"AEN_TEXT"\t"TYPE"\t"AUTH"'


@pytest.fixture(scope="module")
def bench(data: Path) -> Benchmark:
    return load_benchmark("lucan-vergil", data / "lucan-vergil")


def test_the_facts(bench: Benchmark) -> None:
    assert (bench.name, len(bench.passages), len(bench.queries), bench.judgements) == ("lucan-vergil", 9_896, 137, 213)
    lines = [int(query.meta["line"]) for query in bench.queries]
    assert lines == sorted(lines)
    grades = Counter(grade for grades in bench.qrels.values() for grade in grades.values())
    assert grades == {4: 113, 5: 100}
    assert bench.checksum == "28ed64f73665bdfb"


def test_a_query_is_the_verses_of_the_longest_phrase(bench: Benchmark) -> None:
    texts = {query.query_id: query.text for query in bench.queries}
    assert texts["lucan-1-2"] == "Iusque datum  sceleri canimus, populumque potentem"
    assert texts["lucan-1-4"] == "Cognatasque acies, et rupto foedere regni, Certatum totis concussi viribus orbis"
    assert texts["lucan-1-1"].startswith("Bella per Emathios")
    assert texts["lucan-1-1"].endswith("minantia pilis.")


def test_lost_final_zeros_are_found_again(bench: Benchmark) -> None:
    """AEN_LINE is 6 where the phrase, "sed pater omnipotens speluncis abdidit atris", is Aeneid 1.60."""
    assert "vergil-1-60" in bench.qrels["lucan-1-1"]
    assert "vergil-1-6" not in bench.qrels["lucan-1-1"]


def test_first_line_and_stretch() -> None:
    texts = {6: "inferretque deos Latio", 60: "Sed pater omnipotens speluncis", 61: "hoc metuens"}
    verses: Verses = {(1, line): Verse(text, Path("a.tess"), line) for line, text in texts.items()}
    assert first_line("sed pater omnipotens", verses, (1, 6)) == (1, 60)
    assert first_line("deos latio", verses, (1, 6)) == (1, 6)
    assert first_line("song of iopas", verses, (1, 6)) == (1, 6)
    assert stretch("omnipotens speluncis hoc", verses, (1, 60)) == ["Sed pater omnipotens speluncis", "hoc metuens"]
    assert stretch("song of iopas", verses, (1, 60)) == ["Sed pater omnipotens speluncis"]


def test_every_line_of_the_phrase_may_be_judged(data: Path, bench: Benchmark) -> None:
    phrases = lucan_vergil.load(data / "lucan-vergil", judged="phrase")
    assert (phrases.name, phrases.judgements) == ("lucan-vergil-phrase-45", 368)
    assert phrases.queries == bench.queries
    assert all(grades.keys() <= phrases.qrels[query_id].keys() for query_id, grades in bench.qrels.items())


def test_path_and_texts_may_be_given_in_several_ways(data: Path, tmp_path: Path, bench: Benchmark) -> None:
    assert load_benchmark("lucan-vergil", data / "lucan-vergil" / "bench4.txt", texts=data / "epic") == bench
    assert load_benchmark("lucan-vergil", data) == bench
    tmp_path = tmp_path / "own"  # beside which no other test has a folder named texts
    tmp_path.mkdir()
    shutil.copy(data / "lucan-vergil" / "bench4.txt", tmp_path)
    with pytest.raises(InputError, match=r"no \.tess files of Lucan and Vergil .*texts="):
        load_benchmark("lucan-vergil", tmp_path)
    shutil.copytree(data / "epic" / "texts", tmp_path / "lines")
    assert load_benchmark("lucan-vergil", tmp_path) == bench
    beir.write_beir(bench, tmp_path / "beir")
    assert load_benchmark("lucan-vergil", tmp_path / "beir") == bench


def test_what_is_refused(data: Path, tmp_path: Path) -> None:
    texts = data / "epic" / "texts"
    with pytest.raises(InputError, match=r"give the folder with bench4\.txt, --data FOLDER .*path="):
        load_benchmark("lucan-vergil")
    with pytest.raises(InputError, match=r"no bench4\.txt in this folder or one below"):
        load_benchmark("lucan-vergil", tmp_path)
    file = tmp_path / "bench4.txt"
    for content, match in (
        ("", "the file is empty"),
        (HEADER.replace('"TYPE"', '"GRADE"'), "no column 'TYPE'"),
        (f'{HEADER}\n1\tx\t"bella"\t1\t1\t"arma"\t4\t', r"bench4.txt:2: 'x' in column 'BC_LINE' is not a number"),
        (f'{HEADER}\n1\t1\t"bella"\t1\t1\t"arma"\t4\t', "pairs: expected 3,410, found 1"),
    ):
        file.write_text(content)
        with pytest.raises(InputError, match=match):
            load_benchmark("lucan-vergil", tmp_path, texts=texts)


@pytest.mark.parametrize(
    ("column", "value", "match"),
    [
        ("BC_LINE", "9999", r"bench4\.txt:51: Lucan, Bellum Civile 1\.9999 is not in the \.tess files of .*texts"),
        ("AEN_LINE", "9999", r"bench4\.txt:51: Vergil, Aeneid \d+\.9999 is not in the \.tess files"),
        ("AEN_BOOK", "77", r"bench4\.txt:51: Vergil, Aeneid 77\.\d+ is not in the \.tess files"),
        ("TYPE", "9", r"bench4\.txt:51: TYPE is 9; it must be 1 to 5"),
        ("TYPE", "0", r"bench4\.txt:51: TYPE is 0; it must be 1 to 5"),
        ("BC_LINE", "1" * 5000, r"bench4\.txt:51: '1{60}…' in column 'BC_LINE' is not a number"),
        ("BC_TEXT", '"bella', r"bench4\.txt:51: no record of a table begins here .*quotation mark"),
        ("AEN_TEXT", "x" * 200_000, r"bench4\.txt:51: no record .*field larger"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_faults_of_the_pairs_are_named_with_their_place(
    data: Path, tmp_path: Path, column: str, value: str, match: str
) -> None:
    lines = (data / "lucan-vergil" / "bench4.txt").read_text(encoding="utf-8").split("\n")
    cells = lines[50].split("\t")
    cells[HEADER.split("\t").index(f'"{column}"')] = value
    lines[50] = "\t".join(cells)
    (tmp_path / "bench4.txt").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=match):
        load_benchmark("lucan-vergil", tmp_path, texts=data / "epic" / "texts")


def test_parallels_of_wording_alone_may_be_judged_too(data: Path) -> None:
    wider = lucan_vergil.load(data / "lucan-vergil", types=(3, 4, 5))
    assert (len(wider.queries), wider.judgements) == (293, 636)
    assert {grade for row in wider.qrels.values() for grade in row.values()} == {3, 4, 5}
