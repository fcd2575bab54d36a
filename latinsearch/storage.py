"""An index folder as it is written: beside, then renamed in one step, by one process at a time; and its `meta.json`."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from latinsearch.records import VERSION, InputError

FORMAT = 2
"""The number of the format; a change that older code cannot read raises it."""
META = "meta.json"


def write(folder: Path, fill: Callable[[Path], dict[str, Any]]) -> None:
    """Make a folder of what `fill` writes and a `meta.json` with format, version, what it returns, and each file's checksum.

    It is written beside and then renamed, so that a crash leaves the old index or none, never half of one. An index that
    is there is replaced. Raises InputError if the path is something else that would be lost.
    """
    folder = folder.resolve()  # a link stays, what it points to is replaced; `.` has a name
    check_free(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        _write(folder, fill)


def _write(folder: Path, fill: Callable[[Path], dict[str, Any]]) -> None:
    _cleared(folder)
    beside = Path(tempfile.mkdtemp(prefix=f"{_tag(folder)}.", suffix=".new", dir=folder.parent))
    try:
        try:
            meta = fill(beside)
        except OSError as error:  # numpy's do not name the file, and a full disk has no other name
            raise OSError(
                f"{folder}: the index could not be written ({error}); what was there before is as it was"
            ) from error
        files = {path.relative_to(beside).as_posix(): file_facts(path) for path in sorted(_files(beside))}
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
    if foreign := sorted(files_in(folder) - _listed(folder)):
        raise InputError(f"{folder / foreign[0]} is not part of the index there and would be lost; move it elsewhere")
    if folder.resolve() == Path.cwd():
        raise InputError(f"{folder} is the current folder and cannot be replaced; give the index a folder of its own")


def _tag(folder: Path) -> str:
    """What the names begin with of what is written beside a folder: a full stop, its name or the digest of a long one."""
    name = os.fsencode(folder.name)
    return f".{folder.name}" if len(name) <= 200 else f".{hashlib.sha256(name).hexdigest()[:32]}"  # 255 bytes at most


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder for this process alone to write; what holds it ends with the process, however that ends."""
    path = folder.with_name(f"{_tag(folder)}.lock")
    while True:
        file = path.open("a")
        try:
            _lock(file.fileno())
            # Whoever had it may have removed the file between our opening and locking it.
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                break
        except OSError:
            file.close()
            raise InputError(f"{folder}: another process is writing it; try again when it has ended") from None
        file.close()
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        file.close()


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _cleared(folder: Path) -> None:
    """Removes what processes that were killed have left beside the folder; only with its lock.

    An old index is put back if its place is empty: they were killed between the two steps of replacing it.
    """
    left = re.compile(rf"{re.escape(_tag(folder))}\.[a-z0-9_]{{8}}\.(new|old)")
    for path in sorted(folder.parent.iterdir()):
        found = left.fullmatch(path.name)
        if found and found[1] == "old" and not folder.exists():
            path.rename(folder)
        elif found:
            shutil.rmtree(path, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Whether two folders have changed places in one step, so that no reader finds neither; Linux alone can."""
    if sys.platform != "linux":
        return False
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return exchange is not None and exchange(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0


_HERE, _EXCHANGE = -100, 2  # AT_FDCWD, RENAME_EXCHANGE of linux/fcntl.h and linux/fs.h


def _replace(folder: Path, new: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    if _exchanged(new, folder):
        shutil.rmtree(new, ignore_errors=True)
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


def files_in(folder: Path) -> set[str]:
    """The names of all files in a folder and below, as `meta.json` has them."""
    return {path.relative_to(folder).as_posix() for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if not path.is_dir())


def file_facts(path: Path) -> dict[str, Any]:
    """What `meta.json` states of a file."""
    with path.open("rb") as file:
        return {"size": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def read_meta(folder: Path) -> dict[str, Any]:
    """The `meta.json` of an index folder, if its own checksum is right and this version can read the format.

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
    if meta.get("sha256") != _digest({name: value for name, value in meta.items() if name != "sha256"}):
        raise InputError(f"{folder / META}: its checksum is not that of what it says; build the index again")
    for name in stated:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise InputError(f"{folder / META}: names a file outside the folder, {name!r}; do not trust this index")
    checked: dict[str, Any] = meta
    return checked
