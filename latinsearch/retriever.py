"""Search: the one interface, the retriever that implements it, the ranking rule, and many queries at once."""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from latinsearch.analyzer import Analyzer
from latinsearch.explanation import Explanation
from latinsearch.index import Index, part_types, shard_name
from latinsearch.lemmatizers import Lemmatizer, is_named
from latinsearch.progress import track
from latinsearch.records import VERSION, Hit, InputError, Passage, Query, Run, real_number, whole_number
from latinsearch.scorers import FittedScorer, Scorer, scorer_from_json, scorer_json, scorer_signature
from latinsearch.scorers.bm25 import BM25, FittedBM25
from latinsearch.scorers.kernel import Best, Keys, top, top_of_one
from latinsearch.scorers.tfidf import FittedTfIdf, TfIdf
from latinsearch.scorers.weights import Asked, Weights, scored
from latinsearch.storage import META, read_meta, write
from latinsearch.stored import FILES, Stored, StoredParts, StoredPassages, order_of, written
from latinsearch.stored import checksum as checksum
from latinsearch.words import parallel, words_of


class Retriever(Protocol):
    """Anything that finds passages: evaluation, fusion and the command line work with every object that has `search`."""

    def search(self, query: str, k: int = 10, *, within: Collection[str] | None = None) -> list[Hit]:
        """The k best passages, best first; `within` bounds them to these doc_ids. Nothing shared, no hit."""
        ...


def rank(scores: NDArray[Any], keys: NDArray[Any], k: int | None = None) -> NDArray[np.intp]:
    """The places of the k best scores, best first: as 32-bit floats descending, equal ones by key descending.

    That is trec_eval's rule. keys: the doc_ids, or integers in the order of the doc_ids.

    >>> rank(np.array([1.0, 2.0, 1.0]), np.array(["a", "b", "c"])).tolist()
    [1, 2, 0]
    """
    scores = np.asarray(scores, dtype=np.float32)
    places = np.arange(len(scores))
    if k is not None and k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = places[scores >= least]
    order = places[np.lexsort((keys[places], scores[places]))][::-1]
    return order if k is None else order[:k]


_fitting = threading.RLock()


@dataclass(frozen=True, eq=False)
class Field:
    """One way of reading the passages: an analyzer, the index that it made, a scorer, and the field's share of the score.

    stored: what the scorer keeps on disk, if that is where the field comes from.
    """

    name: str
    analyzer: Analyzer
    scorer: Scorer
    share: float
    index: Index
    stored: Mapping[str, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "stored": None if self.stored is None else dict(self.stored)}

    @property
    def fitted(self) -> FittedScorer:
        """What scores queries; made when it is first asked for, once for all threads."""
        with _fitting:
            made: FittedScorer | None = vars(self).get("_fitted")
            if made is None:
                if isinstance(self.scorer, BM25 | TfIdf) and self.stored is not None:
                    made = self.scorer.restored(self.index, self.stored)
                else:
                    made = self.scorer.fit(self.index)
                vars(self)["_fitted"] = made
            return made

    @property
    def signature(self) -> str:
        """Analysis and scorer with all parameters, without blanks."""
        return f"{self.analyzer.signature}|{scorer_signature(self.scorer)}"


def jobs(n_jobs: object) -> int:
    """n_jobs as joblib takes it. Raises InputError for 0 and for what is no whole number."""
    number = whole_number("n_jobs", n_jobs, least=-(2**31))
    if number == 0:
        raise InputError("n_jobs is 0; give the number of processes, or -1 for one on each core")
    return number


def checked(query: object, k: object, within: object = None) -> int:
    """k as a plain number. Raises InputError unless the three are what `search` takes."""
    if not isinstance(query, str):
        raise InputError(f"search takes a text, not {type(query).__name__}; join tokens by blanks")
    if within is not None and (isinstance(within, str) or not isinstance(within, Collection)):
        raise InputError(f"within is {within!r}; it must be a collection (a set, a list) of doc_ids")
    return whole_number("k", k, least=1)


@dataclass(frozen=True, eq=False)
class LexicalRetriever:
    """Passages that can be searched by their words; made by `build` or `load`, and not changed afterwards.

    Its score for a passage is the sum over its fields of the field's score times its share.
    """

    method: str
    passages: Sequence[Passage]
    fields: tuple[Field, ...]
    source: Source | None = None

    def __reduce_ex__(self, protocol: Any) -> str | tuple[Any, ...]:
        """A retriever that was loaded travels to another process as the path of its folder, which is opened there.

        If its index is no longer there, passages and arrays travel.
        """
        if self.source is not None and _meta_digest(self.source.folder) == self.source.meta:
            return _reopened, tuple(self.source)
        return super().__reduce_ex__(protocol)

    def search(self, query: str, k: int = 10, *, within: Collection[str] | None = None) -> list[Hit]:
        """The k best passages for a text, best first; fewer if fewer share a word with it.

        within: only passages with these doc_ids; their scores are the same as without it. Equal scores stand by doc_id,
        descending. Raises InputError if the query is no text, k is below 1, or `within` names an unknown doc_id.
        """
        places, scores = self._found(query, checked(query, k, within), within)
        passages = map(self.passages.__getitem__, places)
        return [
            Hit(number, passage.doc_id, score, passage)
            for number, (passage, score) in enumerate(zip(passages, scores, strict=True), 1)
        ]

    def _found(self, query: str, k: int, within: Collection[str] | None = None) -> tuple[list[int], list[float]]:
        """The places of the best passages, best first, and their scores."""
        if within is None and self._weights is not None:
            return top_of_one(self._asked(query), self._weights, k, self._keys)
        places, scores = self.scores(query)
        if within is not None:
            kept = np.isin(places, self._places_of(within))
            places, scores = places[kept], scores[kept]
        order = rank(scores, self._keys.key[places], k)
        return places[order].tolist(), scores[order].tolist()

    def search_block(self, queries: Sequence[str], k: int) -> list[dict[str, float]]:
        """What `search` gives for each of several texts, as {doc_id: score}, the best first; the faster the more there are."""
        if self._weights is None:
            each = [self._found(query, checked(query, k)) for query in queries]
            return [dict(zip(map(self._doc_ids.__getitem__, where), of, strict=True)) for where, of in each]
        found = self._best(queries, k)
        doc_ids = list(map(self._doc_ids.__getitem__, found.places.tolist()))
        scores, ends = found.scores.tolist(), found.offsets.tolist()
        return [dict(zip(doc_ids[start:end], scores[start:end], strict=True)) for start, end in pairwise(ends)]

    def _best(self, queries: Sequence[str], k: int) -> Best:
        assert self._weights is not None
        return top([self._asked(query) for query in queries], self._weights, k, self._keys)

    @cached_property
    def _weights(self) -> tuple[Weights, ...] | None:
        """The weights of the fields, if every field's score is a sum of weights, as BM25's and TF-IDF's are."""
        weights = tuple(
            f.fitted.weights
            for f in self.fields
            if isinstance(f.fitted, FittedBM25 | FittedTfIdf) and f.fitted.asked([]) is not None
        )
        return weights if len(weights) == len(self.fields) else None

    def _asked(self, query: str) -> list[Asked]:
        """What a query asks each field for; only where `_weights` are."""
        return [
            asked
            for f in self.fields
            if isinstance(f.fitted, FittedBM25 | FittedTfIdf)
            and (asked := f.fitted.asked(f.analyzer.words(query), f.share)) is not None
        ]

    def scores(self, query: str) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The places, in `passages`, of all passages that share something with the query, and their scores."""
        if self._weights is not None:
            places, sums = scored(self._asked(query), self._weights)
            return places, sums.astype(np.float32)
        found = [(f.share, f.fitted.score(f.analyzer(query))) for f in self.fields]
        if len(found) == 1 and found[0][0] == 1:
            places, scores = found[0][1]
            return places, scores.astype(np.float32)
        places = np.unique(np.concatenate([where for _, (where, _) in found]))
        sums = np.zeros(len(places))
        for share, (where, scores) in found:
            sums[np.searchsorted(places, where)] += share * scores
        return places, sums.astype(np.float32)

    def explain(self, query: str, doc_id: str) -> Explanation:
        """Which words of the query and of one passage matched, and what each gave; the parts rebuild the score.

        Raises InputError for an unknown doc_id.
        """
        checked(query, 1)
        (place,) = self._places_of([doc_id])
        text = self.passages[place].text
        parts = (f.fitted.explain(f.analyzer(query), place, f.analyzer(text), f.name, f.share) for f in self.fields)
        return Explanation(query, doc_id, tuple(part for part in parts if part.matches))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the retriever into a folder, for `load`; an index that is there is replaced in one step.

        Raises InputError if the folder holds something else, a scorer is not one of SCORERS, or a lemmatizer has no name
        that `load` could compare: give it by a `def`, or with a `signature` attribute.
        """
        check_can_be_saved(f.analyzer for f in self.fields)

        def fill(beside: Path) -> dict[str, Any]:
            deque(written(self.passages, beside), maxlen=0)
            return save_fields(self.method, self.fields, beside, self.checksum)

        write(Path(folder), fill)

    def extended(self, passages: Iterable[Passage], *, n_jobs: int = 1) -> LexicalRetriever:
        """A retriever of these passages and further ones, which alone are analyzed; it scores as one built of all.

        >>> from latinsearch import build
        >>> retriever = build([Passage("a", "arma uirumque")]).extended([Passage("b", "arma cano")])
        >>> [hit.doc_id for hit in retriever.search("arma")]
        ['b', 'a']

        Stop words stay those that it was built with, also where they were chosen by their number in the first passages.
        Raises InputError if there are no passages, or a doc_id repeats.
        """
        further = list(checked_passages(passages))
        every = (*self.passages, *further)
        order_of([passage.doc_id for passage in every])
        words = words_of(further, n_jobs=jobs(n_jobs))
        fields = (
            replace(f, index=Index.of(words, f.analyzer, shards=f.index.shards, before=f.index), stored=None)
            for f in self.fields
        )
        return LexicalRetriever(self.method, every, tuple(fields))

    @cached_property
    def checksum(self) -> str:
        """16 hexadecimal digits that name these passages (ids and texts), in whatever order they came."""
        return checksum(self.passages) if self.source is None else self.source.checksum

    @property
    def recipe(self) -> str:
        """Analysis and scorer of every field with all parameters: what a query is treated with."""
        return _recipe([(f.name, f.share, f.signature) for f in self.fields])

    @property
    def signature(self) -> str:
        """Method, recipe, passages and version as one word: what a reader needs to repeat a number."""
        return _signature(self.method, self.recipe, self.checksum)

    @cached_property
    def _doc_ids(self) -> Sequence[str]:
        passages = self.passages
        return passages.doc_ids if isinstance(passages, StoredPassages) else [passage.doc_id for passage in passages]

    @cached_property
    def _place_of(self) -> dict[str, int]:
        return {doc_id: place for place, doc_id in enumerate(self._doc_ids)}

    @cached_property
    def _keys(self) -> Keys:
        """The order of the doc_ids, by which equal scores stand."""
        return Keys(self.passages.order if isinstance(self.passages, StoredPassages) else order_of(self._doc_ids))

    def _places_of(self, doc_ids: Iterable[str]) -> list[int]:
        try:
            return [self._place_of[doc_id] for doc_id in doc_ids]
        except (KeyError, TypeError) as error:
            named = error.args[0] if isinstance(error, KeyError) else doc_ids
            raise InputError(f"no passage has the doc_id {named!r}; `passages` lists all") from None


class Source(NamedTuple):
    """Where a retriever was loaded from: folder, the sha256 of its `meta.json`, the lemmatizer given; and its checksum."""

    folder: Path
    meta: str
    lemmatizer: str | Lemmatizer | None
    checksum: str


def save_fields(method: str, fields: Iterable[Field], folder: Path, checksum: str) -> dict[str, Any]:
    """Write the fields of a retriever, one after another, into a folder; what `meta.json` says of it."""
    described: list[dict[str, Any]] = []
    recipes = []
    for number, f in enumerate(fields):
        place = folder / _folder_of(number)
        place.mkdir()
        f.index.save(place)
        parts = f.fitted.parts() if isinstance(f.fitted, FittedBM25 | FittedTfIdf) else {}
        for name, array in parts.items():
            np.save(place / f"{name}.npy", array)
        described.append(
            {
                "name": f.name,
                "analyzer": f.analyzer.to_json(),
                "scorer": scorer_json(f.scorer),
                "share": f.share,
                "unknown": f.index.unknown,
                "repaired": f.index.repaired,
                "bounds": f.index.bounds,
                "sizes": f.index.sizes,
                "scorer_parts": {name: {"type": array.dtype.name, "size": len(array)} for name, array in parts.items()},
            }
        )
        recipes.append((f.name, f.share, f.signature))
    recipe = _recipe(recipes)
    return {
        "signature": _signature(method, recipe, checksum),
        "method": method,
        "recipe": recipe,
        "checksum": checksum,
        "counts": {"passages": described[0]["bounds"][-1], "words": described[0]["sizes"]["tokens"]},
        "fields": described,
    }


def _recipe(fields: Sequence[tuple[str, float, str]]) -> str:
    """Names, shares and signatures of fields as one word."""
    if len(fields) == 1 and fields[0][1] == 1:
        return fields[0][2]
    return "+".join(f"{share:.12g}*{'_'.join(name.split())}[{signature}]" for name, share, signature in fields)


def _signature(method: str, recipe: str, checksum: str) -> str:
    return f"{method}|{recipe}|passages={checksum}|latinsearch={VERSION}"


def check_can_be_saved(analyzers: Iterable[Analyzer]) -> None:
    """Raises InputError if `load` could not tell whether it is given the same lemmatizer."""
    for analyzer in analyzers:
        if not is_named(analyzer.lemmatizer):
            raise InputError(
                f"lemmatizer {analyzer.lemmatizer!r} has no name of its own, so `load` could not tell whether it is "
                f"given the same one; write it by `def` at the top of a module, or give it a `signature` attribute"
            )


def checked_passages(passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages one by one. Raises InputError for one that is none, and if there are none at all."""
    passage = None
    for passage in passages:
        if not isinstance(passage, Passage):
            raise InputError(f"build takes Passages, not {type(passage).__name__}; make one by Passage(doc_id=, text=)")
        yield passage
    if passage is None:
        raise InputError("no passages to search in; give at least one")


def _folder_of(field: int) -> str:
    return f"field-{field}"


def load(folder: str | os.PathLike[str], *, lemmatizer: str | Lemmatizer | None = None) -> LexicalRetriever:
    """The retriever that was saved in a folder; it gives the same hits.

    Its files are mapped into memory, and each is checked before it is used: small ones now, great ones when a search first
    needs them. What another process writes to the folder afterwards does not change it.

    lemmatizer: the callable that it was built with, if it was. Raises FileNotFoundError if there is no folder, InputError
    if it is no index, is damaged (a search does, too), has another format, or its texts were analyzed otherwise than
    queries would be now (a lemmatizer of another version).
    """
    folder = Path(folder)
    for _ in range(_TRIES):
        before = _meta_bytes(folder)
        try:
            found = _load(folder, lemmatizer)
        except (InputError, OSError):
            if _meta_bytes(folder) == before:
                raise
        else:
            if _meta_bytes(folder) == before:
                return found
        # Another process has replaced the index meanwhile.
    return _load(folder, lemmatizer)


_TRIES = 3


def _meta_bytes(folder: Path) -> bytes | None:
    try:
        return (folder / META).read_bytes()
    except OSError:
        return None


def _meta_digest(folder: Path) -> str | None:
    """The checksum of the `meta.json` that is in a folder now; None if there is none."""
    try:
        return str(json.loads((folder / META).read_text(encoding="utf-8"))["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _reopened(folder: Path, meta: str, lemmatizer: str | Lemmatizer | None, checksum: str) -> LexicalRetriever:
    """The retriever of a folder in another process, which keeps it for the next task."""
    known = _opened.get(folder)
    if known is not None and known.source is not None and known.source.meta == meta and lemmatizer is None:
        return known
    made = load(folder, lemmatizer=lemmatizer)
    if made.source is None or made.source.meta != meta or made.checksum != checksum:
        raise InputError(f"{folder}: the index was replaced after it had been loaded; load it again")
    if lemmatizer is None:
        _opened[folder] = made
    return made


_opened: dict[Path, LexicalRetriever] = {}


def _load(folder: Path, lemmatizer: str | Lemmatizer | None) -> LexicalRetriever:
    meta = read_meta(folder)
    if missing := {*FILES, *(() if meta.get("fields") else ("a field",))} - {*meta["files"], META}:
        raise InputError(f"{folder / META}: does not name {min(missing)}; build the index again")
    stored = Stored(folder, meta)
    passages = StoredPassages(stored)
    try:
        fields = tuple(
            _loaded(stored, _folder_of(number), data, lemmatizer) for number, data in enumerate(meta["fields"])
        )
        method, recipe = str(meta["method"]), meta["recipe"]
        source = Source(folder.resolve(), str(meta["sha256"]), lemmatizer, str(meta["checksum"]))
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{folder / META}: damaged, {error!r} is missing or wrong; build the index again") from None
    for f in fields:
        if len(f.index) != len(passages):
            raise InputError(f"{folder}: {len(passages)} passages, but an index of {len(f.index)}; build it again")
    retriever = LexicalRetriever(method, passages, fields, source)
    if retriever.recipe != recipe:
        raise InputError(
            f"{folder}: its texts were read by {recipe}, queries would be read by {retriever.recipe}; "
            f"use what it was built with, or build it again"
        )
    return retriever


def _loaded(stored: Stored, folder: str, data: dict[str, Any], lemmatizer: str | Lemmatizer | None) -> Field:
    parameters = dict(data["analyzer"])
    if parameters["lemmatizer"] is None or (lemmatizer is not None and parameters["lemmatizer"] != "none"):
        if lemmatizer is None:
            raise InputError(
                f"{stored.folder}: built with a lemmatizer of the user's own; give it as load(..., lemmatizer=...)"
            )
        parameters["lemmatizer"] = lemmatizer
    parameters["lexicon"] = {form: tuple(lemmata) for form, lemmata in parameters["lexicon"]}
    analyzer, scorer = Analyzer(**parameters), scorer_from_json(data["scorer"])
    bounds = tuple(whole_number("a bound", bound, least=0) for bound in data["bounds"])
    sizes = data["sizes"]
    parts = StoredParts(stored, folder, part_types(len(bounds) - 1), sizes)
    fits = (
        (sizes["form_offsets"], sizes["token_offsets"]) == (sizes["forms"] + 1, bounds[-1] + 1)
        and sizes["lengths"] == sizes["works"] == bounds[-1]
        and all(sizes[shard_name(number, "starts")] == sizes["vocabulary"] + 1 for number in range(len(bounds) - 1))
    )
    if not fits or bounds[0] != 0 or list(bounds) != sorted(bounds):
        raise InputError(f"{stored.folder}: the files of this index do not fit together; build it again")
    index = Index(
        parts, bounds, whole_number("unknown", data["unknown"], 0), whole_number("repaired", data["repaired"], 0)
    )
    own = data["scorer_parts"]
    kept = StoredParts(
        stored,
        folder,
        {name: {"float32": np.float32, "float64": np.float64}[facts["type"]] for name, facts in own.items()},
        {name: facts["size"] for name, facts in own.items()},
    )
    return Field(data["name"], analyzer, scorer, real_number("share", data["share"]), index, kept if own else None)


@dataclass(frozen=True)
class Fusion:
    """Several retrievers as one: the weighted sum of their scores, over any objects with `search`.

    depth: how many hits of each retriever are taken (k, if that is more); a passage that one of them does not give has no
    score from it, so scores can grow with the depth. The scores are summed as they are: the weights must bring them to one
    scale. Raises InputError if the weights are not as many as the retrievers, there are none, or one is not finite.
    """

    retrievers: tuple[Retriever, ...]
    weights: tuple[float, ...]
    depth: int = field(default=1000)

    def __post_init__(self) -> None:
        if not self.retrievers or len(self.retrievers) != len(self.weights):
            count = f"{len(self.retrievers)} retrievers and {len(self.weights)} weights"
            raise InputError(f"{count}: give one weight to each")
        weights = tuple(real_number("a weight of Fusion", weight) for weight in self.weights)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "depth", whole_number("the depth of Fusion", self.depth, least=1))

    def search(self, query: str, k: int = 10, *, within: Collection[str] | None = None) -> list[Hit]:
        """The k best passages by the weighted sum, best first."""
        k = checked(query, k, within)
        within = None if within is None else frozenset(within)
        sums: dict[str, float] = {}
        passages: dict[str, Passage] = {}
        for weight, retriever in zip(self.weights, self.retrievers, strict=True):
            for hit in retriever.search(query, max(k, self.depth), within=within):
                sums[hit.doc_id] = sums.get(hit.doc_id, 0.0) + weight * hit.score
                passages[hit.doc_id] = hit.passage
        doc_ids, scores = list(sums), np.array(list(sums.values()), dtype=np.float32)
        order = rank(scores, np.array(doc_ids), k) if doc_ids else ()
        return [
            Hit(number, doc_ids[place], float(scores[place]), passages[doc_ids[place]])
            for number, place in enumerate(order, 1)
        ]

    @property
    def signature(self) -> str:
        """The weights and the signatures of the retrievers, as one word."""
        parts = zip(self.weights, self.retrievers, strict=True)
        return (
            "+".join(f"{weight:.12g}*[{signature(retriever)}]" for weight, retriever in parts) + f"|depth={self.depth}"
        )


def signature(retriever: Retriever) -> str:
    """A retriever's signature; for a foreign one without any, the name of its type."""
    return str(getattr(retriever, "signature", type(retriever).__name__))


def search_all(
    retriever: Retriever, queries: Sequence[Query], k: int = 1000, n_jobs: int = 1, what: str = "searching"
) -> Run:
    """The run of many queries: {query_id: {doc_id: score}}, best first; a query without hits has an empty dict.

    n_jobs: how many processes, by joblib (so `joblib.parallel_config(backend=...)` decides where they run); the run is
    the same for every number. Raises InputError if a query_id repeats, or the retriever has no `search`.
    """
    if not callable(getattr(retriever, "search", None)):
        raise InputError(f"{type(retriever).__name__} is no retriever; it must have search(query, k, *, within)")
    queries, n_jobs, k = list(queries), jobs(n_jobs), whole_number("k", k, least=1)
    seen: set[str] = set()
    for query in queries:
        if not isinstance(query, Query):
            raise InputError(f"queries are {type(query).__name__}; make each by Query(query_id, text)")
        if query.query_id in seen:
            raise InputError(f"the query_id {query.query_id!r} repeats; a run has one list of hits for each")
        seen.add(query.query_id)
    run: Run = {}
    if n_jobs == 1:
        size = _size(k) if isinstance(retriever, LexicalRetriever) else 1
        blocks = [queries[start : start + size] for start in range(0, len(queries), size)]
        for found in track((_block(retriever, block, k) for block in blocks), what, len(blocks)):
            run |= found
        return run
    from joblib import delayed, effective_n_jobs

    size = max(1, -(-len(queries) // (4 * effective_n_jobs(n_jobs))))  # four blocks a worker: even load, few transfers
    blocks = [queries[start : start + size] for start in range(0, len(queries), size)]
    work: Callable[..., Any] = delayed(_block)
    done = parallel(n_jobs)(work(retriever, block, k) for block in blocks)
    for block in track(done, what, len(blocks)):
        run |= block
    return run


def _size(k: int) -> int:
    """How many queries are searched at once: enough to be fast, with room for a million hits of 8 bytes."""
    return max(1, min(256, 1_000_000 // k))


def _block(retriever: Retriever, queries: Sequence[Query], k: int) -> Run:
    if not isinstance(retriever, LexicalRetriever):
        return {query.query_id: {hit.doc_id: hit.score for hit in retriever.search(query.text, k)} for query in queries}
    run: Run = {}
    for start in range(0, len(queries), _size(k)):
        block = queries[start : start + _size(k)]
        found = retriever.search_block([query.text for query in block], k)
        run |= zip((query.query_id for query in block), found, strict=True)
    return run
