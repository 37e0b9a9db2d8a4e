"""Seals a crawl: its store becomes result 1, an immutable file beside the WARC files; then the frontier is dropped.

Every step may be repeated: the store loses nothing before the result and its manifest are on the disk.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio import __version__
from opilio.archive.cdxj import write_cdxj
from opilio.archive.results.cdx_rows import rows_of_sealed
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.values import Denied, GivenOrder, Head, Resource, ResultHost, ResultWarc, Way
from opilio.archive.results.writer import ResultWriter
from opilio.archive.warc.cutting import cut_folder
from opilio.archive.warc.names import find
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.frontier.sealing import Untaken, other_labels, untaken
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan_json import to_json
from opilio.crawl.report import report_of
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, Damaged, Missing, NoSpace
from opilio.kernel.locks import locked
from opilio.kernel.logs import logger
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_owners import owners_of_folder
from opilio.works.page_resources import resource_of
from opilio.works.sealed_crawl import results_of
from opilio.works.seldom_collected import seldom_collected

#: Told a step, how much of it is done, and of how much (0: nobody knows).
Told = Callable[[str, int, int], None]
NOT_ITS_TURN = "the crawl was sealed before its turn"
log = logger(__name__)


def silent(step: str, done: int, total: int) -> None:
    """Nobody looks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sealed:
    """A crawl that was sealed."""

    result: Path
    manifest: Path
    resources: int
    warcs: int
    bytes: int  # of the result
    already: bool = False  # it had been sealed before


def seal(folder: Path, address: StoreAddress | None = None, clock: Clock = SYSTEM, told: Told = silent) -> Sealed:
    """Seal a crawl that nobody works at; URLs that still wait become `over-limit`."""
    place, address = CrawlFolder(folder), address or StoreAddress()
    with contextlib.closing(place.open(address)) as store:
        if store.sealed:
            return finished(place)
        with locked(place.lock, purpose="sealing", clock=clock), seldom_collected():
            _require_quiet(place, store, address, clock)
            report = _report(place, store, clock)
            return seal_store(place, store, report, clock=clock, told=told)


def seal_store(
    place: CrawlFolder, store: SqlStore, report: Mapping[str, Any], *, reason: str = NOT_ITS_TURN,
    clock: Clock = SYSTEM, told: Told = silent,
) -> Sealed:  # fmt: skip
    """Seal a store whose folder is locked by the caller."""
    missing = missing_warcs(place, store)
    if missing:
        remedy = "Bring all WARC files of the crawl into the folder first."
        raise Missing(f"{len(missing)} WARC files are elsewhere", where=str(place.warcs / missing[0]), remedy=remedy)
    results = results_of(place)
    results.manifest.unlink(missing_ok=True)  # of a sealing that did not come to its end
    told("closing WARC files", 0, 1)
    cut_folder(place.warcs, {file.file: file.committed for file in store.warcs()})
    warcs = list(_warcs(place, store, told))
    _write(results.result, store, _Contents(warcs, report, reason, clock.now().isoformat(timespec="seconds")), told)
    told("writing digests", 0, 1)
    digests = {f"{place.warcs.name}/{warc.file}": warc.sha256 for warc in warcs}
    name = f"{results.result.parent.name}/{results.result.name}"
    write_manifest(results.manifest, {name: sha256_of(results.result), **digests})
    told("writing index", 0, 1)
    with ResultReader(results.result) as reader:
        write_cdxj(place.index, rows_of_sealed(reader))
    told("dropping the frontier", 0, 1)
    _drop(store)
    told("sealed", 1, 1)
    return finished(place, already=False)


def finished(place: CrawlFolder, *, already: bool = True) -> Sealed:
    """What a sealed crawl came to; `Damaged` when its result is not there."""
    results = results_of(place)
    if not results.whole:
        remedy = "Restore the results folder from a copy."
        raise Damaged("the crawl was sealed, but its result is gone", where=str(results.result), remedy=remedy)
    with ResultReader(results.result) as reader:
        resources, warcs = sum(reader.outcomes().values()), len(reader.warcs())
    size = results.result.stat().st_size
    return Sealed(
        result=results.result, manifest=results.manifest, resources=resources, warcs=warcs, bytes=size, already=already
    )


def missing_warcs(place: CrawlFolder, store: SqlStore) -> list[str]:
    """WARC files of the crawl that lie on another machine, or are lost."""
    return [file.file for file in store.warcs() if file.committed and find(place.warcs, file.file) is None]


@dataclass(frozen=True, slots=True)
class _Contents:
    """What goes into a result beside the store's rows."""

    warcs: list[ResultWarc]
    report: Mapping[str, Any]
    reason: str  # of URLs that never had their turn
    at: str


def _write(path: Path, store: SqlStore, contents: _Contents, told: Told) -> None:
    counts = store.counts(0.0)
    with ResultWriter(path, counted=lambda count: told("writing the result", count, 0)) as writer:
        told("writing the result", 0, 0)
        writer.warcs(contents.warcs)
        writer.hosts(_hosts(store))
        writer.resources(_resources(store, contents.reason))
        writer.ways((number, Way(*label)) for number, label in other_labels(store))
        writer.links(store.packed_outlinks())  # a result packs them as a store does
        writer.texts(store.texts())
        writer.counters(_numbers(counts))
        writer.denials(Denied(denial.rule, denial.url, denial.parent) for denial in store.denials())
        writer.orders(_orders(store))
        told("arranging the result", 0, 0)
        writer.arrange()
        told("checking the result", 0, 0)
        head = Head(
            number=1,
            sealed=contents.at,
            software=f"Opilio/{__version__}",
            plan=to_json(store.plan),
            report=contents.report,
        )
        writer.finish(head)


def _drop(store: SqlStore) -> None:
    try:
        store.seal()
    except NoSpace:
        if not store.sealed:
            raise
        log.warning("crawl_not_compacted")  # dropped, but the file keeps its size


def _require_quiet(place: CrawlFolder, store: SqlStore, address: StoreAddress, clock: Clock) -> None:
    """`Conflict` when workers on other machines still hold leases."""
    for owner in owners_of_folder(place, store, shared=bool(address.url)):
        store.evict(owner)
    if workers := store.counts(clock.now().timestamp()).workers:
        remedy = "Stop them first: opilio crawl stop DIR; a worker that died is forgotten after a minute."
        raise Conflict(f"{workers} workers still hold parts of the crawl", where=str(place.path), remedy=remedy)


def _report(place: CrawlFolder, store: SqlStore, clock: Clock) -> dict[str, Any]:
    """The report as of now, with the ending that the last run wrote down."""
    report = report_of(store, now=clock.now().timestamp())
    try:
        before = json.loads(place.report.read_bytes())
    except (OSError, ValueError, RecursionError):
        return report
    if isinstance(before, dict):
        report |= {name: before[name] for name in ("ended", "limit") if name in before}
    return report


def _warcs(place: CrawlFolder, store: SqlStore, told: Told) -> Iterator[ResultWarc]:
    files = [file for file in store.warcs() if file.committed]
    total, done = sum(file.committed for file in files), 0
    for file in files:
        told("digests of WARC files", done, total)
        digest = sha256_of(place.warcs / file.file)
        done += file.committed
        yield ResultWarc(file=file.file, size=file.committed, sha256=digest)


def _hosts(store: SqlStore) -> Iterator[ResultHost]:
    for host in store.hosts():
        robots = store.robots(host.id)
        yield ResultHost(
            id=host.id, name=host.name, delay=host.delay, pages=host.pages, bytes=host.bytes, errors=host.errors,
            robots=robots.evidence if robots else "",
        )  # fmt: skip


def _resources(store: SqlStore, reason: str) -> Iterator[Resource]:
    """All pages, then the URLs that wait for ever, numbered behind them."""
    number = 0
    for page in store.pages():
        if page.id != number:
            remedy = "Make the store again from the WARC files: opilio crawl rebuild DIR."
            raise Damaged(f"the page with number {number} is missing from the crawl store", remedy=remedy)
        yield resource_of(page, reason)
        number += 1
    for place, each in enumerate(untaken(store)):
        yield _over(number + place, each, reason)


def _over(number: int, each: Untaken, reason: str) -> Resource:
    return Resource(
        id=number, key=each.key, url=each.url, seed=each.label.seed, outcome=Outcome.OVER_LIMIT.value, reason=reason,
        depth=each.label.depth, hops=each.label.hops, parent=each.parent, path=each.path, tries=each.tries,
    )  # fmt: skip


def _orders(store: SqlStore) -> Iterator[GivenOrder]:
    for order in store.commands():
        yield GivenOrder(
            id=order.id, what=order.what, by=order.by, at=order.at, arguments=order.arguments, done=order.done
        )


def _numbers(counts: Counts) -> dict[str, int]:
    """The counters under the names that the store has for them."""
    groups: tuple[tuple[str, Mapping[Any, int]], ...] = (
        ("outcome", counts.outcomes), ("status", counts.statuses), ("type", counts.types), ("seed", counts.seeds),
        ("denied", counts.denials), ("other", counts.others),
    )  # fmt: skip
    plain = {"pages": counts.pages, "counted": counts.counted, "bytes": counts.bytes, "waiting": counts.waiting}
    named = {f"{group}/{name}": value for group, values in groups for name, value in values.items()}
    return {**plain, "milliseconds": round(counts.seconds * 1000), **named}
