"""The options that mean the same in every command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

# In an option's help a name would be broken at its hyphen.
METHODS_BELOW = """\b
Methods:
  bm25-form, bm25-lemma, bm25-grams, tfidf-form, tfidf-lemma,
  tesserae, tesserae-one, rank-bm25, fusion"""
"""The end of the help of a command with methods: the names in METHODS, held to it by a test; so --help loads no numpy."""
LEMMATIZER_NAMES = "lexicon, simplemma, whitaker, cltk, none"
"""The names in LEMMATIZERS, likewise."""


class _FilePath(click.Path):
    """A path; an empty one, which would be the current folder, is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the path is empty; give a file or a folder, . for the current folder", param, ctx)
        return super().convert(value, param, ctx)


PATH = _FilePath(path_type=Path)
"""The type of every path."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def method_option(default: str | None) -> Decorator:
    """The option --method, the name of a recipe."""
    text = "How texts are read and scored; the names stand below."
    return click.option("--method", metavar="NAME", default=default, show_default=default is not None, help=text)


def lemmatizer_option(text: str) -> Decorator:
    """The option --lemmatizer, the name of a source of lemmata."""
    return click.option("--lemmatizer", metavar="NAME", help=f"{text}: {LEMMATIZER_NAMES}.")


def lexicon_option() -> Decorator:
    """The option --lexicon, a file of the user's own entries."""
    text = "A file of your own, a form, a tab and a lemma a line; it comes before every other source."
    return click.option("--lexicon", metavar="FILE", type=PATH, help=text)


def jobs_option() -> Decorator:
    """The option --jobs, the number of processes: 1 or more, -1 for all cores."""
    text = "Processes that work in parallel; -1 for one on each core. The result is the same."
    return click.option("--jobs", metavar="N", type=int, default=1, show_default=True, callback=_jobs, help=text)


def format_option(*formats: str) -> Decorator:
    """The option --format; the first of the formats is the default."""
    return click.option(
        "--format",
        "layout",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How it is printed.",
    )


def _jobs(context: click.Context, option: click.Parameter, jobs: int) -> int:
    if jobs == 0 or jobs < -1:
        raise click.BadParameter(f"{jobs} processes cannot work; give 1 or more, or -1 for all cores", context, option)
    return jobs
