"""README's Python runs and prints what it says; its commands are the ones that CI calls; its table is the recorded one."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest

from latinsearch.__main__ import run
from latinsearch.methods import METHODS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "least"), [("README.md", 5), ("docs/compare.md", 5)])
def test_the_python_runs_and_prints_what_it_says(page: str, least: int) -> None:
    failures, tried = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert tried >= least


def test_two_commands_do_everything_and_ci_finds_the_second() -> None:
    commands = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
    assert [command.rsplit(" ", 1)[-1] for command in commands] == ["demo", "pytest"]
    assert "'^python3 -m venv .*pytest' README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_shells_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = ROOT / "latinsearch" / "corpora" / "sample"
    (tmp_path / "texts").symlink_to(sample)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "georgics.tess").write_text(
        "<verg. georg. 1.1>\tQuid faciat laetas segetes\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    block = README.split("## From the shell")[1].split("```sh\n")[1].split("```")[0]
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert [command[1] for command in commands] == [
        "index",
        "search",
        "index",
        "verify",
        "compare",
        "analyze",
        "check",
        "coverage",
        "benchmark",
    ]
    for command in commands[:-1]:
        assert run(command[1:]) == 0, command
        assert capsys.readouterr().out
    assert run([*commands[-1][1:2], "--name", "sample", "--methods", "bm25-form"]) == 0


def test_the_table_is_the_recorded_one() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "results" / "latin-epic.json").read_text(encoding="utf-8"))
    assert set(METHODS) < set(recorded["methods"])
    for name, result in recorded["methods"].items():
        assert f"| {name} | {result['nDCG@10']:.3f} (" in README
