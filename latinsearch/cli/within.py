"""The passages that `--within author=Vergil` means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from latinsearch.records import InputError, Passage

_LISTED = 20

Wanted = dict[str, set[str]]
"""{meta key: the values any of which a passage may have, in small letters}."""


def doc_ids_within(passages: Sequence[Passage], conditions: Iterable[str]) -> set[str]:
    """The doc_ids of the passages that meet all conditions, each `key=value`.

    >>> passages = [Passage("a", "arma", meta={"author": "Vergil"}), Passage("b", "arma", meta={"author": "Ovid"})]
    >>> doc_ids_within(passages, ["author=vergil"])
    {'a'}

    Keys are those of the passages' meta; capitals do not matter. Several conditions, given one by one or parted by
    commas, must all be met; of one key with several values (`author=Vergil,Ovid`) one is enough.

    Raises InputError for a key or a value that no passage has (the message lists what there is), and if no passage
    meets all the conditions.
    """
    values: dict[str, dict[str, str]] = {}
    for passage in passages:
        for key, value in passage.meta.items():
            values.setdefault(key, {}).setdefault(str(value).casefold(), str(value))
    wanted: Wanted = {}
    for condition in conditions:
        for key, value in _conditions(condition, values):
            wanted.setdefault(_key(key, values), set()).add(_value(key, value, values))
    found = {passage.doc_id for passage in passages if _meets(passage, wanted)}
    if not found:
        told = " and ".join(f"{key}={','.join(sorted(wanted[key]))}" for key in wanted)
        raise InputError(f"no passage has {told} together; leave a condition out")
    return found


def _meets(passage: Passage, wanted: Wanted) -> bool:
    return all(
        key in passage.meta and str(passage.meta[key]).casefold() in accepted for key, accepted in wanted.items()
    )


def _conditions(text: str, values: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    """The conditions of one option; a piece without `=` is one more value of the key before it."""
    key, equals, value = text.partition("=")
    if equals and value.strip().casefold() in values.get(key.strip().casefold(), {}):
        return [(key, value)]  # so that a value may have a comma in it
    found: list[tuple[str, str]] = []
    for piece in text.split(","):
        key, equals, value = piece.partition("=")
        if not equals and not found:
            raise InputError(f"--within {text!r} is not a condition; write it like author=Vergil")
        found.append((key, value) if equals else (found[-1][0], piece))
    return found


def _key(key: str, values: dict[str, dict[str, str]]) -> str:
    name = key.strip().casefold()
    if name not in values:
        known = f"they have {', '.join(sorted(values))}" if values else "they have nothing to choose by"
        raise InputError(f"no passage has the key {key.strip()!r} of --within; {known}")
    return name


def _value(key: str, value: str, values: dict[str, dict[str, str]]) -> str:
    known = values[_key(key, values)]
    if value.strip().casefold() not in known:
        listed = sorted(known.values(), key=_natural)
        more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
        raise InputError(f"no passage has {key.strip()}={value.strip()}; there is {', '.join(listed[:_LISTED])}{more}")
    return value.strip().casefold()


def _natural(value: str) -> tuple[int, str]:
    """Numbers in their order, before words."""
    return (int(value), "") if value.isdecimal() else (2**31, value)
