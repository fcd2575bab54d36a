"""Texts and benchmarks: `read` gives the passages of files, `load_benchmark` passages with judged queries."""

from latinsearch.corpora.load import BENCHMARKS, load_benchmark
from latinsearch.corpora.texts import READERS, read

__all__ = ["BENCHMARKS", "READERS", "load_benchmark", "read"]
