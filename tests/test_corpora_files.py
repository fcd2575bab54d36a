"""Plain text, the front door of the readers, and the alignment of phrases with verses."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latinsearch.corpora import READERS, read
from latinsearch.corpora.alignment import covered, letters
from latinsearch.records import InputError, Passage

VERSES = [
    "Bella per Emathios plus quam civilia campos",
    "Iusque datum  sceleri canimus, populumque potentem",
    "In sua victrici conversum viscera dextra,",
]


def test_plain_text_has_a_passage_a_line(tmp_path: Path) -> None:
    path = tmp_path / "carmen 5.txt"
    path.write_bytes("\ufeffVivamus mea Lesbia\r\n\r\n  atque amemus \r\n".encode())
    assert read(path) == [
        Passage("carmen.5.1", "Vivamus mea Lesbia", "carmen 5 1", {"work": "carmen 5", "line": 1}),
        Passage("carmen.5.3", "  atque amemus ", "carmen 5 3", {"work": "carmen 5", "line": 3}),
    ]


def test_a_str_and_a_path_are_taken(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("arma\n")
    assert read(str(tmp_path / "a.txt")) == read(tmp_path / "a.txt") == read(tmp_path)


@pytest.mark.parametrize("name", ["aeneid.docx", "aeneid"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("arma")
    with pytest.raises(InputError, match=r"unknown suffix .*\.tess, \.txt"):
        read(tmp_path / name)
    assert set(READERS) == {".tess", ".txt"}


def test_a_folder_without_texts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a,b")
    with pytest.raises(InputError, match=r"no text file in this folder.*\.tess, \.txt"):
        read(tmp_path)


@pytest.mark.filterwarnings("ignore::latinsearch.records.TextWarning")
def test_a_folder_of_empty_texts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(InputError, match=": the file is empty; nothing can be read"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("bella per emathios plus quam civilia campos", 1),
        ("bella", 1),
        ("plus quamcivilia campos iusque datum sceleri", 2),
        ("ciuilia campos iusque datum sceleri canimus populumque potentem in sua", 3),
        ("1.1 quam ciuilia", 1),
        ("1-2 bella . . . plus quam ciuilia / iusque datum", 2),
        ("bella per aemathios plus quam civilia campos iusque datum", 2),
        ("iusque datum sceleri", None),
        ("arma virumque cano troiae qui primus ab oris", None),
        ("2 . . .", None),
        ("", None),
    ],
)
def test_a_phrase_covers_verses(phrase: str, expected: int | None) -> None:
    assert covered(phrase, VERSES) == expected


def test_no_verses_cover_nothing() -> None:
    assert covered("bella", []) is None


@given(st.integers(0, 30), st.integers(1, 3))
def test_a_phrase_cut_from_the_verses_covers_them(start: int, count: int) -> None:
    phrase = letters(VERSES[0])[start:] + "".join(map(letters, VERSES[1:count]))
    assert covered(phrase, VERSES) == count
