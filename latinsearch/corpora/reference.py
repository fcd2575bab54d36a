"""References in angle brackets: what is one, its words and numbers, its id and its metadata."""

from __future__ import annotations

import re
from itertools import takewhile

from latinsearch.corpora.files import MOST_DIGITS
from latinsearch.records import Meta

_UNBRACKETED = re.compile(r"[^<>\t]*")
_BLANKS = re.compile(r"\.?\s+")
_DIGIT = re.compile(r"\d")
_ABBREVIATION = re.compile(r"\w\.\s*\w")
_DASH = re.compile(r"[-–]")
_NUMBER = re.compile(r"\d\w*")
_WORD_END = re.compile(r"[\w.]*")
_NUMBER_END = re.compile(r"[\w.()]*")
_LETTERS_END = re.compile(r"\w*")


def doc_id(tag: str) -> str:
    """The id of a reference, without white space: a full stop with blanks, or blanks alone, become a full stop.

    >>> doc_id("verg. aen. 1.1"), doc_id("valerius flaccus 1.1")
    ('verg.aen.1.1', 'valerius.flaccus.1.1')
    """
    return _BLANKS.sub(".", tag.strip())


def split_reference(tag: str) -> tuple[list[str], list[int | str]]:
    """The words of a reference and its numbers; a number such as 7a stays a str.

    >>> split_reference("verg. aen. 1.1")
    (['verg', 'aen'], [1, 1])
    >>> split_reference("aus. ecl. 13. 26.7a"), split_reference("lucan.1.1")
    ((['aus', 'ecl'], [13, 26, '7a']), (['lucan'], [1, 1]))

    The numbers are the last blank-separated pieces that hold a digit, parted at full stops; `Vulgate Genesis.1.1`
    has the book "Genesis". A reference without blanks has the parts before its first digit as words. What has more
    than 18 digits is no number and stays a str.
    """
    pieces = tag.split()
    first = len(pieces)
    while first and _DIGIT.search(pieces[first - 1]):
        first -= 1
    words = [word.strip(".") for word in pieces[:first]]
    parts = [part for piece in pieces[first:] for part in piece.split(".") if part]
    if not words:
        words = list(takewhile(lambda part: not _DIGIT.search(part), parts))
        parts = parts[len(words) :]
    return words, [
        int(part) if part.isascii() and part.isdecimal() and len(part) <= MOST_DIGITS else part for part in parts
    ]


def reference_meta(tag: str) -> Meta:
    """Book, chapter and line as a reference numbers them; a number is an int, `7a` stays a str.

    >>> reference_meta("verg. aen. 1.1"), reference_meta("hor. a.p. 45")
    ({'book': 1, 'line': 1}, {'line': 45})
    >>> reference_meta("caes. gal. 7.20.3")
    {'book': 7, 'chapter': 20, 'line': 3}

    Of three numbers or more the first is the book, the last the line, those between (joined by full stops) the chapter.
    """
    return numbers_meta(split_reference(tag)[1])


def numbers_meta(numbers: list[int | str]) -> Meta:
    """Book, chapter and line of the numbers of a reference, see `reference_meta`."""
    if len(numbers) < 2:
        return {"line": numbers[0]} if numbers else {}
    if len(numbers) == 2:
        return {"book": numbers[0], "line": numbers[1]}
    middle = numbers[1] if len(numbers) == 3 else ".".join(map(str, numbers[1:-1]))
    return {"book": numbers[0], "chapter": middle, "line": numbers[-1]}


# All of these take time proportional to the line: backtracking over a run of 40,000 digits takes its square.


def opened(line: str) -> tuple[str, str] | None:
    """The words after an opening bracket up to the first that ends in a number, and the text after them.

    >>> opened("<luc. 1.3 In sua victrici")
    ('luc. 1.3', 'In sua victrici')
    """
    body = line.lstrip()
    if not body.startswith("<"):
        return None
    reach = _UNBRACKETED.match(body, 1)
    length = len(reach[0]) if reach else 0
    words = body[1 : 1 + length].split(" ")
    if body[1 + length : 2 + length] in ("<", ">"):
        words.pop()
    end = 1
    for word in words:
        end += len(word)
        if _ends_in_number(word, _WORD_END):
            return body[1:end], body[end:].lstrip(" \t")
        end += 1
    return None


def closed(line: str) -> tuple[str, str] | None:
    """What stands before a closing bracket if it ends in a number, and the text after the bracket.

    >>> closed("luc. 1.3> In sua victrici")
    ('luc. 1.3', 'In sua victrici')
    """
    head, bracket, text = line.lstrip().partition(">")
    if not bracket or "<" in head or "\t" in head or not _ends_in_number(head, _NUMBER_END):
        return None
    return head, text.lstrip(" \t")


def _ends_in_number(text: str, letters: re.Pattern[str]) -> bool:
    """Whether the run of letters at the end of a text has a digit in it."""
    run = letters.match(text[::-1])
    return bool(run and _DIGIT.search(run[0]))


def is_span(tag: str) -> bool:
    """Whether a reference ends in the numbers of several lines: `440-4`."""
    dashes = list(_DASH.finditer(tag))
    if not dashes or not _NUMBER.fullmatch(tag, dashes[-1].end()):
        return False
    return _ends_in_number(tag[: dashes[-1].start()], _LETTERS_END)


def is_reference(tag: str) -> bool:
    """Whether what stands in brackets is a reference: it ends in a number or has an abbreviation in it."""
    return tag[-1:].isdigit() or bool(_DIGIT.search("".join(tag.split()[-1:])) or _ABBREVIATION.search(tag))


def is_abbreviated(tag: str) -> bool:
    """Whether all before the number is abbreviated, or the number has two parts: no prose looks like that."""
    *words, number = tag.split()
    return "." in number or (bool(words) and all(word.endswith(".") for word in words))
