"""Whether a crawl is sealed when its workers are done, and what a resumption finds of an earlier sealing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.crawl.engine.ending import Ended, Ending
from opilio.crawl.errors import SealedCrawlStore
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.kernel.clock import Clock
from opilio.kernel.logs import logger
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.seal_crawl import NOT_ITS_TURN, Told, missing_warcs, seal_store, silent
from opilio.works.sealed_crawl import results_of

_WHOLE = frozenset({Ending.FINISHED, Ending.LIMIT})
log = logger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sealing:
    """What happens to the crawl store at the end."""

    keep_open: bool = False  # so that limits can be raised and the crawl resumed
    told: Told = silent


def seal_at_end(
    place: CrawlFolder, store: SqlStore, sealing: Sealing, ended: Ended, report: Mapping[str, Any], clock: Clock
) -> Path | None:
    """Seal a crawl that finished or reached a limit; the result, or None for one that stays open.

    One whose WARC files lie on several machines stays open: its result belongs beside all of them.
    """
    if sealing.keep_open or ended.ending not in _WHOLE:
        return None
    if missing := missing_warcs(place, store):
        log.warning("crawl_not_sealed", folder=str(place.path), elsewhere=len(missing))
        return None
    reason = f"the crawl reached its limit of {ended.limit} first" if ended.limit else NOT_ITS_TURN
    return seal_store(place, store, report, reason=reason, clock=clock, told=sealing.told).result


def begin_again(place: CrawlFolder, store: SqlStore) -> None:
    """Before a crawl goes on: `SealedCrawlStore` if it cannot; what an unfinished sealing left is removed."""
    if store.sealed:
        raise SealedCrawlStore(
            "the crawl ended and was sealed into its result",
            where=str(results_of(place).result),
            remedy="Read the result with `opilio crawl report`; crawl anew into another folder, with --since this one. "
            "Next time, --keep-open leaves a crawl open at its end.",
        )
    results_of(place).discard()
