"""What the sources say of each form, brought to one lemma a word: the readings that ranking puts in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from lexicon.cases import of_a_head
from lexicon.closed import closed
from lexicon.conventions import ALIASES, DEGREES, ENTERED_TWICE, POSITIVES, STANDARD, key, preference
from lexicon.names import EPIC, spellings
from lexicon.ranking import Reading
from lexicon.sources import Table

AGREEMENT = 2.0
"""How much likelier a reading is that one of the two form lists names, the square of it if both do: tools/choose_ranking.py."""
RARE = 0.3
"""The same for each mark of rarity that Whitaker's Words sets on the word or the ending."""
UNMADE = 0.3
"""The same for a reading of the form lists alone: no paradigm of Whitaker's makes it. A name needs none."""
LAST = 1e-9
"""The same for what is to follow all others."""

Places = dict[tuple[str, str], int]


@dataclass(frozen=True)
class Sources:
    """The three tables of folded forms, and the lemmata that are names."""

    cltk: Table
    simplemma: Table
    whitaker: Mapping[str, Places]
    names: frozenset[str]


def _lemmata(table: Table) -> set[str]:
    return {lemma for lemmata in table.values() for lemma in lemmata}


@dataclass(frozen=True)
class Conventions:
    """Which lemmata are entries of a dictionary, and what stands for those that are not or are spelled otherwise."""

    entries: frozenset[str]
    whitaker: Mapping[str, Places]
    same: Mapping[str, str]

    def canonical(self, lemma: str, form: str) -> str:
        """The lemma under which a word goes in a form: minor is paruus in minoris, but not in minantur."""
        if lemma in DEGREES and all(slot[0] == "V" for other, slot in self.whitaker.get(form, ()) if other == lemma):
            return lemma if (lemma, "V PRES PASSIVE IND 1 S") in self.whitaker.get(lemma, {}) else self.same[lemma]
        return self.same.get(lemma, lemma)

    def resolved(self, form: str, lemma: str) -> set[str]:
        """What a form list's lemma stands for in a form.

        `extructus` and `diligentior`, no entries, stand for the words that they are forms of. A participle that is an entry
        (`tacitus`) stands for its verb as well, unless it is a noun.
        """
        places = self.whitaker.get(lemma, {})
        here = {other for other, _ in self.whitaker.get(form, ())}
        of = {other for other, _ in places}
        if lemma not in self.entries and of:
            return (of & here) or of
        if (lemma, "N NOM S") in places:  # fatum, natus
            return {lemma}
        verbs = {other for other, slot in places if " PPL " in f"{slot} " and other in here}
        return {lemma, *verbs}


def conventions(sources: Sources) -> Conventions:
    """The conventions that follow from the sources."""
    made = {lemma for places in sources.whitaker.values() for lemma, _ in places}
    listed = _lemmata(sources.cltk)
    other = _lemmata(sources.simplemma)
    same = STANDARD | DEGREES | ALIASES
    groups: dict[str, set[str]] = defaultdict(set)
    for lemma in made | listed | other:
        groups[key(lemma)].add(lemma)
    for group in groups.values():
        group -= set(same)
        if not group:
            continue
        best = min(
            group, key=lambda lemma: (preference(lemma), -sum(lemma in some for some in (made, listed, other)), lemma)
        )
        same |= {lemma: best for lemma in group if lemma != best}
    for lemma in sorted(made - listed - other - set(same)):
        same |= _singular(lemma, sources.whitaker.get(lemma, {}), listed)
    while any(best in same for best in same.values()):
        same = {lemma: same.get(best, best) for lemma, best in same.items()}
    return Conventions(frozenset(made | listed), sources.whitaker, same)


def _singular(lemma: str, places: Places, listed: set[str]) -> dict[str, str]:
    """The singular for an entry that Whitaker's Words has only as a plural (`cani`, the grey hairs, beside `canus`)."""
    own = [slot for other, slot in places if other == lemma]
    if "N NOM P" not in own or "N NOM S" in own:
        return {}
    for other, slot in places:
        if other != lemma and other in listed and slot == "N NOM P":
            return {lemma: other}
    return {}


def readings(sources: Sources, known: Conventions, agreement: float = AGREEMENT) -> Iterator[Reading]:
    """The readings of every form, forms and lemmata in alphabetical order."""
    added = _names(sources)
    made = {known.same.get(lemma, lemma) for places in sources.whitaker.values() for lemma, _ in places}
    for form in sorted({*sources.whitaker, *sources.cltk, *sources.simplemma, *added} - closed().keys()):
        cltk, simplemma = (
            {known.canonical(word, form) for lemma in table.get(form, ()) for word in known.resolved(form, lemma)}
            for table in (sources.cltk, sources.simplemma)
        )
        places: dict[str, dict[str, int]] = defaultdict(dict)
        for (lemma, slot), rarity in sources.whitaker.get(form, {}).items():
            of = places[known.canonical(lemma, form)]
            of[slot] = min(rarity, of.get(slot, rarity))
        named = added.get(form, set()) & EPIC.keys()
        adverbs = [lemma for lemma in places if "ADV" in places[lemma]]
        adjectives = {adjective for lemma in adverbs for adjective in _adjectives(lemma, known.entries)}
        candidates = cltk | simplemma | set(places) | added.get(form, set()) | adjectives
        regular = {*of_a_head(form), *places, *added.get(form, ()), *adjectives, *(cltk & simplemma)}
        for lemma in sorted(candidates):
            listed = [some for some in (cltk, simplemma, named) if lemma in some]
            weight = agreement ** len(listed)
            sure = lemma in regular and (lemma not in made or lemma in places or lemma in cltk & simplemma)
            for slot, rarity in sorted(places.get(lemma, {}).items()):
                yield Reading(form, lemma, slot.split()[0], slot, weight * RARE**rarity, sure)
            if not places.get(lemma):
                unmade = 1.0 if lemma in sources.names else UNMADE
                yield Reading(form, lemma, f"-{lemma[-1:]}", form[-2:], weight * unmade, sure or lemma in adjectives)
        for lemma in sorted(_following(form, sources) | {POSITIVES[lemma] for lemma in candidates & POSITIVES.keys()}):
            if lemma not in candidates:
                yield Reading(form, lemma, "-", "", LAST, True)


def _following(form: str, sources: Sources) -> set[str]:
    """The entries of this form that go under another name and are kept behind it."""
    listed = sources.cltk.get(form, set()) | sources.simplemma.get(form, set())
    return (listed | {lemma for lemma, _ in sources.whitaker.get(form, ())}) & set(ENTERED_TWICE)


def _adjectives(adverb: str, entries: Collection[str]) -> set[str]:
    """The adjectives that an adverb in -ter may come from: some dictionaries, and UD's lemmata, give the adjective."""
    made = {
        adverb.removesuffix(tail) + end
        for tail, ends in (
            ("iter", ("is", "us", "x", "er")),
            ("citer", ("x",)),
            ("riter", ("er",)),
            ("nter", ("ns", "ntus")),
            ("ter", ("x",)),
        )
        if adverb.endswith(tail)
        for end in ends
    }
    return {adjective for adjective in made if adjective in entries}


def _names(sources: Sources) -> Table:
    """Forms of names that no source has, by the endings of Greek and Roman names."""
    forms: dict[str, set[str]] = defaultdict(set)
    for table in (sources.cltk, sources.simplemma):
        for form, lemmata in table.items():
            for lemma in lemmata & sources.names:
                forms[lemma].add(form)
    for form, places in sources.whitaker.items():
        for lemma in {lemma for lemma, _ in places} & sources.names:
            forms[lemma].add(form)
    for lemma, genitive in EPIC.items():
        forms[lemma] |= {lemma, genitive}
    found: Table = defaultdict(set)
    for lemma in sorted(forms):
        for form in _new(spellings(lemma, forms[lemma]), lemma, sources):
            found[form].add(lemma)
    for lemma, genitive in EPIC.items():
        for form in _new((lemma, genitive), lemma, sources):
            found[form].add(lemma)
    return dict(found)


def _new(forms: Iterable[str], lemma: str, sources: Sources) -> list[str]:
    tables = (sources.cltk, sources.simplemma, sources.whitaker)
    return [form for form in forms if lemma in EPIC or not any(form in table for table in tables)]
