"""What the tests share: where the data sets lie, and a skip that says so when they are not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("LATINSEARCH_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
"""The data sets that are not part of the repository (see CONTRIBUTING.md)."""


@pytest.fixture(scope="session")
def data() -> Path:
    if not DATA.is_dir():
        pytest.skip(f"the data sets are not at {DATA}; set LATINSEARCH_DATA to their folder")
    return DATA
