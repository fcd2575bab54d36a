"""Lemmata from CLTK 1.5's LatinBackoffLemmatizer (MIT), an extra: `pip install 'latinsearch[cltk]'`, Python 3.11 or 3.12.

It is imported when first asked (3 to 5 s, 500 MB, torch and spaCy with it), reads its models from a folder that the user
has, and is never let download or ask for one. Nothing is written to the home folder when another folder is named. The models
are pickles, which can run code: name a folder only if you trust it.

What it has learned of sentences comes from the Perseus treebank, so lemmata scored on that treebank (UD Latin Perseus, its
test part included) show it better than it is.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Any

from latinsearch.lemmatizers.simplemma import spellings
from latinsearch.normalizer import fold
from latinsearch.records import InputError

_INSTALL = "pip install 'latinsearch[cltk]'"
_FOLDER = Path("lat", "model", "lat_models_cltk", "lemmata", "backoff")
_MODELS = ("latin_lemmata_cltk.pickle", "latin_model.pickle", "latin_pos_lemmatized_sents.pickle")
_ECHO, _GUESS = "<IdentityLemmatizer", "<RegexpLemmatizer"
_loading = RLock()


def cltk_data(path: str | os.PathLike[str] | None = None) -> Path:
    """The folder of CLTK's models: the path given, else `$CLTK_DATA`, else `~/cltk_data`, as CLTK itself has it.

    >>> cltk_data("models").name
    'models'
    """
    return Path(path or os.environ.get("CLTK_DATA") or Path("~", "cltk_data")).expanduser().absolute()


def _checked(data: Path) -> Path:
    """The folder of the models under the data folder. Raises InputError if one of them is not there."""
    for name in _MODELS:
        if not (data / _FOLDER / name).is_file():
            raise InputError(
                f"CLTK's Latin models are not in {data}: {_FOLDER / name} is missing; name their folder in CLTK_DATA, or "
                f"fetch them: git clone --depth 1 https://github.com/cltk/lat_models_cltk '{data / _FOLDER.parents[1]}'"
            )
    return data / _FOLDER


@lru_cache(maxsize=8)
def _digest(models: Path) -> str:
    digest = hashlib.sha256()
    for name in _MODELS:
        digest.update((models / name).read_bytes())
    return digest.hexdigest()[:8]


def _package_version() -> str:
    """The installed version of CLTK. Raises InputError if it is missing or has no backoff lemmatizer."""
    try:
        found = version("cltk")
    except PackageNotFoundError:
        python = ".".join(map(str, sys.version_info[:2]))
        other = f"; CLTK 1.5 needs Python 3.11 or 3.12, this is {python}" if sys.version_info >= (3, 13) else ""
        raise InputError(f"lemmatizer 'cltk' needs the package CLTK: {_INSTALL}{other}") from None
    if not found.startswith("1."):
        raise InputError(f"CLTK {found} has no LatinBackoffLemmatizer, only 1.x has it: {_INSTALL}")
    return found


def cltk_version(data: str | os.PathLike[str] | None = None) -> str:
    """The installed version of CLTK with a digest of its models, which have no version of their own: `1.5.0+models.1f2e3d4c`.

    data: as for `cltk_data`. Raises InputError if CLTK or its models are missing; the message says how to get them.
    """
    return f"{_package_version()}+models.{_digest(_checked(cltk_data(data)))}"


def _writable(folder: Path) -> bool:
    # Root may write where the mark says read-only; the mark is what the owner of the folder meant.
    return os.access(folder, os.W_OK) and bool(folder.stat().st_mode & 0o222)


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _imported(data: Path) -> Any:
    """CLTK's module of the Latin lemmatizer, imported with its log in the data folder, or nowhere if that is read-only.

    CLTK opens `cltk.log` at import and refuses a folder that it may not write to. The warnings are of what it imports.
    """
    name = "cltk.lemmatize.lat"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if _writable(data):
            with _environment("CLTK_DATA", str(data)):
                return import_module(name)
        with TemporaryDirectory(prefix="latinsearch-cltk-") as folder:
            with _environment("CLTK_DATA", folder):
                module = import_module(name)
            log = import_module("cltk.core.cltk_logger")
            if Path(log.log_path).parent == Path(folder):
                log.logger.removeHandler(log.handler)
                log.handler.close()
            return module


@lru_cache(maxsize=2)
def _lemmatizer(data: Path) -> Any:
    """CLTK's lemmatizer with the models in the data folder; it says which of its parts gave each lemma."""
    _checked(data)
    found = _package_version()
    with _loading:
        state = random.getstate()  # CLTK seeds Python's generator to shuffle its sentences
        try:
            module = _imported(data)
            before, module.CLTK_DATA_DIR = module.CLTK_DATA_DIR, str(data)
            try:
                return module.LatinBackoffLemmatizer(verbose=True)
            finally:
                module.CLTK_DATA_DIR = before
        except Exception as error:  # any of the 80 packages below CLTK, or a damaged model
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise InputError(f"CLTK {found} with the models in {data} cannot be used ({reason}): {_INSTALL}") from error
        finally:
            random.setstate(state)


def _folded(lemma: str) -> str:
    # Its lemmata have homonym digits and slips: campus1, bonum#, sexa_ginta, -que.
    return "".join(letter for letter in fold(lemma) if letter.isalpha())


@lru_cache(maxsize=1 << 18)
def _lemmata(data: Path, form: str) -> tuple[str, ...]:
    """The folded lemmata, those from CLTK's dictionaries and sentences before those its suffix rules make up.

    Its sentences have u for v, as the folded form has; its dictionary has v, Latin names with a capital, and no j.
    Capitals are asked when no lower-case spelling is in it: before, Troiae would be Troius, not Troia.
    """
    ways = [way for way in spellings(form) if "j" not in way][::-1]
    answers = [(lemma, part) for _, lemma, part in _lemmatizer(data).lemmatize(ways) if lemma]
    known = [lemma for lemma, part in answers if not part.startswith((_ECHO, _GUESS))]
    if not known:
        capitals = _lemmatizer(data).lemmatize([way.capitalize() for way in ways])
        known = [lemma for _, lemma, part in capitals if lemma and not part.startswith((_ECHO, _GUESS))]
    guessed = [lemma for lemma, part in answers if part.startswith(_GUESS)]
    return tuple(dict.fromkeys(filter(None, map(_folded, known or guessed))))


def cltk(form: str) -> tuple[str, ...]:
    """The folded lemmata that CLTK's backoff lemmatizer has for a folded form, `()` if all it can do is to echo the form.

    `cltk("uirum")` is `("uir",)`, `cltk("iunonis")` is `("iuno",)`, `cltk("xyzque")` is `()`. More than one where spellings
    with u and v are different words (uolui: uolo, uoluo). The models are those of `cltk_data()`.

    Raises InputError if CLTK or its models are missing; the message says how to get them.
    """
    return _lemmata(cltk_data(), form)


@dataclass(frozen=True, slots=True)
class CltkLemmatizer:
    """A lemmatizer that is CLTK with the models of one folder; see `cltk_lemmatizer`."""

    data: Path
    signature: str

    def __call__(self, form: str, /) -> tuple[str, ...]:
        return _lemmata(self.data, form)


def cltk_lemmatizer(data: str | os.PathLike[str] | None = None) -> CltkLemmatizer:
    """CLTK's lemmatizer with the models of that folder, to be given to `build(..., lemmatizer=...)`.

    data: a folder with `lat/model/lat_models_cltk` in it; it may be read-only. Default: as for `cltk_data`. Enclitics are
    left on; the lemmatizer chosen by the name `cltk` also looks for the word without them.

    Raises InputError if CLTK or its models are missing; the message says how to get them.
    """
    folder = cltk_data(data)
    return CltkLemmatizer(folder, f"cltk-{cltk_version(folder)}")
