"""What the scorers need of a set of passages: vocabulary, counts, lengths and the words in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latinsearch.analyzer import Analyzer, Entry, Term
from latinsearch.progress import uncollected
from latinsearch.records import Passage
from latinsearch.words import Words, words_of

Ints = NDArray[np.int32]

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
POSTINGS = {"starts": np.int64, "rows": np.int32, "counts": np.int32}
"""The arrays of the counts of each shard and their types, the files `shard-<number>/<name>.npy`."""


@dataclass(frozen=True, eq=False)
class Index:
    """The words of passages in the form in which they are counted and found.

    parts: LISTS, ARRAYS and, for each shard, POSTINGS, by their names: a dict, or the files of a folder that are opened
    when they are asked for. bounds: shard `s` has the passages from `bounds[s]` to before `bounds[s + 1]`. unknown: words
    that no lemmatizer knew. repaired: double-encoded characters read as what they stand for.
    """

    parts: Mapping[str, Any]
    bounds: tuple[int, ...]
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
        return Index.of(words_of(passages, n_jobs=n_jobs), analyzer)

    @staticmethod
    def of(words: Words, analyzer: Analyzer, *, shards: int = 1, before: Index | None = None) -> Index:
        """An index of words that an analyzer reads; each distinct word is analyzed once.

        shards: the counts are kept in so many parts, each of as many passages as the others or one more. before: an index
        by the same analyzer, whose passages stand before these; what comes is the index of both together.
        """
        vocabulary = {} if before is None else dict(before.term_ids)
        form_ids = {} if before is None else before._form_ids()
        form_terms: list[list[int]] = []  # of the forms that `before` lacks
        sizes_of: dict[int, tuple[int, bool]] = {}  # of each form that stands in the words: its terms, whether unknown

        def ids(form: str) -> list[int]:
            """The numbers of the folded words that a form gives: one, or two where an elision is undone."""
            found = []
            read = analyzer.entries(form)
            for entries in [read] if len(read) == 1 else _by_word(read):
                key = (entries[0].folded, tuple(chain.from_iterable(entry.candidates for entry in entries)))
                number = form_ids.get(key)
                if number is None:
                    number = form_ids[key] = len(form_ids)
                    form_terms.append([vocabulary.setdefault(term, len(vocabulary)) for term in key[1]])
                if number not in sizes_of:
                    sizes_of[number] = len(entries), any(entry.source == "unknown" for entry in entries)
                found.append(number)
            return found

        with uncollected():
            of_words = [ids(form) for form in words.forms]
        tokens, token_offsets = _tokens(words, of_words)
        sizes, unknown = np.zeros(len(form_ids), np.int64), np.zeros(len(form_ids), np.int64)
        for number, (size, is_unknown) in sizes_of.items():
            sizes[number], unknown[number] = size, is_unknown
        summed = np.concatenate([[0], np.cumsum(sizes[tokens])])
        lengths = (summed[token_offsets[1:]] - summed[token_offsets[:-1]]).astype(np.int32)
        form_offsets = np.cumsum([0, *map(len, form_terms)], dtype=np.int64).astype(np.int32)
        flat_terms = np.array(list(chain.from_iterable(form_terms)), dtype=np.int32)
        works, work_names = words.works, words.work_names
        count = int(unknown[tokens].sum())
        if before is not None:
            form_offsets = np.concatenate([before.form_offsets, form_offsets[1:] + before.form_offsets[-1]])
            flat_terms = np.concatenate([before.form_terms, flat_terms])
            token_offsets = np.concatenate([before.token_offsets, token_offsets[1:] + before.token_offsets[-1]])
            tokens, lengths = np.concatenate([before.tokens, tokens]), np.concatenate([before.lengths, lengths])
            names = {name: number for number, name in enumerate(before.work_names)}
            numbers = np.array([names.setdefault(name, len(names)) for name in work_names], dtype=np.int32)
            works, work_names = np.concatenate([before.works, numbers[works]]), tuple(names)
        parts: dict[str, Any] = {
            "vocabulary": tuple(vocabulary),
            "forms": tuple(folded for folded, _ in form_ids),
            "work_names": work_names,
            "form_offsets": form_offsets,
            "form_terms": flat_terms,
            "tokens": tokens,
            "token_offsets": token_offsets,
            "lengths": lengths,
            "works": works,
        }
        bounds = tuple(len(lengths) * number // shards for number in range(shards + 1))
        repaired = words.repaired + (0 if before is None else before.repaired)
        index = Index(parts, bounds, count + (0 if before is None else before.unknown), repaired)
        for number in range(shards):
            counts = index.counted(number)
            for (name, dtype), array in zip(
                POSTINGS.items(), (counts.indptr, counts.indices, counts.data), strict=True
            ):
                parts[shard_name(number, name)] = array.astype(dtype, copy=False)
        return index

    def counted(self, number: int) -> sparse.csc_matrix:
        """`shard` of the number, counted from the words."""
        first, after = self.bounds[number : number + 2]
        start, end = self.token_offsets[first], self.token_offsets[after]
        offsets = self.token_offsets[first : after + 1] - start
        return _counts(self.tokens[start:end], offsets, self.form_offsets, self.form_terms, len(self.vocabulary))

    def _form_ids(self) -> dict[tuple[str, tuple[str, ...]], int]:
        """The number of each form with its terms."""
        terms = [self.vocabulary[term] for term in self.form_terms.tolist()]
        bounds = pairwise(self.form_offsets.tolist())
        pairs = zip(self.forms, bounds, strict=True)
        return {(form, tuple(terms[start:end])): number for number, (form, (start, end)) in enumerate(pairs)}

    def __len__(self) -> int:
        return self.bounds[-1]

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: the parts themselves, since a file may have been replaced before it is opened."""
        return {**vars(self), "parts": dict(self.parts)}

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The terms, numbered in first-seen order."""
        return tuple(self.parts["vocabulary"])

    @property
    def forms(self) -> tuple[str, ...]:
        """The folded words, numbered in first-seen order."""
        return tuple(self.parts["forms"])

    @property
    def work_names(self) -> tuple[str, ...]:
        """The names of the works, by author and title."""
        return tuple(self.parts["work_names"])

    @property
    def form_offsets(self) -> Ints:
        """Where each form's terms begin in `form_terms`, and one more where the last's end."""
        return self._array("form_offsets")

    @property
    def form_terms(self) -> Ints:
        """The terms of each form, one form after another; candidates in their order."""
        return self._array("form_terms")

    @property
    def tokens(self) -> Ints:
        """The forms of all passages one after another, so a word's position is its place there; 4 bytes a word."""
        return self._array("tokens")

    @property
    def token_offsets(self) -> NDArray[np.int64]:
        """Where each passage's words begin in `tokens`, and one more where the last's end."""
        return self._array("token_offsets")

    @property
    def lengths(self) -> Ints:
        """Terms to a passage, each word counted once however many candidates it has (n-grams: all of them)."""
        return self._array("lengths")

    @property
    def works(self) -> Ints:
        """For each passage the number of its work in `work_names`."""
        return self._array("works")

    def _array(self, name: str) -> NDArray[Any]:
        array: NDArray[Any] = self.parts[name]
        return array

    def shard(self, number: int) -> sparse.csc_matrix:
        """Passages of a shard x terms, how often a term stands in a passage, stored by term.

        A word with several candidates counts for each.
        """
        passages = self.bounds[number + 1] - self.bounds[number]
        return columns(*self.shard_postings(number), self.parts[shard_name(number, "counts")], passages)

    def shard_postings(self, number: int) -> tuple[NDArray[np.int64], Ints]:
        """Where each term's postings begin, and the passages of each, numbered within the shard."""
        return self.parts[shard_name(number, "starts")], self.parts[shard_name(number, "rows")]

    @property
    def shards(self) -> int:
        """The number of parts that the counts are kept in."""
        return len(self.bounds) - 1

    @cached_property
    def counts(self) -> sparse.csc_matrix:
        """Passages x terms: the counts of all shards together."""
        if self.shards == 1:
            return self.shard(0)
        return sparse.vstack([self.shard(number) for number in range(self.shards)], format="csc")

    @cached_property
    def df(self) -> NDArray[np.int64]:
        """Of each term the number of passages that hold it."""
        starts = (self.parts[shard_name(number, "starts")] for number in range(self.shards))
        found: NDArray[np.int64] = np.sum([np.diff(each) for each in starts], axis=0, dtype=np.int64)
        return found

    @cached_property
    def frequencies(self) -> NDArray[np.int64]:
        """Of each term the number of words that have it."""
        summed = (self.shard(number).sum(axis=0, dtype=np.int64) for number in range(self.shards))
        found: NDArray[np.int64] = np.sum([np.asarray(each).ravel() for each in summed], axis=0)
        return found

    @cached_property
    def term_ids(self) -> dict[str, int]:
        """The number of each term."""
        return {term: number for number, term in enumerate(self.vocabulary)}

    @cached_property
    def canonical(self) -> NDArray[np.intp]:
        """The terms in the order of their letters: sums over it do not depend on the order in which passages came."""
        vocabulary = self.vocabulary
        return np.array(sorted(range(len(vocabulary)), key=vocabulary.__getitem__), dtype=np.intp)

    def known_terms(self, term: Term) -> tuple[int, ...]:
        """The numbers of a query term's candidates that the vocabulary has, in their order."""
        return tuple(self.term_ids[c] for c in term.candidates if c in self.term_ids)

    def save(self, folder: Path) -> None:
        """Write the index into a folder: lists one entry a line, arrays as `.npy`."""
        for name in LISTS:
            lines = "".join(f"{line}\n" for line in self.parts[name])
            (folder / f"{name}.txt").write_text(lines, encoding="utf-8", newline="\n")
        for name, dtype in ARRAYS.items():
            np.save(folder / f"{name}.npy", np.ascontiguousarray(self.parts[name], dtype=dtype))
        for number in range(self.shards):
            (folder / shard_name(number, "")).mkdir()
            for name, dtype in POSTINGS.items():
                path = shard_name(number, name)
                np.save(folder / f"{path}.npy", np.ascontiguousarray(self.parts[path], dtype=dtype))

    @property
    def sizes(self) -> dict[str, int]:
        """How many entries each part has."""
        return {name: len(part) for name, part in self.parts.items()}


def shard_name(number: int, name: str) -> str:
    """What a part of a shard is called.

    >>> shard_name(0, "rows")
    'shard-0/rows'
    """
    return f"shard-{number}/{name}"


def part_types(shards: int) -> dict[str, type]:
    """The types of all arrays of an index, by their names."""
    of_shards = {shard_name(number, name): dtype for number in range(shards) for name, dtype in POSTINGS.items()}
    return {**ARRAYS, **of_shards}


def columns(starts: NDArray[Any], rows: Ints, data: NDArray[Any], passages: int) -> sparse.csc_matrix:
    """Passages x terms of postings that are in order, which are not copied."""
    matrix = sparse.csc_matrix((passages, len(starts) - 1), dtype=data.dtype)
    matrix.data, matrix.indices, matrix.indptr = data, rows, starts
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    return matrix


def expand(starts: NDArray[Any], sizes: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers of `sizes[i]` places from `starts[i]` on, for every i, one after another.

    >>> expand(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(sizes, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    places: NDArray[np.int64] = np.arange(total, dtype=np.int64) + np.repeat(starts - ends + sizes, sizes)
    return places


def _by_word(entries: Iterable[Entry]) -> Iterator[tuple[Entry, ...]]:
    """The entries of each word: the n-grams of one word are one form."""
    return (tuple(grouped) for _, grouped in groupby(entries, key=attrgetter("folded")))


def _tokens(words: Words, of_words: list[list[int]]) -> tuple[Ints, NDArray[np.int64]]:
    """The forms of all passages, and where each passage's begin."""
    sizes = np.array([len(numbers) for numbers in of_words], dtype=np.int64)
    flat = np.array(list(chain.from_iterable(of_words)), dtype=np.int32)
    if (sizes == 1).all():
        return flat[words.numbers], words.offsets
    starts = np.cumsum(sizes) - sizes
    tokens = flat[expand(starts[words.numbers], sizes[words.numbers])]
    ends = np.concatenate([[0], np.cumsum(sizes[words.numbers])])
    return tokens, ends[words.offsets]


def _counts(
    tokens: Ints, token_offsets: NDArray[np.int64], form_offsets: NDArray[Any], form_terms: Ints, terms: int
) -> sparse.csc_matrix:
    passages = len(token_offsets) - 1
    starts, sizes = form_offsets[:-1][tokens], np.diff(form_offsets)[tokens]
    ends = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    found = form_terms[expand(starts, sizes)]
    del starts, sizes
    # Passages x terms, a word after another, turned to columns: a counting sort, so each term's passages ascend.
    by_passage = sparse.csr_matrix((np.ones(len(found), dtype=np.int32), found, ends[token_offsets]), (passages, terms))
    counts = by_passage.tocsc()
    counts.sum_duplicates()
    return counts
