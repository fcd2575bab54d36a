"""Tables of results for the terminal, for Markdown, for a paper in LaTeX, and as JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from latinsearch.evaluation import MEASURES, Results
from latinsearch.records import Benchmark, InputError

Rows = list[tuple[str, list[str]]]
NOTE = "Beside each mean: the worst and the best value over the orders of tied passages."
ABSENT = "–"


def report(results: Sequence[Results], benchmark: Benchmark, format: str = "text") -> str:
    r"""A table of one line a method: the mean of each measure and its range over the orders of ties.

    >>> from latinsearch.evaluation import evaluate_run
    >>> benchmark = Benchmark("tiny", (), (), {"q1": {"b": 1}}, checksum="0a1b")
    >>> run = {"q1": {"a": 2.0, "b": 1.0}}
    >>> bm25 = evaluate_run(run, benchmark.qrels, name="bm25", signature="k1=0.9", measures=["AP"])
    >>> print(report([bm25], benchmark), end="")
    method AP
    bm25   0.500 [.500 .500]
    <BLANKLINE>
    Beside each mean: the worst and the best value over the orders of tied passages.
    tiny: 0 passages, 0 queries, 1 judgements, checksum 0a1b
    bm25: k1=0.9

    `format` is one of FORMATS: `text` (120 columns with names of up to 12 letters), `markdown`, `latex` (a table
    environment; it needs the package booktabs, and the best value of a column is bold), `json` (full precision, and
    the seconds that are known). Columns stand in the order of MEASURES, after them any others; a measure that was not
    computed is a dash, in JSON absent. Below the table stand the benchmark and the signature of every method.

    Raises InputError for an unknown format, no results, or two results of one name.
    """
    if format not in FORMATS:
        raise InputError(f"unknown format {format!r}; known are {', '.join(FORMATS)}")
    if not results:
        raise InputError("there are no results to report; evaluate at least one method")
    names = [result.name for result in results]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"two results have the name {name!r}; give each its own, as in evaluate(..., name='bm25-a')"
            )
    return FORMATS[format](results, benchmark)


def _text(results: Sequence[Results], benchmark: Benchmark) -> str:
    columns = _columns(results)
    rows: Rows = [("method", columns)]
    rows += [(result.name, [_cell(result, measure, _tight) for measure in columns]) for result in results]
    first = max(len(name) for name, _ in rows)
    widths = [max(len(cells[place]) for _, cells in rows) for place in range(len(columns))]
    lines = [
        " ".join(
            [f"{name:<{first}}", *(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))]
        ).rstrip()
        for name, cells in rows
    ]
    signatures = [f"{result.name}: {result.signature}" for result in results if result.signature]
    return "\n".join([*lines, "", NOTE, _describe(benchmark), *signatures]) + "\n"


def _markdown(results: Sequence[Results], benchmark: Benchmark) -> str:
    columns = _columns(results)
    lines = [_markdown_row(["method", *columns]), _markdown_row(["---"] * (1 + len(columns)))]
    for result in results:
        cells = [_cell(result, measure, _wide) for measure in columns]
        lines.append(_markdown_row([_markdown_escape(result.name), *cells]))
    signatures = [
        f"- {_markdown_escape(result.name)}: {_code(result.signature)}" for result in results if result.signature
    ]
    return "\n".join([*lines, "", NOTE, "", _markdown_escape(_describe(benchmark)), "", *signatures]).rstrip() + "\n"


def _latex(results: Sequence[Results], benchmark: Benchmark) -> str:
    columns = _columns(results)
    best = {
        measure: max(_three(result.means[measure]) for result in results if measure in result.means)
        for measure in columns
    }
    rows = [
        " & ".join([_latex_escape(result.name), *(_latex_cell(result, measure, best[measure]) for measure in columns)])
        for result in results
    ]
    notes = [NOTE, _describe(benchmark) + "."]
    notes += [f"{result.name}: {result.signature}." for result in results if result.signature]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering\small\setlength{\tabcolsep}{3pt}",
            rf"\begin{{tabular}}{{l{'l' * len(columns)}}}",
            r"\toprule",
            " & ".join(["method", *map(_latex_escape, columns)]) + r" \\",
            r"\midrule",
            *(rf"{row} \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\medskip\raggedright\footnotesize",
            " \\\\\n".join(map(_latex_escape, notes)),
            r"\end{table}",
            "",
        ]
    )


def _json(results: Sequence[Results], benchmark: Benchmark) -> str:
    about = {
        "name": benchmark.name,
        "passages": len(benchmark.passages),
        "queries": len(benchmark.queries),
        "judgements": benchmark.judgements,
        "checksum": benchmark.checksum,
    }
    methods = {result.name: _method(result) for result in results}
    return json.dumps({"benchmark": about, "methods": methods}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


FORMATS: dict[str, Callable[[Sequence[Results], Benchmark], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "json": _json,
}
"""The formats of a report by name."""


def _method(result: Results) -> dict[str, Any]:
    return {
        "signature": result.signature,
        **result.means,
        "ties": {measure: list(bounds) for measure, bounds in result.ties.items()},
        "seconds": dict(result.seconds),
    }


def _columns(results: Sequence[Results]) -> list[str]:
    computed = dict.fromkeys(measure for result in results for measure in result.means)
    known = [measure for measure in MEASURES if measure in computed]
    return known + [measure for measure in computed if measure not in MEASURES]


def _describe(benchmark: Benchmark) -> str:
    counts = (
        f"{len(benchmark.passages):,} passages, {len(benchmark.queries):,} queries, {benchmark.judgements:,} judgements"
    )
    return f"{benchmark.name}: {counts}, checksum {benchmark.checksum}"


def _cell(result: Results, measure: str, write: Callable[[float, float, float], str]) -> str:
    return write(result.means[measure], *result.ties[measure]) if measure in result.means else ABSENT


def _three(value: float) -> str:
    return f"{value:.3f}"


def _short(value: float) -> str:
    """Four characters: .306, and 1.00 where all is found."""
    return _three(value)[1:] if value < 0.9995 else f"{value:.2f}"


def _tight(mean: float, worst: float, best: float) -> str:
    return f"{_three(mean)} [{_short(worst)} {_short(best)}]"


def _wide(mean: float, worst: float, best: float) -> str:
    return f"{_three(mean)} [{_three(worst)}, {_three(best)}]"


def _latex_cell(result: Results, measure: str, best: str) -> str:
    if measure not in result.means:
        return "--"
    mean = _three(result.means[measure])
    low, high = map(_three, result.ties[measure])
    marked = rf"\textbf{{{mean}}}" if mean == best else mean
    return rf"{marked} {{\tiny [{low}, {high}]}}"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_escape(text: str) -> str:
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text)


def _code(text: str) -> str:
    """A code span: its fence is one longer than the longest run of backticks inside."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # \textquotedbl is unknown in the old font encoding that is still the default
    "[": "{[}",  # after a line's \\ a bracket would be read as its argument
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def _latex_escape(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)
