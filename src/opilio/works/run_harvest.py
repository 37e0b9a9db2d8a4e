"""Runs the crawl of one harvest in its folder, whatever an earlier attempt left there, and seals it. No Django.

A begin that was cut off before a store existed is begun anew; a crawl that was begun goes on; one that was sealed is
only looked at. So the same call is right after every crash.
"""

import contextlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from opilio.crawl.engine.ending import Ending
from opilio.crawl.outcomes import NOT_ASKED
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.report.live import Look
from opilio.kernel.digests import digest_of_stream
from opilio.kernel.errors import Conflict, OpilioError
from opilio.kernel.locks import held_by
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_orders import Orders
from opilio.works.crawl_to_archive import CrawlSummary, Crew, crawl, resume
from opilio.works.earlier_crawl import EarlierResult
from opilio.works.seal_at_end import Sealing
from opilio.works.seal_crawl import seal
from opilio.works.sealed_crawl import SealedCrawl, results_of


class Outcome(StrEnum):
    """How a run of a harvest ended."""

    WHOLE = "whole"  # finished, or at a limit; sealed
    STOPPED = "stopped"  # somebody said so; not sealed yet
    ABORTED = "aborted"  # somebody said so; nothing is kept
    LEFT = "left"  # the agent left; another goes on


class FolderInUse(Conflict):
    """Another process still crawls into the folder of the harvest."""


@dataclass(frozen=True, kw_only=True)
class KeptFile:
    """A WARC file of a sealed harvest."""

    name: str
    size: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class HarvestFolder:
    """Where a harvest lies, and its crawl store if that is elsewhere."""

    path: Path
    address: StoreAddress = StoreAddress()

    @property
    def crawl(self) -> CrawlFolder:
        """The crawl in it."""
        return CrawlFolder(self.path)

    def sealed(self) -> bool:
        """Whether its result is whole."""
        return results_of(self.crawl).whole

    def readable(self) -> bool:
        """Whether another harvest can go by it: its result is whole, and opens."""
        place = results_of(self.crawl)
        if not place.whole:
            return False
        try:
            EarlierResult(place.result, self.crawl.warcs).close()
        except OpilioError:
            return False
        return True

    def begun(self) -> bool:
        """Whether a crawl store exists; else nothing that counts was done."""
        return self.crawl.store.is_file() or self.crawl.name_file.is_file()

    def run(self, plan: CrawlPlan, crew: Crew) -> CrawlSummary | None:
        """Crawl, or go on; None when it is sealed already. `FolderInUse` while another process is at it."""
        if self.sealed():
            return None
        self._refuse_two()
        told = replace(crew, address=self.address)
        if self.begun():
            return resume(self.path, replace(told, since=plan.fetch.since))
        self._clear()
        return crawl(plan, self.path, told)

    def join(self, crew: Crew) -> CrawlSummary:
        """Take part in a crawl that another machine leads; it stays open at the end."""
        self._refuse_two()
        return resume(self.path, replace(crew, address=self.address, sealing=Sealing(keep_open=True), steer=False))

    def seal(self, told: Callable[[str, int, int], None]) -> None:
        """Seal what a stopped crawl left; nothing to do when that was done."""
        if not self.sealed():
            seal(self.path, self.address, told=told)

    def files(self) -> Sequence[KeptFile]:
        """The WARC files, with size and digest."""
        found = sorted(self.crawl.warcs.glob("*.warc*"))
        return [KeptFile(name=one.name, size=one.stat().st_size, digest=_digest(one)) for one in found]

    def figures(self) -> dict[str, Any]:
        """What the sealed harvest came to."""
        with contextlib.closing(SealedCrawl(results_of(self.crawl).result)) as sealed:
            report = sealed.report()
        return _figures(
            pages=int(report["pages"]), size=int(report["bytes"]), seconds=float(report["seconds"]),
            waiting=int(report["waiting"]), outcomes=report["outcomes"], status=str(report["state"]),
        )  # fmt: skip

    def orders(self, by: str) -> Orders:
        """A way to tell the crawl something."""
        return Orders(folder=self.path, by=by, address=self.address)

    def _refuse_two(self) -> None:
        holder = held_by(self.crawl.lock) if self.crawl.lock.exists() else None
        if holder is not None:
            raise FolderInUse(
                f"The folder of the harvest is in use by {holder}", where=str(self.path),
                remedy="It is tried again; end that process if it hangs.",
            )  # fmt: skip

    def _clear(self) -> None:
        """Remove what a begin left that was cut off before there was a store."""
        if self.path.is_dir():
            for one in self.path.iterdir():
                shutil.rmtree(one) if one.is_dir() else one.unlink()


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return str(digest_of_stream(stream))


def outcome_of(summary: CrawlSummary | None, *, stopped: bool, aborted: bool) -> Outcome:
    """What became of a run, given what was ordered."""
    if summary is None or summary.ended.ending in (Ending.FINISHED, Ending.LIMIT):
        return Outcome.WHOLE
    if aborted:
        return Outcome.ABORTED
    return Outcome.STOPPED if stopped else Outcome.LEFT


def figures_of(look: Look) -> dict[str, Any]:
    """The numbers of a look, as the catalogue keeps them."""
    counts = look.counts
    return _figures(
        pages=counts.pages, size=counts.bytes, seconds=counts.seconds, waiting=counts.waiting,
        outcomes=counts.outcomes, status="running",
    )  # fmt: skip


def _figures(
    *, pages: int, size: int, seconds: float, waiting: int, outcomes: Mapping[str, int], status: str
) -> dict[str, Any]:
    failed = sum(number for name, number in outcomes.items() if name in _FAILED)
    asked = pages - sum(outcomes.get(name, 0) for name in NOT_ASKED)
    lasted = max(seconds, 0.001)
    return {
        "data_amount": size, "elapsed": int(seconds), "urls_down": asked - failed, "urls_failed": failed,
        "alerts": sum(number for name, number in outcomes.items() if name in _ALERTS), "status": status,
        "urls_waiting": waiting, "average_kb": round(size / 1000 / lasted, 3), "average_urls": round(asked / lasted, 3),
    }  # fmt: skip


_FAILED = frozenset({"transient-error", "permanent-error", "unparsable", "auth-lost", "gone"})
_ALERTS = frozenset({"blocked", "auth-lost", "trap"})  # walls, lost logins, traps: somebody should look
