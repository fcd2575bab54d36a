"""The benchmark latin-epic: parallels of Valerius Flaccus, *Argonautica* 1, in four epics.

Built from the `.tess` verse lines and the judgements of Burns et al., NAACL-HLT 2021:

1. passages: the lines of the four epics, Vergil, Lucan, Ovid, Statius, book by book;
2. queries: the judgements grouped by (VF Line Start, VF Line End), in the order of their first appearance;
3. query text: the lines of the group, joined by a blank;
4. relevant, with grade 1: every line of [Intertext Line Start, Intertext Line End];
5. a pair judged twice counts once.

Nine references of the `.tess` files occur twice (eight in Lucan, one in Ovid). The first line is kept, as on the
Hub, without a warning: the texts are known, and so are these. Ids, references and metadata are the same whatever
the source was: all are made from the id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from latinsearch.corpora.benchmark import Sources, assert_facts, benchmark, records_of
from latinsearch.corpora.files import MOST_DIGITS, short
from latinsearch.records import Benchmark, InputError, Meta, Passage, Query

NAME = "latin-epic"
FACTS = {
    "passages": 39_675,
    "Vergil": 9_896,
    "Lucan": 8_053,
    "Ovid": 11_995,
    "Statius": 9_731,
    "queries": 482,
    "judgements": 978,
}
"""The counts of the benchmark's card."""


@dataclass(frozen=True, slots=True)
class Work:
    """An epic: its author and title, its id in doc_ids, its abbreviation in references, the name of its files."""

    author: str
    title: str
    key: str
    abbreviation: str
    stem: str


EPICS = (
    Work("Vergil", "Aeneid", "vergil", "verg. aen.", "vergil.aeneid"),
    Work("Lucan", "Bellum Civile", "lucan", "luc.", "lucan.bellum_civile"),
    Work("Ovid", "Metamorphoses", "ovid", "ov. met.", "ovid.metamorphoses"),
    Work("Statius", "Thebaid", "statius", "stat. theb.", "statius.thebaid"),
)
ARGONAUTICA = Work("Valerius Flaccus", "Argonautica", "vf", "valerius flaccus", "valerius_flaccus.argonautica")

_BY_KEY = {work.key: work for work in EPICS}
_NUMBER = rf"([0-9]{{1,{MOST_DIGITS}}})"
_DOC_ID = re.compile(rf"([a-z]+)-{_NUMBER}-{_NUMBER}")
_QUERY_ID = re.compile(rf"vf-{_NUMBER}-{_NUMBER}-{_NUMBER}")


def verse(doc_id: str, text: str) -> Passage:
    """The passage of a verse line, its reference and metadata made from the id.

    >>> verse("ovid-15-879", "siquid habent veri vatum praesagia, vivam.").ref
    '<ov. met. 15.879>'

    Raises InputError for an id that is not author-book-line of one of the four epics.
    """
    match = _DOC_ID.fullmatch(doc_id)
    work = _BY_KEY.get(match[1]) if match else None
    if match is None or work is None:
        raise InputError(f"{short(doc_id)} is no verse of {NAME}: ids are author-book-line, of {', '.join(_BY_KEY)}")
    book, line = int(match[2]), int(match[3])
    meta: Meta = {"author": work.author, "work": work.title, "book": book, "line": line}
    return Passage(doc_id, text, f"<{work.abbreviation} {book}.{line}>", meta)


def question(query_id: str, text: str) -> Query:
    """The query of one or more lines of the *Argonautica*, its metadata made from the id.

    >>> question("vf-1-3-4", "ausa sequi ... Olympo. ").meta["line_end"]
    4

    Raises InputError for an id that is not vf-book-first-last.
    """
    match = _QUERY_ID.fullmatch(query_id)
    if match is None:
        raise InputError(f"{short(query_id)} is no query of {NAME}: ids are vf-book-first-last, such as 'vf-1-3-4'")
    book, first, last = map(int, match.groups())
    meta: Meta = {
        "author": ARGONAUTICA.author,
        "work": ARGONAUTICA.title,
        "book": book,
        "line_start": first,
        "line_end": last,
    }
    return Query(query_id, text, meta)


def epic_benchmark(sources: Sources, where: object) -> Benchmark:
    """The benchmark of ids and texts from any source, its counts checked. Raises InputError if they are others."""
    passages = records_of(sources.corpus, verse)
    asked = records_of(sources.queries, question)
    judged = {(each.query_id, each.doc_id, each.grade) for each in sources.judgements}
    assert_facts(NAME, where, FACTS, {**_counts(passages), "queries": len(asked), "judgements": len(judged)})
    return benchmark(NAME, passages, asked, sources.judgements)


def _counts(passages: list[Passage]) -> dict[str, int]:
    counts = {"passages": len(passages)}
    for passage in passages:
        author = str(passage.meta["author"])
        counts[author] = counts.get(author, 0) + 1
    return counts
