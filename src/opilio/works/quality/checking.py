"""Replays important pages of a result in headless Chromium: requests that fail, pictures against an earlier harvest,
and, where the caller allows it, the live page beside the archived one.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from opilio.archive.replay.holdings import Holding
from opilio.archive.screenshots.archived_pages import ArchiveCamera, ArchivedShot, archive_camera
from opilio.archive.screenshots.browser import Shot, Window
from opilio.archive.screenshots.darkroom import difference, thumbnail
from opilio.archive.screenshots.errors import NoBrowser, NoPicture, PageFailed
from opilio.archive.screenshots.pictures import Picture, PictureSize
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.proxies import Proxies
from opilio.crawl.user_agent import user_agent
from opilio.kernel.capture import MetadataFields
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import BadUrl, Conflict, Damaged, InvalidInput, Missing, Unavailable
from opilio.kernel.urls import canonical
from opilio.works.guarded_proxy import GuardedProxy
from opilio.works.quality.aside import Told, aside
from opilio.works.quality.likeness import alike
from opilio.works.quality.measuring import Place, plan_of
from opilio.works.quality.values import Checks, Lines, PageCheck
from opilio.works.replay_crawl import opened_holdings
from opilio.works.take_screenshots import fields_of, made

_LISTED = 100  # failed requests of a page
_TROUBLE = (Missing, Damaged, InvalidInput, Conflict, Unavailable)
_NOT_PAGES = ("/favicon.ico",)  # what browsers ask for by themselves

Kept = tuple[list[Picture], MetadataFields]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checking:
    """How pages are checked."""

    before: Place | None = None  # the earlier harvest whose pictures are compared
    program: str = ""  # Chromium; empty: that of the system
    live: bool = False  # whether the live page is opened too
    environ: Mapping[str, str] = field(default_factory=dict)
    size: PictureSize = field(default_factory=PictureSize)
    clock: Clock = SYSTEM
    told: Told = lambda done: None


def check(place: Place, urls: Sequence[str], checking: Checking) -> Checks:
    """Look at pages as readers will; whatever keeps the check from being done is told, and nothing more."""
    if not urls:
        return Checks(why_not="There is no page to be checked.")
    return aside(lambda told: _looked(place, urls, replace(checking, told=told)), checking.told)


def _looked(place: Place, urls: Sequence[str], checking: Checking) -> Checks:
    try:
        with archive_camera(checking.program) as camera:
            return Checks(pages=tuple(_checked(place, urls, checking, camera)))
    except NoBrowser as error:
        return Checks(why_not=f"Not checked: no browser ({error.what}).")
    except _TROUBLE as error:
        return Checks(why_not=f"Not checked: {error}"[:500])


def _checked(place: Place, urls: Sequence[str], checking: Checking, camera: ArchiveCamera) -> list[PageCheck]:
    with contextlib.ExitStack() as stack:
        holding = _holding(stack, place)
        work = _Work(
            camera=camera, holding=holding, earlier=_earlier(stack, checking), checking=checking,
            live=stack.enter_context(_live(place, checking)) if checking.live else None,
        )  # fmt: skip
        PictureShelf(place.folder, checking.clock).add(work.through(urls))
        return work.found


def _holding(stack: contextlib.ExitStack, place: Place) -> Holding:
    holdings = stack.enter_context(opened_holdings(place.folder, result=place.number))
    return holdings[place.number]


def _earlier(stack: contextlib.ExitStack, checking: Checking) -> Holding | None:
    if checking.before is None:
        return None
    try:
        return _holding(stack, checking.before)
    except _TROUBLE:
        return None  # it is told elsewhere why the harvests could not be compared


@dataclass(frozen=True, kw_only=True, slots=True)
class _Live:
    """The way to live pages: through the guard of private addresses."""

    plan: CrawlPlan
    door: GuardedProxy

    def shot(self, camera: ArchiveCamera, url: str, size: PictureSize) -> Shot | None:
        """The live page; None when it cannot be shown."""
        host = urlsplit(url).hostname or ""
        window = Window(
            size=size, proxy=self.door.url, user_agent=user_agent(self.plan.manners),
            unverified_tls=host in self.plan.fetch.unverified_tls,
        )  # fmt: skip
        try:
            return camera.camera.shoot(canonical(url), window)
        except (PageFailed, BadUrl):
            return None


@contextlib.contextmanager
def _live(place: Place, checking: Checking) -> Iterator[_Live]:
    plan = plan_of(place)
    guard = Guard.allowing(plan.fetch.allow_private)
    proxies = Proxies(plan.fetch.proxies, checking.environ, proxy_dns=plan.fetch.proxy_dns)
    with GuardedProxy(guard, proxies, patience=plan.fetch.connect_timeout) as door:
        yield _Live(plan=plan, door=door)


@dataclass(kw_only=True, slots=True)
class _Work:
    """Goes from page to page."""

    camera: ArchiveCamera
    holding: Holding
    earlier: Holding | None
    checking: Checking
    live: _Live | None
    found: list[PageCheck] = field(default_factory=list)

    def through(self, urls: Sequence[str]) -> Iterator[Kept]:
        """The pictures of each page that could be shown, to be kept; what was found is noted meanwhile."""
        for number, url in enumerate(urls):
            self.checking.told(number)
            try:
                shown = self.camera.shoot(self.holding, url, self.checking.size)
            except (NoPicture, PageFailed) as error:
                self.found.append(PageCheck(url=url, problem=error.what[:300]))
                continue
            self.found.append(self._compared(url, shown))
            yield self._pictures(url, shown)

    def _compared(self, url: str, shown: ArchivedShot) -> PageCheck:
        failed = [one for one in dict.fromkeys((*shown.missing, *shown.failed)) if not one.endswith(_NOT_PAGES)]
        lines = Lines(total=len(failed), listed=tuple(one[:2_000] for one in failed[:_LISTED]))
        found = PageCheck(
            url=url, title=shown.shot.title[:200], failed=lines, problem="; ".join(shown.shot.notes)[:300],
            picture=self._against_earlier(url, shown.shot),
        )  # fmt: skip
        live = self.live.shot(self.camera, url, self.checking.size) if self.live else None
        if live is None:
            return found
        return replace(
            found, live_text=round(alike(live.text, shown.shot.text), 4),
            live_picture=round(difference(self.camera.camera, live.view, shown.shot.view).share, 4),
        )  # fmt: skip

    def _against_earlier(self, url: str, shot: Shot) -> float | None:
        if self.earlier is None:
            return None
        try:
            before = self.camera.shoot(self.earlier, url, self.checking.size)
        except (NoPicture, PageFailed):
            return None
        return round(difference(self.camera.camera, before.shot.view, shot.view).share, 4)

    def _pictures(self, url: str, shown: ArchivedShot) -> Kept:
        size = self.checking.size
        small = thumbnail(self.camera.camera, shown.shot.view, size.thumbnail)
        fields = [
            ("source", "archive"), ("result", str(self.holding.number)), ("captured", shown.captured.isoformat()),
            *fields_of(shown.shot, size), *(("missing", one) for one in shown.missing[:_LISTED]),
        ]  # fmt: skip
        return made(url, shown.shot, small, self.checking.clock), fields
