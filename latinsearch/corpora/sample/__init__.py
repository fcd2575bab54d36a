"""The sample that is shipped: the openings of four epics and the beginning of the *Argonautica* with its parallels."""

from __future__ import annotations

from pathlib import Path

from latinsearch.corpora import epic, parallels
from latinsearch.corpora.benchmark import assert_facts, benchmark, records_of
from latinsearch.records import Benchmark, InputError

NAME = "sample"
FOLDER = Path(__file__).parent
"""The folder of the sample; its NOTICE.md names the sources and licenses."""


def sample() -> Benchmark:
    """The benchmark named sample, made of the shipped files by the steps of latin-epic, with its ids.

    >>> sample().queries[0].query_id
    'vf-1-1-1'
    """
    sources = parallels.from_sources(FOLDER)
    passages = records_of(sources.corpus, epic.verse)
    return benchmark(NAME, passages, records_of(sources.queries, epic.question), sources.judgements)


def assert_sample(found: Benchmark, where: object) -> Benchmark:
    """The benchmark found, which is the sample. Raises InputError if it has other counts or other texts."""
    shipped = sample()
    expected, counts = (
        {"passages": len(each.passages), "queries": len(each.queries), "judgements": each.judgements}
        for each in (shipped, found)
    )
    way_out = "; the benchmark named beir takes any BEIR folder"
    assert_facts(f"{NAME}{way_out}", where, expected, counts)
    if found.checksum != shipped.checksum:
        raise InputError(
            f"{where}: these are not the data of {NAME}{way_out}. "
            f"checksum: expected {shipped.checksum}, found {found.checksum}"
        )
    return found
