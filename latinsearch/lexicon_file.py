"""Words of the user's own: a lexicon that comes before every other source, a list of stop words; from files, too."""

from __future__ import annotations

import os
import reprlib
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from latinsearch.normalizer import fold
from latinsearch.records import InputError, words
from latinsearch.tokenizer import forms

Lexicon = tuple[tuple[str, tuple[str, ...]], ...]
Fold = Callable[[str], str]

_ENTRIES = "a form, a tab and a lemma a line"
_STOP_WORDS = "one stop word a line"


def read_lexicon(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    r"""Forms and their lemmata from a file with a form, a tab and a lemma a line.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "extra.tsv"
    >>> _ = path.write_text("# names\nHypsipylen\tHypsipyle\nHypsipyles\tHypsipyle\n", encoding="utf-8")
    >>> read_lexicon(path)
    {'Hypsipylen': ('Hypsipyle',), 'Hypsipyles': ('Hypsipyle',)}
    >>> folder.cleanup()

    A form on several lines has all their lemmata, in that order. Empty lines and those that begin with # are left out.
    A pipe is read like a file.

    Raises FileNotFoundError, and InputError naming the file and, where one is at fault, the line: for one that has not two
    columns, a form that is not one word as texts are cut into words (it would never match), a lemma of nothing but signs.
    """
    entries: dict[str, tuple[str, ...]] = {}
    for number, line in _lines(path, _ENTRIES):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 2 or not all(columns):
            raise InputError(f"{path}:{number}: {line[:60]!r} is not a form, a tab and a lemma")
        form, lemma = columns
        try:
            _folded_entry(form, (lemma,), fold)
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from None
        entries[form] = tuple(dict.fromkeys((*entries.get(form, ()), lemma)))
    if not entries:
        raise InputError(f"{path}: no entry in this file; a line is a form, a tab and a lemma")
    return entries


def read_stopwords(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Stop words from a file with one a line; empty lines and those that begin with # are left out.

    Raises FileNotFoundError, and InputError naming file and line for a line that is not one word.
    """
    found = []
    for number, line in _lines(path, _STOP_WORDS):
        word = line.strip()
        if not is_lemma(fold(word)):
            raise InputError(f"{path}:{number}: {line[:60]!r} is not one word; write {_STOP_WORDS}")
        found.append(word)
    if not found:
        raise InputError(f"{path}: no word in this file; write {_STOP_WORDS}")
    return tuple(found)


def is_word(folded: str) -> bool:
    """Whether a folded text is exactly one word, as texts are cut into words; nothing else can be a form.

    >>> is_word("arma"), is_word("a b"), is_word("a-b"), is_word("")
    (True, False, False, False)
    """
    return forms(folded) == [folded] == folded.split()


def is_lemma(folded: str) -> bool:
    """Whether a folded text is one word, or written as lemmatizers write abbreviations and compounds, `cn.` and `ab-eo`.

    >>> is_lemma("arma"), is_lemma("cn."), is_lemma("et in"), is_lemma("et,in"), is_lemma("")
    (True, True, False, False, False)
    """
    return is_word(folded.replace(".", "").replace("-", ""))


def own_entries(lexicon: object) -> Lexicon:
    """The entries of a lexicon, a dict or pairs, as they were given; lemmata that can be gone through only once, once.

    >>> own_entries({"Hypsipylen": iter(["Hypsipyle"])})
    (('Hypsipylen', ('Hypsipyle',)),)

    Raises InputError for what is no dict of forms and their lemmata.
    """
    given: object = lexicon.items() if isinstance(lexicon, Mapping) else lexicon
    try:
        if isinstance(given, str | bytes):
            raise TypeError
        pairs = [(form, lemmata) for form, lemmata in given]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        told = f"lexicon is {reprlib.repr(lexicon)}; it must be a dict of forms and their lemmata"
        raise InputError(told) from None
    for form, _ in pairs:
        if not isinstance(form, str):
            raise InputError(f"lexicon has the form {form!r}; it must be a text (str), not {type(form).__name__}")
    return tuple((form, words(f"the lemmata of {form!r}", lemmata)) for form, lemmata in pairs)


def folded_lexicon(lexicon: object, fold: Fold) -> dict[str, tuple[str, ...]]:
    """The entries of a lexicon, folded; forms that fold alike have the lemmata of all, in the order of the entries.

    >>> folded_lexicon({"Arma": ("armus",), "arma": ("Arma",)}, fold)
    {'arma': ('armus', 'arma')}

    Raises InputError for what is no lexicon, and for an entry that is of no use (`read_lexicon`).
    """
    own: dict[str, tuple[str, ...]] = {}
    for form, lemmata in own_entries(lexicon):
        try:
            folded, found = _folded_entry(form, lemmata, fold)
        except InputError as error:
            raise InputError(f"lexicon: {error}") from None
        own[folded] = tuple(dict.fromkeys((*own.get(folded, ()), *found)))
    return own


def _folded_entry(form: str, lemmata: tuple[str, ...], fold: Fold) -> tuple[str, tuple[str, ...]]:
    folded = " ".join(fold(form).split())
    if not is_word(folded):
        raise InputError(
            f"the form {form!r} is not one word as texts are cut into words, so it would never match; "
            f"write one word, or leave it out"
        )
    if not lemmata:
        raise InputError(f"the form {form!r} has no lemma; give one, or leave it out")
    return folded, tuple(_folded_lemma(lemma, form, fold) for lemma in lemmata)


def _folded_lemma(lemma: str, form: str, fold: Fold) -> str:
    folded = " ".join(fold(lemma).split())
    if not folded:
        raise InputError(
            f"the lemma {lemma!r} of {form!r} is empty or nothing but signs; write a word, or leave it out"
        )
    if control := [char for char in folded if unicodedata.category(char) == "Cc"]:
        raise InputError(f"the lemma {lemma!r} of {form!r} has a control character, {control[0]!r}; take it out")
    return folded


def _lines(path: str | os.PathLike[str], wanted: str) -> Iterator[tuple[int, str]]:
    file = _readable(path, wanted)
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 at byte {error.start} ({error.reason}); save it in UTF-8") from None
    # Not splitlines(): it ends a line at control characters, too, and would count lines otherwise than an editor.
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _readable(path: str | os.PathLike[str], wanted: str) -> Path:
    """The path of a file or a pipe. Raises FileNotFoundError or InputError that says what else is there."""
    if not os.fspath(path):
        raise InputError(f"the path is empty; give a file with {wanted}")
    file = Path(path)
    try:
        mode = file.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(f"{file}: there is no such file; give a file with {wanted}") from None
    except ValueError:  # a NUL in it
        raise InputError(f"{path!r} cannot be the path of a file; give a file with {wanted}") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{file} is a folder; give a file with {wanted}")
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise InputError(f"{file} is a device; give a file with {wanted}")
    return file
