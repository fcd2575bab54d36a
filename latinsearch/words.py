"""The words of many passages as they stand, numbered once: what the index of every analyzer is made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latinsearch.progress import uncollected
from latinsearch.records import Passage
from latinsearch.tokenizer import forms, repairs

_BLOCK = 4096  # passages a parallel task


class Words(NamedTuple):
    """The words of passages, 4 bytes each.

    forms: the words as they stand, numbered in first-seen order. numbers: the words of all passages one after another;
    those of passage `p` are `numbers[offsets[p]:offsets[p + 1]]`. works: for each passage the number of its work in
    `work_names`. repaired: double-encoded characters that were read as what they stand for.
    """

    forms: tuple[str, ...]
    numbers: NDArray[np.int32]
    offsets: NDArray[np.int64]
    works: NDArray[np.int32]
    work_names: tuple[str, ...]
    repaired: int


class _Block(NamedTuple):
    """What a process gives back of some texts: much less to carry than their words."""

    forms: list[str]
    numbers: NDArray[np.int32]
    sizes: NDArray[np.int32]
    repaired: int


def words_of(passages: Iterable[Passage], *, n_jobs: int = 1) -> Words:
    """The words of passages, which are taken one by one and not kept; with n_jobs other than 1 cut in parallel processes.

    >>> words = words_of([Passage("a", "Arma virumque arma"), Passage("b", "arma")])
    >>> words.forms, words.numbers.tolist(), words.offsets.tolist()
    (('Arma', 'virumque', 'arma'), [0, 1, 2, 2], [0, 3, 4])
    """
    known: dict[str, int] = {}
    works: dict[str, int] = {}
    work_of: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
    numbers, sizes, repaired = [np.zeros(0, dtype=np.int32)], [np.zeros(1, dtype=np.int64)], 0

    def texts() -> Iterator[list[str]]:
        remaining = iter(passages)
        while block := list(islice(remaining, _BLOCK)):
            of = [works.setdefault(work_name(passage), len(works)) for passage in block]
            work_of.append(np.array(of, dtype=np.int32))
            yield [passage.text for passage in block]

    with uncollected():
        for block in _blocks(texts(), n_jobs):
            number_of = np.array([known.setdefault(form, len(known)) for form in block.forms], dtype=np.int32)
            numbers.append(number_of[block.numbers])
            sizes.append(block.sizes.astype(np.int64))
            repaired += block.repaired
    return Words(
        forms=tuple(known),
        numbers=np.concatenate(numbers),
        offsets=np.cumsum(np.concatenate(sizes), dtype=np.int64),
        works=np.concatenate(work_of),
        work_names=tuple(works),
        repaired=repaired,
    )


def work_name(passage: Passage) -> str:
    """Author and work of a passage, as far as its meta names them; passages without either are one work."""
    return " ".join(" ".join(str(passage.meta.get(name, "")) for name in ("author", "work")).split())


def parallel(n_jobs: int) -> Any:
    """joblib's Parallel that gives results as they come, in order; all at once where the backend knows no other way."""
    from joblib import Parallel

    try:
        return Parallel(n_jobs=n_jobs, return_as="generator")
    except ValueError:  # multiprocessing
        return Parallel(n_jobs=n_jobs)


def _blocks(texts: Iterable[list[str]], n_jobs: int) -> Iterable[_Block]:
    if n_jobs == 1:
        return map(_cut, texts)
    from joblib import delayed

    blocks: Iterable[_Block] = parallel(n_jobs)(delayed(_cut)(block) for block in texts)
    return blocks


def _cut(texts: list[str]) -> _Block:
    known: dict[str, int] = {}
    numbers: list[int] = []
    sizes = []
    repaired = 0
    for text in texts:
        words = forms(text)
        numbers += [known.setdefault(word, len(known)) for word in words]
        sizes.append(len(words))
        repaired += repairs(text)
    return _Block(list(known), np.array(numbers, dtype=np.int32), np.array(sizes, dtype=np.int32), repaired)
