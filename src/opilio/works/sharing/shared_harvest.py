"""Runs the crawl of a harvest on machines that share a work store and nothing else, whatever an earlier one left.

One agent leads: it begins, makes checkpoints, gathers what others captured, and seals. Others help. What a lost machine
had not brought into the store is queued and fetched again before the crawl is sealed.
"""

import contextlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from opilio.archive.warc.cutting import close_at
from opilio.crawl.engine.ending import Ending
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.logs import logger
from opilio.works.crawl_to_archive import CrawlSummary, Crew
from opilio.works.run_harvest import HarvestFolder
from opilio.works.seal_at_end import Sealing
from opilio.works.shared_stores import shared_stores
from opilio.works.sharing.checkpoints import Checkpoints, bring_captures, restore, settle
from opilio.works.sharing.copying import Allowed, Copying, anybody

_log = logger(__name__)


def _nobody() -> None:
    """No other agent to wait for."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a run is told by the agent that does it."""

    every: float = 60.0  # seconds between checkpoints
    allowed: Allowed = anybody  # raises when another agent has the harvest
    wait: Callable[[float], None] = field(default=lambda seconds: None)  # raises when it is time to leave
    alone: Callable[[], None] = _nobody  # returns when no other agent is at the harvest
    ordered: Callable[[], str] = field(default=lambda: "")  # `stop` or `abort`, if somebody ordered that


@dataclass(frozen=True, kw_only=True)
class SharedHarvest:
    """A harvest in the home folder of this machine, and in the work store."""

    folder: HarvestFolder
    copying: Copying
    terms: Terms

    def run(self, plan: CrawlPlan, crew: Crew) -> CrawlSummary | None:
        """Crawl, or go on, until nothing is left that was lost; None when it is sealed already."""
        self.copying.fetch(heavy=False)
        if self.folder.sealed():
            return None
        self._prepare()
        crew = replace(crew, sealing=Sealing(keep_open=True))
        checkpoints = self.checkpoints()
        while True:
            with checkpoints.beside():
                summary = self.folder.run(plan, crew)
            if summary is None or not self._over(summary, crew):
                checkpoints.once()
                return summary
            checkpoints.last(self.terms.wait)
            self.terms.alone()
            lost = self._gathered()
            if not lost or not summary.whole:
                return summary
            _log.warning("harvest_goes_on", folder=str(self.folder.path), lost=lost)

    def seal(self, told: Callable[[str, int, int], None]) -> None:
        """Seal it, and bring the result into the work store."""
        if not self.folder.sealed():
            with self._store() as store:
                store.evict(None)
            self.folder.seal(told)
        settle(self.copying, self.terms.allowed)

    def help(self, crew: Crew) -> CrawlSummary | None:
        """Take part in the crawl of another machine; None when there is nothing to do now."""
        address = self.folder.address
        if not shared_stores().exists(address.url, address.name):
            return None
        if not self.folder.begun():
            self.folder.crawl.adopt(address)
        with self._store() as store:
            if store.sealed or not store.counts(crew.clock.now().timestamp()).waiting:
                self._leave()
                return None
            self._close_rewound(store)
        checkpoints = replace(self.checkpoints(), captures_only=True)
        with checkpoints.beside():
            summary = self.folder.join(crew)
        checkpoints.last(self.terms.wait)
        return summary

    def checkpoints(self) -> Checkpoints:
        """What brings the crawl into the store while it runs."""
        return Checkpoints(copying=self.copying, folder=self.folder, every=self.terms.every, allowed=self.terms.allowed)

    def _leave(self) -> None:
        """Nothing waits: what was captured here goes up, and the folder is not needed any more."""
        replace(self.checkpoints(), captures_only=True).last(self.terms.wait)
        shutil.rmtree(self.folder.path, ignore_errors=True)
        self.copying.forget()

    def _over(self, summary: CrawlSummary, crew: Crew) -> bool:
        """Whether the crawl ended, and not only this agent's part in it; all others are told what was ordered."""
        ordered = self.terms.ordered()
        if ordered and self.folder.address.url:
            with self._store() as store:
                if not store.sealed:
                    store.order(ordered, "agent", crew.clock.now().timestamp())
        return summary.whole or (ordered == "stop" and summary.ended.ending is Ending.STOPPED)

    def _prepare(self) -> None:
        """Whatever is here: what others know better counts."""
        address = self.folder.address
        if address.url:
            there = shared_stores().exists(address.url, address.name)
            if there and not self.folder.begun():
                self.folder.crawl.adopt(address)
            elif not there:
                self.folder.crawl.name_file.unlink(missing_ok=True)
            if there:
                with self._store() as store:
                    self._close_rewound(store)
        elif restore(self.copying, self.folder.crawl):
            self._gathered()

    def _gathered(self) -> int:
        with self._store() as store:
            return bring_captures(self.copying, self.folder.crawl, store) if not store.sealed else 0

    def _close_rewound(self, store: SqlStore) -> None:
        for file in store.warcs():
            if not file.owner:
                close_at(self.folder.crawl.warcs, file.file, file.committed)

    def _store(self) -> contextlib.closing[SqlStore]:
        return contextlib.closing(self.folder.crawl.open(self.folder.address))
