"""What the scorers need of a set of passages: vocabulary, counts, lengths and the words in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.analyzer import Analyzer, Term
from latinsearch.progress import uncollected
from latinsearch.records import InputError, Passage
from latinsearch.tokenizer import forms, repairs

Ints = NDArray[np.int32]
_BLOCK = 2048  # passages a parallel task

LISTS = ("vocabulary", "forms", "work_names")
"""The lists of an index, the files `<name>.txt`."""
ARRAYS = {
    "form_offsets": np.int32,
    "form_terms": np.int32,
    "tokens": np.int32,
    "token_offsets": np.int64,
    "lengths": np.int32,
    "works": np.int32,
}
"""The arrays of an index and their types, the files `<name>.npy`."""
COUNTS = ("data", "indices", "indptr")
"""The arrays of the counts, the files `counts_<name>.npy`."""
FILES = (*(f"{n}.txt" for n in LISTS), *(f"{n}.npy" for n in ARRAYS), *(f"counts_{n}.npy" for n in COUNTS))
"""The files of an index."""


@dataclass(frozen=True, eq=False)
class Index:
    """The words of passages in the form in which they are counted and found.

    vocabulary: the terms, numbered in first-seen order. forms: the folded words, likewise; the terms of form `f` are
    `form_terms[form_offsets[f]:form_offsets[f + 1]]`, candidates in their order. tokens: the forms of all passages one
    after another, so a word's position is its place there (4 bytes a word); passage `p` has
    `tokens[token_offsets[p]:token_offsets[p + 1]]`. counts: passages x terms, how often a term stands in a passage (a word
    with several candidates counts for each), stored by term. lengths: terms to a passage, each word counted once however
    many candidates it has (n-grams: all of them). works: for each passage the number of its work in `work_names`.
    unknown: words that no lemmatizer knew. repaired: double-encoded characters read as what they stand for.
    """

    vocabulary: tuple[str, ...]
    forms: tuple[str, ...]
    form_offsets: Ints
    form_terms: Ints
    tokens: Ints
    token_offsets: NDArray[np.int64]
    counts: sparse.csc_matrix
    lengths: Ints
    works: Ints
    work_names: tuple[str, ...]
    unknown: int
    repaired: int

    @staticmethod
    def build(passages: Sequence[Passage], analyzer: Analyzer, *, n_jobs: int = 1) -> Index:
        """An index of the passages; with n_jobs other than 1 the texts are cut into words in parallel processes.

        >>> passages = [Passage("a", "Arma virumque"), Passage("b", "arma ducem")]
        >>> index = Index.build(passages, Analyzer(lemmatizer="simplemma"))
        >>> index.vocabulary, index.counts.toarray().tolist(), index.lengths.tolist()
        (('arma', 'uir', 'dux'), [[1, 1, 0], [1, 0, 1]], [2, 2])
        """
        vocabulary: dict[str, int] = {}
        form_ids: dict[tuple[str, tuple[str, ...]], int] = {}
        form_terms: list[list[int]] = []
        form_sizes: list[int] = []  # terms that a form adds to the length of its passage
        form_unknown: list[bool] = []
        known: dict[str, list[int]] = {}

        def ids(form: str) -> list[int]:
            """The numbers of the folded words that a form gives: one, or two where an elision is undone."""
            found = []
            for folded, grouped in groupby(analyzer.entries(form), key=attrgetter("folded")):
                entries = list(grouped)  # the n-grams of one word are one form
                key = (folded, tuple(chain.from_iterable(entry.candidates for entry in entries)))
                if key not in form_ids:
                    form_ids[key] = len(form_ids)
                    form_terms.append([vocabulary.setdefault(term, len(vocabulary)) for term in key[1]])
                    form_sizes.append(len(entries))
                    form_unknown.append(any(entry.source == "unknown" for entry in entries))
                found.append(form_ids[key])
            return found

        tokens: list[int] = []
        offsets = [0]
        repaired = 0
        with uncollected():
            for words, mended in _words((passage.text for passage in passages), n_jobs):
                for form in words:
                    place = known.get(form)
                    if place is None:
                        place = known[form] = ids(form)
                    tokens += place
                offsets.append(len(tokens))
                repaired += mended

        form_offsets = np.concatenate([[0], np.cumsum([len(terms) for terms in form_terms], dtype=np.int64)])
        token_array = np.array(tokens, dtype=np.int32)
        token_offsets = np.array(offsets, dtype=np.int64)
        flat_terms = np.array(list(chain.from_iterable(form_terms)), dtype=np.int32)
        sizes = np.concatenate([[0], np.cumsum(np.array(form_sizes, dtype=np.int64)[token_array])])
        works: dict[str, int] = {}
        work_of = [works.setdefault(work_name(passage), len(works)) for passage in passages]
        return Index(
            vocabulary=tuple(vocabulary),
            forms=tuple(folded for folded, _ in form_ids),
            form_offsets=form_offsets.astype(np.int32),
            form_terms=flat_terms,
            tokens=token_array,
            token_offsets=token_offsets,
            counts=_counts(token_array, token_offsets, form_offsets, flat_terms, len(vocabulary)),
            lengths=(sizes[token_offsets[1:]] - sizes[token_offsets[:-1]]).astype(np.int32),
            works=np.array(work_of, dtype=np.int32),
            work_names=tuple(works),
            unknown=int(np.array(form_unknown, dtype=np.int64)[token_array].sum()) if tokens else 0,
            repaired=repaired,
        )

    def __len__(self) -> int:
        return len(self.lengths)

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: arrays in memory, since a file may have been replaced before it is opened there."""
        return {name: _in_memory(value) for name, value in self.__dict__.items()}

    @cached_property
    def term_ids(self) -> dict[str, int]:
        """The number of each term."""
        return {term: number for number, term in enumerate(self.vocabulary)}

    @cached_property
    def canonical(self) -> NDArray[np.intp]:
        """The terms in the order of their letters: sums over it do not depend on the order in which passages came."""
        return np.array(sorted(range(len(self.vocabulary)), key=self.vocabulary.__getitem__), dtype=np.intp)

    def known_terms(self, term: Term) -> tuple[int, ...]:
        """The numbers of a query term's candidates that the vocabulary has, in their order."""
        return tuple(self.term_ids[c] for c in term.candidates if c in self.term_ids)

    def save(self, folder: Path) -> None:
        """Write the index into a folder: vocabulary and forms one a line, arrays as `.npy`."""
        for name in LISTS:
            lines = "".join(f"{line}\n" for line in getattr(self, name))
            (folder / f"{name}.txt").write_text(lines, encoding="utf-8", newline="\n")
        for name, dtype in ARRAYS.items():
            np.save(folder / f"{name}.npy", np.ascontiguousarray(getattr(self, name), dtype=dtype))
        for name in COUNTS:
            np.save(folder / f"counts_{name}.npy", np.ascontiguousarray(getattr(self.counts, name), dtype=np.int32))

    @staticmethod
    def load(folder: Path, *, unknown: int, repaired: int) -> Index:
        """An index as it was saved, its arrays memory-mapped and read-only.

        Raises InputError naming the file if one is missing, cannot be read, or does not fit the others.
        """
        texts: dict[str, Any] = {n: _lines(folder / f"{n}.txt") for n in LISTS}
        arrays: dict[str, Any] = {name: _array(folder / f"{name}.npy", dtype) for name, dtype in ARRAYS.items()}
        data, indices, indptr = (_array(folder / f"counts_{n}.npy", np.int32) for n in COUNTS)
        passages, terms = len(arrays["lengths"]), len(texts["vocabulary"])
        if (
            len(arrays["form_offsets"]) != len(texts["forms"]) + 1
            or len(arrays["token_offsets"]) != passages + 1
            or len(arrays["works"]) != passages
            or len(indptr) != terms + 1
            or len(data) != len(indices)
        ):
            raise InputError(f"{folder}: the files of this index do not fit together; build it again")
        counts = sparse.csc_matrix((data, indices, indptr), shape=(passages, terms), copy=False)
        counts.has_sorted_indices = True
        return Index(**texts, **arrays, counts=counts, unknown=unknown, repaired=repaired)


def _in_memory(value: Any) -> Any:
    if isinstance(value, np.memmap):
        return np.array(value)
    if isinstance(value, sparse.csc_matrix):
        return sparse.csc_matrix(tuple(map(np.array, (value.data, value.indices, value.indptr))), shape=value.shape)
    return value


def work_name(passage: Passage) -> str:
    """Author and work of a passage, as far as its meta names them; passages without either are one work."""
    return " ".join(" ".join(str(passage.meta.get(name, "")) for name in ("author", "work")).split())


def _words(texts: Iterable[str], n_jobs: int) -> Iterable[tuple[list[str], int]]:
    """For each text its words as they stand, and how many double-encoded characters it has."""
    if n_jobs == 1:
        return map(_cut, texts)
    from joblib import delayed

    iterator = iter(texts)
    blocks = iter(lambda: list(islice(iterator, _BLOCK)), [])
    done = parallel(n_jobs)(delayed(_cut_block)(block) for block in blocks)
    return chain.from_iterable(done)


def parallel(n_jobs: int) -> Any:
    """joblib's Parallel that gives results as they come, in order; all at once where the backend knows no other way."""
    from joblib import Parallel

    try:
        return Parallel(n_jobs=n_jobs, return_as="generator")
    except ValueError:  # multiprocessing
        return Parallel(n_jobs=n_jobs)


def _cut(text: str) -> tuple[list[str], int]:
    return forms(text), repairs(text)


def _cut_block(texts: list[str]) -> list[tuple[list[str], int]]:
    return [_cut(text) for text in texts]


def expand(starts: NDArray[Any], sizes: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers of `sizes[i]` places from `starts[i]` on, for every i, one after another.

    >>> expand(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(sizes, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    places: NDArray[np.int64] = np.arange(total, dtype=np.int64) + np.repeat(starts - ends + sizes, sizes)
    return places


def _counts(
    tokens: Ints, token_offsets: NDArray[np.int64], form_offsets: NDArray[Any], form_terms: Ints, terms: int
) -> sparse.csc_matrix:
    passages = len(token_offsets) - 1
    starts, sizes = form_offsets[:-1][tokens], np.diff(form_offsets)[tokens]
    columns = form_terms[expand(starts, sizes)]
    rows = np.repeat(np.repeat(np.arange(passages, dtype=np.int32), np.diff(token_offsets)), sizes)
    ones = np.ones(len(columns), dtype=np.int32)
    counts = sparse.csc_matrix(sparse.coo_matrix((ones, (rows, columns)), shape=(passages, terms)), dtype=np.int32)
    counts.sum_duplicates()
    counts.sort_indices()
    return counts


def _lines(path: Path) -> tuple[str, ...]:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error}); build the index again") from None
    return tuple(text.split("\n")[:-1])


def _array(path: Path, dtype: type) -> NDArray[Any]:
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (EOFError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as an array ({error}); build the index again") from None
    if array.dtype != dtype or array.ndim != 1:
        raise InputError(f"{path}: holds {array.ndim}-dimensional {array.dtype}, not {np.dtype(dtype)}; build again")
    return array
