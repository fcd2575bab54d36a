"""The command line: `latinsearch demo`, `index`, `search`, `verify`, `compare`, `analyze`,
`coverage`, `check`, `benchmark`, one module each."""

from __future__ import annotations

import click

from latinsearch.cli.analyze import analyze_text
from latinsearch.cli.benchmark import score_methods
from latinsearch.cli.check import check_texts
from latinsearch.cli.compare import compare_texts
from latinsearch.cli.coverage import cover_texts
from latinsearch.cli.demo import show_demo
from latinsearch.cli.index import index_texts
from latinsearch.cli.search import search_index
from latinsearch.cli.verify import verify_index
from latinsearch.records import VERSION


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="latinsearch %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Search Latin texts by word, lemma and letters, and score methods on experts' judgements.

    \b
    See what it does, without any text of your own:
      latinsearch demo
    \b
    Index a text and search it:
      latinsearch index aeneid.tess --output aeneid-index
      latinsearch search aeneid-index "arma uirumque cano"

    Spelling does not matter: v and u, i and j, macrons, capitals and ligatures are read alike. Errors are one line
    and exit code 2.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    show_demo,
    index_texts,
    search_index,
    verify_index,
    compare_texts,
    analyze_text,
    cover_texts,
    check_texts,
    score_methods,
):
    cli.add_command(_command)
