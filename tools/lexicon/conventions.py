"""One lemma a word: what the sources call differently is brought together."""

from __future__ import annotations

import regex

PREFIXES: tuple[tuple[str, str], ...] = (
    ("adc", "acc"), ("adf", "aff"), ("adg", "agg"), ("adl", "all"), ("adn", "ann"), ("adp", "app"), ("adq", "acq"),
    ("adr", "arr"), ("ads", "ass"), ("adt", "att"), ("aps", "abs"), ("apt", "abt"),
    ("conb", "comb"), ("conl", "coll"), ("conm", "comm"), ("conp", "comp"), ("conr", "corr"),
    ("inb", "imb"), ("inl", "ill"), ("inm", "imm"), ("inp", "imp"), ("inr", "irr"),
    ("obc", "occ"), ("obf", "off"), ("obp", "opp"), ("opt", "obt"), ("ops", "obs"),
    ("subc", "succ"), ("subf", "suff"), ("subg", "sugg"), ("subm", "summ"), ("subp", "supp"), ("subr", "surr"),
    ("susc", "succ"), ("disf", "diff"), ("exf", "eff"), ("ecf", "eff"), ("exs", "ex"), ("transd", "trad"), ("transn", "tran"),
)  # fmt: skip

_WITHIN = tuple(
    (regex.compile(pattern), repl)
    for pattern, repl in (
        (r"(?<=.)ii(?=.)", "i"),  # iniicio, iniicere
        (r"(?<=...)umus$", "imus"),
        (r"^existumo$", "existimo"),
        (r"^lub(?=[ei])", "lib"),
        (r"(?<=[aeiounr])clum$", "culum"),  # periclum, uinclum
        (r"quo(?=[sm]$)", "quu"),
        (r"iens$", "ies"),  # totiens
        (r"mp(?=[nst])", "m"),  # sumpsi, emptus, columpna
    )
)


_OTHER_WORDS = ("exscio", "exspolio")  # which are not excio and expolio


def key(lemma: str) -> str:
    """What the spellings of one lemma have in common: assimilated prefix, u for o after u, one n in coniunx.

    >>> key("adloquor") == key("alloquor"), key("exspecto") == key("expecto"), key("uolnus") == key("uulnus")
    (True, True, True)
    """
    for old, new in PREFIXES if lemma not in _OTHER_WORDS else ():
        if lemma.startswith(old) and len(lemma) > len(old) + 1:
            lemma = new + lemma[len(old) :]
            break
    lemma = lemma.replace("uo", "uu").replace("iunx", "iux")
    for pattern, repl in _WITHIN:
        lemma = pattern.sub(repl, lemma)
    return lemma


_UNASSIMILATED = tuple(old for old, _ in PREFIXES if old not in ("exs", "susc"))
_RATHER = ("adsum", "assum")
"""Where usage goes against the rule."""
_exs = regex.compile("exs[cptqeiu]")


def preference(lemma: str) -> tuple[bool, ...]:
    """Which of the spellings of a lemma stands for all, the smallest: exspecto, alloquor, uulnus, coniunx, periculum, inicio.

    >>> min("adloquor", "alloquor", key=preference), min("expecto", "exspecto", key=preference)
    ('alloquor', 'exspecto')
    """
    return (
        lemma.startswith(_UNASSIMILATED) != (lemma in _RATHER),
        not _exs.match(lemma),
        "uo" in lemma[1:],
        "clum" in lemma,
        lemma.startswith("lub"),
        "coniux" in lemma,
        "ii" in lemma[:-1],
        lemma.endswith("umus"),
    )


DEGREES = {
    degree: positive
    for positive, degrees in (
        ("bonus", "melior optimus optumus"),
        ("malus", "peior pessimus pessumus"),
        ("magnus", "maior maximus maxumus"),
        ("paruus", "minor minimus minumus"),
        ("multus", "plurimus plurumus"),
    )
    for degree in degrees.split()
}
"""Comparatives and superlatives of another stem, which some sources enter by themselves."""

_TWO_SPELLINGS = """
    moestus maestus, moestitia maestitia, moereo maereo, moeror maeror, coelum caelum, coelus caelus, coelestis caelestis,
    coelicola caelicola, foemina femina, foemineus femineus, foetus fetus, foenum faenum, foenus faenus, fenus faenus,
    coena cena, coeno ceno, praelium proelium, caeterus ceterus, caeteri ceteri, seculum saeculum,
    herus erus, arena harena, humerus umerus, humor umor, humidus umidus, aruspex haruspex,
    edera hedera, gnatus natus, gnata nata, erinnys erinys, erinnis erinys, lacruma lacrima,
    lachryma lacrima, lachrima lacrima, sulphur sulpur, sulfur sulpur, sylua silua, hyems hiems, author auctor,
    autor auctor, charus carus, pulcer pulcher, sepulchrum sepulcrum, tento tempto, epistola epistula,
    intelligo intellego, negligo neglego, nuncius nuntius, nuncio nuntio, concio contio, conditio condicio,
    solatium solacium, litera littera, littus litus, quatuor quattuor, bellua belua, caussa causa, quoties quotiens,
    toties totiens, uirgilius uergilius, lybia libya, lybicus libycus, thracius thraecius, grecus graecus, grecia graecia,
    arundo harundo, relliquiae reliquiae, comunis communis, nichil nihil, nichilum nihilum, amicicia amicitia,
    spacium spatium, tercius tertius, gracia gratia, oracio oratio, racio ratio, sentencia sententia, diuorto diuerto,
    carnufex carnifex, pontufex pontifex, calumpnia calumnia, columpna columna,
    expecto exspecto, adloquor alloquor, conloco colloco, inmensus immensus, subfero suffero
"""
STANDARD: dict[str, str] = dict(pair.split() for pair in _TWO_SPELLINGS.split(","))
"""Entries that dictionaries head by two spellings, and the one that stands for both: facts of spelling, closed by hand."""

ALIASES = {
    "castrum": "castra", "tenebra": "tenebrae", "penas": "penates", "singulus": "singuli", "binus": "bini", "ternus": "terni",
    "quaternus": "quaterni", "uires": "uis", "loca": "locus", "locum": "locus", "diuitia": "diuitiae", "nuptia": "nuptiae",
    "insidia": "insidiae", "reliquia": "reliquiae", "delicia": "deliciae", "epula": "epulae", "exuuia": "exuuiae",
    "inferia": "inferiae", "manubia": "manubiae", "exsequia": "exsequiae", "omnes": "omnis", "omne": "omnis", "omnia": "omnis",
    "sue": "suus", "caius": "gaius", "cnaeus": "gnaeus", "ueter": "uetus", "nubs": "nubes", "nubis": "nubes",
    "plerusque": "plerique",
}  # fmt: skip
"""Entries that are the same word under another name; a plural that has no singular of its own stands for both."""

ENTERED_TWICE = ("castrum", "omnes", "omnia", "loca", "locum", "plerusque")
"""Those of them that dictionaries enter as words of their own: they follow the other as a second candidate."""

POSITIVES = {
    "summus": "superus", "supremus": "superus", "proximus": "propior", "extremus": "exter", "infimus": "inferus",
    "difficulter": "difficilis", "audacter": "audax", "audaciter": "audax",
}  # fmt: skip
"""Superlatives that have become words of their own, and adverbs of another stem, with what they belong to; it follows them."""
