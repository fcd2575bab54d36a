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
        (r"qu[ou](?=[sm]$)", "cu"),
        (r"iens$", "ies"),  # totiens
        (r"mp(?=[st])", "m"),  # sumpsi, emptus
    )
)


def key(lemma: str) -> str:
    """What the spellings of one lemma have in common: assimilated prefix, u for o after u, one n in coniunx.

    >>> key("adloquor") == key("alloquor"), key("exspecto") == key("expecto"), key("uolnus") == key("uulnus")
    (True, True, True)
    """
    for old, new in PREFIXES:
        if lemma.startswith(old) and len(lemma) > len(old) + 1:
            lemma = new + lemma[len(old) :]
            break
    lemma = lemma.replace("uo", "uu").replace("iunx", "iux")
    for pattern, repl in _WITHIN:
        lemma = pattern.sub(repl, lemma)
    return lemma
