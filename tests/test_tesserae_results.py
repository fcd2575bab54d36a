"""Tesserae's downloads as data and as a run, and what is wrong with a file named."""

from __future__ import annotations

from pathlib import Path

import pytest

from latinsearch.corpora import load_benchmark
from latinsearch.corpora.tesserae_results import TesseraeResult, tesserae_results, tesserae_run
from latinsearch.evaluation import evaluate_run
from latinsearch.records import Benchmark, InputError, Passage, Query, TextWarning

HEADER = "RESULT,TARGET_LOC,TARGET_TXT,SOURCE_LOC,SOURCE_TXT,SHARED,SCORE\n"
BENCH = Benchmark(
    "tiny",
    (Passage("a", "arma", ref="<aen. 1.1>"), Passage("b", "uirum", ref="<aen. 1.2>")),
    (
        Query("q1", "x", {"book": 1, "line_start": 1, "line_end": 2}),
        Query("q2", "y", {"line_start": 3, "line_end": 3}),
    ),
    {"q1": {"a": 1}},
    "0",
)


def written(tmp_path: Path, *rows: str, header: str = HEADER) -> Path:
    path = tmp_path / "results.csv"
    path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_a_query_has_the_best_score_of_its_lines(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '1,val 1.1,"arma, **x**",aen. 1.1,y,arma; cano,7',
        "2,val 1.2,x,aen. 1.1,y,arma,9",
        "3,val 1.2,x,aen. 1.2,y,arma,4",
        "4,val 2.1,x,aen. 1.2,y,arma,12",
        "5,val 1.3,x,aen. 1.2,y,arma,5.5",
    )
    results = tesserae_results(path)
    assert results[0] == TesseraeResult("val 1.1", "aen. 1.1", ("arma", "cano"), 7.0)
    assert tesserae_run(results, BENCH) == {"q1": {"a": 9.0, "b": 4.0}, "q2": {"b": 5.5}}
    assert tesserae_results(tmp_path) == results


def test_verses_that_the_benchmark_lacks_are_counted() -> None:
    given = [TesseraeResult("val 1.1", ref, (), 7.0) for ref in ("aen. 1.1", "aen. 9.1", "aen. 9.2")]
    with pytest.warns(TextWarning, match=r"2 of 3 results, the first 'aen. 9.1', are of verses that are not in tiny"):
        assert tesserae_run(given, BENCH) == {"q1": {"a": 7.0}, "q2": {}}
    with pytest.raises(InputError, match="none of the 2 verses found"):
        tesserae_run(given[1:], BENCH)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("1,val 1.1,x,aen. 1.1,y,arma,seven", r"results.csv:2: 'seven' in column 'SCORE' is no number"),
        ("1,val 1.1,x,aen. 1.1,y,arma,nan", r"results.csv:2: 'nan' in column 'SCORE'"),
        ("1,val 1.1,x,aen. 1.1,y,arma,inf", r"results.csv:2: 'inf' in column 'SCORE'"),
        ("1,val 1.1,x,aen. 1.1,y,arma", r"results.csv:2: '' in column 'SCORE' is no number"),
        ("1,val 1.1,x", r"results.csv:2: no reference in column 'SOURCE_LOC'"),
        ("1,val 1.1,x,aen. 1.1,y,arma,7,8", r"results.csv:2: 8 values for 7 columns"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, row: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        tesserae_results(written(tmp_path, row))


def test_wrong_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no .csv file in this folder"):
        tesserae_results(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        tesserae_results(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no column 'SCORE'"):
        tesserae_results(written(tmp_path, header="TARGET_LOC,SOURCE_LOC,SHARED\n"))
    with pytest.raises(InputError, match="the file is empty"):
        tesserae_results(written(tmp_path, header=""))
    written(tmp_path).write_bytes(f"{HEADER}1,val 1.1,po\xebta,aen. 1.1,y,arma,7\n".encode("cp1252"))
    with pytest.raises(InputError, match=r"results.csv:2: not UTF-8; convert the file"):
        tesserae_results(tmp_path)


def test_a_reference_without_a_number_and_queries_without_lines_are_refused() -> None:
    with pytest.raises(InputError, match="'praefatio' ends in no number"):
        tesserae_run([TesseraeResult("praefatio", "aen. 1.1", (), 7.0)], BENCH)
    for meta in ({}, {"line_start": 1}):
        without = Benchmark("tiny", BENCH.passages, (Query("q", "x", meta),), {"q": {"a": 1}}, "0")
        with pytest.raises(InputError, match="the queries of tiny have no lines"):
            tesserae_run([TesseraeResult("val 1.1", "aen. 1.1", (), 7.0)], without)


def test_tesseraes_own_results_are_scored_beside_ours(data: Path) -> None:
    bench = load_benchmark("latin-epic", path=data / "epic")
    results = tesserae_results(data / "peers")
    assert len(results) == 33_042
    means = evaluate_run(tesserae_run(results, bench), bench.qrels, name="tesserae-v3").means
    assert [round(means[measure], 3) for measure in ("nDCG@10", "AP", "R@10", "R@100")] == [0.205, 0.161, 0.308, 0.441]
