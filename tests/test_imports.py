"""Imports point one way, down the data flow; importing has no effects."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "latinsearch"
ORDER = (
    "records progress normalizer tokenizer words lemmatizers lexicon_file analyzer coverage index stoplists explanation "
    "scorers storage stored retriever damage methods compare "
    "trec evaluation report"
).split()
ABOVE = ("cli", "adapters", "__main__", "__init__")


def parts(path: Path) -> str:
    """The name of the module or family directly under the package."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            names.add(node.module or "")
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.split(".")[0] == "latinsearch"}


def test_imports_form_one_order() -> None:
    seen = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        family = parts(path)
        seen.add(family)
        if family in ABOVE:
            continue
        for name in imported(path):
            assert name != "latinsearch", f"{path} imports the package root"
            other = name.split(".")[1]
            if family == "corpora":
                assert other in ("records", "corpora"), f"{path} imports {name}"
            elif other != family:
                assert ORDER.index(other) < ORDER.index(family), f"{path} imports {name}, which comes after it"
    assert seen - set(ABOVE) == {*ORDER, "corpora"}


def test_importing_is_quick_to_start_and_without_effects() -> None:
    code = (
        "import sys, warnings; before = set(sys.modules)\n"
        "import latinsearch\n"
        "heavy = {'sklearn', 'simplemma', 'ftfy', 'rank_bm25', 'datasets', 'pyarrow', 'torch', 'spacy', 'rich', 'click'}\n"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
