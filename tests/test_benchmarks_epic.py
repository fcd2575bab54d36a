"""latin-epic from its four layouts, the shipped sample, and what is refused."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from latinsearch.corpora import BENCHMARKS, beir, epic, load_benchmark, parallels, read
from latinsearch.corpora.benchmark import records_of
from latinsearch.corpora.parallels import COLUMNS
from latinsearch.corpora.sample import FOLDER
from latinsearch.records import Benchmark, InputError, Passage, Query, TextWarning

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


@pytest.mark.parametrize("error", ["RuntimeError('numpy is of another\\nABI')", "ImportError('no module fsspec')"])
def test_a_broken_package_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str) -> None:
    (tmp_path / "datasets.py").write_text(f"raise {error}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "datasets", raising=False)
    with pytest.raises(InputError, match=r"cannot be imported \(.*(ABI|fsspec)\).*--data PATH") as caught:
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
    with pytest.raises(InputError, match=r"corpus/a\.parquet: no column 'text'; it has id, line"):
        load_benchmark("latin-epic", tmp_path)
    (tmp_path / "qrels" / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"a\.parquet: not a readable parquet file"):
        load_benchmark("latin-epic", tmp_path)


@pytest.mark.parametrize(
    ("config", "column", "values", "match"),
    [
        ("corpus", "text", ["Arma", None], r"corpus/a\.parquet, row 2, column 'text': None is no text"),
        ("corpus", "text", [1, 2], r"corpus/a\.parquet, row 1, column 'text': 1 is no text"),
        ("corpus", "id", [1, 2], r"corpus/a\.parquet, row 1, column 'id': 1 is no text"),
        ("corpus", "id", ["vergil-1-1", "vergil-x"], r"corpus/a\.parquet, row 2: 'vergil-x' is no verse"),
        ("corpus", "id", ["vergil-1-1"] * 2, r"corpus/a\.parquet, row 2: the id 'vergil-1-1' was there already, at"),
        ("qrels", "query-id", [1, 2], r"qrels/a\.parquet, row 1, column 'query-id': 1 is no text"),
        ("qrels", "score", [1.0, None], r"qrels/a\.parquet, row 2, score: the grade None is not a whole number"),
        ("qrels", "score", [True, True], r"qrels/a\.parquet, row 1, score: the grade True is not a whole number"),
    ],
)
def test_values_of_another_type_are_named_with_file_column_and_row(
    tmp_path: Path, config: str, column: str, values: list[Any], match: str
) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    tables: dict[str, dict[str, list[Any]]] = {
        "corpus": {"id": ["vergil-1-1", "vergil-1-2"], "text": ["Arma", "Italiam"]},
        "queries": {"id": ["vf-1-1-1"], "text": ["Prima"]},
        "qrels": {"query-id": ["vf-1-1-1"] * 2, "corpus-id": ["vergil-1-1", "vergil-1-2"], "score": [1, 1]},
    }
    tables[config][column] = values
    folder = tmp_path / "text=abc"  # which pyarrow takes for a column of its own if it is asked for a data set
    for name, columns in tables.items():
        (folder / name).mkdir(parents=True)
        parquet.write_table(pyarrow.table(columns), folder / name / "a.parquet")
    with pytest.raises(InputError, match=match):
        load_benchmark("latin-epic", folder)
    parquet.write_table(pyarrow.table({"x": ["y"]}), folder / config / "a.parquet")
    with pytest.raises(InputError, match=rf"{config}/a\.parquet: no column"):
        load_benchmark("latin-epic", folder)


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
        (f"1,{'1' * 5000},Vergil,Aeneid,1,1,1", r":2: '1{60}…' in column 'VF: Line End' is not a number"),
        ("1,1,Vergil,Aeneid,1,1,1,,\n1,1,Vergil,Aeneid,1,1,1,x", r":3: 8 values for 7 columns, the first too many 'x'"),
        ('1,1,"Vergil,Aeneid,1,1,1\n1,1,Vergil,Aeneid,1,1,1', r":2: no record of a table begins here"),
        (f"1,1,{'x' * 200_000},Aeneid,1,1,1", r":2: no record .*field larger than field limit"),
        (f"1,1,{'x' * 9000},Aeneid,1,1,1", r":2: unknown author 'x{60}…'"),
    ],
    ids=lambda value: repr(value)[:40],
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
        (
            f"{HEADER},VF: Line End\n1,1,Vergil,Aeneid,1,1,1,1\n",
            r"judgements.csv:1: the column 'VF: Line End' is there twice",
        ),
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
    (sources / "b.csv").write_text("a," + "x" * 200_000)  # nor does one that csv refuses
    (sources / "c.csv").write_bytes(b"\0\1\2")
    with pytest.raises(InputError, match="these are not the data of latin-epic"):
        load_benchmark("latin-epic", sources)
    (sources / "statius.thebaid.part.1.tess").unlink()
    with pytest.raises(InputError, match=r"epic: no file of Statius, Thebaid .* statius\.thebaid\.part\.1\.tess"):
        load_benchmark("latin-epic", sources)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no \.tess file in this folder"):
        load_benchmark("latin-epic", tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="nowhere: there is no such file or folder"):
        load_benchmark("latin-epic", tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a file; latin-epic takes the folder"):
        load_benchmark("latin-epic", sources / "other.csv")


def test_two_tables_of_judgements_are_refused(sources: Path) -> None:
    shutil.copy(sources / "judgements.csv", sources / "copy.csv")
    with pytest.raises(InputError, match=r"2 tables in .*copy\.csv and .*judgements\.csv"):
        load_benchmark("latin-epic", sources)


AENEID = "vergil.aeneid.part.1"


@pytest.mark.parametrize("name", [f"backup/{AENEID}.tess", f"{AENEID}.old.tess"])
def test_a_stray_copy_with_another_text_is_refused(sources: Path, name: str) -> None:
    (sources / name).parent.mkdir(exist_ok=True)
    shutil.copy(sources / f"{AENEID}.tess", sources / name)
    with pytest.raises(InputError, match="these are not the data of latin-epic.* Vergil: expected 9,896, found 33"):
        load_benchmark("latin-epic", sources)  # the same texts once more
    (sources / name).write_text("<verg. aen. 1.1>\tALIUD CARMEN\n")
    with pytest.raises(InputError, match=rf"{AENEID}\S*:1: Vergil, Aeneid 1.1 is another text here .*{AENEID}\S*:1"):
        load_benchmark("latin-epic", sources)


@pytest.mark.parametrize("reference", ["ov. met. 1.3.7", "ov. met. prooem.", "ov. met. 7", "ov. met. 1.7a"])
def test_a_reference_that_is_not_book_and_line_is_named(sources: Path, reference: str) -> None:
    file = sources / "ovid.metamorphoses.part.1.tess"
    file.write_text(f"<ov. met. 1.1>\tin nova\n<{reference}>\tarma\n")
    with pytest.raises(InputError, match=r"ovid\.metamorphoses\.part\.1\.tess:2: .*is (not book\.line|no verse)"):
        sample_from(sources)


def test_a_reference_repeated_within_a_file_is_known_or_counted(sources: Path) -> None:
    file = sources / "lucan.bellum_civile.part.1.tess"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}<luc. 1.430>\tNervius\n<luc. 1.430>\tEt qui\n", encoding="utf-8")
    assert "Et qui" not in {passage.text for passage in sample_from(sources)}
    file.write_text(f"{text}<luc. 1.2>\tAliud\n", encoding="utf-8")
    with pytest.warns(TextWarning, match=r"part\.1\.tess:\d+ <luc. 1.2>: the reference occurs again"):
        sample_from(sources)


def sample_from(folder: Path) -> list[Passage]:
    """The passages of a folder with sources, whatever their number."""
    return records_of(parallels.from_sources(folder).corpus, epic.verse)


def test_links_of_the_sources_are_followed(sources: Path, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for file in sources.glob("*.tess"):
        file.rename(tmp_path / "texts" / file.name)
    (sources / "texts").symlink_to(tmp_path / "texts")
    assert len(sample_from(sources)) == 107
    (sources / "gone.tess").symlink_to("nowhere")
    with pytest.warns(TextWarning, match=r"gone\.tess: this link leads nowhere"):
        sample_from(sources)


def test_an_unknown_benchmark_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        InputError, match="unknown benchmark 'aeneid'; known are latin-epic, lucan-vergil, sample, beir"
    ):
        load_benchmark("aeneid")
    assert list(BENCHMARKS) == ["latin-epic", "lucan-vergil", "sample", "beir"]


def test_texts_is_for_lucan_vergil_only() -> None:
    for name in ("latin-epic", "sample", "beir"):
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
