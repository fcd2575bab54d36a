"""The .tess reader: what is kept, what is reported, what is refused."""

from __future__ import annotations

import re
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latinsearch.corpora import read
from latinsearch.corpora.files import Notes
from latinsearch.corpora.reference import closed, doc_id, is_reference, is_span, opened, reference_meta
from latinsearch.corpora.tess import read_tess
from latinsearch.records import InputError, Passage, TextWarning

Texts = list[tuple[str, str]]


def written(folder: Path, content: str | bytes, name: str = "lucan.bellum_civile.part.1.tess") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def ids_and_texts(passages: list[Passage]) -> Texts:
    return [(passage.doc_id, passage.text) for passage in passages]


def read_warned(path: Path, match: str) -> Texts:
    with pytest.warns(TextWarning, match=match) as caught:
        found = ids_and_texts(read(path))
    assert len(caught) == 1, [str(warning.message) for warning in caught]
    return found


def test_a_passage_has_id_reference_text_and_metadata(tmp_path: Path) -> None:
    path = written(tmp_path, "<valerius flaccus 1.4>\trumpere Olympo. \n", "valerius_flaccus.argonautica.part.1.tess")
    meta = {"author": "Valerius Flaccus", "work": "Argonautica", "book": 1, "line": 4}
    assert read(path) == [Passage("valerius.flaccus.1.4", "rumpere Olympo. ", "<valerius flaccus 1.4>", meta)]


@pytest.mark.parametrize(
    ("name", "reference", "meta"),
    [
        ("horace.ars_poetica.tess", "hor. a.p. 45", {"author": "Horace", "work": "Ars Poetica", "line": 45}),
        ("jerome.vulgate.part.21a.old_psalms.tess", "Vulgate Psalms.1.2", {"book": "Psalms", "chapter": 1, "line": 2}),
        ("aen.tess", "verg. aen. 1.1", {"author": "verg", "work": "aen", "book": 1, "line": 1}),
        ("caes.tess", "caes. bel. civ. 1.61.6", {"author": "caes", "work": "bel civ", "book": 1, "chapter": 61}),
        ("plain.tess", "1.7a", {"book": 1, "line": "7a"}),
        ("ausonius.bissula.tess", "aus. biss. praef", {"author": "Ausonius", "work": "Bissula"}),
        ("ausonius.caesares.tess", "aus. caes.  2.praef", {"book": 2, "line": "praef"}),
    ],
)
def test_metadata_from_file_name_and_reference(
    tmp_path: Path, name: str, reference: str, meta: dict[str, str | int]
) -> None:
    (passage,) = read(written(tmp_path, f"<{reference}>\ttextus\n", name))
    assert meta.items() <= passage.meta.items()
    assert passage.ref == f"<{reference}>"
    assert ("author" in passage.meta) == (name != "plain.tess")


@pytest.mark.parametrize(
    "content",
    [
        "<luc. 1.1>\tBella\n<luc. 1.2>\tIusque\n",
        "<luc. 1.1>\tBella\n<luc. 1.2>\tIusque",
        "<luc. 1.1> Bella\n<luc. 1.2>Iusque\n",
        "<luc. 1.1>\tBella\r\n\r\n<luc. 1.2>\tIusque\r\n",
        "<luc. 1.1>\tBella\r<luc. 1.2>\tIusque\r",
        "\n \n  <luc. 1.1>\t  Bella\n\t\n<luc. 1.2> \tIusque\n\n",
        "\ufeff<luc. 1.1>\tBella\n\ufeff\ufeff<luc. 1.2>\tIusque\n",
        "<luc. 1.1>\tBella\n<luc. 1.2>\tIusque\n".encode("utf-16"),
        "<luc. 1.1>\tBella\n<luc. 1.2>\tIusque\n".encode("utf-32"),
    ],
)
def test_every_way_to_write_the_lines_gives_the_same(tmp_path: Path, content: str | bytes) -> None:
    assert ids_and_texts(read(written(tmp_path, content))) == [("luc.1.1", "Bella"), ("luc.1.2", "Iusque")]


def test_other_line_separators_do_not_end_a_line(tmp_path: Path) -> None:
    (passage,) = read(written(tmp_path, "<luc. 1.1>\tBella\x85per\u2028Emathios\x0cplus\n"))
    assert passage.text == "Bella\x85per\u2028Emathios\x0cplus"


@pytest.mark.parametrize(
    ("content", "match", "expected"),
    [
        (
            "<luc. 1.1>\tBella\n<luc. 1.2>\tIusque\n<luc. 1.2>\tEt\n<luc. 1.2>\tEt\n",
            r"part.1.tess:3 <luc. 1.2>: the reference occurs again; .*\(2 lines in all\)",
            [("luc.1.1", "Bella"), ("luc.1.2", "Iusque")],
        ),
        (
            "<luc. 1.1>\tBella\nplus quam\n<et non> civilia\npronos> intelligebat\n<luc. 1.2>\tIusque\n",
            r":2: no reference; the line is joined to the passage before it \(3 lines in all\)",
            [("luc.1.1", "Bella\nplus quam\n<et non> civilia\npronos> intelligebat"), ("luc.1.2", "Iusque")],
        ),
        (
            "<luc. 1.1>\tBella\n< >\tIusque\n",
            r":2: text without a reference; named after the file and the line \(1 line in all\)",
            [("luc.1.1", "Bella"), ("lucan.bellum_civile.part.1.2", "Iusque")],
        ),
        (
            "<luc. 1.1>\tBella\n<luc. 1.2\tIusque\n<luc. 1.3 In sua <et> victrici\nluc. 1.4> Cognatas\n",
            r":2 <luc. 1.2: a reference with only one of its brackets; .*\(3 lines in all\)",
            [("luc.1.1", "Bella"), ("luc.1.2", "Iusque"), ("luc.1.3", "In sua <et> victrici"), ("luc.1.4", "Cognatas")],
        ),
        (
            "<luc. 1.1>\tBella\n<luc. 1.3>\tIn sua\n<luc. 1.2>\tIusque\n<luc. 1.4>\tCognatas\n",
            r":3 <luc. 1.2>: the reference is lower .*\(1 line in all\)",
            [("luc.1.1", "Bella"), ("luc.1.3", "In sua"), ("luc.1.2", "Iusque"), ("luc.1.4", "Cognatas")],
        ),
        (
            "<luc. 1.1>\tBella\n<luc. 1.2>\t\n<luc. 1.3>",
            r":2 <luc. 1.2>: no text after the reference; .*\(2 lines in all\)",
            [("luc.1.1", "Bella"), ("luc.1.2", ""), ("luc.1.3", "")],
        ),
        (
            "<sen. ag.  0-4> Opaca\n<sen. ag.  0-4> adsum\n<sen. ag.  5-9> en horret\n",
            r":2 <sen. ag.  0-4>: one reference to several lines; .*\(1 line in all\)",
            [("sen.ag.0-4", "Opaca\nadsum"), ("sen.ag.5-9", "en horret")],
        ),
        (
            "<luc. 1.1>\tBella <et> plus <3> <verg. aen. 1.1> <luc. 1.2>\tIusque\n",
            r":1 <luc. 1.2>: a second reference within the line begins a passage",
            [("luc.1.1", "Bella <et> plus <3> <verg. aen. 1.1> "), ("luc.1.2", "Iusque")],
        ),
        (
            "<luc. 1.1>\tBellā\n".encode() + "<luc. 1.2>\tposuëre\u2019\n".encode("cp1252") + b"<luc. 1.3>\t\x81\n",
            r"part.1.tess:2: not in UTF-8, read as Windows-1252; .*\(2 lines in all\)",
            [("luc.1.1", "Bellā"), ("luc.1.2", "posuëre\u2019"), ("luc.1.3", "\x81")],
        ),
    ],
)
def test_what_is_amiss_is_read_and_counted(tmp_path: Path, content: str | bytes, match: str, expected: Texts) -> None:
    assert read_warned(written(tmp_path, content), match) == expected


def test_text_before_the_first_reference_is_a_passage(tmp_path: Path) -> None:
    path = written(tmp_path, "LUCANI LIBER I\nincipit\n<luc. 1.1>\tBella\n")
    with pytest.warns(TextWarning) as caught:
        found = ids_and_texts(read(path))
    assert found == [("lucan.bellum_civile.part.1.1", "LUCANI LIBER I\nincipit"), ("luc.1.1", "Bella")]
    assert [str(warning.message).split(": ")[1].split(";")[0] for warning in caught] == [
        "text without a reference",
        "no reference",
    ]


def test_a_single_bad_byte_leaves_the_rest_in_utf8(tmp_path: Path) -> None:
    found = read_warned(written(tmp_path, "<a. 1>\tγνῶθι\n".encode() + b"<a. 2>\tpo\xebta\n"), "not in UTF-8")
    assert found == [("a.1", "γνῶθι"), ("a.2", "poëta")]


@pytest.mark.parametrize(
    "content", ["", " \n\t\n", "\ufeff", "arma virumque cano\n<et> Troiae\n", "\0\1\2", b"\xff\xfea"]
)
def test_a_file_without_a_passage_is_refused_by_name(tmp_path: Path, content: str | bytes) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=str(path)):
        read(path)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"aeneis\.tess: there is no such file"):
        read("aeneis.tess")


def test_a_folder_is_read_in_natural_order(tmp_path: Path) -> None:
    for part in (10, 2, 1):
        written(tmp_path, f"<luc. {part}.1>\tBella\n", f"b/lucan.bellum_civile.part.{part}.tess")
    written(tmp_path, "arma\n", "a/notes.TXT")
    written(tmp_path, "x", "a/.hidden.tess")
    written(tmp_path, "x", ".git/config.txt")
    written(tmp_path, "x", "table.csv")
    assert [passage.doc_id for passage in read(tmp_path)] == ["notes.1", "luc.1.1", "luc.2.1", "luc.10.1"]


def test_a_reference_repeated_over_the_files_of_a_work_is_kept_once(tmp_path: Path) -> None:
    written(tmp_path, "<luc. 1.1>\tBella\n", "lucan.bellum_civile.part.1.tess")
    written(tmp_path, "<luc. 1.1>\tAliud\n<luc. 2.1>\tIamque\n", "lucan.bellum_civile.part.2.tess")
    assert read_warned(tmp_path, r"part.2.tess:1 <luc. 1.1>: the reference occurs again") == [
        ("luc.1.1", "Bella"),
        ("luc.2.1", "Iamque"),
    ]


def test_works_with_the_same_references_are_both_read(tmp_path: Path) -> None:
    written(tmp_path, "<1.1>\tBella\n<1.2>\tIusque\n", "lucan.bellum_civile.tess")
    written(tmp_path, "<1.1>\tArma\n<9.9>\tet\n", "vergil.aeneid.tess")
    written(tmp_path, "fraternas\n", "poets/statius theb.txt")
    assert ids_and_texts(read(tmp_path)) == [
        ("1.1", "Bella"),
        ("1.2", "Iusque"),
        ("statius.theb.1", "fraternas"),
        ("vergil.aeneid.1.1", "Arma"),
        ("vergil.aeneid.9.9", "et"),
    ]


def test_text_files_of_one_name_in_two_folders_are_both_read(tmp_path: Path) -> None:
    written(tmp_path, "arma\n", "a/text.txt")
    written(tmp_path, "bella\n", "b/text.txt")
    assert ids_and_texts(read(tmp_path)) == [("text.1", "arma"), ("b.text.text.1", "bella")]


def test_an_empty_file_among_others_is_reported(tmp_path: Path) -> None:
    written(tmp_path, "<luc. 1.1>\tBella\n", "lucan.bellum_civile.part.1.tess")
    written(tmp_path, "\n", "lucan.bellum_civile.part.2.tess")
    assert read_warned(tmp_path, r"part.2.tess: the file is empty; the others are read \(1 file in all\)") == [
        ("luc.1.1", "Bella")
    ]


@given(st.text(alphabet="ab .1<>\t\u00a0\u2003", min_size=1))
def test_an_id_never_has_white_space(tag: str) -> None:
    assert not any(char.isspace() for char in doc_id(tag))


@given(st.text(alphabet="ab1.- <>\n\r\t\ufeffé", max_size=60))
def test_no_text_is_lost_and_nothing_crashes(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    path = written(tmp_path_factory.mktemp("any"), content + "\n<luc. 1.1>\tBella\n")
    passages = [located.passage for located in read_tess(path, {})]
    assert passages[-1].text.endswith("Bella")
    letters = [char for char in content if char in "abé"]
    kept = [char for passage in passages for char in passage.ref + passage.text if char in "abé"]
    assert len(kept) >= len(letters)


TAGS = st.text(alphabet="ab1²é.(_ -–<>\t\u00a0", max_size=14)


@given(TAGS)
def test_references_are_found_as_the_obvious_expressions_find_them(line: str) -> None:
    """The expressions are short and right, but take the square of the time on a long run of digits."""
    match = re.match(r"\s*<([^<>\t]*?\d[\w.]*)(?:[ \t]+|$)", line)
    assert opened(line) == ((match[1], line[match.end() :]) if match else None)
    match = re.match(r"\s*([^<>\t]*?\d[\w.()]*)>[ \t]*", line)
    assert closed(line) == ((match[1], line[match.end() :]) if match else None)
    tag = line.strip()
    assert is_span(tag) == bool(re.search(r"\d\w*[-–]\d+\w*$", tag))
    assert is_reference(tag) == (tag[-1:].isdigit() or bool(re.search(r"\d\S*\s*$|\w\.\s*\w", tag)))


LONG = "1" * 40_000


@pytest.mark.parametrize(
    "line",
    [
        LONG,
        f"{LONG} >",
        f"<{LONG}",
        f"<{LONG}!",
        f"<a. 1> <{LONG}",
        f"<a. 1> {'<1' * 20_000}",
        f"<{LONG} x>",
        f"<a {LONG}-{LONG}!>",
        f"<{'a.' * 20_000}1>",
        f"<a. {LONG}.{LONG}> arma",
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_line_of_any_length_is_read_at_once(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"<a. 1>\tarma\n{line}\n{line}\n")
    begin = time.perf_counter()
    notes: Notes = {}
    assert read_tess(path, notes)
    assert time.perf_counter() - begin < 1  # 11 s by backtracking
    assert all(len(str(place)) < len(str(path)) + 100 for places in notes.values() for place in places)


def test_a_number_too_long_for_one_stays_a_text() -> None:
    assert reference_meta("a. 1." + "9" * 18) == {"book": 1, "line": 10**18 - 1}
    assert reference_meta("a. 1." + "9" * 5000) == {"book": 1, "line": "9" * 5000}


ODD = {
    "augustine.de_doctrina_christiana.part.4.tess": (
        "august.doc.1",
        {"the reference occurs again", "no reference"},
    ),  # byte-order mark; two headings
    "ovid.ibis.tess": ("ov.ib.1", set()),
    "cicero.philippicae.part.7.tess": ("cic.phil.7.1", {"a reference with only one"}),
    "aurelius_victor.de_caesaribus.tess": ("", {"no reference"}),
    "seneca.agamemnon.tess": ("sen.ag.0-4", {"one reference to several lines"}),
    "corippus.johannis.part.1.tess": ("coripp.johann.2.1", {"a second reference"}),
    "priscian.perihegesis.tess": ("", {"the reference and its text occur again"}),
    "lucretius.de_rerum_natura.part.6.tess": ("", {"no text", "the reference occurs again", "the reference is lower"}),
    "macrobius.saturnalia.part.2.tess": ("macro.sat.2.1.1", {"a second reference"}),
    "gellius.attic_nights.part.19.tess": ("gel.attic.19.1.14&gt;", {"the reference occurs again"}),
    "tacitus.annales.part.5.tess": ("Tac.Ann.5(6).6", set()),
    "apuleius.apologia.tess": ("apul.apol.44", set()),
}


@pytest.mark.parametrize("name", ODD)
def test_the_odd_files_of_tesserae_are_read(data: Path, name: str) -> None:
    expected_id, kinds = ODD[name]
    path = data / "tesserae-la" / name
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        passages = read(path)
    assert not expected_id or expected_id in {passage.doc_id for passage in passages}
    messages = [str(warning.message) for warning in caught]
    assert all(any(kind in message for message in messages) for kind in kinds), messages
    assert len(messages) == len({message.split(": ", 1)[1].split(";")[0] for message in messages})
    assert all(passage.meta["author"] and passage.meta["work"] for passage in passages)


def test_every_line_of_tesserae_is_a_passage_or_is_counted(data: Path) -> None:
    """A tenth of the files, evenly taken: every line that is not empty is a passage, or is in the notes."""
    for path in sorted((data / "tesserae-la").glob("*.tess"))[::10]:
        notes: Notes = {}
        located = read_tess(path, notes)
        joined = sum(len(places) for fault, places in notes.items() if "joined" in fault or "several lines" in fault)
        parted = sum(len(places) for fault, places in notes.items() if "second reference" in fault)
        newlines = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n")
        lines = [line for line in newlines if line.strip()]
        assert len(located) + joined - parted == len(lines), path
