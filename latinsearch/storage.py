"""An index folder on disk: written beside and renamed in one step, checked in full when it is read, never executed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from latinsearch.records import VERSION, InputError, Passage

FORMAT = 1
"""The number of the format; a change that older code cannot read raises it."""
META = "meta.json"


def write(folder: Path, meta: dict[str, Any], fill: Callable[[Path], None]) -> None:
    """Make a folder of what `fill` writes and a `meta.json` with format, version, `meta`, and every file's size and sha256.

    It is written beside and then renamed, so that a crash leaves the old index or none, never half of one. An index that
    is there is replaced. Raises InputError if the path is something else that would be lost.
    """
    folder = folder.resolve()  # a link stays, what it points to is replaced; `.` has a name
    check_free(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".new", dir=folder.parent))
    try:
        try:
            fill(beside)
        except OSError as error:  # numpy's do not name the file, and a full disk has no other name
            raise OSError(
                f"{folder}: the index could not be written ({error}); what was there before is as it was"
            ) from error
        files = {path.relative_to(beside).as_posix(): _facts(path) for path in sorted(_files(beside))}
        content = {"format": FORMAT, "version": VERSION, **meta, "files": files}
        text = json.dumps({**content, "sha256": _digest(content)}, indent=1, ensure_ascii=False)
        (beside / META).write_text(text + "\n", encoding="utf-8", newline="\n")
        beside.chmod(0o777 & ~_umask())  # mkdtemp makes it private
        _replace(folder, beside)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def check_free(folder: Path) -> None:
    """Raise InputError if there is something at the path that an index must not replace."""
    if not folder.exists():
        return
    if not (folder.is_dir() and (not any(folder.iterdir()) or _is_index(folder))):
        raise InputError(
            f"{folder} exists and is not an index of latinsearch; give another folder, nothing was changed"
        )
    if foreign := sorted(_files_in(folder) - _listed(folder)):
        raise InputError(f"{folder / foreign[0]} is not part of the index there and would be lost; move it elsewhere")
    if folder.resolve() == Path.cwd():
        raise InputError(f"{folder} is the current folder and cannot be replaced; give the index a folder of its own")


def _replace(folder: Path, new: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    old = new.with_suffix(".old")
    try:
        folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if not folder.exists():
                old.rename(folder)
            raise
    except OSError as error:
        raise OSError(f"{folder}: could not be replaced ({error}); does another process write there?") from error
    shutil.rmtree(old)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _is_index(folder: Path) -> bool:
    try:
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(meta, dict) and {"format", "version", "signature", "files"} <= meta.keys()


def _listed(folder: Path) -> set[str]:
    """The files that an index folder should hold."""
    if not (folder / META).is_file():
        return set()
    return {META, *json.loads((folder / META).read_text(encoding="utf-8"))["files"]}


def _files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if not path.is_dir())


def _facts(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"size": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def read_meta(folder: Path) -> dict[str, Any]:
    """The `meta.json` of an index folder, once every file in it is there with the size and sha256 that it states.

    Raises FileNotFoundError if there is no folder, InputError naming file and way out for everything else.
    """
    if not folder.exists():
        raise FileNotFoundError(f"{folder}: no such folder; `latinsearch index TEXTS --output {folder}` makes an index")
    if not (folder / META).is_file():
        raise InputError(f"{folder}: not an index of latinsearch, it has no {META}; `latinsearch index` makes one")
    try:
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
        number, files = meta["format"], meta["files"]
        stated = {name: (facts["size"], facts["sha256"]) for name, facts in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{folder / META}: damaged or not of latinsearch ({error!r}); build the index again") from None
    if number != FORMAT or isinstance(number, bool):
        needs = f"latinsearch {meta.get('version', 'of another version')} wrote it"
        raise InputError(
            f"{folder}: index format {number}, this version reads {FORMAT}; {needs}: use that, or build again"
        )
    if meta.pop("sha256", None) != _digest(meta):
        raise InputError(f"{folder / META}: its checksum is not that of what it says; build the index again")
    for name, (size, sha256) in stated.items():
        path = folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise InputError(f"{folder / META}: names a file outside the folder, {name!r}; do not trust this index")
        if not path.is_file():
            raise InputError(f"{path}: missing from the index; build it again")
        if path.stat().st_size != size:
            raise InputError(f"{path}: has {path.stat().st_size} bytes, {META} states {size}; build the index again")
        if _facts(path)["sha256"] != sha256:
            raise InputError(f"{path}: its checksum differs from that in {META}; build the index again")
    checked: dict[str, Any] = meta
    return checked


def write_passages(passages: Iterable[Passage], path: Path) -> None:
    """The passages as JSONL, one object a line with doc_id, text, ref and meta."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for passage in passages:
            line = {"doc_id": passage.doc_id, "text": passage.text, "ref": passage.ref, "meta": dict(passage.meta)}
            file.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")


def read_passages(path: Path) -> tuple[Passage, ...]:
    """The passages that `write_passages` wrote. Raises InputError naming file and line."""
    passages = []
    with path.open(encoding="utf-8", newline="\n") as file:
        try:
            for line in file:
                passages.append(Passage(**json.loads(line)))  # noqa: PERF401 - the length names the line at fault
        except (ValueError, TypeError) as error:
            raise InputError(
                f"{path}, line {len(passages) + 1}: not a passage ({error}); build the index again"
            ) from None
    return tuple(passages)
