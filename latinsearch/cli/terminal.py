"""What goes in and out of a command: a text from an argument or standard input, a file written whole, signs of life."""

from __future__ import annotations

import csv
import io
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from latinsearch.records import InputError

_PATIENCE = 2.0  # seconds without a sign of life


def given_text(argument: str, name: str) -> str:
    """The text that an argument gives: itself, or for `-` what stands on standard input, as UTF-8.

    Raises InputError, naming the line, for anything that is not UTF-8.
    """
    if argument != "-":
        if not argument.isascii() and any("\ud800" <= char <= "\udfff" for char in argument):
            raise InputError(f"{name} is not in UTF-8; write it in UTF-8, or give - and the text on standard input")
        return argument
    if sys.stdin is None:
        raise InputError(f"{name} is -, but standard input is closed; give the text itself")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"standard input, line {line}: not UTF-8 ({error.reason}); convert it, as by `iconv -f cp1252 -t utf-8`"
        ) from None


def one_line(text: str) -> str:
    r"""A text as it is shown within one line: ` / ` between verses, nothing that a terminal would obey.

    >>> one_line("Arma\nvirum\x1b[2J")
    'Arma / virum[2J'
    """
    return "".join(char for char in text.replace("\n", " / ").replace("\t", " ") if char.isprintable() or char == " ")


def csv_row(cells: Iterable[object]) -> str:
    r"""A record of CSV without its end; a cell with a line break stands in quotation marks.

    >>> csv_row(["arma\nuirum", 1])
    '"arma\nuirum",1'
    """
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n").writerow(cells)  # the marks are set for the characters of the line's end
    return file.getvalue().removesuffix("\r\n")


def coloured() -> bool:
    """Whether matches are shown by colour: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def check_writable(path: Path, data: Path | None = None) -> None:
    """Raise FileNotFoundError or InputError, before any work is done, if a file cannot be written at this path.

    Nor may it be one of the data that are read.
    """
    if data is not None and path.exists() and path.resolve().is_relative_to(data.resolve()):
        raise InputError(f"{path} is one of the data that are read, and would be lost; give another path")
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the path of a file in it")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent} to write into; make it first")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: the folder {path.parent} may not be written into; give another one")


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """A file of pieces of text, written as they come, which appears whole or not at all; what was there is replaced."""
    try:
        if path.exists() and not path.is_file():  # a device or a named pipe, which a rename would destroy
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)
            return
        path = path.resolve()  # a link stays a link
        beside = path.with_name(f".{path.name[:40]}.{os.getpid()}.tmp")
        try:
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk has no name
        raise OSError(f"{path}: could not be written ({error.strerror or error})") from error


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A line on standard error with the time gone, while something takes over two seconds; only on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    progress.add_task(what, total=None)
    timer = threading.Timer(_PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if progress.live.is_started:
            progress.stop()
