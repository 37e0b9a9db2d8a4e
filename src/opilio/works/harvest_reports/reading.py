"""Where the parts of a report come from: the sealed result, or the crawl store while a harvest runs."""

import contextlib
from collections.abc import Collection
from dataclasses import dataclass

from opilio.crawl.report import parts_of
from opilio.kernel.clock import SYSTEM, Clock
from opilio.works.crawl_story import records_of
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.declared import Part
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sealed_crawl import SealedCrawl


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """Parts of a crawl's report, and whether they will change no more."""

    parts: Part
    sealed: bool


def read(folder: HarvestFolder, names: Collection[str], *, clock: Clock = SYSTEM) -> Read:
    """The named parts: as they were sealed, or as of now. Only what is named is counted while a harvest runs.

    `NothingHere` where nothing was collected, or not on this machine.
    """
    if not folder.sealed() and not folder.begun():
        remedy = "Look where its agent runs, or let both use the same home folder; one that just began needs a moment."
        raise NothingHere("What this harvest collected is not on this machine", where=str(folder.path), remedy=remedy)
    with contextlib.closing(records_of(folder.path, folder.address)) as store:
        if isinstance(store, SealedCrawl):
            return Read(parts=store.report(), sealed=True)
        limits = store.control().limits
        return Read(parts=parts_of(store, names, now=clock.now().timestamp(), limits=limits), sealed=False)
