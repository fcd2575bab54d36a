"""What else a form may be called, or be: candidates that analysis shows behind the likely ones and searches leave out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from lexicon.cases import of_a_head
from lexicon.readings import Sources

from latinsearch.lemmatizers.enclitics import without_enclitic
from latinsearch.lemmatizers.variants import RULES

MOST = 8
"""Further candidates of one form, at most."""

_PRECISE = ("assimilation", "uo_for_uu", "ue_for_uo")
"""Spelling rules that are nearly always right: a known form may be another's spelling (suom)."""

# An adjective's neuter and feminine as nouns (bonum, Iulia), a neuter's adjective, -e beside -is: head, head, endings.
_AS_NOUNS = (
    ("us", "um", ("um", "i", "o", "a", "orum", "is")),
    ("um", "us", ("um", "i", "o", "a", "orum", "is")),
    ("is", "e", ("e", "is", "i", "ia", "ium", "ibus")),
)
_FEMININE = (("us", "a", ("a", "ae", "am", "as", "arum", "is")),)


@dataclass(frozen=True)
class Known:
    """What further candidates are found in: the sources, all their lemmata, the likely candidates of each form."""

    sources: Sources
    heads: Collection[str]
    likely: Mapping[str, list[str]]


def heads(sources: Sources) -> frozenset[str]:
    """The lemmata of all sources, as they write them."""
    listed = {lemma for table in (sources.cltk, sources.simplemma) for lemmata in table.values() for lemma in lemmata}
    return frozenset(listed | {lemma for places in sources.whitaker.values() for lemma, _ in places})


def _named_otherwise(form: str, known: Known) -> Iterator[str]:
    """The names that the sources give, before they are brought to one lemma a word; those first that more sources give."""
    sources = known.sources
    named = (
        sources.cltk.get(form, ()),
        sources.simplemma.get(form, ()),
        {lemma for lemma, _ in sources.whitaker.get(form, ())},
    )
    found = sorted({lemma for lemmata in named for lemma in lemmata})
    yield from sorted(found, key=lambda lemma: -sum(lemma in lemmata for lemmata in named))


def _without_enclitic(form: str, known: Known) -> Iterator[str]:
    """What the form is with an enclitic: inque, the imperative of inquam, is in + que as well."""
    yield from without_enclitic(form, lambda rest: tuple(known.likely.get(rest, ())))


def _respelled(form: str, known: Known) -> Iterator[str]:
    for name in _PRECISE:
        for spelling in RULES[name](form):
            yield from known.likely.get(spelling, ())
    if form.endswith("is"):  # prouincis, the same as prouinciis
        yield from known.likely.get(f"{form[:-2]}iis", ())


def _itself(form: str) -> Iterator[str]:
    """The form, and the positive of an adverb in -us, where they are entries."""
    yield form
    if form.endswith("us"):
        yield f"{form[:-2]}e"


def _verbs_of_participles(form: str, known: Known) -> Iterator[str]:
    """The verb of a participle that has become an adjective, and of its adverb: constanter, consto."""
    for lemma in known.likely[form]:
        adjectives = (lemma, f"{lemma[:-3]}s") if lemma.endswith("nter") else (lemma,)
        for adjective in adjectives:
            yield from sorted(
                {verb for verb, slot in known.sources.whitaker.get(adjective, ()) if " PPL " in f"{slot} "}
            )


def _as_nouns(form: str, known: Known) -> Iterator[str]:
    """An adjective's neuter as a noun; the feminine of a Roman or Greek name, which is a name (Iulia, Saturnia)."""
    for lemma in known.likely[form]:
        for head, noun, endings in (*_AS_NOUNS, *(_FEMININE if lemma in known.sources.names else ())):
            stem = lemma.removesuffix(head)
            if stem != lemma and form.startswith(stem) and form[len(stem) :] in endings:
                yield stem + noun


_GREEK = (("us", "os"), ("um", "on"), ("a", "e"), ("o", "on"), ("a", "es"), ("a", "as"), ("es", "e"))


def _greek_or_latin_head(form: str, known: Known) -> Iterator[str]:
    """The other nominative of a Greek name: delos beside delus, if it is a form of the same lemma."""
    for lemma in sorted(known.sources.names.intersection(known.likely[form])):
        for latin, greek in _GREEK:
            for one, other in ((latin, greek), (greek, latin)):
                head = lemma.removesuffix(one) + other
                if lemma.endswith(one) and lemma in known.likely.get(head, ()):
                    yield head


_ATTESTED: tuple[Callable[[str], Iterator[str]], ...] = (of_a_head, _itself)
_RULES: tuple[Callable[[str, Known], Iterator[str]], ...] = (_named_otherwise, _without_enclitic, _respelled)
_DERIVED: tuple[Callable[[str, Known], Iterator[str]], ...] = (_verbs_of_participles, _as_nouns, _greek_or_latin_head)


def further(form: str, known: Known) -> list[str]:
    """The further candidates of a form that has likely ones, those that sources name first."""
    found: dict[str, None] = {}
    for rule in _RULES:
        found |= dict.fromkeys(rule(form, known))
    for rule in _ATTESTED:
        found |= dict.fromkeys(lemma for lemma in rule(form) if lemma in known.heads)
    for rule in _DERIVED:
        found |= dict.fromkeys(rule(form, known))
    likely = known.likely[form]
    return [lemma for lemma in found if lemma and lemma not in likely][:MOST]
