"""latin-epic from its four layouts, the shipped sample, and what is refused."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from latinsearch.corpora import BENCHMARKS, beir, load_benchmark, read
from latinsearch.corpora.parallels import COLUMNS
from latinsearch.corpora.sample import FOLDER
from latinsearch.records import Benchmark, InputError, Passage, Query

HEADER = ",".join([*COLUMNS[:3], "Intertext: Work", *COLUMNS[3:]])


@pytest.fixture(scope="module")
def from_sources(data: Path) -> Benchmark:
    return load_benchmark("latin-epic", data / "epic")


def test_the_sources_give_the_facts_of_the_card(from_sources: Benchmark) -> None:
    bench = from_sources
    assert (bench.name, len(bench.passages), len(bench.queries), bench.judgements) == ("latin-epic", 39_675, 482, 978)
    assert bench.checksum == "eaaed183e58c2d25"
    assert bench.passages[0] == Passage(
        "vergil-1-1",
        "Arma virumque cano, Troiae qui primus ab oris",
        "<verg. aen. 1.1>",
        {"author": "Vergil", "work": "Aeneid", "book": 1, "line": 1},
    )
    authors = list(dict.fromkeys(str(passage.meta["author"]) for passage in bench.passages))
    assert authors == ["Vergil", "Lucan", "Ovid", "Statius"]
    meta = {"author": "Valerius Flaccus", "work": "Argonautica", "book": 1, "line_start": 3, "line_end": 4}
    text = "ausa sequi mediosque inter iuga concita cursus rumpere flammifero tandem consedit Olympo. "
    assert bench.queries[3] == Query("vf-1-3-4", text, meta)
    assert max(map(len, bench.qrels.values())) == 10
    assert {grade for grades in bench.qrels.values() for grade in grades.values()} == {1}


def test_of_a_repeated_reference_the_first_line_is_kept(from_sources: Benchmark) -> None:
    texts = {passage.doc_id: passage.text for passage in from_sources.passages}
    assert texts["lucan-1-430"] == "Nervius, et caesi pollutus sanguine Cottae;"
    assert texts["ovid-4-768"].startswith("quaerit Abantiades")


def test_the_hub_layout_gives_the_same(data: Path, from_sources: Benchmark) -> None:
    assert load_benchmark("latin-epic", str(data / "epic" / "hub")) == from_sources


def test_a_beir_folder_gives_the_same(tmp_path: Path, from_sources: Benchmark) -> None:
    beir.write_beir(from_sources, tmp_path / "beir")
    assert load_benchmark("latin-epic", tmp_path / "beir") == from_sources


def _datasets(load: Any) -> ModuleType:
    module = ModuleType("datasets")
    module.load_dataset = load  # type: ignore[attr-defined]
    return module


def test_the_hub_by_name_gives_the_same(data: Path, from_sources: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    asked = []

    def load(name: str, config: str, *, split: str) -> Iterator[dict[str, Any]]:
        asked.append((name, config, split))
        rows = parquet.read_table(data / "epic" / "hub" / config / "test-00000-of-00001.parquet").to_pylist()
        return iter({"_id" if key == "id" else key: value for key, value in row.items()} for row in rows)

    monkeypatch.setitem(sys.modules, "datasets", _datasets(load))
    assert load_benchmark("latin-epic") == from_sources
    name = "PoetryMTEB/LatinEpicIntertextualityRetrieval"
    assert asked == [(name, config, "test") for config in ("corpus", "queries", "qrels")]


def test_the_hub_out_of_reach_is_one_line_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, config: str, *, split: str) -> None:
        raise OSError(f"no route\nto {name} {config} {split}")

    monkeypatch.setitem(sys.modules, "datasets", _datasets(load))
    with pytest.raises(InputError, match=r"could not be loaded from the Hub .*--data PATH.*path=") as caught:
        load_benchmark("latin-epic")
    assert "\n" not in str(caught.value)


def test_without_the_extra_the_pip_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match=r"pip install 'latinsearch\[hub\]'.*--data PATH.*path=") as caught:
        load_benchmark("latin-epic")
    assert "\n" not in str(caught.value)


def test_parquet_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'latinsearch\[hub\]'"):
        load_benchmark("latin-epic", tmp_path)


def test_faults_of_the_hub_layout_are_named(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    (tmp_path / "corpus").mkdir()
    parquet.write_table(pyarrow.table({"id": ["vergil-1-1"], "line": ["Arma"]}), tmp_path / "corpus" / "a.parquet")
    with pytest.raises(InputError, match=r"queries: no \.parquet file"):
        load_benchmark("latin-epic", tmp_path)
    for config in ("queries", "qrels"):
        shutil.copytree(tmp_path / "corpus", tmp_path / config)
    with pytest.raises(InputError, match="corpus: no column 'text'; it has id, line"):
        load_benchmark("latin-epic", tmp_path)
    (tmp_path / "qrels" / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"a\.parquet: not a readable parquet file"):
        load_benchmark("latin-epic", tmp_path)


def test_other_counts_are_listed_expected_and_found() -> None:
    with pytest.raises(InputError, match=r"passages: expected 39,675, found 107; Vergil: expected 9,896, found 33;"):
        load_benchmark("latin-epic", FOLDER)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The sample as a folder of sources, its CSV to be spoiled."""
    shutil.copytree(FOLDER, tmp_path / "epic", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return tmp_path / "epic"


@pytest.mark.parametrize(
    ("row", "match"),
    [
        ("1,x,Vergil,Aeneid,1,1,1", r"judgements.csv:2: 'x' in column 'VF: Line End' is not a number"),
        ("1,1,Vergil,Aeneid,1,-1,1", r"judgements.csv:2: '-1' in column 'Intertext: Line Start' is not a number"),
        ("1,1,Vergil,Aeneid,,1,1", r":2: '' in column 'Intertext: Book' is not a number"),
        ("1,1,Vergil,Aeneid", r":2: '' in column 'Intertext: Book' is not a number"),
        ("1,1,Homer,Ilias,1,1,1", r":2: unknown author 'Homer' .* Vergil, Lucan, Ovid, Statius"),
        ("1,1,Vergil,Aeneid,1,99,99", r":2: Vergil, Aeneid 1.99 is judged but is not in the .tess files; .* found 33"),
        ("1,99,Vergil,Aeneid,1,1,1", r":2: Valerius Flaccus, Argonautica 1.22 is judged but is not"),
        ("1,1,Vergil,Aeneid,1,4,3", r":2: line 3 comes before line 4"),
    ],
)
def test_faults_of_the_csv_are_named_with_their_place(sources: Path, row: str, match: str) -> None:
    (sources / "judgements.csv").write_text(f"{HEADER}\n{row}\n")
    with pytest.raises(InputError, match=match):
        load_benchmark("latin-epic", sources)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (HEADER.replace("Intertext: Book,", ""), r"judgements.csv: no column 'Intertext: Book'; the columns needed"),
        (HEADER, "judgements.csv: no judgement after the line of column names"),
        ("", "judgements.csv: the file is empty"),
    ],
)
def test_a_csv_without_columns_or_rows_is_named(sources: Path, content: str, match: str) -> None:
    (sources / "judgements.csv").write_text(content)
    with pytest.raises(InputError, match=match):
        load_benchmark("latin-epic", sources)


def test_missing_files_are_named(sources: Path, tmp_path: Path) -> None:
    (sources / "judgements.csv").rename(tmp_path / "kept")
    with pytest.raises(InputError, match=r"epic: no \.csv file with the judgements"):
        load_benchmark("latin-epic", sources)
    (tmp_path / "kept").rename(sources / "other.csv")
    (sources / "a.csv").write_text("a,b\n1,2\n")  # another table does not matter
    (sources / "statius.thebaid.part.1.tess").unlink()
    with pytest.raises(InputError, match=r"no file of Statius, Thebaid .* statius\.thebaid\.part\.1\.tess"):
        load_benchmark("latin-epic", sources)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no \.tess file in this folder"):
        load_benchmark("latin-epic", tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="nowhere: there is no such file or folder"):
        load_benchmark("latin-epic", tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a file; latin-epic takes the folder"):
        load_benchmark("latin-epic", sources / "other.csv")


def test_an_unknown_benchmark_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown benchmark 'aeneid'; known are latin-epic, lucan-vergil, sample"):
        load_benchmark("aeneid")
    assert list(BENCHMARKS) == ["latin-epic", "lucan-vergil", "sample"]


def test_texts_is_for_lucan_vergil_only() -> None:
    for name in ("latin-epic", "sample"):
        with pytest.raises(InputError, match="texts= is for lucan-vergil"):
            load_benchmark(name, texts=FOLDER)


def test_the_sample_has_the_openings_and_their_judgements() -> None:
    sample = load_benchmark("sample")
    assert (sample.name, len(sample.passages)) == ("sample", 107)
    assert sample.qrels == {
        "vf-1-1-1": {"vergil-1-1": 1, "statius-1-4": 1, "lucan-1-2": 1},
        "vf-1-2-2": {"vergil-1-1": 1},
        "vf-1-7-7": {"statius-1-22": 1},
        "vf-1-12-12": {"vergil-1-20": 1},
    }


def test_the_sample_is_part_of_the_benchmark(from_sources: Benchmark) -> None:
    sample = load_benchmark("sample")
    assert set(sample.queries) <= set(from_sources.queries)
    assert [passage for passage in from_sources.passages if passage in set(sample.passages)] == list(sample.passages)
    ids = {passage.doc_id for passage in sample.passages}
    judged = {
        query_id: {doc_id: grade for doc_id, grade in grades.items() if doc_id in ids}
        for query_id, grades in from_sources.qrels.items()
        if int(query_id.split("-")[-1]) <= 21
    }
    assert sample.qrels == {query_id: grades for query_id, grades in judged.items() if grades}


def test_every_line_of_the_sample_stands_in_the_texts(data: Path) -> None:
    for file in sorted(FOLDER.glob("*.tess")):
        lines = file.read_text(encoding="utf-8").splitlines()
        assert lines == (data / "epic" / "texts" / file.name).read_text(encoding="utf-8").splitlines()[: len(lines)]
        assert len(read(file)) == len(lines)
