"""Reports: the tables as they are printed, letter by letter."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from latinsearch.evaluation import MEASURES, Results, evaluate_run
from latinsearch.records import Benchmark, InputError, Passage, Query
from latinsearch.report import FORMATS, report

QRELS = {"q1": {"verg-1": 1}, "q2": {"verg-2": 2, "verg-3": 1}}
BENCHMARK = Benchmark(
    "tiny_epic",
    tuple(Passage(f"verg-{number}", "arma") for number in range(1, 1201)),
    (Query("q1", "arma"), Query("q2", "uirum")),
    QRELS,
    checksum="0a1b2c3d",
)
BM25 = replace(
    evaluate_run(
        {"q1": {"verg-1": 2.0, "verg-4": 1.0}, "q2": {"verg-2": 1.0, "verg-9": 1.0}},
        QRELS,
        name="bm25_form",
        signature="latinsearch 0.1.0 | bm25[k1=0.9] & 50%",
    ),
    seconds={"index": 0.5, "search": 0.25},
)
TFIDF = evaluate_run({"q1": {"verg-1": 2.0, "verg-4": 2.0}, "q2": {}}, QRELS, name="tfidf")


def test_text() -> None:
    assert report([BM25, TFIDF], BENCHMARK) == (
        "method    nDCG@10           AP                R@10              R@100             R@1000            RR@10\n"
        "bm25_form 0.740 [.740 .880] 0.625 [.625 .750] 0.750 [.750 .750] 0.750 [.750 .750] 0.750 [.750 .750]"
        " 0.750 [.750 1.00]\n"
        "tfidf     0.315 [.315 .500] 0.250 [.250 .500] 0.500 [.500 .500] 0.500 [.500 .500] 0.500 [.500 .500]"
        " 0.250 [.250 .500]\n"
        "\n"
        "Beside each mean: the worst and the best value over the orders of tied passages.\n"
        "tiny_epic: 1,200 passages, 2 queries, 3 judgements, checksum 0a1b2c3d\n"
        "bm25_form: latinsearch 0.1.0 | bm25[k1=0.9] & 50%\n"
    )


def test_text_of_the_longest_method_name_is_120_columns_wide() -> None:
    perfect = evaluate_run({"q1": {"verg-1": 1.0}, "q2": {"verg-2": 2.0, "verg-3": 1.0}}, QRELS, name="perfect")
    assert set(perfect.means.values()) == {1.0}
    table = report([replace(BM25, name="tesserae-one"), perfect], BENCHMARK).split("\n\n")[0]
    assert max(map(len, table.splitlines())) == 120


def test_markdown() -> None:
    assert report([BM25, TFIDF], BENCHMARK, "markdown") == (
        "| method | nDCG@10 | AP | R@10 | R@100 | R@1000 | RR@10 |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        "| bm25\\_form | 0.740 [0.740, 0.880] | 0.625 [0.625, 0.750] | 0.750 [0.750, 0.750] | 0.750 [0.750, 0.750]"
        " | 0.750 [0.750, 0.750] | 0.750 [0.750, 1.000] |\n"
        "| tfidf | 0.315 [0.315, 0.500] | 0.250 [0.250, 0.500] | 0.500 [0.500, 0.500] | 0.500 [0.500, 0.500]"
        " | 0.500 [0.500, 0.500] | 0.250 [0.250, 0.500] |\n"
        "\n"
        "Beside each mean: the worst and the best value over the orders of tied passages.\n"
        "\n"
        "tiny\\_epic: 1,200 passages, 2 queries, 3 judgements, checksum 0a1b2c3d\n"
        "\n"
        "- bm25\\_form: `latinsearch 0.1.0 | bm25[k1=0.9] & 50%`\n"
    )


def test_latex() -> None:
    best = " & ".join(
        rf"\textbf{{{mean}}} {{\tiny [{low}, {high}]}}"
        for mean, low, high in [("0.740", "0.740", "0.880"), ("0.625", "0.625", "0.750")]
        + [("0.750", "0.750", "0.750")] * 3
        + [("0.750", "0.750", "1.000")]
    )
    other = " & ".join(
        rf"{mean} {{\tiny [{mean}, 0.500]}}" for mean in ("0.315", "0.250", "0.500", "0.500", "0.500", "0.250")
    )
    assert report([BM25, TFIDF], BENCHMARK, "latex") == "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering\small\setlength{\tabcolsep}{3pt}",
            r"\begin{tabular}{lllllll}",
            r"\toprule",
            r"method & nDCG@10 & AP & R@10 & R@100 & R@1000 & RR@10 \\",
            r"\midrule",
            rf"bm25\_form & {best} \\",
            rf"tfidf & {other} \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\medskip\raggedright\footnotesize",
            r"Beside each mean: the worst and the best value over the orders of tied passages. \\",
            r"tiny\_epic: 1,200 passages, 2 queries, 3 judgements, checksum 0a1b2c3d. \\",
            r"bm25\_form: latinsearch 0.1.0 \textbar{} bm25{[}k1=0.9] \& 50\%.",
            r"\end{table}",
            "",
        ]
    )


def test_latex_marks_every_value_that_prints_as_the_best() -> None:
    table = report([TFIDF, replace(TFIDF, name="twin")], BENCHMARK, "latex")
    assert table.count(r"\textbf{0.250}") == 4


def test_json_has_the_shape_that_programs_rely_on() -> None:
    found = json.loads(report([BM25, TFIDF], BENCHMARK, "json"))
    assert found["benchmark"] == {
        "name": "tiny_epic",
        "passages": 1200,
        "queries": 2,
        "judgements": 3,
        "checksum": "0a1b2c3d",
    }
    assert list(found["methods"]) == ["bm25_form", "tfidf"]
    assert list(found["methods"]["bm25_form"]) == ["signature", *MEASURES, "ties", "seconds"]
    assert found["methods"]["bm25_form"]["nDCG@10"] == BM25.means["nDCG@10"]
    assert found["methods"]["bm25_form"]["ties"]["RR@10"] == [0.75, 1.0]
    assert found["methods"]["bm25_form"]["seconds"] == {"index": 0.5, "search": 0.25}
    assert found["methods"]["tfidf"]["seconds"] == {}


def test_json() -> None:
    benchmark = Benchmark("ἔπος", (), (), {"q1": {"a": 1}}, checksum="0")
    results = evaluate_run({"q1": {"a": 1.0, "b": 1.0}}, benchmark.qrels, name="bm25", signature="s", measures=["AP"])
    assert report([results], benchmark, "json") == (
        "{\n"
        '  "benchmark": {\n'
        '    "name": "ἔπος",\n'
        '    "passages": 0,\n'
        '    "queries": 0,\n'
        '    "judgements": 1,\n'
        '    "checksum": "0"\n'
        "  },\n"
        '  "methods": {\n'
        '    "bm25": {\n'
        '      "signature": "s",\n'
        '      "AP": 0.5,\n'
        '      "ties": {\n'
        '        "AP": [\n'
        "          0.5,\n"
        "          1.0\n"
        "        ]\n"
        "      },\n"
        '      "seconds": {}\n'
        "    }\n"
        "  }\n"
        "}\n"
    )


def test_a_measure_that_was_not_computed_is_absent() -> None:
    other = evaluate_run({"q1": {"verg-1": 1.0}}, QRELS, name="other", measures=["P@1", "AP"])
    text = report([TFIDF, other], BENCHMARK).splitlines()
    assert text[0].split() == ["method", *MEASURES, "P@1"]
    assert text[2].split() == ["other", "–", "0.500", "[.500", ".500]", "–", "–", "–", "–", "0.500", "[.500", ".500]"]
    assert "nDCG@10" not in json.loads(report([other], BENCHMARK, "json"))["methods"]["other"]
    assert report([TFIDF, other], BENCHMARK, "latex").count("--") == 6
    assert report([TFIDF, other], BENCHMARK, "markdown").count("–") == 6


@pytest.mark.parametrize("format", FORMATS)
def test_odd_letters_in_names_stay_in_their_cell(format: str) -> None:
    odd = replace(BM25, name="[a|b]_{c}\\d~^<e>", signature="x `y` z")
    found = report([odd], BENCHMARK, format)
    expected = {
        "text": "[a|b]_{c}\\d~^<e> 0.740",
        "markdown": "| \\[a\\|b\\]\\_{c}\\\\d~^\\<e\\> | 0.740",
        "latex": "{[}a\\textbar{}b]\\_\\{c\\}\\textbackslash{}d\\textasciitilde{}\\textasciicircum{}"
        "\\textless{}e\\textgreater{} & \\textbf{0.740}",
        "json": '"[a|b]_{c}\\\\d~^<e>"',
    }
    assert expected[format] in found
    assert "``x `y` z``" in report([odd], BENCHMARK, "markdown")


@pytest.mark.parametrize(
    ("results", "format", "message"),
    [
        ([BM25], "html", "unknown format 'html'; known are text, markdown, latex, json"),
        ([], "text", "there are no results to report"),
        ([BM25, BM25], "text", "two results have the name 'bm25_form'"),
    ],
)
def test_what_cannot_be_reported_is_named(results: list[Results], format: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        report(results, BENCHMARK, format)
    assert message in str(caught.value)
