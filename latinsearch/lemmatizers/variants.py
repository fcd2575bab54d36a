"""Spelling variants: named rules from a folded form to the spellings under which a lexicon may have it.

They are asked only for a form that is not known as it stands, so an edition's `inplent` finds `implent`, and `moestus`
finds `maestus`, whichever of the two the lexicon has. A rule gives every spelling that it can make, in no order of
likelihood; what is not a known form falls away. `tests/test_variants.py` measures each rule over the whole lexicon and
holds it to a floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from latinsearch.lemmatizers import Lemmatizer

Rule = Callable[[str], Iterator[str]]

_compiled = cache(regex.compile)


def _each(pattern: str, replacement: str, form: str) -> Iterator[str]:
    """The form with one place changed, for each place; and with all of them changed, if there are several."""
    compiled = _compiled(pattern)
    places = list(compiled.finditer(form))
    for place in places:
        yield form[: place.start()] + place.expand(replacement) + form[place.end() :]
    if len(places) > 1:
        yield compiled.sub(replacement, form)


def _other_end(one: str, other: str, form: str) -> Iterator[str]:
    """The form with one ending exchanged for the other, whichever it has."""
    if form.endswith(one):
        yield form.removesuffix(one) + other
    elif form.endswith(other):
        yield form.removesuffix(other) + one


_PREFIXES: tuple[tuple[str, str], ...] = (
    *((f"ad{c}", f"a{c}{c}") for c in "cfglnprst"),
    ("adq", "acq"),
    ("adsp", "asp"),
    ("adsc", "asc"),
    ("adst", "ast"),
    ("adgn", "agn"),
    *((f"con{c}", f"co{c}{c}") for c in "lmr"),
    *((f"con{c}", f"com{c}") for c in "bp"),
    *((f"in{c}", f"i{c}{c}") for c in "lmr"),
    *((f"in{c}", f"im{c}") for c in "bp"),
    *((f"sub{c}", f"su{c}{c}") for c in "cfgmpr"),
    *((f"ob{c}", f"o{c}{c}") for c in "cfgp"),
    *((f"ex{c}", f"exs{c}") for c in "cpt"),
    *((f"ex{v}", f"exs{v}") for v in "aeiou"),
    *((f"ec{c}", f"e{c}{c}") for c in "f"),
    ("exf", "eff"),
    ("disf", "diff"),
    ("perl", "pell"),
    ("transs", "trans"),
    ("tram", "transm"),
    ("tran", "transn"),
    ("aps", "abs"),
    ("ops", "obs"),
    ("opt", "obt"),
    ("sups", "subs"),
    ("supt", "subt"),
)


def _exchanged(pairs: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    """Of each beginning, those that may stand in its place, whichever of a pair it is."""
    others: dict[str, list[str]] = {}
    for one, other in pairs:
        others.setdefault(one, []).append(other)
        others.setdefault(other, []).append(one)
    return others


_OTHER_PREFIXES = _exchanged(_PREFIXES)
_PREFIX_LENGTHS = range(min(map(len, _OTHER_PREFIXES)), max(map(len, _OTHER_PREFIXES)) + 1)


def assimilation(form: str) -> Iterator[str]:
    """A prefix with its last consonant assimilated or not.

    >>> list(assimilation("inplent")), list(assimilation("conlocat")), "alloquor" in assimilation("adloquor")
    (['implent'], ['collocat'], True)
    >>> "expecto" in assimilation("exspecto"), "exspecto" in assimilation("expecto"), list(assimilation("subfero"))
    (True, True, ['suffero'])
    """
    for length in _PREFIX_LENGTHS:
        for other in _OTHER_PREFIXES.get(form[:length], ()) if length <= len(form) else ():
            yield other + form[length:]


def uo_for_uu(form: str) -> Iterator[str]:
    """uo after u or q, and in uol-, as later spelling has it: uu (or u alone after q, or cu).

    >>> list(uo_for_uu("uolnus")), list(uo_for_uu("diuom")), list(uo_for_uu("seruos"))
    (['uulnus'], ['diuum'], ['seruus'])
    >>> list(uo_for_uu("aequom")), list(uo_for_uu("equos"))
    (['aequum', 'aecum'], ['equus', 'ecus'])
    """
    if "uo" not in form:
        return
    yield from _each(r"(?<=\b|u)uol(?=[cgnpst])", "uul", form)
    yield from _each(r"(?<=u)o(?=[ms]$|nt$|ntur$)", "u", form)
    yield from _each(r"quo(?=[ms]$|nt$|ntur$)", "cu", form)


_QU = {"quom": "cum", "quoi": "cui", "quoius": "cuius", "quor": "cur", "quoiuis": "cuiuis", "quoiquam": "cuiquam"}


def qu_for_c(form: str) -> Iterator[str]:
    """The pronouns and particles that older spelling writes with qu.

    >>> list(qu_for_c("quom")), list(qu_for_c("quoius"))
    (['cum'], ['cuius'])
    """
    if form in _QU:
        yield _QU[form]


def ue_for_uo(form: str) -> Iterator[str]:
    """uer, ues, uet for older uor, uos, uot.

    >>> list(ue_for_uo("uortit")), list(ue_for_uo("uostrum")), list(ue_for_uo("uotare"))
    (['uertit'], ['uestrum'], ['uetare'])
    """
    if "uo" in form:
        yield from _each(r"(?<=\b|[adeorx])uo(?=r[st]|st|t)", "ue", form)


def mpt_for_mt(form: str) -> Iterator[str]:
    """A p between m and t, s or n, there or not.

    >>> list(mpt_for_mt("peremto")), list(mpt_for_mt("sompnum"))
    (['perempto'], ['somnum'])
    """
    yield from _each(r"(?<=m)(?=[ts])", "p", form)
    yield from _each(r"(?<=m)p(?=[tsn])", "", form)


def ti_for_ci(form: str) -> Iterator[str]:
    """ti before a vowel, which medieval copies write ci.

    >>> list(ti_for_ci("oracio")), list(ti_for_ci("silencium"))
    (['oratio'], ['silentium'])
    """
    yield from _each(r"(?<=.)ci(?=[aeou])", "ti", form)


def iebat_for_ibat(form: str) -> Iterator[str]:
    """The imperfect of the fourth conjugation, which poets shorten.

    >>> list(iebat_for_ibat("nescibat")), list(iebat_for_ibat("uestibant"))
    (['nesciebat'], ['uestiebant'])
    """
    yield from _each(r"(?<=..)(?<=[^i])i(?=ba(?:m|s|t|mus|tis|nt|r|ris|tur|mur|mini|ntur)$)", "ie", form)


def iens_for_ies(form: str) -> Iterator[str]:
    """Numeral adverbs with and without n.

    >>> list(iens_for_ies("quotiens")), list(iens_for_ies("toties")), list(iens_for_ies("audiens"))
    (['quoties'], ['totiens'], ['audies'])
    """
    return _other_end("iens", "ies", form)


def u_for_i(form: str) -> Iterator[str]:
    """u and i before a labial: superlatives, lacruma, lubet, monimentum, and datives in -ubus.

    >>> "maximus" in u_for_i("maxumus"), "lacrima" in u_for_i("lacruma"), "libet" in u_for_i("lubet")
    (True, True, True)
    """
    yield from _each(r"(?<=[^aeiou])u(?=[mbpf][aeiou])", "i", form)
    yield from _each(r"(?<=[^aeiou])i(?=[mbpf][aeiou])", "u", form)


def diphthongs(form: str) -> Iterator[str]:
    """oe, ae and e for one another, as medieval and humanist copies have them; au for o.

    >>> "maestus" in diphthongs("moestus"), "caelum" in diphthongs("coelum"), "femina" in diphthongs("foemina")
    (True, True, True)
    """
    for old, new in (("oe", "ae"), ("oe", "e"), ("ae", "oe"), ("ae", "e")):
        if old in form:
            yield from _each(old, new, form)
    for new in ("ae", "oe") if "e" in form else ():
        yield from _each("(?<![ao])e(?![ui])", new, form)


def initial_h(form: str) -> Iterator[str]:
    """h at the beginning, there or not.

    >>> list(initial_h("harena")), list(initial_h("erus"))
    (['arena'], ['herus'])
    """
    if form.startswith("h"):
        yield form[1:]
    elif form[:1] in "aeiouy" and form:
        yield f"h{form}"


def aspirates(form: str) -> Iterator[str]:
    """ch, ph, th, rh with and without h; y as i or u.

    >>> "sulphur" in aspirates("sulpur"), "lacrima" in aspirates("lachryma"), "sepulcrum" in aspirates("sepulchrum")
    (True, True, True)
    """
    for bare in (form, *(_each("(?<=[cptr])h", "", form) if "h" in form else ())):
        yield from () if bare == form else (bare,)
        for letter in "iu" if "y" in bare else "":
            yield from _each("y", letter, bare)
    yield from _each(r"(?<=[cptr])(?=[^h]|$)", "h", form)


def initial_gn(form: str) -> Iterator[str]:
    """gn at the beginning as n.

    >>> list(initial_gn("gnatus")), list(initial_gn("gnosco"))
    (['natus'], ['nosco'])
    """
    if form.startswith("gn"):
        yield form[1:]


def nx_for_x(form: str) -> Iterator[str]:
    """-unx and -ux, and the cases of both.

    >>> list(nx_for_x("coniux")), list(nx_for_x("coniunx"))
    (['coniunx'], ['coniux'])
    """
    return _other_end("unx", "ux", form)


def doubled(form: str) -> Iterator[str]:
    """A consonant doubled or single.

    >>> "erinys" in doubled("erinnys"), "erinnys" in doubled("erinys"), "littera" in doubled("litera")
    (True, True, True)
    """
    if len(form) < 4:  # MM, CC
        return
    yield from _each(r"([bcdfglmnprst])\1", r"\1", form)
    yield from _each(r"(?<=[aeiouy])([clmnprst])(?=[aeiouy])", r"\1\1", form)


def genitive_um(form: str) -> Iterator[str]:
    """A genitive plural in -um of the first or second declension.

    >>> list(genitive_um("danaum")), list(genitive_um("caelicolum"))
    (['danaorum', 'danaarum'], ['caelicolorum', 'caelicolarum'])
    """
    if form.endswith("um"):
        yield f"{form[:-2]}orum"
        yield f"{form[:-2]}arum"


def accusative_is(form: str) -> Iterator[str]:
    """An accusative plural in -is or -eis of the third declension; -eis also for -is.

    >>> list(accusative_is("montis")), list(accusative_is("parteis"))
    (['montes'], ['partes', 'partis'])
    """
    if form.endswith("eis"):
        yield f"{form[:-3]}es"
        yield f"{form[:-3]}is"
    elif form.endswith("is"):
        yield f"{form[:-2]}es"


_GREEK = (
    ("os", ("us",)), ("on", ("um", "o")), ("an", ("am",)), ("en", ("em", "am")), ("in", ("im", "em")), ("yn", ("ym", "um")),
    ("ora", ("orem",)), ("ona", ("onem",)), ("ada", ("adem",)), ("ida", ("idem",)), ("era", ("erem",)), ("enta", ("entem",)),
    ("oras", ("ores",)), ("onas", ("ones",)), ("adas", ("ades",)), ("idas", ("ides",)), ("as", ("es",)), ("ea", ("eum",)),
    ("os", ("is",)), ("ys", ("is", "us")), ("es", ("a", "as")), ("e", ("a",)), ("ei", ("eo",)), ("oe", ("i",)),
)  # fmt: skip


def greek_endings(form: str) -> Iterator[str]:
    """Greek case endings as Latin ones.

    >>> "hectorem" in greek_endings("hectora"), "delus" in greek_endings("delos"), "ilium" in greek_endings("ilion")
    (True, True, True)
    """
    for greek, latin in _GREEK:
        if form.endswith(greek) and len(form) > len(greek) + 2:
            for ending in latin:
                yield form.removesuffix(greek) + ending


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        assimilation,
        qu_for_c,
        uo_for_uu,
        ue_for_uo,
        mpt_for_mt,
        iebat_for_ibat,
        iens_for_ies,
        initial_gn,
        nx_for_x,
        genitive_um,
        accusative_is,
        u_for_i,
        initial_h,
        ti_for_ci,
        diphthongs,
        doubled,
        aspirates,
        greek_endings,
    )
}
"""The variant rules by name, in the order in which they are asked."""


LONGEST = 40
"""Letters of the longest form that is respelled; no form of the lexicon is as long, and the rules make a spelling a letter."""


def variant(form: str, known: Lemmatizer, rules: tuple[str, ...] = tuple(RULES)) -> tuple[str, ...]:
    """The candidates that the first rule finds for a form that is not known as it stands, `()` if none does.

    >>> lexicon = {"implent": ("impleo",), "maestus": ("maestus",)}
    >>> known = lambda form: lexicon.get(form, ())
    >>> variant("inplent", known), variant("moestus", known), variant("xyz", known)
    (('impleo',), ('maestus',), ())
    """
    if len(form) > LONGEST:
        return ()
    for name in rules:
        found = dict.fromkeys(lemma for spelling in RULES[name](form) for lemma in known(spelling))
        if found:
            return tuple(found)
    return ()
