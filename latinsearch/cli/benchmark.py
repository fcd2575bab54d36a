"""`latinsearch benchmark`: the scores of methods on a benchmark."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from latinsearch.cli.options import METHODS_BELOW, PATH, format_option, jobs_option
from latinsearch.cli.terminal import check_writable, waiting, write_whole

if TYPE_CHECKING:
    from latinsearch.analyzer import Analyzer
    from latinsearch.evaluation import Results
    from latinsearch.index import Index
    from latinsearch.records import Benchmark


@click.command("benchmark", short_help="Score methods on a benchmark.", epilog=METHODS_BELOW)
@click.option(
    "--data",
    metavar="PATH",
    type=PATH,
    help="The data of the benchmark: its sources, its Hub layout or a BEIR folder. Without it latin-epic comes from the "
    "Hub, which needs pip install 'latinsearch[hub]'; the sample is shipped.",
)
@click.option(
    "--name",
    metavar="NAME",
    default="latin-epic",
    show_default=True,
    help="The benchmark: latin-epic, lucan-vergil, sample, or beir for any other BEIR folder.",
)
@click.option("--methods", metavar="NAME,NAME", help="Only these methods, of those below; by default all.")
@format_option("text", "markdown", "latex", "json")
@click.option("--output", metavar="FILE", type=PATH, help="Write the report here instead of printing it.")
@click.option(
    "--runs",
    metavar="DIR",
    type=PATH,
    help="Write the hits of each method as DIR/METHOD.run and the judgements as DIR/qrels.txt, in TREC's format.",
)
@jobs_option()
def score_methods(
    data: Path | None,
    name: str,
    methods: str | None,
    layout: str,
    output: Path | None,
    runs: Path | None,
    jobs: int,
) -> None:
    """Score methods on a benchmark: passages, queries and experts' judgements of what should be found.

    Each mean is followed by the worst and the best value over the orders of tied passages. The json format also has
    seconds: search is the time for all queries; index is what the method added to those before it, since methods that
    read the texts alike share one index. To time one method alone, name only that.

    \b
    Example:
      latinsearch benchmark --name sample --methods bm25-lemma,fusion
      latinsearch benchmark --name sample --format json --output scores.json
    """
    from latinsearch.corpora import load_benchmark
    from latinsearch.records import InputError
    from latinsearch.report import report
    from latinsearch.trec import write_qrels, write_run

    names = method_names(methods)
    if output is not None:
        check_writable(output, data)
    if runs is not None and runs.exists() and not runs.is_dir():
        raise InputError(f"{runs} is a file; give a folder to --runs")
    with waiting(f"reading the benchmark {name}"):
        benchmark = load_benchmark(name, data)
    if runs is not None:
        runs.mkdir(parents=True, exist_ok=True)
        write_qrels(benchmark.qrels, runs / "qrels.txt")
    results = []
    for result in scored(benchmark, names, jobs):
        results.append(result)
        if runs is not None:
            write_run(result.run, runs / f"{result.name}.run", result.name)
        if sys.stderr.isatty():
            seconds = ", ".join(f"{what} {value:.1f} s" for what, value in result.seconds.items())
            click.echo(f"{len(results)}/{len(names)} {result.name}: {seconds}", err=True)
    text = report(results, benchmark, layout)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, [text])


def method_names(methods: str | None) -> list[str]:
    """The methods that a comma-separated text names, each once; all for None. Raises InputError for an unknown one."""
    from latinsearch.methods import METHODS, recipes_of
    from latinsearch.records import InputError

    if methods is None:
        return list(METHODS)
    names = [name for name in dict.fromkeys(map(str.strip, methods.split(","))) if name]
    if not names:
        raise InputError(f"--methods {methods!r} names no method; known are {', '.join(METHODS)}")
    for name in names:
        recipes_of(name)
    return names


def scored(
    benchmark: Benchmark, names: Sequence[str], n_jobs: int = 1, indexes: dict[Analyzer, Index] | None = None
) -> Iterator[Results]:
    """The results of each method, one by one, with the seconds that index and search took; they share `indexes`."""
    from latinsearch.evaluation import evaluate
    from latinsearch.methods import build
    from latinsearch.words import words_of

    shared = {} if indexes is None else indexes
    words = None
    for name in names:
        begun = time.perf_counter()
        with waiting(f"{name}: indexing {len(benchmark.passages):,} passages"):
            words = words_of(benchmark.passages, n_jobs=n_jobs) if words is None else words
            retriever = build(benchmark.passages, name, n_jobs=n_jobs, indexes=shared, words=words)
        seconds = time.perf_counter() - begun
        results = evaluate(retriever, benchmark, n_jobs=n_jobs)
        yield replace(results, seconds={"index": seconds, **results.seconds})
