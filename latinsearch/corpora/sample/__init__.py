"""The sample that is shipped: the openings of four epics and the beginning of the *Argonautica* with its parallels."""

from __future__ import annotations

from pathlib import Path

from latinsearch.corpora import epic, parallels
from latinsearch.corpora.benchmark import benchmark
from latinsearch.records import Benchmark

FOLDER = Path(__file__).parent
"""The folder of the sample; its NOTICE.md names the sources and licenses."""


def sample() -> Benchmark:
    """The benchmark named sample, made of the shipped files by the steps of latin-epic, with its ids.

    >>> sample().queries[0].query_id
    'vf-1-1-1'
    """
    corpus, queries, judgements = parallels.from_sources(FOLDER)
    passages = [epic.verse(doc_id, text) for doc_id, text in corpus]
    return benchmark("sample", passages, [epic.question(query_id, text) for query_id, text in queries], judgements)
