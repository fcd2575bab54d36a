"""`latinsearch demo`: what the library does, shown on the sample that is shipped with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from latinsearch.cli.terminal import coloured

if TYPE_CHECKING:
    from latinsearch.analyzer import Analyzer
    from latinsearch.index import Index

METHOD = "bm25-lemma"
QUERIES = (
    ("the first words of the Aeneid, spelled with u", "arma uirumque cano"),
    ("Valerius Flaccus 1.17, which shares two words with Statius", "parte poli neque erit Tyriae Cynosura carinae"),
)
HITS = 3


@click.command("demo", short_help="Show what the library does, on a small sample.")
def show_demo() -> None:
    """Search a small sample of Latin epic, explain a hit, and score every method on it; no network, no files.

    \b
    Example:
      latinsearch demo
    """
    from latinsearch.cli.benchmark import scored
    from latinsearch.cli.hits import explained_hits, hits_text
    from latinsearch.corpora import load_benchmark
    from latinsearch.methods import METHODS, build
    from latinsearch.report import report

    sample = load_benchmark("sample")
    size = f"{len(sample.passages)} passages and {len(sample.queries)} queries"
    click.echo(
        f"The openings of four epics (Vergil, Ovid, Lucan, Statius), {len(sample.passages)} verses, are searched by the "
        f"method {METHOD}:\nwords match if they have a lemma in common, and rare ones count for more.\n"
    )
    indexes: dict[Analyzer, Index] = {}
    retriever = build(sample.passages, METHOD, indexes=indexes)
    for about, query in QUERIES:
        found = explained_hits(retriever, query, retriever.search(query, HITS))
        click.echo(f'"{query}" ({about})', color=coloured())
        click.echo(hits_text(found, colour=coloured()) + "\n", color=coloured())
    click.echo(f"Why {found[0][0].passage.ref} was found by the last query, word by word:")
    click.echo(f"{found[0][1]}\n")
    results = list(scored(sample, list(METHODS), indexes=indexes))
    click.echo(f"Every method scored on this sample of {size}: too small to compare methods by it.")
    click.echo(report(results, sample), nl=False)
