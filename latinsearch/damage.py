"""What is wrong with an index folder: every file read in full, and each compared with the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from latinsearch.lemmatizers import Lemmatizer
from latinsearch.records import InputError
from latinsearch.retriever import Field, load
from latinsearch.scorers import BM25, TfIdf
from latinsearch.storage import file_facts, files_in, read_meta
from latinsearch.stored import Stored, StoredPassages, checksum

_AGAIN = "build the index again"


def damages(folder: str | os.PathLike[str], *, lemmatizer: str | Lemmatizer | None = None) -> list[str]:
    """Everything that is wrong with an index folder, each with the file's name; nothing if it is whole.

    >>> damages("no-such-index")
    ['no-such-index: no such folder; `latinsearch index TEXTS --output no-such-index` makes an index']

    Where every file has the size and the sha256 that `meta.json` states, the passages are read and compared with their
    ids, order and checksum, and what is made from other parts is made again: counts from the words, weights from the counts.
    lemmatizer: the callable that the index was built with, if it was; without it that last part is left out.
    """
    folder = Path(folder)
    try:
        return list(_of_files(folder)) or list(_of_contents(folder, lemmatizer))
    except (InputError, OSError) as error:
        return [str(error)]


def _of_files(folder: Path) -> Iterator[str]:
    meta = read_meta(folder)
    for name, stated in meta["files"].items():
        path = folder / name
        if not path.is_file():
            yield f"{path}: missing from the index; {_AGAIN}"
            continue
        facts = file_facts(path)
        if facts["size"] != stated["size"]:
            yield f"{path}: has {facts['size']} bytes, meta.json states {stated['size']}; {_AGAIN}"
        elif facts["sha256"] != stated["sha256"]:
            yield f"{path}: its checksum differs from that in meta.json; {_AGAIN}"
    for name in sorted(files_in(folder) - meta["files"].keys() - {"meta.json"}):
        yield f"{folder / name}: is not part of the index; move it elsewhere"


def _of_contents(folder: Path, lemmatizer: str | Lemmatizer | None) -> Iterator[str]:
    meta = read_meta(folder)
    passages = StoredPassages(Stored(folder, meta))
    doc_ids = passages.doc_ids
    for number, (passage, doc_id) in enumerate(zip(passages, doc_ids, strict=True), 1):
        if passage.doc_id != doc_id:
            yield f"{folder}: passage {number} is {passage.doc_id!r}, in doc_ids.txt {doc_id!r}; {_AGAIN}"
            return
    if any(doc_ids[one] >= doc_ids[after] for one, after in pairwise(passages.order.tolist())):
        yield f"{folder}: the order of the doc_ids is not theirs; {_AGAIN}"
    if checksum(passages) != meta["checksum"]:
        yield f"{folder}: the passages are not those of the checksum {meta['checksum']}; {_AGAIN}"
    if lemmatizer is None and any(field["analyzer"]["lemmatizer"] is None for field in meta["fields"]):
        return
    for field in load(folder, lemmatizer=lemmatizer).fields:
        yield from (f"{folder}, field {field.name}: {fault}; {_AGAIN}" for fault in _of_field(field))


def _of_field(field: Field) -> Iterator[str]:
    index = field.index
    for what, array, size in (
        ("tokens", index.tokens, len(index.forms)),
        ("form_terms", index.form_terms, len(index.vocabulary)),
        ("works", index.works, len(index.work_names)),
    ):
        if len(array) and (array.min() < 0 or array.max() >= size):
            yield f"{what} has a number out of range"
            return
    for name, offsets, end in (
        ("form_offsets", index.form_offsets, len(index.form_terms)),
        ("token_offsets", index.token_offsets, len(index.tokens)),
    ):
        if offsets[0] != 0 or offsets[-1] != end or (np.diff(offsets) < 0).any():
            yield f"{name} does not rise from 0 to {end}"
            return
    for number in range(index.shards):
        counted, kept = index.counted(number), index.shard(number)
        if any(
            not np.array_equal(getattr(counted, name), getattr(kept, name)) for name in ("indptr", "indices", "data")
        ):
            yield f"the counts of shard {number} are not those of the words"
            return
    if isinstance(field.scorer, BM25 | TfIdf):
        kept, made = field.fitted, field.scorer.fit(index)
        pairs = zip(kept.parts().values(), made.parts().values(), strict=True)  # type: ignore[attr-defined]
        if not all(np.allclose(one, other, rtol=1e-6, atol=0) for one, other in pairs):
            yield "the weights are not those of the counts"
