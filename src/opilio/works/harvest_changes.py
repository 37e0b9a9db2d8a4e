"""What a harvest found changed: its sealed result compared with the history of its target, page by page.

Pages stream from the one file into the other; nothing is held in memory that grows with the harvest.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from opilio.crawl.earlier import is_whole
from opilio.crawl.engine.ending import Ending
from opilio.crawl.frontier.rows import Page
from opilio.crawl.outcomes import Outcome
from opilio.works.change_history import ChangeHistory, Seen, Tally
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sealed_crawl import SealedCrawl, results_of

_GONE = frozenset({Outcome.GONE, Outcome.SOFT_404})


def history_file(home: Path, target: int) -> Path:
    """Where the history of a target or group lies."""
    return home / "changes" / f"{target}.sqlite"


def tallied(file: Path, folder: HarvestFolder, *, harvest: int, at: float) -> Tally:
    """Take a sealed harvest down in the history of its target; the same answer when that was done before."""
    with (
        ChangeHistory(file, create=True) as history,
        contextlib.closing(SealedCrawl(results_of(folder.crawl).result)) as sealed,
    ):
        return history.record(harvest, at, _pages(sealed), whole=_whole(sealed))


def _pages(sealed: SealedCrawl) -> Iterator[Seen]:
    for page in sealed.pages():
        if page.outcome in _GONE:
            yield Seen(url=page.url, at=page.at, gone=True)
        elif page.counted and is_whole(page):
            yield Seen(url=page.url, at=page.at, digest=page.digest, not_modified=_not_modified(page))
        else:
            yield Seen(url=page.url, at=page.at)


def _not_modified(page: Page) -> bool:
    return page.outcome is Outcome.UNCHANGED and page.status == 304


def _whole(sealed: SealedCrawl) -> bool:
    """Whether the harvest met everything that is there."""
    report = sealed.report()
    return report["ended"] == Ending.FINISHED.value and not report["waiting"]
