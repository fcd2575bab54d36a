"""What an index folder holds: its files are opened together, and each is checked before anything of it is used."""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from latinsearch.records import InputError, Passage
from latinsearch.storage import META

SMALL = 1 << 20
"""Files of up to so many bytes are checked when the folder is opened, greater ones when they are first used."""
_BLOCK = 1 << 16  # bytes of passages that are checked together

PASSAGES = "passages.jsonl"
STARTS = "passage_starts.npy"
"""Where each passage's line begins, and one more where the last ends: 64-bit."""
SUMS = "passage_sums.npy"
"""The CRC-32 of each 65,536 bytes of the passages, so that those of a hit can be checked without reading all."""
DOC_IDS = "doc_ids.txt"
ORDER = "doc_id_order.npy"
"""The passages in the order of their doc_ids, by which equal scores stand."""
FILES = (PASSAGES, STARTS, SUMS, DOC_IDS, ORDER)


class _File(NamedTuple):
    path: Path
    data: mmap.mmap | bytes
    sha256: str


class Stored:
    """The files of an index folder, mapped into memory; a writer who replaces the folder does not disturb them.

    Raises InputError naming the file if one is missing, has another size than `meta.json` states, is small and damaged, or
    is no array although its name says so; later, when a damaged one is first used.
    """

    def __init__(self, folder: Path, meta: Mapping[str, Any]) -> None:
        self.folder = folder
        self._files = {name: _opened(folder / name, facts) for name, facts in meta["files"].items()}
        self._unchecked = set(self._files)
        for name, file in self._files.items():
            if len(file.data) <= SMALL:
                self.data(name)
        self._headers = {name: _header(file) for name, file in self._files.items() if name.endswith(".npy")}

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def path(self, name: str) -> Path:
        """Where a file is."""
        return self._files[name].path

    def unchecked(self, name: str) -> mmap.mmap | bytes:
        """The bytes of a file as they are."""
        return self._files[name].data

    def data(self, name: str) -> mmap.mmap | bytes:
        """The bytes of a file whose checksum is right."""
        path, data, sha256 = self._files[name]
        if name in self._unchecked:
            if hashlib.sha256(data).hexdigest() != sha256:
                raise InputError(f"{path}: its checksum differs from that in {META}; build the index again")
            self._unchecked.discard(name)
        return data

    def length(self, name: str) -> int:
        """How many entries an array has, by its header."""
        return self._headers[name].length

    def array(self, name: str, dtype: type) -> NDArray[Any]:
        """An array, mapped and read-only. Raises InputError if it is not of that type."""
        header = self._headers[name]
        if header.dtype != dtype:
            raise InputError(f"{self.path(name)}: holds {header.dtype}, not {np.dtype(dtype)}; build the index again")
        return np.frombuffer(self.data(name), dtype=dtype, count=header.length, offset=header.size)

    def lines(self, name: str) -> tuple[str, ...]:
        """The lines of a text. Raises InputError if it is not UTF-8."""
        try:
            text = bytes(self.data(name)).decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{self.path(name)}: not UTF-8 ({error}); build the index again") from None
        return tuple(text.split("\n")[:-1])


class StoredParts(Mapping[str, Any]):
    """The parts of a field in a folder of its own, by name: lists from `.txt`, arrays from `.npy`, read when asked for."""

    def __init__(self, stored: Stored, folder: str, dtypes: Mapping[str, type], sizes: Mapping[str, int]) -> None:
        """dtypes: the arrays' types. sizes: how many entries each part must have. Raises InputError for one that has not."""
        self._stored, self._folder, self._dtypes, self._sizes = stored, folder, dtypes, sizes
        self._known: dict[str, Any] = {}
        for name in sizes:
            file = self._file(name)
            if file not in stored:
                raise InputError(f"{stored.folder / META}: does not name {file}; build the index again")
            if name in dtypes:
                self._sized(name, stored.length(file))

    def _file(self, name: str) -> str:
        return f"{self._folder}/{name}.{'npy' if name in self._dtypes else 'txt'}"

    def _sized(self, name: str, size: int) -> None:
        if size != self._sizes[name]:
            path = self._stored.path(self._file(name))
            raise InputError(f"{path}: has {size} entries, {META} states {self._sizes[name]}; build the index again")

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            file = self._file(name)
            if name not in self._sizes:
                raise KeyError(name)
            if name in self._dtypes:
                self._known[name] = self._stored.array(file, self._dtypes[name])
            else:
                lines = self._stored.lines(file)
                self._sized(name, len(lines))
                self._known[name] = lines
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)


class StoredPassages(Sequence[Passage]):
    """The passages of an index folder, each read from its line when it is asked for.

    Raises InputError naming file and line if that is damaged.
    """

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._data = stored.unchecked(PASSAGES)
        self._starts = stored.array(STARTS, np.int64)
        self._sums = stored.array(SUMS, np.uint32)
        self._checked = bytearray(len(self._sums))
        self._known: dict[int, Passage] = {}
        self._doc_ids: tuple[str, ...] | None = None
        blocks = -(-len(self._data) // _BLOCK)
        fits = len(self._starts) and self._starts[0] == 0 and self._starts[-1] == len(self._data)
        if not fits or len(self._sums) != blocks or stored.length(ORDER) != len(self):
            raise InputError(f"{stored.folder}: the files of the passages do not fit together; build the index again")

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> Passage: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, place: int | slice) -> Passage | tuple[Passage, ...]:
        if isinstance(place, slice):
            return tuple(self._read(each) for each in range(*place.indices(len(self))))
        number = place + len(self) if place < 0 else place
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} passages, none at {place}")
        known = self._known.get(number)
        if known is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            known = self._known[number] = self._read(number)
        return known

    def __iter__(self) -> Iterator[Passage]:
        return map(self._read, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels to another process: the passages themselves."""
        return tuple, (tuple(self),)

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The doc_ids of all passages, which is faster than asking each."""
        if self._doc_ids is None:
            self._doc_ids = self._stored.lines(DOC_IDS)
            if len(self._doc_ids) != len(self):
                path = self._stored.path(DOC_IDS)
                raise InputError(f"{path}: has {len(self._doc_ids)} lines for {len(self)} passages; build again")
        return self._doc_ids

    @property
    def order(self) -> NDArray[np.int32]:
        """The places of the passages in the order of their doc_ids."""
        return self._stored.array(ORDER, np.int32)

    def _read(self, number: int) -> Passage:
        start, end = int(self._starts[number]), int(self._starts[number + 1])
        for block in range(start // _BLOCK, -(-end // _BLOCK)):
            if not self._checked[block]:
                if zlib.crc32(self._data[block * _BLOCK : (block + 1) * _BLOCK]) != self._sums[block]:
                    at = f"{self._stored.path(PASSAGES)}, line {number + 1}"
                    raise InputError(f"{at}: its checksum differs from that in {SUMS}; build the index again")
                self._checked[block] = 1
        try:
            return Passage(**json.loads(self._data[start:end]))
        except (ValueError, TypeError, RecursionError) as error:
            path = self._stored.path(PASSAGES)
            raise InputError(f"{path}, line {number + 1}: not a passage ({error}); build the index again") from None


_KNOWN = 20_000  # passages that are kept once they have been read


def written(passages: Iterable[Passage], folder: Path) -> Iterator[Passage]:
    """The passages one by one, each written into a folder on the way, and with the last what `StoredPassages` needs beside.

    In memory are only the doc_ids. Raises InputError if a doc_id repeats.
    """
    starts, doc_ids = array("q", [0]), []
    sums, pending = array("L"), bytearray()
    with (folder / PASSAGES).open("wb") as file:
        for passage in passages:
            line = {"doc_id": passage.doc_id, "text": passage.text, "ref": passage.ref, "meta": dict(passage.meta)}
            data = json.dumps(line, ensure_ascii=False, sort_keys=True).encode() + b"\n"
            file.write(data)
            starts.append(starts[-1] + len(data))
            doc_ids.append(passage.doc_id)
            pending += data
            while len(pending) >= _BLOCK:
                sums.append(zlib.crc32(pending[:_BLOCK]))
                del pending[:_BLOCK]
            yield passage
    if pending:
        sums.append(zlib.crc32(pending))
    np.save(folder / STARTS, np.array(starts, dtype=np.int64))
    np.save(folder / SUMS, np.array(sums, dtype=np.uint32))
    np.save(folder / ORDER, np.array(order_of(doc_ids), dtype=np.int32))
    with (folder / DOC_IDS).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{doc_id}\n" for doc_id in doc_ids)


def checksum(passages: Iterable[Passage]) -> str:
    """16 hexadecimal digits that name passages, their ids and texts, in whatever order they come.

    >>> one, other = Passage("a", "arma"), Passage("b", "uirum")
    >>> checksum([one, other]) == checksum([other, one])
    True
    """
    return _digest(sorted(_line(passage.doc_id, passage.text) for passage in passages))


def checksum_of_written(folder: Path) -> str:
    """The `checksum` of the passages that `written` has left in a folder, without all of them in memory."""
    doc_ids = (folder / DOC_IDS).read_text(encoding="utf-8").split("\n")[:-1]
    # The lines of the checksum stand in the order of their JSON, which is that of the doc_ids unless there are such letters.
    as_json = any(_UNLIKE_JSON.search(doc_id) for doc_id in doc_ids)
    order = sorted(range(len(doc_ids)), key=lambda place: _quoted(doc_ids[place])) if as_json else order_of(doc_ids)
    starts = np.load(folder / STARTS, mmap_mode="r", allow_pickle=False)
    with (folder / PASSAGES).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        texts = (json.loads(data[starts[place] : starts[place + 1]])["text"] for place in order)
        return _digest(_line(doc_ids[place], text) for place, text in zip(order, texts, strict=True))


_UNLIKE_JSON = re.compile(r'[\x00-!"\\]')


def _line(doc_id: str, text: str) -> str:
    return (
        f"[{_quoted(doc_id)}, {_quoted(text)}]\n"  # json.dumps([doc_id, text], ensure_ascii=False), four times as fast
    )


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()[:16]


def order_of(doc_ids: Sequence[str]) -> list[int]:
    """The places of doc_ids in the order of their letters. Raises InputError if one repeats."""
    order = sorted(range(len(doc_ids)), key=doc_ids.__getitem__)
    if any(doc_ids[one] == doc_ids[next_] for one, next_ in pairwise(order)):
        counts = Counter(doc_ids)
        repeated = [doc_id for doc_id, count in counts.items() if count > 1]
        raise InputError(
            f"{len(repeated)} doc_ids repeat, the first is {repeated[0]!r} ({counts[repeated[0]]} times); "
            f"each passage needs an id of its own"
        )
    return order


def _opened(path: Path, facts: Mapping[str, Any]) -> _File:
    try:
        with path.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"{path}: missing from the index; build it again") from None
    if size != facts["size"]:
        raise InputError(f"{path}: has {size} bytes, {META} states {facts['size']}; build the index again")
    return _File(path, data, facts["sha256"])


class _Header(NamedTuple):
    dtype: np.dtype[Any]
    length: int
    size: int


def _header(file: _File) -> _Header:
    """The header of an array file, which must have one dimension, and all of its bytes."""
    stream = io.BytesIO(file.data[:4096])
    try:
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, dtype = read(stream)
    except Exception as error:  # numpy reads the header as a Python literal, and lets every error of that through
        raise InputError(f"{file.path}: cannot be read as an array ({error}); build the index again") from None
    start = stream.tell()
    if dtype.hasobject or len(shape) != 1 or start + shape[0] * dtype.itemsize != len(file.data):
        raise InputError(f"{file.path}: cannot be read as an array ({dtype}, {shape}); build the index again")
    return _Header(dtype, int(shape[0]), start)
