"""The benchmarks by name, from whatever layout a folder has."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from latinsearch.corpora import beir, epic, hub, lucan_vergil, parallels
from latinsearch.corpora.files import existing
from latinsearch.corpora.sample import assert_sample, sample
from latinsearch.records import Benchmark, InputError

HUB_NAME = "PoetryMTEB/LatinEpicIntertextualityRetrieval"
"""The data set on the Hub that latin-epic is loaded from if no path is given."""

Folder = str | os.PathLike[str] | None
Loader = Callable[[Folder, Folder], Benchmark]


def load_benchmark(name: str, path: Folder = None, *, texts: Folder = None) -> Benchmark:
    """The passages, queries and judgements of a benchmark.

    >>> load_benchmark("sample").name
    'sample'

    * `latin-epic`: `path` is a folder with the `.tess` files and the CSV, a folder in the Hub's layout (parquet) or
      a BEIR folder; all give the same. Without a path it comes from the Hub (`pip install 'latinsearch[hub]'`).
    * `lucan-vergil`: `path` is bench4.txt or the folder with it, `texts` the folder with the `.tess` files of
      Lucan and Vergil; without it they are looked for beside bench4.txt, see `lucan_vergil.load`.
    * `sample`: shipped with the library, without a path.
    * `beir`: `path` is any BEIR folder, after which it is named: corpus.jsonl, queries.jsonl, qrels/test.tsv. On the
      command line `latinsearch benchmark --data FOLDER --name beir`.

    The others are also read from the BEIR folder that `beir.write_beir` made of them. In Python `path` is what
    `--data` is on the command line.

    Raises InputError for an unknown name, for data whose counts are not those the benchmark is known by, and for
    anything in the files that cannot be read; FileNotFoundError for a path that is not there.
    """
    loader = BENCHMARKS.get(name)
    if loader is None:
        raise InputError(f"unknown benchmark {name!r}; known are {', '.join(BENCHMARKS)}")
    return loader(path, texts)


def _latin_epic(path: Folder, texts: Folder) -> Benchmark:
    if texts is not None:
        raise InputError("texts= is for lucan-vergil; latin-epic takes one folder, path= (--data on the command line)")
    if path is None:
        return epic.epic_benchmark(hub.from_hub(HUB_NAME), HUB_NAME)
    folder = _folder(path)
    if hub.is_hub_layout(folder):
        return epic.epic_benchmark(hub.from_parquet(folder), folder)
    if beir.is_beir_layout(folder):
        return epic.epic_benchmark(beir.sources(folder), folder)
    return epic.epic_benchmark(parallels.from_sources(folder), folder)


def _lucan_vergil(path: Folder, texts: Folder) -> Benchmark:
    if path is None:
        raise InputError(
            "lucan-vergil is loaded from a file: give the folder with bench4.txt, --data FOLDER on the command line, "
            "path= in Python"
        )
    if (folder := existing(path)).is_dir() and beir.is_beir_layout(folder):
        return lucan_vergil.lucan_vergil_benchmark(beir.sources(folder), folder)
    return lucan_vergil.load(path, texts)


def _sample(path: Folder, texts: Folder) -> Benchmark:
    if texts is not None:
        raise InputError("texts= is for lucan-vergil; the sample is shipped with the library")
    if path is not None:
        return assert_sample(beir.read_beir(path, name="sample"), path)
    return sample()


def _beir(path: Folder, texts: Folder) -> Benchmark:
    if texts is not None:
        raise InputError("texts= is for lucan-vergil; beir takes one folder, path= (--data on the command line)")
    if path is None:
        raise InputError(
            "beir is loaded from a folder with corpus.jsonl, queries.jsonl and qrels/test.tsv: give it with --data "
            "FOLDER on the command line, path= in Python"
        )
    return beir.read_beir(path)


def _folder(path: str | os.PathLike[str]) -> Path:
    folder = existing(path)
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; latin-epic takes the folder with the .tess files and the CSV")
    return folder


BENCHMARKS: dict[str, Loader] = {
    "latin-epic": _latin_epic,
    "lucan-vergil": _lucan_vergil,
    "sample": _sample,
    "beir": _beir,
}
"""{name: loader}."""
