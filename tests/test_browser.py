"""Pages opened from disk in a real headless browser, without a network.

Needs `pip install 'latinsearch[browser]'` and a Chromium: the program that LATINSEARCH_BROWSER names, or one on the PATH.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from latinsearch.__main__ import run
from latinsearch.compare import Parallel, compare
from latinsearch.corpora import read
from latinsearch.corpora.sample import FOLDER

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LUCAN = FOLDER / "lucan.bellum_civile.part.1.tess"
HOSTILE = (
    "<script>document.title='obeyed'</script><img src=x onerror=\"document.title='obeyed'\"> arma uirumque &amp; <b>"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser that runs, or the reason why there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright: pip install 'latinsearch[browser]'")
    program = os.environ.get("LATINSEARCH_BROWSER") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium: install one, or let LATINSEARCH_BROWSER name it")
    with api.sync_playwright() as started:
        root = hasattr(os, "geteuid") and os.geteuid() == 0  # Chromium's sandbox refuses root
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"] if root else [])
        yield browser
        browser.close()


class Opened:
    """A page, with what it fetched and what its console said."""

    def __init__(self, browser: Any, path: Path, *, script: bool = True) -> None:
        self.context = browser.new_context(offline=True, java_script_enabled=script)
        self.page = self.context.new_page()
        self.fetched: list[str] = []
        self.told: list[str] = []
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.goto(path.as_uri())

    def column(self, number: int) -> list[str]:
        """The text of a column of the table, row by row; from 0."""
        return [row.locator("td").nth(number).inner_text() for row in self.page.locator("tbody tr").all()]

    def ranks(self) -> list[int]:
        return [int(text) for text in self.column(0)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of Lucan and all the sample's texts."""
    path = tmp_path_factory.mktemp("page") / "lucan.html"
    assert run(["compare", str(LUCAN), str(FOLDER), "--format", "html", "--output", str(path)]) == 0
    return path


def parallels() -> list[Parallel]:
    return list(compare(read(LUCAN), read(FOLDER)))


def test_the_page_shows_the_parallels_and_fetches_nothing(chromium: Any, made: Path) -> None:
    opened = Opened(chromium, made)
    expected = parallels()
    assert opened.ranks() == [p.rank for p in expected]
    assert opened.page.locator("mark").all_inner_texts() == [
        word.form for p in expected for word in (*p.target_words, *p.source_words)
    ]
    for shown, p in zip(opened.column(2), expected, strict=True):
        assert shown.split("\n", 1)[1].strip() == p.target.text.strip()
    boxes = [opened.page.locator("tbody tr").first.locator("td").nth(n).bounding_box() for n in (2, 3)]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
    assert boxes[0]["y"] == boxes[1]["y"]
    assert opened.fetched == [made.as_uri()]
    assert opened.told == []


def test_the_buttons_sort_the_rows(chromium: Any, made: Path) -> None:
    opened = Opened(chromium, made)
    expected = parallels()
    for name, passages, side in (("by the target", read(LUCAN), "target"), ("by the source", read(FOLDER), "source")):
        place = {p.doc_id: number for number, p in enumerate(passages)}
        opened.page.get_by_role("button", name=name).click()
        by_text = sorted(expected, key=lambda p: (place[getattr(p, side).doc_id], p.rank))
        assert opened.ranks() == [p.rank for p in by_text]
        assert opened.ranks() != sorted(opened.ranks())
        assert opened.page.locator("button[aria-pressed=true]").inner_text() == name
    opened.page.get_by_role("button", name="by score").click()
    assert opened.ranks() == [p.rank for p in expected]
    assert opened.told == []


def test_the_parts_open_without_script(chromium: Any, made: Path) -> None:
    opened = Opened(chromium, made, script=False)
    details = opened.page.locator("details").first
    assert details.get_attribute("open") is None
    details.locator("summary").click()
    assert details.get_attribute("open") is not None
    first = parallels()[0]
    assert details.inner_text().endswith(f"= {first.score:.6f}")
    assert details.locator("summary").inner_text() == ", ".join(first.lemmata)


def test_a_text_cannot_do_anything(chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{HOSTILE}\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("arma uirumque\n", encoding="utf-8")
    page = tmp_path / "page.html"
    given = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--stoplist", "0", "--format", "html"]
    assert run(["compare", *given, "--output", str(page)]) == 0
    opened = Opened(chromium, page)
    assert opened.page.title() == "a ~ b"
    assert HOSTILE in opened.column(2)[0]
    assert opened.page.locator("mark").all_inner_texts() == ["arma", "uirumque"] * 2
    assert opened.page.locator("img").count() == 0
    assert opened.fetched == [page.as_uri()]
