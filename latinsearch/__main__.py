"""The command line from outside: runs a command and turns whatever goes wrong into one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import click

from latinsearch.cli import cli
from latinsearch.records import InputError, TextWarning

PROGRAM = "latinsearch"
DEBUG = "LATINSEARCH_DEBUG"
"""The environment variable with which an internal error shows its traceback."""

BAD_INPUT, INTERNAL, INTERRUPTED, PIPE_CLOSED = 2, 1, 130, 141
"""Exit codes; the last two are those of a program that SIGINT or SIGPIPE ended."""


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of the command line with these arguments (by default those of the process): 0 if all went well.

    >>> run(["--version"])
    latinsearch 0.1.0
    0

    Input that cannot be used gives 2, a fault of the library 1, Ctrl-C 130, a reader that closed the pipe 141 and no
    message. Errors and warnings are one line each on standard error; a traceback is shown only of a fault of the
    library, and only if LATINSEARCH_DEBUG is set.
    """
    closed = sys.stdout is None
    with _open_streams(), warnings.catch_warnings():
        warnings.simplefilter("always", TextWarning)
        warnings.showwarning = _show_warning
        code = _flushed(_run(list(sys.argv[1:] if arguments is None else arguments)))
        if closed and code == 0:
            return _failed("error: standard output is closed; what was found is lost", BAD_INPUT)
        return code


@contextmanager
def _open_streams() -> Iterator[None]:
    """Standard output and error in UTF-8, and open: where the caller closed one, what is written there goes nowhere."""
    with ExitStack() as stack:
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:
                nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
                setattr(sys, name, nowhere)
                stack.callback(setattr, sys, name, None)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # Latin has macrons and Greek in it: a terminal or pipe with an ASCII locale must not end the program.
                stream.reconfigure(encoding="utf-8", errors="replace")
        yield


def _run(arguments: list[str]) -> int:
    try:
        # Not cli.main(): it takes Ctrl-C and a closed pipe into its own hands, with exit code 1 for both.
        with cli.make_context(PROGRAM, arguments) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else PROGRAM
        return _failed(f"error: {error.format_message()} (`{command} --help` shows how)", BAD_INPUT)
    except click.ClickException as error:
        return _failed(f"error: {error.format_message()}", BAD_INPUT)
    except InputError as error:
        return _failed(f"error: {error}", BAD_INPUT)
    except BrokenPipeError:
        return PIPE_CLOSED
    except OSError as error:
        return _failed(f"error: {_os_message(error)}", BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the terminal has written ^C into the line
        return _failed("interrupted", INTERRUPTED)
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        told = f"{type(error).__name__}: {error}"
        return _failed(f"internal error: {told}; please report it, with what {DEBUG}=1 shows", INTERNAL)
    return 0


def _os_message(error: OSError) -> str:
    """`aeneid.tess: Permission denied`, where the operating system gave the file; otherwise the message as it is."""
    if error.strerror is None:
        return str(error)
    files = [str(name) for name in (error.filename, error.filename2) if name is not None]
    return ": ".join([" to ".join(files), error.strerror] if files else [error.strerror])


def _failed(message: str, code: int) -> int:
    _print(message)
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    del filename, lineno, file, line  # where in our code it was found is no help to the user
    kind = "" if issubclass(category, TextWarning) else f"{category.__name__}: "
    _print(f"warning: {kind}{message}")


def _print(message: str) -> None:
    """One line on standard error; it may be closed, and then there is nobody to tell."""
    try:
        print(f"{PROGRAM}: {' '.join(message.split())}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def _flushed(code: int) -> int:
    """The code, once all output has left; what cannot leave is dropped, or Python would complain of it at its end."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        _drop_output()
        return code or _failed(f"error: standard output: {_os_message(error)}", BAD_INPUT)
    return code


def _drop_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(run())
