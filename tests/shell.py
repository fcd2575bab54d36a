"""The command line run within the test: what a command prints, and the one line that a refused one ends with."""

from __future__ import annotations

import pytest

from latinsearch.__main__ import run

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str) -> str:
    """What a command prints; it goes well and says nothing else."""
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys: Capture, *arguments: str) -> str:
    """The one line that a command ends with."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("latinsearch: error: ")
    assert captured.err.count("\n") == 1
    return captured.err
