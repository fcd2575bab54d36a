"""How often each spelling rule is right, over the whole lexicon; the table of docs/lemmata.md.

    python benchmarks/variants.py

The measure is that of tests/test_variants.py, which holds each rule to a floor. Takes about four minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from results import put

from latinsearch.lemmatizers.variants import RULES

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))


def main() -> None:
    from test_variants import FLOORS, every_form, precision

    lines = ["| rule | forms changed into known forms | related | floor |", "|---|---|---|---|"]
    for name, rule in RULES.items():
        count, share = precision(rule, every_form())
        lines.append(f"| {name} | {count:,} | {share:.1%} | {FLOORS[name]:.0%} |")
        print(lines[-1], flush=True)
    put(ROOT / "docs" / "lemmata.md", "variants", "\n".join(lines))


if __name__ == "__main__":
    main()
