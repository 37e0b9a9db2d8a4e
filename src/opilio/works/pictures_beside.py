"""Takes pictures of the seeds beside a running crawl, each soon after its page was fetched. No Django.

The crawl never waits for the browser. What an earlier attempt took is not taken again.
"""

import contextlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from opilio.archive.screenshots.browser import Camera, running_camera
from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.crawl.frontier.control import CrawlState
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.manners import pace_of
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.kernel.urls import canonical
from opilio.works.crawl_story import records_of
from opilio.works.run_harvest import HarvestFolder
from opilio.works.screenshot_crawl import take_live
from opilio.works.sealed_crawl import SealedCrawl
from opilio.works.take_screenshots import Taken

#: Whoever may not fetch a page may not look at it in a browser either.
FETCHED = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.UNPARSABLE, Outcome.REDIRECTED})
_FIRST_LOOK, _LONGEST = 1.0, 15.0  # seconds between two looks at what was fetched; they grow

_log = logger(__name__)


class PicturesBeside:
    """A thread with a browser, for the length of a crawl; it starts the browser when there is a page to look at."""

    def __init__(self, folder: HarvestFolder, *, program: str, environ: Mapping[str, str]) -> None:
        self._folder = folder
        self._program = program
        self._environ = environ
        self._ended = threading.Event()  # the crawl has ended: look once more
        self._dropped = threading.Event()  # leave after the page that is open
        self._thread = threading.Thread(target=self._work, name="pictures", daemon=True)
        self.taken: list[Taken] = []
        self.problem = ""  # why there are no more pictures

    def __enter__(self) -> "PicturesBeside":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._dropped.set()
        self._ended.set()
        self._thread.join()

    def end(self) -> None:
        """The crawl has ended: what was fetched and has no picture is taken now."""
        self._ended.set()

    def working(self, seconds: float) -> bool:
        """Wait so long for the last pictures; whether some are still missing."""
        self._thread.join(seconds)
        return self._thread.is_alive()

    @property
    def problems(self) -> Sequence[str]:
        """What was not taken, and why."""
        missing = [f"{one.url[:200]}: {one.problem}" for one in self.taken if one.problem]
        return [*missing, self.problem] if self.problem else missing

    def _work(self) -> None:
        try:
            with contextlib.ExitStack() as stack:
                self._watch(stack)
        except Exception as error:  # noqa: BLE001 - whatever befalls a browser is told, and the crawl goes on
            _log.warning("pictures_failed", folder=str(self._folder.path), reason=str(error))
            self.problem = str(error) or type(error).__name__

    def _watch(self, stack: contextlib.ExitStack) -> None:
        done: set[str] = {one.url for one in PictureShelf(self._folder.path).all(PictureKind.THUMBNAIL)}
        camera, pause = None, _FIRST_LOOK
        while not self._dropped.is_set():
            last = self._ended.is_set()  # asked before the look, so that the look sees the end
            seen = self._look(done, last=last)
            if seen is not None and seen.ready:
                camera = camera or stack.enter_context(running_camera(self._program))
                self._take(camera, seen, done)
                pause = _FIRST_LOOK
            if last or (seen is not None and not seen.waiting):
                return
            self._ended.wait(pause)
            pause = min(pause * 1.5, _LONGEST)

    def _look(self, done: set[str], *, last: bool) -> "_Seen | None":
        """What was fetched; None when nobody can say yet: a store that is being made, sealed, or out of reach."""
        if not self._folder.begun():
            return None
        try:
            with contextlib.closing(records_of(self._folder.path, self._folder.address)) as records:
                return _seen(records, done)
        except OpilioError:
            if last:
                raise
            return None

    def _take(self, camera: Camera, seen: "_Seen", done: set[str]) -> None:
        """One after the other, each on the shelf before the next, with the pause of the plan between them."""
        for number, url in enumerate(seen.ready):
            if self._dropped.is_set() or (number and self._dropped.wait(pace_of(seen.plan.manners).delay)):
                return
            self.taken += take_live(self._folder.path, seen.plan, [url], environ=self._environ, camera=camera)
            done.add(url)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """How far the seeds are."""

    plan: CrawlPlan
    ready: Sequence[str] = ()  # fetched, without a picture
    waiting: bool = True  # whether others may still be fetched


def _seen(records: SqlStore | SealedCrawl, done: set[str]) -> _Seen:
    """In a pause nothing is looked at."""
    plan: CrawlPlan = records.plan
    if isinstance(records, SqlStore) and records.control().state is CrawlState.PAUSED:
        return _Seen(plan=plan)
    wanted = dict.fromkeys(seed.url for seed in plan.seeds if seed.active and seed.url not in done)
    pages = {url: records.page(canonical(url, plan.scope.query)) for url in wanted}
    ready = [url for url, page in pages.items() if page is not None and page.outcome in FETCHED]
    return _Seen(plan=plan, ready=ready, waiting=any(page is None for page in pages.values()))
