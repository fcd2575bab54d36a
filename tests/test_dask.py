"""Many queries on a Dask cluster: workers open the index by its path, and the run is the one of a single process."""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import pytest

import latinsearch as ls
from latinsearch.methods import build
from latinsearch.records import Benchmark, InputError, Passage, Query
from latinsearch.retriever import LexicalRetriever, load, search_all
from latinsearch.trec import write_run

distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as made:
        yield made


@pytest.fixture(scope="module")
def epic(data: Path) -> Benchmark:
    return ls.load_benchmark("latin-epic", path=data / "epic")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, epic: Benchmark) -> Path:
    folder: Path = tmp_path_factory.mktemp("dask") / "index"
    build(epic.passages, "bm25-lemma").save(folder)
    return folder


@pytest.fixture(scope="module")
def queries(epic: Benchmark) -> list[Query]:
    """Those of latin-epic and 20,000 more, of words drawn from its passages."""
    draw = random.Random(3)
    words = [word for passage in draw.sample(epic.passages, 2000) for word in passage.text.split()]
    return [*epic.queries, *(Query(f"drawn-{n}", " ".join(draw.choices(words, k=6))) for n in range(20_000))]


def written(run: Any, path: Path) -> bytes:
    write_run(run, path, "bm25-lemma")
    return path.read_bytes()


@pytest.fixture(scope="module")
def expected(saved: Path, queries: list[Query], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return written(search_all(load(saved), queries, k=10), tmp_path_factory.mktemp("run") / "one.run")


def test_a_loaded_retriever_travels_as_a_path(saved: Path) -> None:
    retriever = load(saved)
    packed = pickle.dumps(retriever)
    assert len(packed) < 1000
    again: LexicalRetriever = pickle.loads(packed)
    assert again.signature == retriever.signature
    assert pickle.loads(packed) is again  # opened once in a process
    assert [hit.doc_id for hit in again.search("arma uirumque")] == [
        hit.doc_id for hit in retriever.search("arma uirumque")
    ]


def test_a_path_that_leads_to_another_index_is_refused(tmp_path: Path) -> None:
    build([Passage("a", "arma")]).save(tmp_path / "index")
    packed = pickle.dumps(load(tmp_path / "index"))
    build([Passage("b", "arma")]).save(tmp_path / "index")
    with pytest.raises(InputError, match="the index was replaced after it had been loaded"):
        pickle.loads(packed)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_the_run_is_the_same_on_a_cluster_even_if_a_worker_dies(
    client: Any, saved: Path, queries: list[Query], expected: bytes, tmp_path: Path
) -> None:
    retriever = load(saved)
    with joblib.parallel_config(backend="dask"):
        assert written(search_all(retriever, queries, k=10, n_jobs=2), tmp_path / "two.run") == expected

        killed = []

    pids = client.run(os.getpid)

    def kill() -> None:
        busy: list[str] = []
        while not busy:
            time.sleep(0.002)
            busy = [worker for worker, tasks in client.processing().items() if tasks]
        os.kill(pids[busy[0]], signal.SIGKILL)
        killed.append(busy[0])

    killer = threading.Thread(target=kill)
    with joblib.parallel_config(backend="dask"):
        killer.start()
        run = search_all(retriever, queries, k=10, n_jobs=2)
    killer.join()
    assert killed
    assert written(run, tmp_path / "killed.run") == expected


@pytest.mark.usefixtures("client")
def test_a_retriever_in_memory_works_there_too() -> None:
    sample = ls.load_benchmark("sample")
    retriever = ls.build(sample.passages, "tesserae-one")
    expected = search_all(retriever, sample.queries)
    with joblib.parallel_config(backend="dask"):
        assert search_all(retriever, sample.queries, n_jobs=2) == expected
