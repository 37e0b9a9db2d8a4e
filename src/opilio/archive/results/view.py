"""A result as a whole: what the crawl captured, with the removals and additions of every result on the way to it.

Reads the chain of files as one. Lists stream in portions, and nothing is held in memory that grows with the crawl.
"""

import bisect
import contextlib
import heapq
import itertools
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from opilio.archive.results.errors import DamagedResult
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.packing import unpack_links
from opilio.archive.results.reader import ResultReader, trail
from opilio.archive.results.values import EarlierCapture, Head, Resource, ResultHost, ResultWarc, Way
from opilio.archive.sorting import sorted_lines
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText

_PORTION = 500  # rows that are looked up at a time
_MOST_RESULTS = 1_000  # in a chain
_MEMORY = 32 << 20  # bytes for sorting
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Derivation:
    """One result on the way from the crawl."""

    number: int
    parent: int | None
    made: str  # ISO 8601, UTC
    by: str
    note: str
    changes: tuple[str, ...]
    removed: int  # resources left out, those that were replaced included
    added: int


class ResultView:
    """An open result with all that it is derived from. Threads may share it."""

    def __init__(self, results: ResultsFolder, number: int | None = None, *, unfinished: bool = False) -> None:
        chosen = number if unfinished and number is not None else results.require(number)
        self._layers = _opened(results, chosen)
        self._starts = [0]  # the first number that each layer may give
        self.next_host = 0
        for layer in self._layers:
            resource, host = layer.ends()
            self._starts.append(max(self._starts[-1], resource + 1))
            self.next_host = max(self.next_host, host + 1)

    def __enter__(self) -> "ResultView":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        for layer in self._layers:
            layer.close()

    @property
    def head(self) -> Head:
        """What the result says about itself."""
        return self._layers[-1].head

    @property
    def number(self) -> int:
        """Its number."""
        return self.head.number

    @property
    def plan(self) -> str:
        """The plan of the crawl as JSON."""
        return self._layers[0].head.plan

    @property
    def next_number(self) -> int:
        """The number that the next added resource gets."""
        return self._starts[-1]

    @property
    def newest(self) -> ResultReader:
        """Its own file, with what it removes and adds."""
        return self._layers[-1]

    def places_of(self, numbers: Sequence[int]) -> Iterator[tuple[str, float, str, int]]:
        """URL, time, file and offset of every capture of some resources, also of those that are left out."""
        return itertools.chain.from_iterable(layer.places_of(numbers) for layer in self._layers)

    def lineage(self) -> list[Derivation]:
        """From the crawl to this result."""
        return [_derivation(layer) for layer in self._layers]

    def resource(self, url: str) -> Resource | None:
        """The resource of a canonical URL."""
        return self._newest(lambda layer: layer.resource(url))

    def numbered(self, number: int) -> Resource | None:
        """The resource with a number."""
        place = self._place(number)
        found = None if place is None else self._layers[place].numbered(number)
        return found if found is not None and self._shown([number]) else None

    def keyed(self, key: tuple[int, int]) -> Resource | None:
        """The resource with a key: number of the host, and hash of the URL."""
        return self._newest(lambda layer: layer.keyed(key))

    def resources(self, *, outcome: str | None = None, after: int = -1) -> Iterator[Resource]:
        """Resources by number; of one outcome or behind a number, if asked for."""
        return self._through(lambda layer: layer.resources(outcome=outcome, after=after), lambda resource: resource.id)

    def by_surt(self, prefix: str = "") -> Iterator[Resource]:
        """Resources in the order of their SURT keys, those that begin with `prefix`."""
        return (resource for _, resource in self.with_surt(prefix))

    def with_surt(self, prefix: str = "") -> Iterator[tuple[str, Resource]]:
        """The same with their keys."""
        rows = [
            self._kept(place, layer.with_surt(prefix), lambda row: row[1].id)
            for place, layer in enumerate(self._layers)
        ]
        return heapq.merge(*rows, key=lambda row: (row[0], row[1].id))

    def parents(self, resource: Resource) -> tuple[str, ...]:
        """The URLs from the seed to the resource that led here, as far as they are still there."""
        return trail(self.keyed, resource)

    def ways(self, resource: Resource) -> tuple[Way, ...]:
        """All ways to a resource, the shortest first."""
        place = self._place(resource.id)
        return self._layers[place if place is not None else 0].ways(resource)

    def outlinks(self, number: int) -> list[PageLink]:
        """The links of a resource in the order of the page."""
        place = self._place(number)
        return [] if place is None or not self._shown([number]) else self._layers[place].outlinks(number)

    def all_outlinks(self) -> Iterator[tuple[int, list[PageLink]]]:
        """The links of every resource that has some, by its number."""
        return ((number, unpack_links(body)) for number, body in self.packed_outlinks())

    def packed_outlinks(self) -> Iterator[tuple[int, bytes]]:
        """The same, packed."""
        return self._through(lambda layer: layer.packed_outlinks(), lambda row: row[0])

    def inlinks(self, number: int) -> list[int]:
        """The numbers of the resources that link to a resource, growing."""
        if not self._shown([number]):
            return []
        found = {each for layer in self._layers for each in layer.inlinks(number)}
        return self._shown(sorted(found))

    def text(self, digest: str, extractor: str | None = None) -> str | None:
        """The text of a payload; by the newest extractor of the newest result if none is named."""
        found = self.page_text(digest, extractor)
        return None if found is None else found.text

    def page_text(self, digest: str, extractor: str | None = None) -> PageText | None:
        """The same with what is known about it."""
        found = (layer.page_text(digest, extractor) for layer in reversed(self._layers))
        return next((text for text in found if text is not None), None)

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Digest, extractor and text, as it is kept, of every payload that a resource still has."""
        if len(self._layers) == 1:
            yield from self._layers[0].texts()
            return
        rows = heapq.merge(*(layer.texts() for layer in self._layers))
        with tempfile.TemporaryDirectory(prefix="opilio-texts-") as folder:
            digests = self._digests(Path(folder))
            wanted = next(digests, None)
            for (digest, extractor), same in itertools.groupby(rows, lambda row: (row[0], row[1])):
                while wanted is not None and wanted < digest:
                    wanted = next(digests, None)
                if wanted == digest:
                    yield digest, extractor, next(same)[2]

    def text_keys(self) -> Iterator[tuple[str, str]]:
        """Digest and extractor of every text, also of payloads that no resource has any more; growing."""
        rows = heapq.merge(*(layer.text_keys() for layer in self._layers))
        return (key for key, _ in itertools.groupby(rows))

    def extractors(self) -> frozenset[str]:
        """The versions of the extractor that made the texts."""
        return frozenset(itertools.chain.from_iterable(layer.extractors() for layer in self._layers))

    def earlier(self) -> Iterator[EarlierCapture]:
        """Further captures of resources, by number and time."""
        return self._through(lambda layer: layer.earlier(), lambda capture: capture.resource)

    def outcomes(self) -> dict[str, int]:
        """How many resources have each outcome."""
        counts: Counter[str] = Counter()
        for layer in self._layers:
            counts.update(layer.outcomes())
            counts.subtract(layer.removed_outcomes())
        return {outcome: count for outcome, count in sorted(counts.items()) if count}

    def captured_bytes(self) -> int:
        """The sizes of the captures of all resources."""
        total = sum(layer.captured_bytes() for layer in self._layers)
        for layer in self._layers:
            gone = (row.resource for row in layer.removed())
            while part := list(itertools.islice(gone, _PORTION)):
                total -= sum(each.captured_bytes(part) for each in self._layers)
        return total

    def warcs(self) -> list[ResultWarc]:
        """The WARC files, each once, those of the crawl first."""
        found = {warc.file: warc for layer in self._layers for warc in layer.warcs()}
        return list(found.values())

    def hosts(self) -> Iterator[ResultHost]:
        """All hosts by number, also those of which nothing is left."""
        return itertools.chain.from_iterable(layer.hosts() for layer in self._layers)

    def host(self, number: int) -> ResultHost | None:
        """A host by its number."""
        return next((host for layer in self._layers if (host := layer.host(number))), None)

    def host_named(self, name: str) -> ResultHost | None:
        """A host by its name, with the port where it is unusual."""
        return next((host for layer in self._layers if (host := layer.host_named(name))), None)

    def _newest(self, find: Callable[[ResultReader], Resource | None]) -> Resource | None:
        for layer in reversed(self._layers):
            found = find(layer)
            if found is not None and self._shown([found.id]):
                return found
        return None

    def _place(self, number: int) -> int | None:
        """Which layer gave a number."""
        place = bisect.bisect_right(self._starts, number) - 1
        return place if 0 <= place < len(self._layers) else None

    def _shown(self, numbers: Sequence[int]) -> list[int]:
        """Those of some numbers that no later layer leaves out."""
        shown: list[int] = []
        for start in range(0, len(numbers), _PORTION):
            part = numbers[start : start + _PORTION]
            hidden = {number for layer in self._layers for number in layer.removed_among(part)}
            shown += [number for number in part if number not in hidden]
        return shown

    def _through(self, rows: Callable[[ResultReader], Iterable[T]], number: Callable[[T], int]) -> Iterator[T]:
        """The rows of all layers; their numbers grow from layer to layer."""
        for place, layer in enumerate(self._layers):
            yield from self._kept(place, rows(layer), number)

    def _kept(self, place: int, rows: Iterable[T], number: Callable[[T], int]) -> Iterator[T]:
        """The rows of one layer that no later one leaves out."""
        later = self._layers[place + 1 :]
        if not later:
            yield from rows
            return
        stream = iter(rows)
        while part := list(itertools.islice(stream, _PORTION)):
            numbers = [number(row) for row in part]
            hidden = {each for layer in later for each in layer.removed_among(numbers)}
            yield from (row for row, each in zip(part, numbers, strict=True) if each not in hidden)

    def _digests(self, folder: Path) -> Iterator[str]:
        lines = (resource.digest.encode() + b"\n" for resource in self.resources() if resource.digest)
        for line, _ in itertools.groupby(sorted_lines(lines, folder=folder, memory=_MEMORY)):
            yield line.decode().rstrip("\n")


def _opened(results: ResultsFolder, number: int) -> tuple[ResultReader, ...]:
    """The chain from the crawl's own result to this one."""
    with contextlib.ExitStack() as stack:
        layers = [stack.enter_context(ResultReader(results.file(number)))]
        while (parent := layers[-1].head.parent) is not None:
            if len(layers) >= _MOST_RESULTS:
                remedy = "Import the WARC files into a new folder, and go on from there."
                what = f"more than {_MOST_RESULTS} results are derived from one another"
                raise DamagedResult(what, where=str(results.path), remedy=remedy)
            _require_parent(results, layers[-1].head, parent)
            layers.append(stack.enter_context(ResultReader(results.file(parent))))
        stack.pop_all()
    return tuple(reversed(layers))


def _require_parent(results: ResultsFolder, head: Head, parent: int) -> None:
    """The parent must be there, older, and still the file that it was."""
    what = ""
    if parent >= head.number:
        what = f"result {head.number} says that it is derived from result {parent}"
    elif results.digest(results.require(parent)) != head.parent_digest:
        what = f"result {parent} is not the one from which result {head.number} was derived"
    if what:
        raise DamagedResult(what, where=str(results.path), remedy="Restore the files from a copy.")


def _derivation(layer: ResultReader) -> Derivation:
    head = layer.head
    return Derivation(
        number=head.number, parent=head.parent, made=head.sealed, by=head.by, note=head.note, changes=head.changes,
        removed=sum(layer.removed_outcomes().values()), added=sum(layer.outcomes().values()),
    )  # fmt: skip
