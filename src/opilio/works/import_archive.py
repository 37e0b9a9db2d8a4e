"""Imports archives of others (WARC, ARC, WACZ, folders of them) as a sealed crawl that can be read like our own.

All is made in a folder aside, which gets its name when it is whole: a crash leaves nothing that could be mistaken.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from opilio.archive.imports.captures import Asked, Captured, FoundPlan, SharedMember, Skipped, captures
from opilio.archive.imports.errors import NothingToImport
from opilio.archive.imports.gathering import Found, gathered
from opilio.archive.imports.placing import Hints, Placed, Placing
from opilio.archive.packing.aside import new_folder, refuse_if_there
from opilio.crawl.plan import CrawlPlan, Scope, ScopeKind, Seed
from opilio.crawl.plan_json import from_json, to_json
from opilio.crawl.report import report_of
from opilio.extract import HelperPool
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder, require_space, write_atomically
from opilio.kernel.urls import canonical
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawl_loop import run_loop
from opilio.works.crawl_report_files import write_report
from opilio.works.import_reading import ImportReader
from opilio.works.import_result import write_capture_index, write_result
from opilio.works.import_staging import Staging
from opilio.works.import_ways import find_ways
from opilio.works.seal_crawl import Told, silent

#: What was imported from where, in the folder of the crawl.
NOTES = "import.json"
_MOST_LISTED = 10_000  # of what was skipped
_FIRST_PAGE = """
    SELECT url FROM page ORDER BY (type = 'html' AND outcome = 'fetched') DESC, at, id LIMIT 1
"""


@dataclass(kw_only=True, slots=True)
class Troubles:
    """What could not be taken over; the first of it is kept."""

    total: int = 0
    listed: list[Skipped] = field(default_factory=list)

    def add(self, skipped: Skipped) -> None:
        """One more."""
        self.total += 1
        if len(self.listed) < _MOST_LISTED:
            self.listed.append(skipped)


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """What an import came to."""

    folder: Path
    warcs: tuple[Placed, ...]
    captures: int
    resources: int
    skipped: int
    troubles: tuple[Skipped, ...]


def import_archives(
    paths: Sequence[Path], into: Path, *, link: bool = False, seeds: Sequence[str] = (), clock: Clock = SYSTEM,
    told: Told = silent,
) -> Imported:  # fmt: skip
    """Make a sealed crawl of archives; `Conflict` unless `into` is new or an empty folder."""
    refuse_if_there(into, empty=True)
    wanted = tuple(canonical(seed) for seed in seeds)
    found = gathered(paths)
    ensure_folder(into.absolute().parent)
    total = sum(each.path.stat().st_size for each in found)
    if not link:
        require_space(into.absolute().parent, total)
    with new_folder(into) as aside:
        work = _Import(CrawlFolder(aside), clock, told, total)
        done = work.run(found, link=link, seeds=wanted)
    return Imported(
        folder=into, warcs=done.warcs, captures=done.captures, resources=done.resources, skipped=done.skipped,
        troubles=done.troubles,
    )  # fmt: skip


class _Import:
    """One import."""

    def __init__(self, place: CrawlFolder, clock: Clock, told: Told, total: int) -> None:
        self._place = place
        self._clock = clock
        self._told = told
        self._total = total  # bytes of the files
        self._troubles = Troubles()
        self._plans: list[str] = []

    def run(self, found: Sequence[Found], *, link: bool, seeds: Sequence[str]) -> Imported:
        place, now = self._place, self._clock.now()
        place.warcs.mkdir()
        placing = Placing(
            place.warcs, place.path / "sources", link=link, now=now, skipped=self._troubles.add,
            told=lambda done: self._told("copying", done, self._total),
        )  # fmt: skip
        placed = [each for one in found for each in placing.place(one)]
        path = place.path / ".staging.db"
        try:
            with Staging(path) as staging:
                warcs = self._scan(staging, placing, placed)
                newest = staging.choose()
                if not newest:
                    raise self._nothing(found)
                self._read(staging, newest, self._first_plan(placing.hints, seeds))
                pages = self._follow(staging, seeds, placing.hints)
                report = self._finish(staging, warcs)
                captures = write_capture_index(place, staging)
        finally:
            for end in ("", "-journal"):
                path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
        self._write(placing.hints, warcs, report)
        return Imported(
            folder=place.path, warcs=tuple(warcs), captures=captures, resources=pages, skipped=self._troubles.total,
            troubles=tuple(self._troubles.listed),
        )  # fmt: skip

    def _scan(self, staging: Staging, placing: Placing, placed: Sequence[Placed]) -> list[Placed]:
        """Pass all records once; the files, some of them unpacked."""
        total, done, warcs = sum(each.size for each in placed), 0, []
        for each in placed:
            before = self._troubles.total, len(self._troubles.listed)

            def told(at: int, begun: int = done) -> None:
                self._told("reading records", begun + at, total)

            try:
                self._scan_file(staging, each, told)
                warcs.append(each)
            except SharedMember:
                staging.forget_file(each.name)
                self._troubles.total = before[0]
                del self._troubles.listed[before[1] :]
                again = placing.unpacked(each)
                self._scan_file(staging, again, told)
                warcs.append(again)
            done += each.size
        return warcs

    def _scan_file(self, staging: Staging, placed: Placed, told: Callable[[int], None]) -> None:
        for each in captures(placed.path, self._troubles.add, told):
            if isinstance(each, Captured):
                self._add(staging, each, placed.name)
            elif isinstance(each, Asked):
                staging.add_asked(each)
            elif isinstance(each, FoundPlan) and each.text not in self._plans:
                self._plans.append(each.text)

    def _add(self, staging: Staging, captured: Captured, file: str) -> None:
        try:
            staging.add_capture(canonical(captured.url), captured, file)
        except OpilioError as error:
            self._troubles.add(Skipped(file=file, offset=captured.offset, reason=error.what))

    def _read(self, staging: Staging, pages: int, plan: CrawlPlan) -> None:
        async def work(pool: HelperPool) -> None:
            reader = ImportReader(staging, self._place.warcs, plan, pool, self._troubles.add)
            for number, row in enumerate(staging.newest()):
                await reader.read(row)
                self._told("reading pages", number, pages)

        with HelperPool() as pool:
            run_loop(lambda: work(pool))

    def _follow(self, staging: Staging, seeds: Sequence[str], hints: Sequence[Hints]) -> int:
        """The plan and the ways; how many pages there are."""
        self._told("following links", 0, 0)
        staging.plan = self._plan(staging, seeds, hints)
        find_ways(staging, [canonical(seed.url) for seed in staging.plan.seeds])
        return staging.leave_robots()

    def _finish(self, staging: Staging, warcs: Sequence[Placed]) -> dict[str, Any]:
        """The report and the result."""
        now = self._clock.now()
        report = report_of(staging, now=now.timestamp())
        self._told("writing the result", 0, 0)
        write_atomically(self._place.plan, to_json(staging.plan).encode())
        write_result(self._place, staging, warcs, report, now, self._told)
        return report

    def _first_plan(self, hints: Sequence[Hints], seeds: Sequence[str]) -> CrawlPlan:
        """The plan by whose choices pages are read: that of the crawl, where it was one of ours."""
        return self._own_plan() or _plan_of(seeds or _seeds(hints) or ("http://import.invalid/",))

    def _plan(self, staging: Staging, seeds: Sequence[str], hints: Sequence[Hints]) -> CrawlPlan:
        """The plan of the crawl, or one that names the pages to begin with."""
        if seeds:
            return _plan_of(seeds)
        own = self._own_plan()
        if own is not None:
            return own
        told = [url for url in _seeds(hints) if staging.number_of(url) is not None]
        return _plan_of(told or [row[0] for row in staging.rows(_FIRST_PAGE)])

    def _own_plan(self) -> CrawlPlan | None:
        for text in self._plans:
            try:
                return from_json(text)
            except OpilioError:
                continue  # of another version; it stays in the WARC file
        return None

    def _write(self, hints: Sequence[Hints], warcs: Sequence[Placed], report: dict[str, Any]) -> None:
        """The documents beside the result."""
        write_report(self._place, report)
        notes = {
            "imported": self._clock.now().isoformat(timespec="seconds"),
            "titles": [hint.title for hint in hints if hint.title],
            "files": [
                {"file": each.name, "from": each.origin, "bytes": each.size, "sha256": each.sha256, "note": each.note}
                for each in warcs
            ],
            "skipped": {"total": self._troubles.total, "listed": [asdict(each) for each in self._troubles.listed]},
        }
        text = json.dumps(notes, indent=1, ensure_ascii=False)
        write_atomically(self._place.path / NOTES, text.encode("utf-8", "replace"))

    def _nothing(self, found: Sequence[Found]) -> NothingToImport:
        reason = f"; {self._troubles.listed[0].reason}" if self._troubles.listed else ""
        where = ", ".join(str(each.path) for each in found[:3])
        remedy = "Check the files: opilio archive verify FILE."
        return NothingToImport(f"there is no capture of a web page in it{reason}", where=where, remedy=remedy)


def _plan_of(seeds: Sequence[str]) -> CrawlPlan:
    return CrawlPlan(seeds=tuple(Seed(url=url) for url in seeds), scope=Scope(kind=ScopeKind.ANY))


def _seeds(hints: Sequence[Hints]) -> list[str]:
    """What WACZ files name as their beginning, each once."""
    found: dict[str, None] = {}
    for hint in hints:
        for url in hint.seeds:
            try:
                found[canonical(url)] = None
            except OpilioError:
                continue  # a page that cannot be opened is no beginning
    return list(found)
