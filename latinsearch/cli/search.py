"""`latinsearch search`: the hits of a query in a saved index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from latinsearch.cli.options import PATH, format_option
from latinsearch.cli.terminal import coloured, given_text, waiting

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from latinsearch.retriever import LexicalRetriever


@click.command("search", short_help="Search a saved index.")
@click.argument("folder", metavar="DIR", type=PATH)
@click.argument("query")
@click.option("-k", "k", metavar="N", type=int, default=10, show_default=True, help="How many hits, at most.")
@click.option("--explain", is_flag=True, help="Below each hit, what each matched word gave (json and csv always say).")
@click.option(
    "--within",
    "conditions",
    metavar="KEY=VALUE",
    multiple=True,
    help="Only passages with this author, work, book or line. Several conditions, by commas or by giving the option "
    "again, must all be met; author=Vergil,Ovid is either.",
)
@format_option("text", "json", "csv")
def search_index(folder: Path, query: str, k: int, explain: bool, conditions: tuple[str, ...], layout: str) -> None:
    """Search the index in the folder DIR for the words of QUERY.

    QUERY stands in quotation marks; - reads it from standard input. A hit is a line: rank, score, reference, and the
    text as the edition prints it. On a terminal the matched words are in colour, elsewhere they stand behind the
    text in brackets.

    \b
    Example:
      latinsearch search aeneid-index "arma uirumque cano" -k 3
      latinsearch search aeneid-index "conderet urbem" --explain --within book=1
    """
    from latinsearch.cli.hits import explained_hits, hits_csv, hits_json, hits_text
    from latinsearch.cli.within import doc_ids_within
    from latinsearch.retriever import checked, load

    text = given_text(query, "QUERY")
    if query == "-":
        text = text.rstrip("\r\n")
    checked(text, k, None)
    with waiting(f"loading {folder}"):
        retriever = load(folder)
    within = doc_ids_within(retriever.passages, conditions) if conditions else None
    found = explained_hits(retriever, text, retriever.search(text, k, within=within))
    if layout == "json":
        click.echo(hits_json(text, retriever.signature, found))
    elif layout == "csv":
        click.echo(hits_csv(found))
    elif found:
        click.echo(hits_text(found, colour=coloured(), explain=explain), color=coloured())
    else:
        click.echo(f"No hits: {why_none(retriever, text, within)}.")


def why_none(retriever: LexicalRetriever, query: str, within: AbstractSet[str] | None) -> str:
    """The reason why a query has no hits, in words."""
    terms = [(field, term) for field in retriever.fields for term in field.analyzer(query)]
    if not terms:
        return "there is no word in the query"
    if not any(field.index.known_terms(term) for field, term in terms):
        return f"none of the words occurs in the {len(retriever.passages):,} passages"
    if within is not None:
        return f"none of the {len(within):,} passages that --within allows shares enough with the query"
    return f"words of the query occur, but no passage shares enough of them for the method {retriever.method}"
