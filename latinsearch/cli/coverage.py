"""`latinsearch coverage`: how much of texts the lemmatizer knows, and what it does not know."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from latinsearch.cli.analyze import with_lexicon
from latinsearch.cli.options import PATH, format_option, lemmatizer_option, lexicon_option
from latinsearch.cli.terminal import waiting

if TYPE_CHECKING:
    from latinsearch.coverage import Coverage


@click.command("coverage", short_help="Show how much of texts the lemmatizer knows.")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=PATH)
@lemmatizer_option("Where lemmata come from")
@lexicon_option()
@click.option(
    "-n",
    "shown",
    metavar="N",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="How many unknown forms.",
)
@format_option("text", "json")
def cover_texts(
    inputs: tuple[Path, ...], lemmatizer: str | None, lexicon: Path | None, shown: int, layout: str
) -> None:
    """Count the words of texts by the source of their lemmata, and list the commonest forms that no source knows.

    INPUT is a .tess or .txt file or a folder of such files. Write the lemmata of unknown forms into a file (a form, a
    tab and a lemma a line) and give it with --lexicon, here and to `latinsearch index`.

    \b
    Example:
      latinsearch coverage aeneid.tess
      latinsearch coverage aeneid.tess --lexicon extra.tsv -n 20
    """
    from latinsearch.analyzer import Analyzer
    from latinsearch.corpora import read
    from latinsearch.coverage import check_lemmata, coverage
    from latinsearch.methods import LEMMATIZER

    analyzer = Analyzer(lemmatizer=LEMMATIZER if lemmatizer is None else lemmatizer)
    check_lemmata(analyzer)
    analyzer = with_lexicon(analyzer, lexicon)
    with waiting("reading the texts"):
        texts = [passage.text for passage in read(*inputs)]
    with waiting(f"looking up the words of {len(texts):,} passages"):
        found = coverage(texts, analyzer)
    if layout == "json":
        listed = dict(list(found.unknown.items())[:shown])
        click.echo(json.dumps({**asdict(found), "share": found.share, "unknown": listed}, ensure_ascii=False, indent=2))
    else:
        click.echo(coverage_text(found, analyzer.signature, shown))


def coverage_text(found: Coverage, signature: str, shown: int) -> str:
    """The counts as lines of a name and a number, then the unknown forms, each with how often it stands."""
    rows = [("words", found.words), *found.sources.items()]
    lines = [
        f"{name:<14} {count:>11,} {count / found.words:>7.2%}" if found.words else f"{name:<14} {count:>11,}"
        for name, count in rows
    ]
    lines += [f"{'known':<14} {found.words - found.sources.get('unknown', 0):>11,} {found.share:>7.2%}"]
    lines += [f"{'analysis':<14} {signature}"]
    listed = list(found.unknown.items())[:shown]
    if listed:
        lines += ["", f"the {len(listed)} commonest of {len(found.unknown):,} unknown forms:"]
        lines += [f"{count:>6} {form}" for form, count in listed]
    return "\n".join(lines)
