"""The command line as a whole: its entry point, its help, what it says when something is wrong."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from latinsearch import cli as commands
from latinsearch.__main__ import run
from latinsearch.cli.options import LEMMATIZER_NAMES, METHODS_BELOW
from latinsearch.corpora import BENCHMARKS, load_benchmark
from latinsearch.corpora.beir import write_beir
from latinsearch.corpora.sample import FOLDER
from latinsearch.lemmatizers import LEMMATIZERS
from latinsearch.methods import METHODS
from latinsearch.records import VERSION, InputError, TextWarning
from latinsearch.report import FORMATS

VERGIL = FOLDER / "vergil.aeneid.part.1.tess"
NAMES = ("analyze", "benchmark", "check", "compare", "coverage", "demo", "index", "search", "verify")

Capture = pytest.CaptureFixture[str]


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own, as a user starts it."""
    command = [sys.executable, "-m", "latinsearch", *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=60, **options)  # type: ignore[call-overload]


def failing(command: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of a command line whose demo does what is given."""
    monkeypatch.setattr(commands.cli.commands["demo"], "callback", command)
    return run(["demo"])


def raiser(error: BaseException) -> Callable[[], object]:
    def command() -> object:
        raise error

    return command


def test_version_and_help_through_the_real_entry_point() -> None:
    done = process("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"latinsearch {VERSION}\n".encode(), b"")
    done = process()
    assert done.returncode == 0
    assert all(f"  {name} ".encode() in done.stdout for name in NAMES)


def test_commands_are_those_of_the_design() -> None:
    assert tuple(sorted(commands.cli.commands)) == NAMES


def test_help_names_what_there_is(capsys: Capture) -> None:
    assert re.findall(r"[\w-]+", METHODS_BELOW.partition("Methods:")[2]) == list(METHODS)
    assert LEMMATIZER_NAMES.split(", ") == list(LEMMATIZERS)
    layouts = {name: option for option in commands.cli.commands["benchmark"].params if (name := option.name)}
    assert isinstance(layouts["layout"].type, click.Choice)
    assert list(layouts["layout"].type.choices) == list(FORMATS)
    for command in ("benchmark", "index", "analyze"):
        assert run([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert [name for name in METHODS if name not in text] == []
    assert run(["benchmark", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    assert [name for name in BENCHMARKS if name not in text] == []


def test_an_option_means_the_same_everywhere() -> None:
    meaning: dict[str, set[str]] = {}
    for command in commands.cli.commands.values():
        for option in command.params:
            for name in option.opts if isinstance(option, click.Option) else ():
                kind = "choice" if isinstance(option.type, click.Choice) else option.type.name
                meaning.setdefault(name, set()).add(kind)
    assert {name for name, kinds in meaning.items() if len(kinds) > 1} == set()


def test_every_help_has_examples_and_they_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(VERGIL, "aeneid.tess")
    Path("georgics.tess").write_text("<verg. georg. 1.1>\tQuid faciat laetas segetes\n", encoding="utf-8")
    for name in ((), ("demo",), ("index",), ("search",), ("verify",), ("analyze",), ("benchmark",)):
        assert run([*name, "--help"]) == 0
        examples = re.findall(r"^ +latinsearch (.*)$", capsys.readouterr().out, re.MULTILINE)
        assert examples, name
        for example in examples:
            assert run(shlex.split(example)) == 0, example
            captured = capsys.readouterr()
            assert captured.err == ""
            assert captured.out or "--output scores.json" in example


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["compare-all"], "No such command 'compare-all'"),
        (["demo", "--fast"], "No such option"),
        (["index", str(VERGIL)], "Missing option '--output'"),
        (["index", "--output", "x"], "Missing argument 'INPUT...'"),
        (["search", "x"], "Missing argument 'QUERY'"),
        (["search", "x", "arma", "uirumque"], "unexpected extra argument"),
        (["search", "x", "arma", "-k", "many"], "not a valid integer"),
        (["search", "x", "arma", "--format", "xml"], "'xml' is not one of"),
        (["benchmark", "--jobs", "0"], "give 1 or more"),
        (["index", str(VERGIL), "--output", "x", "--jobs", "-2"], "give 1 or more"),
    ],
)
def test_wrong_usage_is_one_line_that_names_the_help(arguments: list[str], told: str, capsys: Capture) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("latinsearch: error: ")
    assert captured.err.endswith("--help` shows how)\n")
    assert captured.err.count("\n") == 1
    assert told in captured.err


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("a.tess, line 3:\nno"), 2, "error: a.tess, line 3: no"),
        (FileNotFoundError("no file a.tess; check the path"), 2, "error: no file a.tess; check the path"),
        (PermissionError(13, "Permission denied", "a.tess"), 2, "error: a.tess: Permission denied"),
        (OSError(18, "Invalid cross-device link", "a", None, "b"), 2, "error: a to b: Invalid cross-device link"),
        (OSError(28, "No space left on device"), 2, "error: No space left on device"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.ClickException("so not"), 2, "error: so not"),
        (
            ZeroDivisionError("division by zero"),
            1,
            "internal error: ZeroDivisionError: division by zero; please report it, with what LATINSEARCH_DEBUG=1 shows",
        ),
    ],
)
def test_whatever_is_raised_becomes_one_line(
    error: BaseException, code: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.delenv("LATINSEARCH_DEBUG", raising=False)
    assert failing(raiser(error), monkeypatch) == code
    assert capsys.readouterr().err == f"latinsearch: {line}\n"


def test_traceback_of_a_fault_on_request_only(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("LATINSEARCH_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        failing(raiser(ZeroDivisionError("division by zero")), monkeypatch)
    assert failing(raiser(InputError("wrong")), monkeypatch) == 2
    assert capsys.readouterr().err == "latinsearch: error: wrong\n"


def test_warnings_are_a_line_each_and_leave_the_exit_code(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def command() -> None:
        for _ in range(2):
            warnings.warn(TextWarning("a.tess:3: no text\n(1 line in all)"), stacklevel=1)
        print("done")

    shown = warnings.showwarning
    assert failing(command, monkeypatch) == 0
    captured = capsys.readouterr()
    assert captured.out == "done\n"
    assert captured.err == "latinsearch: warning: a.tess:3: no text (1 line in all)\n" * 2
    assert warnings.showwarning is shown


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_closed_pipe_ends_it_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "latinsearch", "analyze", "arma uirumque cano"]
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_ends_it_with_one_line() -> None:
    command = [sys.executable, "-m", "latinsearch", "analyze", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as running:
        assert running.stdin is not None
        # Once it has taken more than a pipe holds, it is past its imports and reads. Python misses a signal that comes
        # between two reads until the next one ends, so it must be waiting for more.
        running.stdin.write(b"arma " * 100_000)
        running.stdin.flush()
        time.sleep(0.4)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert running.stdout is not None
        assert running.stderr is not None
        assert (running.stdout.read(), running.stderr.read()) == (b"", b"latinsearch: interrupted\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line() -> None:
    command = [sys.executable, "-m", "latinsearch", "analyze", "arma"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith(b"latinsearch: error: ")
    assert done.stderr.count(b"\n") == 1


def test_utf8_comes_out_whatever_the_locale() -> None:
    ascii_only = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    done = process("analyze", "-", input="Aēnēan Σαρπηδών".encode(), env=ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Aēnēan" in done.stdout.decode()
    assert "Σαρπηδών" in done.stdout.decode()


@pytest.mark.skipif(os.name == "nt", reason="POSIX arguments")
def test_an_argument_that_is_not_utf8_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable.encode(), b"-m", b"latinsearch", b"analyze", b"arma \xe9"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, cwd=tmp_path)
    assert done.returncode == 2
    assert b"error: TEXT is not in UTF-8" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_demo_shows_hits_an_explanation_and_at_last_the_score_table(capsys: Capture) -> None:
    assert run(["demo"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "\x1b" not in captured.out
    assert "Arma virumque cano, Troiae qui primus ab oris  [Arma, virumque, cano]" in captured.out
    assert "parte ~ parte (pars)" in captured.out
    heading, table = captured.out.split("too small to compare methods by it.\n")
    assert "sample of 107 passages and 4 queries" in heading
    assert table.startswith("method ")
    assert [line.split()[0] for line in table.split("\n")[1 : 1 + len(METHODS)]] == list(METHODS)
    assert "sample: 107 passages, 4 queries, 6 judgements" in table


@pytest.mark.parametrize(
    ("closed", "code", "out", "err"),
    [
        (">&-", 2, "", "latinsearch: error: standard output is closed; what was found is lost\n"),
        ("2>&-", 0, "form  place", ""),
        (">&- 2>&-", 2, "", ""),
    ],
)
def test_closed_output_is_noticed_and_never_ends_in_an_internal_error(
    closed: str, code: int, out: str, err: str
) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m latinsearch analyze arma {closed}"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (code, err)
    assert done.stdout.startswith(out) if out else done.stdout == ""


def test_a_report_does_not_replace_the_data_that_it_is_made_from(tmp_path: Path, capsys: Capture) -> None:
    write_beir(load_benchmark("sample"), tmp_path / "beir")
    corpus = tmp_path / "beir" / "corpus.jsonl"
    before = corpus.read_bytes()
    assert run(["benchmark", "--name", "sample", "--data", str(tmp_path / "beir"), "--output", str(corpus)]) == 2
    assert "one of the data that are read" in capsys.readouterr().err
    assert corpus.read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["index", "", "--output", "x"],
        ["index", str(VERGIL), "--output", ""],
        ["search", "", "arma"],
        ["compare", "", str(VERGIL)],
        ["compare", str(VERGIL), ""],
        ["check", ""],
        ["coverage", ""],
        ["coverage", str(VERGIL), "--lexicon", ""],
        ["benchmark", "--data", ""],
        ["benchmark", "--name", "sample", "--output", ""],
    ],
)
def test_an_empty_path_is_not_the_current_folder(capsys: Capture, arguments: list[str]) -> None:
    assert run(arguments) == 2
    assert "the path is empty" in capsys.readouterr().err
