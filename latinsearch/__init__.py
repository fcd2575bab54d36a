"""Lexical and lemma search for Latin: BM25, TF-IDF and Tesserae behind one interface, scored on expert judgements."""

from latinsearch.corpora import load_benchmark, read
from latinsearch.evaluation import evaluate
from latinsearch.methods import METHODS, build
from latinsearch.records import VERSION, Benchmark, Hit, InputError, Passage, Query
from latinsearch.retriever import Retriever, load

__version__ = VERSION
__all__ = [
    "METHODS",
    "Benchmark",
    "Hit",
    "InputError",
    "Passage",
    "Query",
    "Retriever",
    "build",
    "evaluate",
    "load",
    "load_benchmark",
    "read",
]
