"""`latinsearch compare`: the parallels of two texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from latinsearch.cli.options import METHODS_BELOW, PATH, format_option, lemmatizer_option, method_option
from latinsearch.cli.terminal import check_writable, coloured, one_line, waiting, write_whole
from latinsearch.records import InputError, whole_number

if TYPE_CHECKING:
    from latinsearch.compare import Comparison, Parallel
    from latinsearch.records import Passage
    from latinsearch.scorers import Tesserae

SHOWN = {"text": 100, "html": 1000}
"""How many parallels a format shows, unless --top says otherwise; the others show all."""
OF_TESSERAE = ("metric", "max_distance", "cutoff", "frequency", "score_basis", "stop_basis")
"""The options that are parameters of Tesserae's scorer."""


@click.command("compare", short_help="Find the parallels of two texts.", epilog=METHODS_BELOW)
@click.argument("target", type=PATH)
@click.argument("source", type=PATH)
@method_option("tesserae")
@click.option("--top", metavar="N", type=int, help="How many parallels at most: 100 as text, 1,000 as html, else all.")
@format_option("text", "csv", "jsonl", "html")
@click.option("--explain", is_flag=True, help="As text: with the formula and its numbers below each parallel.")
@click.option("--output", metavar="FILE", type=PATH, help="Write to this file instead.")
@lemmatizer_option("Where lemmata come from, in place of the method's")
@click.option(
    "--stoplist",
    metavar="N|NAME|FILE",
    help="How many of the most frequent lemmata do not count, a named list, or a file of them.  [default: 10]",
)
@click.option(
    "--unit",
    type=click.Choice(("line", "phrase", "window")),
    default="line",
    show_default=True,
    help="What is compared: passages; phrases, up to . ? ! ; or :; or passages and two neighbours.",
)
@click.option(
    "--feature",
    type=click.Choice(("lemma", "form", "lemma or form", "sound")),
    default="lemma",
    show_default=True,
    help="What words must share; sound is three letters.",
)
@click.option("--preset", type=click.Choice(("v3", "v5")), help="Tesserae's defaults of that version.  [default: v3]")
@click.option(
    "--metric",
    type=click.Choice(
        ("frequency", "span", "frequency-target", "frequency-source", "span-target", "span-source"),
    ),
    help="Tesserae: distance between the two rarest words, or first to last; of both sides or one.",
)
@click.option(
    "--max-distance",
    metavar="N",
    type=int,
    help="Tesserae: the greatest distance; with tesserae-one what is above it follows as one match.",
)
@click.option(
    "--cutoff",
    metavar="SCORE",
    type=float,
    help="Tesserae: the least score; with tesserae-one what is below it follows as one match, and the default is none.  "
    "[default: 0]",
)
@click.option(
    "--frequency", type=click.Choice(("texts", "corpus")), help="Tesserae: where words are counted: each work, or all."
)
@click.option("--score-basis", type=click.Choice(("lemma", "form")), help="Tesserae: what is counted.")
@click.option(
    "--stoplist-basis",
    "stop_basis",
    type=click.Choice(("corpus", "target", "source", "both")),
    help="Tesserae: where the N most frequent lemmata are counted.",
)
@click.option(
    "--corpus",
    metavar="PATH",
    type=PATH,
    help="Tesserae: the texts that `corpus` means.  [default: target and source]",
)
def compare_texts(
    target: Path,
    source: Path,
    method: str,
    top: int | None,
    layout: str,
    explain: bool,
    output: Path | None,
    lemmatizer: str | None,
    stoplist: str | None,
    unit: str,
    feature: str,
    preset: str | None,
    corpus: Path | None,
    **parameters: Any,
) -> None:
    """Find the parallels of the texts TARGET and SOURCE, best first: files or folders, or twice the same.

    The target is the later text, whose models are looked for in the source. With tesserae and tesserae-one, all
    parallels of the two; with another method, the ten best passages of the source for each of the target.
    The html format is one page that opens without a network and can be sorted.

    \b
    Example:
      latinsearch compare argonautica.tess aeneid.tess --top 20
      latinsearch compare argonautica.tess epics/ --unit window --format html --output parallels.html
    """
    given = {name: parameters[name] for name in OF_TESSERAE if parameters[name] is not None}
    if top is not None:
        whole_number("--top", top, least=1)
    if explain and layout != "text":
        raise InputError(f"--explain is for the format text; {layout} has the numbers without it")
    from latinsearch.compare import TEN, comparison, stop_list

    words = TEN if stoplist is None else stop_list(stoplist)
    scorer = _scorer(method, preset, given)
    if corpus is not None and scorer is None:
        raise InputError(f"--corpus is for Tesserae's methods, not for {method}; leave it out")
    if scorer is not None:
        _refuse_idle(scorer, words, corpus, parameters["stop_basis"])
    if output is not None:
        named = Path(stoplist) if stoplist is not None and not isinstance(words, int) else None
        for path in (target, source, corpus, named):
            if path is not None:
                check_writable(output, path)
                _refuse_among(output, path)
    from latinsearch.corpora import read

    with waiting("reading the texts"):
        targets = read(target)
        sources = targets if source == target else read(source)
        counted = None if corpus is None else read(corpus)
    limit = top or SHOWN.get(layout)
    with waiting(f"comparing {len(targets):,} passages with {len(sources):,}"):
        made = comparison(
            targets,
            sources,
            method=scorer or method,
            lemmatizer=lemmatizer,
            stoplist=words,
            top=None if limit is None else limit + (top is None),
            unit=unit,  # type: ignore[arg-type]
            feature=feature,  # type: ignore[arg-type]
            corpus=counted,
        )
        parallels = iter(made.parallels)
        first = next(parallels, None)
        if first is None:
            click.echo("No parallels.", err=True)
        found = _limited(chain(() if first is None else (first,), parallels), limit)
        title = f"{_name(target)} ~ {_name(source)}"
        lines = _lines(
            replace(made, parallels=found), layout, targets, sources, title, output is None and coloured(), explain
        )
        if output is not None:
            write_whole(output, (f"{line}\n" for line in lines))
            return
        begun = next(lines, None)
    for line in chain(() if begun is None else (begun,), lines):
        click.echo(line)


def _refuse_idle(scorer: Tesserae, words: int | tuple[str, ...], corpus: Path | None, basis: str | None) -> None:
    """Raise InputError for a basis of a stop list that is given, and for a corpus in which nothing is counted."""
    if basis is not None and not isinstance(words, int):
        raise InputError(
            "--stoplist-basis is where the most frequent are counted, and --stoplist names the words; leave one out"
        )
    counted = isinstance(words, int) and words > 0 and scorer.stop_basis == "corpus"
    if corpus is not None and scorer.frequency != "corpus" and not counted:
        raise InputError(
            "nothing is counted in --corpus: the stop list is not, and --frequency is texts; leave --corpus out, or give "
            "--frequency corpus"
        )


def _refuse_among(output: Path, data: Path) -> None:
    """Raise InputError for a file that would be one of the texts that a folder is read for."""
    if data.is_dir() and output.resolve().is_relative_to(data.resolve()):
        raise InputError(f"{output} is in the folder {data}, whose texts are read; give a path outside it")


def _name(path: Path) -> str:
    """What a page calls a text: the file's or folder's name, that of `.` too."""
    from latinsearch.corpora.files import decoded

    whole = path.resolve() if path.stem in ("", "..") else path
    return decoded(whole.stem or str(whole))


def _scorer(method: str, preset: str | None, given: dict[str, Any]) -> Tesserae | None:
    """The scorer of one of Tesserae's methods with the parameters that are given; None for another method."""
    from latinsearch.methods import recipes_of
    from latinsearch.scorers import Tesserae
    from latinsearch.scorers.tesserae import V3, V5

    scorer = recipes_of(method)[0].scorer
    if not isinstance(scorer, Tesserae):
        if preset is not None or given:
            named = ", ".join(f"--{name.replace('_', '-')}" for name in (*(["preset"] if preset else []), *given))
            raise InputError(
                f"{named.replace('stop-basis', 'stoplist-basis')}: for Tesserae's methods, not for {method}"
            )
        return None
    if preset is not None:
        if method != "tesserae":
            raise InputError(f"--preset has the two matches of tesserae, not the rule of {method}; leave one out")
        scorer = V5 if preset == "v5" else V3
    return replace(scorer, stoplist=None, **given)


def _limited(parallels: Iterator[Parallel], limit: int | None) -> Iterator[Parallel]:
    """The parallels up to the limit; if there are more, a line on standard error says so."""
    for parallel in parallels:
        if limit is not None and parallel.rank > limit:
            click.echo(f"latinsearch: the best {limit:,} are shown, there are more; --top N shows N", err=True)
            return
        yield parallel


def _lines(
    made: Comparison,
    layout: str,
    target: list[Passage],
    source: list[Passage],
    title: str,
    colour: bool,
    explain: bool,
) -> Iterator[str]:
    """The lines of a comparison in one of the formats; what it was made with heads those that have room for it."""
    from latinsearch.cli.parallels import csv_lines, html_lines, jsonl_lines, text_lines

    stopped = f"lemmata that do not count: {', '.join(made.stopped) or 'none'}"
    if layout == "html":
        return html_lines(made, title=title, target=target, source=source)
    if layout == "text":
        return chain(
            (one_line(made.signature), one_line(stopped), ""),
            text_lines(made.parallels, colour=colour, explain=explain),
        )
    click.echo(f"latinsearch: {one_line(made.signature)}; {one_line(stopped)}", err=True)
    return csv_lines(made.parallels) if layout == "csv" else jsonl_lines(made.parallels)
