"""What long work needs: a bar once it takes over two seconds, on a terminal only; no garbage collection meanwhile."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 2.0  # seconds without a bar


def track(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """The items one by one, with a bar on standard error once they take over two seconds, if that is a terminal.

    >>> list(track("abc", "spelling", 3))
    ['a', 'b', 'c']
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    begun = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(what, total=total, visible=False)
        for item in items:
            yield item
            bar.update(task, advance=1)
            now = time.monotonic()
            if now - begun > _PATIENCE:
                bar.update(task, visible=True)
                bar.refresh()
                begun = now - _PATIENCE + 0.1  # ten times a second


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage in circles while millions of objects are made that hold none.

    The collector goes through all of them again and again: a fifth of the time of reading and indexing tesserae-la.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
