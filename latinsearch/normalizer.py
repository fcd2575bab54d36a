"""Latin orthography as named rules, each a pure function from text to text, and the fold that composes them.

One fold serves queries, texts, lemmata and stop lists. It is idempotent and it commutes with tokenizing: the words of
the folded text are the folded words of the text. It never guesses: no u is restored to v, no f to s, and a letter that
no rule names (ꝑ, ꝓ, ꝙ, đ, ł and the like) is left as it stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import regex

from latinsearch.records import InputError

# What editors write in and around words: ⟨ali⟩quid, pop(ulus), mul[tum], †locus†, *; and characters that do not print.
_SIGNS = r"[⟨⟩\u2329\u232A\u3008\u3009‹›<>\[\]⟦⟧{}()†‡*⌜⌝⌞⌟⸢⸣⸤⸥\u00AD\u200B-\u200D\u2060\uFEFF]"
_LINE_END_HYPHEN = rf"[-‐¬\u00AD](?:[^\S\r\n\u2028\u2029\x85]|{_SIGNS})*+[\r\n\u2028\u2029\x85](?:\s|{_SIGNS})*+"
WITHIN_WORD = rf"(?:{_LINE_END_HYPHEN}|{_SIGNS})++"
"""What may stand between two letters of one word without being a part of it."""
# Elsewhere a run of signs goes only where nothing new comes of it: not between digits (5<6), not before a combining mark.
_signs = regex.compile(
    rf"(?<=[\p{{L}}\p{{M}}]){WITHIN_WORD}(?=\p{{L}})"
    rf"|(?<!{_SIGNS}){_SIGNS}++(?!\p{{M}})(?:(?<!\p{{N}}{_SIGNS}+)|(?!\p{{N}}))"
)
_latin_with_marks = regex.compile(r"((?=\p{L})\p{Script=Latin})\p{M}+")

# UTF-8 read as Latin-1 or Windows-1252 shows each of its bytes as one character: a lead byte, then one to three others.
_TRAIL = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
# × and ð are not taken for lead bytes: the fold keeps both, so what it brings together behind them would be read anew.
double_encoded = regex.compile(f"[Â-ÖØ-ß]{_TRAIL}|[à-ï]{_TRAIL}{{2}}|[ñ-ô]{_TRAIL}{{3}}")


@lru_cache(maxsize=4096)
def repaired(sequence: str) -> str | None:
    """The character that a double-encoded sequence stands for, or None if ftfy takes it for text as it should be.

    >>> repaired("â€”"), repaired("É—")
    ('—', None)
    """
    import ftfy  # 60 ms to import, and most texts have nothing to repair

    fixed = ftfy.fix_encoding(sequence)
    return fixed if len(fixed) == 1 else None


def repair(text: str) -> str:
    """The text with double-encoded UTF-8 read as what it stands for (by ftfy, sequence by sequence).

    >>> repair("venit â€” Ä\\x81rma")
    'venit — ārma'
    """
    while (fixed := double_encoded.sub(lambda match: repaired(match[0]) or match[0], text)) != text:
        text = fixed
    return text


def unmark(text: str) -> str:
    """The text without editorial signs, invisible characters and line-end hyphens inside words.

    Parentheses are treated like the other brackets, whether they fill out a word (`pop(ulus)`) or hold a clause.

    >>> unmark("⟨ali⟩quid pop(ulus) [et] †locus† conti-\\nnuo (nam vos)")
    'aliquid populus et locus continuo nam vos'
    """
    return _signs.sub("", text)


def lower(text: str) -> str:
    """The text in lower case (inscriptions write VIRVMQVE), a final sigma like any other.

    >>> lower("VIRVMQVE")
    'virvmqve'
    """
    return text.lower().replace("ς", "σ")  # which of the two str.lower() gives depends on what stands beside the word


_LIGATURES = str.maketrans({
    "æ": "ae", "œ": "oe", "ĳ": "ij", "ß": "ss", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    "Æ": "AE", "Œ": "OE", "Ĳ": "IJ", "ẞ": "SS",
})  # fmt: skip
_E_CAUDATA = str.maketrans({"ę": "ae", "Ę": "AE"})


def ligatures(text: str) -> str:
    """The text with ligatures and e caudata written as two letters.

    >>> ligatures("cælum Œdipus ęquus ǽ")
    'caelum OEdipus aequus aé'
    """
    text = unicodedata.normalize("NFD", text.translate(_E_CAUDATA))
    text = text.replace("e\u0328", "ae").replace("E\u0328", "AE").translate(_LIGATURES)
    return unicodedata.normalize("NFC", text)


def long_s(text: str) -> str:
    """The text with the letter long s as s. Nothing is guessed: an f stays an f, even where OCR misread a long s.

    >>> long_s("miſſus fuit")
    'missus fuit'
    """
    return text.replace("ſ", "s")


def unaccent(text: str) -> str:
    """The text without macrons, breves, diaereses and accents on Latin letters, composed or combining; Greek keeps its own.

    >>> unaccent("vēnit ve\\u0304nit poëta Σαρπηδών")
    'venit venit poeta Σαρπηδών'
    """
    return unicodedata.normalize("NFC", _latin_with_marks.sub(r"\1", unicodedata.normalize("NFD", text)))


def v_to_u(text: str) -> str:
    """The text with every v as u. Never the other way: restoring v errs on 0.6 % of tokens and turns cruor into crvor.

    >>> v_to_u("VIRVM virum")
    'UIRUM uirum'
    """
    return text.replace("v", "u").replace("V", "U")


def j_to_i(text: str) -> str:
    """The text with every j as i.

    >>> j_to_i("jacet Juno")
    'iacet Iuno'
    """
    return text.replace("j", "i").replace("J", "I")


_prodelision = regex.compile(r"(?<![\p{L}\p{M}])(\p{L}{2,})(?:(a|um|am|em|im)st|(u)st)(?![\p{L}\p{M}])")


def prodelision(text: str) -> str:
    """The text with `est` after a vowel or -m, where an edition writes the two as one word, as two words again.

    Left alone: every word in -est (adest, potest), and -ist and -ost, which are not told apart from other words.

    >>> prodelision("amatast amatumst amatust potest post ast")
    'amata est amatum est amatus est potest post ast'
    """
    return _prodelision.sub(lambda m: f"{m[1]}{m[2]} est" if m[2] else f"{m[1]}us est", text)


_elision = regex.compile(r"(?<=[\p{L}\p{M}])(qu)(?:['’ʼ]|(?![\p{L}\p{M}]))", regex.IGNORECASE)


def elision(text: str) -> str:
    """The text with -qu' as -que: no Latin word ends in -qu, so the sign of elision need not be there to know it.

    >>> elision("quoqu' atqu’ neque")
    'quoque atque neque'
    """
    return _elision.sub(r"\1e", text)


RULES: dict[str, Callable[[str], str]] = {
    rule.__name__: rule
    for rule in (repair, unmark, lower, ligatures, long_s, unaccent, v_to_u, j_to_i, elision, prodelision)
}
"""The orthography rules by name, in the order in which they are applied."""

FOLD = ("repair", "unmark", "lower", "ligatures", "long_s", "unaccent", "v_to_u", "j_to_i")
"""The rules that are on by default."""

_ASCII = str.maketrans("vj", "ui")


@dataclass(frozen=True, slots=True)
class Normalizer:
    """A fold: the named rules, applied in the order of RULES.

    >>> fold = Normalizer()
    >>> fold("Virumque"), fold("VIRVMQVE"), fold("Ārmă"), fold("⟨ali⟩quid")
    ('uirumque', 'uirumque', 'arma', 'aliquid')
    >>> Normalizer(rules=(*FOLD, "prodelision"))("amatast")
    'amata est'

    Raises InputError for an unknown rule; the message lists the known ones.
    """

    rules: tuple[str, ...] = FOLD

    def __post_init__(self) -> None:
        for name in self.rules:
            if name not in RULES:
                raise InputError(f"unknown orthography rule {name!r}; known are {', '.join(RULES)}")
        object.__setattr__(self, "rules", tuple(name for name in RULES if name in self.rules))

    def __call__(self, text: str) -> str:
        if self.rules == FOLD and text.isascii():  # most words; the rules for other letters change nothing in them
            return unmark(text).lower().translate(_ASCII)
        for name in self.rules:
            text = RULES[name](text)
        return text

    @property
    def signature(self) -> str:
        """The rules as one word without blanks; `fold` for the default.

        >>> Normalizer().signature, Normalizer(("lower", "v_to_u")).signature
        ('fold', 'lower+v_to_u')
        """
        return "fold" if self.rules == FOLD else "+".join(self.rules) or "asis"


fold = Normalizer()
"""The default fold, for lemmata and stop lists as for texts."""
