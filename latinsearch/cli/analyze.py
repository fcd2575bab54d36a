"""`latinsearch analyze`: how each word of a text is read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from latinsearch.cli.options import METHODS_BELOW, format_option, lemmatizer_option, lexicon_option, method_option
from latinsearch.cli.terminal import given_text, one_line

if TYPE_CHECKING:
    from latinsearch.analyzer import Analyzer


@click.command("analyze", short_help="Show how each word of a text is read.", epilog=METHODS_BELOW)
@click.argument("text")
@method_option(None)
@lemmatizer_option("Where lemmata come from, in place of a method's (by default the shipped lexicon)")
@lexicon_option()
@format_option("text", "json")
def analyze_text(text: str, method: str | None, lemmatizer: str | None, lexicon: Path | None, layout: str) -> None:
    """Show how each word of TEXT is read: its form, its place, its folded spelling, its lemmata, their source.

    TEXT stands in quotation marks; - reads it from standard input, in UTF-8. A place counts characters of the text
    as given. The source is how the lemmata were found; unknown means that the form is its own lemma. Lemmata in
    parentheses are possible, but searches leave them out.

    \b
    Example:
      latinsearch analyze "Arma virumque cano"
      latinsearch analyze "Arma virumque cano" --method bm25-form --format json
    """
    analyzer = with_lexicon(chosen_analyzer(method, lemmatizer), lexicon)
    given = given_text(text, "TEXT")
    if layout == "json":
        click.echo(json.dumps(analyzer.explain(given), ensure_ascii=False, indent=2))
    else:
        click.echo(analysis_text(analyzer, given))


def chosen_analyzer(method: str | None, lemmatizer: str | None) -> Analyzer:
    """The analyzer of a method, or the default one with this lemmatizer.

    Raises InputError for an unknown name, for both at once, and for a method that reads texts in several ways.
    """
    from latinsearch.analyzer import Analyzer
    from latinsearch.methods import LEMMATIZER, METHODS, recipes_of
    from latinsearch.records import InputError

    if method is None:
        return Analyzer(lemmatizer=LEMMATIZER if lemmatizer is None else lemmatizer)
    if lemmatizer is not None:
        raise InputError("--method and --lemmatizer both say how words are read; give one of them")
    analyzers = list(dict.fromkeys(recipe.analyzer for recipe in recipes_of(method)))
    if len(analyzers) > 1:
        single = [name for name, recipes in METHODS.items() if len(recipes) == 1 and recipes[0].analyzer in analyzers]
        raise InputError(f"{method} reads a text in {len(analyzers)} ways; choose one of {', '.join(single)}")
    return analyzers[0]


def with_lexicon(analyzer: Analyzer, lexicon: Path | None) -> Analyzer:
    """The analyzer with the entries of a file before its own source. Raises InputError naming file and line."""
    from latinsearch.lexicon_file import read_lexicon

    return analyzer if lexicon is None else replace(analyzer, lexicon=read_lexicon(lexicon))


def analysis_text(analyzer: Analyzer, text: str) -> str:
    """A table with a line a term, and the counts of words, unknown words and repaired characters."""
    from latinsearch.tokenizer import repairs, tokenize

    terms = analyzer.explain(text)["tokens"]
    counts = [_counted(len(tokenize(text)), "word")]
    if analyzer.lemmatizer != "none":
        unknown = {(term["start"], term["end"]) for term in terms if term["source"] == "unknown"}
        counts.append(f"{len(unknown):,} unknown")
    repaired = repairs(text)
    counts.append(f"{_counted(repaired, 'double-encoded character')} repaired")
    return "\n".join([*_table(terms, analyzer), ", ".join(counts)])


def _table(terms: list[dict[str, Any]], analyzer: Analyzer) -> list[str]:
    if not terms:
        return []
    from rich.cells import cell_len  # a combining macron takes no place on the screen

    rows = [("form", "place", "fold", "lemmata", "source")]
    for t in terms:
        searched = {lemma for entry in analyzer.entries(t["form"]) for lemma in entry.candidates}
        lemmata = " ".join(lemma if lemma in searched else f"({lemma})" for lemma in t["lemmata"])
        rows.append((one_line(t["form"]), f"{t['start']}-{t['end']}", t["folded"], lemmata, t["source"]))
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
