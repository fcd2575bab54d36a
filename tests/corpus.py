"""Small corpora that several tests search: made of few words, so that ties, repetitions and empty passages abound."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import islice

from latinsearch.lemmatizers.lexicon import lexicon_forms
from latinsearch.records import Passage

WORDS = "arma uirumque cano troiae qui primus ab oris italiam fato profugus et et in per bello bella uir uirum canis".split()


@lru_cache(maxsize=1)
def every_fiftieth() -> list[str]:
    """One in fifty forms of the lexicon, 32,000 of them; to go through all takes some seconds."""
    return list(islice(lexicon_forms(), 0, None, 50))


def passages(seed: int, size: int = 40, longest: int = 8) -> list[Passage]:
    """Passages of 0 to `longest` words, of two works, ids not in order."""
    draw = random.Random(seed)
    ids = draw.sample(range(1000), size)
    return [
        Passage(
            f"p.{number}",
            " ".join(draw.choices(WORDS, k=draw.randint(0, longest))),
            meta={"author": draw.choice(["Vergil", "Ovid"]), "work": "w", "line": number},
        )
        for number in ids
    ]


def queries(seed: int, size: int = 10) -> list[str]:
    """Texts of 1 to 6 words, some repeated, some unknown to every passage."""
    draw = random.Random(seed)
    return [" ".join(draw.choices([*WORDS, "ignotus"], k=draw.randint(1, 6))) for _ in range(size)]
