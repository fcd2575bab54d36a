"""`latinsearch index`: texts to an index folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from latinsearch.cli.options import METHODS_BELOW, PATH, jobs_option, lemmatizer_option, lexicon_option, method_option
from latinsearch.cli.terminal import waiting

if TYPE_CHECKING:
    from latinsearch.retriever import LexicalRetriever


@click.command("index", short_help="Read texts and save an index of them.", epilog=METHODS_BELOW)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=PATH)
@click.option("--output", metavar="DIR", required=True, type=PATH, help="The folder of the index to make.")
@method_option("bm25-lemma")
@lemmatizer_option("Where lemmata come from, in place of the method's")
@lexicon_option()
@click.option(
    "--stopwords",
    metavar="LIST",
    help="Words that do not count: latin, top-25 (the 25 most frequent), or a .txt file with a word a line. By default none.",
)
@jobs_option()
@click.option(
    "--shards",
    metavar="N",
    type=int,
    default=1,
    show_default=True,
    help="Parts that the postings are counted and searched in, each with less memory. The hits are the same.",
)
@click.option("--add", is_flag=True, help="Add the texts to the index in DIR, as it was made; only they are analyzed.")
@click.pass_context
def index_texts(
    context: click.Context,
    inputs: tuple[Path, ...],
    output: Path,
    method: str,
    lemmatizer: str | None,
    lexicon: Path | None,
    stopwords: str | None,
    jobs: int,
    shards: int,
    add: bool,
) -> None:
    """Read texts, index them by a method, and save the index in a folder.

    INPUT is a .tess file (each line: <reference>, tab, text), a .txt file (each line a passage) or a folder of such
    files; several are read one after another. An index that is in DIR already is replaced. What is amiss in a text
    is reported with file and line, and the text is read as far as it can be.

    \b
    Example:
      latinsearch index aeneid.tess --output aeneid-index
      latinsearch index aeneid.tess --output form-index --method bm25-form --stopwords top-25
      latinsearch index georgics.tess --output aeneid-index --add
    """
    from latinsearch.corpora import read
    from latinsearch.lexicon_file import read_lexicon
    from latinsearch.methods import build, recipes_of, with_own_lemmata
    from latinsearch.records import InputError
    from latinsearch.stoplists import is_by_frequency
    from latinsearch.stoplists import stopwords as stoplist
    from latinsearch.storage import check_free

    if add:
        _refuse_beside_add(context)
        _add(inputs, output, jobs)
        return
    if shards < 1:
        raise InputError(f"{shards} shards cannot hold anything; give 1 or more to --shards")
    recipes = recipes_of(method)
    entries = None if lexicon is None else read_lexicon(lexicon)
    if lemmatizer is not None and all(recipe.analyzer.lemmatizer == "none" for recipe in recipes):
        raise InputError(f"{method} uses no lemmata, so --lemmatizer {lemmatizer} does nothing; leave it out")
    with_own_lemmata(method, recipes, lemmatizer, entries)  # before any text is read
    stopped = stopwords if stopwords is None or is_by_frequency(stopwords) else stoplist(stopwords)
    check_free(output)
    with waiting("reading the texts"):
        passages = read(*inputs)
    with waiting(f"indexing {len(passages):,} passages by {method}"):
        retriever = build(
            passages,
            method,
            lemmatizer=lemmatizer,
            lexicon=entries,
            stopwords=stopped or (),
            n_jobs=jobs,
            shards=shards,
            folder=output,
        )
    click.echo(summary(retriever, output))


def _refuse_beside_add(context: click.Context) -> None:
    """Raises InputError for options that only a new index can have."""
    from latinsearch.records import InputError

    for name in ("method", "lemmatizer", "lexicon", "stopwords", "shards"):
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise InputError(
                f"--{name} beside --add does nothing: the texts are read as those of the index; leave it out"
            )


def _add(inputs: tuple[Path, ...], output: Path, jobs: int) -> None:
    """Texts to an index that is there."""
    from latinsearch.corpora import read
    from latinsearch.retriever import load

    known = load(output)
    with waiting("reading the texts"):
        passages = read(*inputs)
    with waiting(f"adding {len(passages):,} passages to {len(known.passages):,}"):
        retriever = known.extended(passages, n_jobs=jobs)
        retriever.save(output)
    click.echo(summary(retriever, output))


def summary(retriever: LexicalRetriever, folder: Path) -> str:
    """What was indexed, in lines of a name and a value."""
    first = retriever.fields[0].index
    words = len(first.tokens)
    lines = [("passages", f"{len(retriever.passages):,}"), ("words", f"{words:,}")]
    for field in retriever.fields:
        if field.analyzer.lemmatizer != "none":
            unknown, total = field.index.unknown, len(field.index.tokens)
            share = f" ({unknown / total:.1%})" if total else ""
            lines.append(("unknown words", f"{unknown:,}{share}, each its own lemma"))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    lines += [
        ("repaired", f"{first.repaired:,} double-encoded characters"),
        ("signature", retriever.signature),
        ("folder", str(folder)),
        ("size", f"{size / 1e6:,.2f} MB"),
    ]
    return "\n".join(f"{name:<14} {value}" for name, value in lines)
