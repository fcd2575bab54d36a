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
_BLANKS = rf"(?:[^\S\r\n\u2028\u2029\x85]|{_SIGNS})*+"
# One line end and no more: before an empty line a hyphen is a dash. A sign between \r and \n is taken out later.
_LINE_END_HYPHEN = rf"[-‐‑⸗¬\u00AD]{_BLANKS}(?:\r(?:{_SIGNS}*+\n)?+|[\n\u2028\u2029\x85]){_BLANKS}"
WITHIN_WORD = rf"(?:{_LINE_END_HYPHEN}|{_SIGNS})++"
"""What may stand between two letters of one word without being a part of it."""
LETTER = r"[^\P{L}ʼ]"
"""A letter of any script. ʼ is a letter in Unicode, but an apostrophe in Latin, and separates words like the others."""
# Elsewhere a run of signs goes only where nothing new comes of it: not between digits (5<6), not before a combining mark.
_signs = regex.compile(
    rf"(?<={LETTER}\p{{M}}*){WITHIN_WORD}(?={LETTER})"
    rf"|(?<!{_SIGNS}){_SIGNS}++(?!\p{{M}})(?:(?<!\p{{N}}{_SIGNS}+)|(?!\p{{N}}))"
)
_latin_with_marks = regex.compile(r"((?=\p{L})\p{Script=Latin})\p{M}+")

# UTF-8 read as Latin-1 or Windows-1252 shows each of its bytes as one character: a lead byte, then one to three others.
_TRAIL = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
# × and ð are not taken for lead bytes: the fold keeps both, so what it brings together behind them would be read anew.
_SEQUENCE = f"(?:[Â-ÖØ-ß]{_TRAIL}|[à-ï]{_TRAIL}{{2}}|[ñ-ô]{_TRAIL}{{3}})"
double_encoded = regex.compile(_SEQUENCE)
# Inside a word a letter is no surprise: vÄ“nit is vēnit, though Ä“ by itself may be anything. Only letters that Latin is
# written with, and combining marks behind a letter (veÌ„nit). Clean text that this misreads: Ã, Ä or Å in or at the end of a
# word in capitals with a quotation mark, a dash, dots, a superscript or a soft hyphen directly behind it (PÅ” is read as PŔ,
# VÄ“Rex as VēRex). No Latin but the ã of early prints has these, and none of 6.7 million words in tesserae-la. È, É, Ê, and
# most of Ç and Ì, are left out for the like (PERCHÈ”, COSÌ…).
_beside_letter = regex.compile(rf"(?<={LETTER}\p{{M}}*){_SEQUENCE}|(?!Ì){_SEQUENCE}(?={LETTER})")
_of_latin = regex.compile(r"[À-ÖØ-öø-ſǢǣǪǫǼǽȨȩȲȳḔ-ḗṐ-ṓẼẽỸỹẞꜲ-ꝿﬀ-ﬆ\u0300-\u0304\u0306\u0308\u0327\u0328]")


@lru_cache(maxsize=4096)
def _by_itself(sequence: str) -> str | None:
    """What ftfy takes a sequence for wherever it stands: dashes, quotation marks, letters not to be mistaken."""
    import ftfy  # 60 ms to import, and most texts have nothing to repair

    fixed = ftfy.fix_encoding(sequence)
    return fixed if len(fixed) == 1 else None


@lru_cache(maxsize=4096)
def _in_a_word(sequence: str) -> str | None:
    """The Latin letter or mark that a sequence shows, whether its bytes were read as Windows-1252 or as Latin-1."""
    shown = b"".join(char.encode("latin-1" if char <= "ÿ" else "cp1252") for char in sequence)
    read = shown.decode(errors="replace")
    return read if _of_latin.fullmatch(read) else None


def repair_in_place(text: str) -> tuple[str, list[int]]:
    """The repaired text, and where each of its characters begins in the text as given (last: where the text ends).

    >>> repair_in_place("vÄ“nit")
    ('vēnit', [0, 1, 3, 4, 5, 6])
    """
    places = list(range(len(text) + 1))
    # Twice encoded text takes several rounds. What stands by itself goes first, for it may part words; then letters beside
    # letters, which never do: so a word by itself is repaired as it is in its text.
    for sequences, read in ((double_encoded, _by_itself), (_beside_letter, _in_a_word)):
        changed = True
        while changed:
            changed, done = False, 0
            pieces: list[str] = []
            kept: list[int] = []
            for match in sequences.finditer(text):
                if (character := read(match[0])) is not None:
                    pieces += [text[done : match.start()], character]
                    kept += places[done : match.start() + 1]
                    done = match.end()
                    changed = True
            text, places = "".join([*pieces, text[done:]]), [*kept, *places[done:]]
    return text, places


def repair(text: str) -> str:
    """The text with double-encoded UTF-8 read as what it stands for: by ftfy sequence by sequence, and letters inside words.

    >>> repair("vÄ“nit â€” Ä\\x81rma Å’dipus"), repair("É— “Ä”")
    ('vēnit — ārma Œdipus', 'É— “Ä”')
    """
    return repair_in_place(text)[0] if double_encoded.search(text) else text


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
_e_caudata = regex.compile("([eE])[\u0327\u0328]+")  # typed with an ogonek or, for want of it, with a cedilla


def ligatures(text: str) -> str:
    """The text with ligatures and e caudata written as two letters.

    >>> ligatures("cælum Œdipus ęquus ȩquus ǽ")
    'caelum OEdipus aequus aequus aé'
    """
    text = _e_caudata.sub(lambda match: "ae" if match[1] == "e" else "AE", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", text.translate(_LIGATURES))


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


# Words that end in -st by themselves: est and its compounds (dest is deest), forms of edo, sisto without its ending, and
# abbreviations (epist., inst., rust., August.). Of some 1,400 words in -st in the shipped lexicon the rule leaves these alone
# and splits the rest, and what stands before est is a word of the lexicon in all but 20 (certumnest, modoquest).
_ENDING_SO = (
    r"(?:\p{L}*pot|ab|ad|de?|in|inter|ob|prae|prod|sub|super|amba?d?|com|ex|per|hoc|id|non)?est"
    r"|post|ast|exist|(?:ad|circum|con|de|ex|in|re|sub)?sist|inst|epist|rust|august"
)
_prodelision = regex.compile(
    rf"(?<!{LETTER}|\p{{M}})(?!(?:{_ENDING_SO})(?!{LETTER}|\p{{M}}))"
    rf"(?:({LETTER}(?:{LETTER}|\p{{M}})+?)['’ʼ]?)?st(?!{LETTER}|\p{{M}})"
)


def _with_est(match: regex.Match[str]) -> str:
    word = match[1]
    if word is None:
        return "est"
    if word.endswith(("u", "uo", "vo")) and not word.endswith("quo"):  # amatust, tuost
        word += "s"
    elif word.endswith("ae") and not word.endswith("quae"):  # curaest
        word = word[:-1]
    return f"{word} est"


def prodelision(text: str) -> str:
    """The text with `est` as a word again where an edition writes it in one with the word before (amatast, mea'st).

    >>> prodelision("amatast dictumst amatust homost ubist turpest hocst quaest tuost causaest mea'st bonu'st")
    'amata est dictum est amatus est homo est ubi est turpe est hoc est quae est tuos est causa est mea est bonus est'
    >>> prodelision("est potest prodest adest abest dest comest post ast")
    'est potest prodest adest abest dest comest post ast'

    What it gets wrong: -ist is read as -i est and -est as -e est, also where it is -is est (similist); -ust as -us est
    (cornust, diust) and -uost as -uos est (Amphitruost); an `st` that bids silence as est; `satest` as sate est; foreign
    words and abbreviations in -st. Left alone: idest, hocest, nonest. A text is cut at apostrophes before its words are
    folded, so a search finds mea and est in `mea'st`, but bonu and est in `bonu'st`.
    """
    return _prodelision.sub(_with_est, text)


_elision = regex.compile(rf"(?<={LETTER}|\p{{M}})(qu)(?:['’ʼ](?!{LETTER})|(?!{LETTER}|\p{{M}}))", regex.IGNORECASE)


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
