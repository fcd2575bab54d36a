"""The named recipes: what `build` makes of passages, each of one analyzer and one scorer, or a fusion of such."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from latinsearch.analyzer import Analyzer
from latinsearch.index import Index
from latinsearch.lemmatizers import Lemmatizer
from latinsearch.lexicon_file import own_entries
from latinsearch.records import InputError, Passage, real_number, whole_number
from latinsearch.retriever import (
    Field,
    LexicalRetriever,
    check_can_be_saved,
    checked_passages,
    jobs,
    load,
    save_fields,
)
from latinsearch.scorers import BM25, RankBM25, Scorer, Tesserae, TfIdf
from latinsearch.stoplists import is_by_frequency
from latinsearch.stoplists import stopwords as stoplist
from latinsearch.storage import write
from latinsearch.stored import checksum_of_written, order_of, written
from latinsearch.words import Words, words_of


class Recipe(NamedTuple):
    """One field of a method: its name, how passages and queries are read, how they are scored, its share of the sum."""

    name: str
    analyzer: Analyzer
    scorer: Scorer
    share: float = 1.0


Method = tuple[Recipe, ...]

LEMMATIZER = "lexicon"

_form = Analyzer()
_lemma = Analyzer(lemmatizer=LEMMATIZER)
_grams = Analyzer(ngrams=4)
_one_lemma = Analyzer(lemmatizer=LEMMATIZER, candidates="first")

_bm25 = BM25(k1=0.9, b=0.4, k3=0.0)  # with the shares of fusion chosen on Lucan 1 ~ Aeneid by benchmarks/tune.py

METHODS: dict[str, Method] = {
    "bm25-form": (Recipe("form", _form, _bm25),),
    "bm25-lemma": (Recipe("lemma", _lemma, _bm25),),
    "bm25-grams": (Recipe("grams", _grams, _bm25),),
    "tfidf-form": (Recipe("form", _form, TfIdf()),),
    "tfidf-lemma": (Recipe("lemma", _lemma, TfIdf()),),
    "tesserae": (Recipe("lemma", _lemma, Tesserae()),),
    "tesserae-one": (Recipe("lemma", _lemma, Tesserae(min_matches=1, cutoff=None)),),
    "rank-bm25": (Recipe("lemma", _one_lemma, RankBM25()),),
    "fusion": (
        Recipe("form", _form, _bm25, 0.0625),
        Recipe("lemma", _lemma, _bm25, 1.0),
        Recipe("grams", _grams, _bm25, 0.1875),
    ),
}
"""The methods by name; docs/decisions.md says where each parameter comes from."""


def recipes_of(name: str) -> Method:
    """The recipe of that name. Raises InputError for an unknown one; the message lists the known."""
    if not isinstance(name, str) or name not in METHODS:
        raise InputError(f"unknown method {name!r}; known are {', '.join(METHODS)}")
    return METHODS[name]


def checked_recipes(method: object) -> Method:
    """The recipes of the user's own method. Raises InputError for anything but a tuple of at least one Recipe."""
    recipes = tuple(method) if isinstance(method, tuple | list) and not isinstance(method, Recipe) else ()
    if not recipes or not all(isinstance(recipe, Recipe) for recipe in recipes):
        raise InputError(f"method is {method!r}; it must be a name ({', '.join(METHODS)}) or a tuple of Recipes")
    return tuple(recipe._replace(share=real_number(f"the share of {recipe.name}", recipe.share)) for recipe in recipes)


def with_own_lemmata(
    name: str,
    recipes: Method,
    lemmatizer: str | Lemmatizer | None = None,
    lexicon: Mapping[str, Iterable[str]] | None = None,
) -> Method:
    """The recipes with the user's lemmatizer and lexicon in every field that has lemmata, the others as they are.

    >>> [recipe.analyzer.lemmatizer for recipe in with_own_lemmata("fusion", METHODS["fusion"], "simplemma")]
    ['none', 'simplemma', 'none']

    A method without lemmata has no lemmatizer to replace (so that one may be given for all of METHODS); entries for it are a
    mistake. Raises InputError if no field has lemmata that a lexicon could give.
    """
    entries = () if lexicon is None else own_entries(lexicon)
    if lemmatizer is not None:
        recipes = _with_lemmata(recipes, {"lemmatizer": lemmatizer})
    if entries:
        if all(recipe.analyzer.lemmatizer == "none" for recipe in recipes):
            told = f"{name} uses no lemmata" + f" with lemmatizer {lemmatizer!r}" * (lemmatizer is not None)
            raise InputError(
                f"{told}, so a lexicon does nothing; leave it out, or choose a method or a lemmatizer with lemmata"
            )
        recipes = _with_lemmata(recipes, {"lexicon": entries})
    return recipes


def _with_lemmata(recipes: Method, changes: dict[str, Any]) -> Method:
    return tuple(
        recipe
        if recipe.analyzer.lemmatizer == "none"
        else recipe._replace(analyzer=replace(recipe.analyzer, **changes))
        for recipe in recipes
    )


def build(
    passages: Iterable[Passage],
    method: str | Method = "bm25-lemma",
    *,
    lemmatizer: str | Lemmatizer | None = None,
    lexicon: Mapping[str, Iterable[str]] | None = None,
    stopwords: str | os.PathLike[str] | Iterable[str] = (),
    n_jobs: int = 1,
    shards: int = 1,
    folder: str | os.PathLike[str] | None = None,
    indexes: dict[Analyzer, Index] | None = None,
    words: Words | None = None,
) -> LexicalRetriever:
    """A retriever over the passages.

    >>> passages = [Passage("verg.aen.1.1", "Arma virumque cano, Troiae qui primus ab oris")]
    >>> [hit.doc_id for hit in build(passages).search("uirum")]
    ['verg.aen.1.1']

    method: a name in METHODS, or recipes of your own. lemmatizer: in place of the method's, where it has one: a name, or a
    callable from a folded form to a tuple of lemmata. lexicon: entries of your own, {form: lemmata}, before the lemmatizer's.
    stopwords: words that do not count: a name in `stoplists.STOPLISTS`, `top-25` for the 25 most frequent, the path of a
    file, or the words; n-grams are not stopped. n_jobs: processes that read the texts; the result is the same.

    shards: the postings are counted, kept and searched in so many parts, each with less memory at once; the weights are
    those of all passages, and so hits and scores are the same. folder: the passages, which may come from a generator, are
    written there one by one and not kept in memory, and the retriever is the one that `load` gives of that folder; an index
    that is there is replaced.

    indexes: a dict of your own, to build several methods over the SAME passages without reading them again: what it holds
    is used, what is missing is added. words: `words_of` the SAME passages, if you have them already.

    Raises InputError for an unknown method or lemmatizer, a lemmatizer or a lexicon for a method without lemmata, no
    passages, or doc_ids that repeat (named).
    """
    recipes, name = (recipes_of(method), method) if isinstance(method, str) else (checked_recipes(method), "custom")
    recipes = with_own_lemmata(name, recipes, lemmatizer, lexicon)
    n_jobs, shards = jobs(n_jobs), whole_number("shards", shards, least=1)
    chosen = () if is_by_frequency(stopwords) else stoplist(stopwords)
    known = {} if indexes is None else indexes

    def fields(words: Words) -> Iterator[Field]:
        for recipe in recipes:
            analyzer = recipe.analyzer
            listed = stoplist(stopwords, Index.of(words, analyzer)) if is_by_frequency(stopwords) else chosen
            if listed and not analyzer.ngrams:
                # A lemma of two words stops nothing among forms; one that no field can have is refused by the analyzer.
                others = [other.analyzer for other in recipes if not other.analyzer.ngrams]
                stopped = [w for w in listed if analyzer.may_stop(w) or not any(o.may_stop(w) for o in others)]
                analyzer = replace(analyzer, stopwords=tuple(stopped))
            index = known[analyzer] if analyzer in known else Index.of(words, analyzer, shards=shards)
            if indexes is not None:
                indexes[analyzer] = index
            if len(index) != len(words.works):
                raise InputError(
                    f"`indexes` holds an index of {len(index)} passages, not of these {len(words.works)}; give a new dict"
                )
            yield Field(recipe.name, analyzer, recipe.scorer, recipe.share, index)

    if folder is None:
        kept = tuple(checked_passages(passages))
        order_of([passage.doc_id for passage in kept])
        words = words_of(kept, n_jobs=n_jobs) if words is None else words
        return LexicalRetriever(name, kept, tuple(fields(words)))

    check_can_be_saved(recipe.analyzer for recipe in recipes)

    def fill(beside: Path) -> dict[str, Any]:
        of = words_of(written(checked_passages(passages), beside), n_jobs=n_jobs)
        return save_fields(name, fields(of), beside, checksum_of_written(beside))

    write(Path(folder), fill)
    return load(folder, lemmatizer=lemmatizer if callable(lemmatizer) else None)
