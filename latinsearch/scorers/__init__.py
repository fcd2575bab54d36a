"""Scorers: parameters in a frozen dataclass; `fit` on an index gives what scores queries against its passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Terms
from latinsearch.explanation import Part
from latinsearch.index import Index
from latinsearch.records import InputError
from latinsearch.scorers.bm25 import BM25
from latinsearch.scorers.rank_bm25 import RankBM25
from latinsearch.scorers.tesserae import Tesserae
from latinsearch.scorers.tfidf import TfIdf


class FittedScorer(Protocol):
    """Scores a query's terms against the passages of one index."""

    def score(self, query: Terms) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The passages that share something with the query, each once, and their scores; nothing else."""
        ...

    def explain(self, query: Terms, passage: int, terms: Terms, field: str, share: float) -> Part:
        """What the words of one passage gave: `terms` is its text analyzed. Without a match, no matches and score 0."""
        ...


class Scorer(Protocol):
    """Parameters of a scoring rule; a frozen dataclass, so that it can be printed, compared, hashed and saved."""

    def fit(self, index: Index) -> FittedScorer: ...


__all__ = [
    "BM25",
    "SCORERS",
    "FittedScorer",
    "RankBM25",
    "Scorer",
    "Tesserae",
    "TfIdf",
    "scorer_from_json",
    "scorer_json",
    "scorer_signature",
]

SCORERS: dict[str, type[Any]] = {"bm25": BM25, "tfidf": TfIdf, "tesserae": Tesserae, "rank-bm25": RankBM25}
"""The scorers by name."""


def scorer_json(scorer: Any) -> dict[str, Any]:
    """A scorer's name and parameters as JSON has them.

    >>> scorer_json(BM25(k1=0.9))["name"]
    'bm25'
    """
    for name, kind in SCORERS.items():
        if type(scorer) is kind:
            parameters = {field: getattr(scorer, field) for field in kind.__dataclass_fields__}
            return {"name": name, "parameters": parameters}
    raise InputError(
        f"{type(scorer).__name__} is not one of the scorers that can be saved: {', '.join(SCORERS)}; add it to SCORERS"
    )


def scorer_signature(scorer: Any) -> str:
    """A scorer's name and parameters as one word; for one that is not in SCORERS, its repr.

    >>> scorer_signature(TfIdf())
    'tfidf(sublinear_tf=True,smooth_idf=True)'
    """
    if type(scorer) not in SCORERS.values():
        return "_".join(repr(scorer).split())
    named = scorer_json(scorer)
    return f"{named['name']}({','.join(f'{name}={_word(value)}' for name, value in named['parameters'].items())})"


def _word(value: object) -> str:
    return "+".join("_".join(word.split()) for word in value) if isinstance(value, tuple) else str(value)


def scorer_from_json(data: dict[str, Any]) -> Scorer:
    """The scorer that `scorer_json` wrote down. Raises InputError for an unknown name or parameter."""
    if data.get("name") not in SCORERS:
        raise InputError(f"unknown scorer {data.get('name')!r}; known are {', '.join(SCORERS)}")
    parameters = {
        name: tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        for name, value in data["parameters"].items()
    }
    try:
        made: Scorer = SCORERS[data["name"]](**parameters)
    except TypeError as error:
        raise InputError(f"scorer {data['name']}: {error}") from None
    return made
