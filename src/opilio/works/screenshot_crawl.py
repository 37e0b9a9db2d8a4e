"""Takes pictures of live sites for a crawl, with its user agent, its proxies, and its guard of private addresses."""

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from opilio.archive.screenshots.browser import Camera, Window, running_camera
from opilio.archive.screenshots.darkroom import thumbnail
from opilio.archive.screenshots.errors import PageFailed
from opilio.archive.screenshots.pictures import Picture, PictureSize
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.archive.warc.info import WarcInfo
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.manners import pace_of
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.proxies import Proxies
from opilio.crawl.user_agent import user_agent
from opilio.kernel.capture import MetadataFields
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import canonical
from opilio.works.guarded_proxy import GuardedProxy
from opilio.works.take_screenshots import Taken, Told, fields_of, made


def take_live(
    folder: Path, plan: CrawlPlan, urls: Sequence[str] = (), *, size: PictureSize | None = None, program: str = "",
    environ: Mapping[str, str] | None = None, clock: Clock = SYSTEM, told: Told = lambda step, done, total: None,
    camera: Camera | None = None,
) -> list[Taken]:  # fmt: skip
    """Take pictures of pages as they are on the web now: of those named, else of the seeds; kept beside the results.

    Pages are opened one after the other, with the pause of the plan between them. What a page embeds is loaded as
    browsers do, without pauses. A browser that runs already may be given.
    """
    wanted = tuple(dict.fromkeys(urls or [seed.url for seed in plan.seeds]))
    guard = Guard.allowing(plan.fetch.allow_private)
    proxies = Proxies(plan.fetch.proxies, environ or {}, proxy_dns=plan.fetch.proxy_dns)
    with (
        GuardedProxy(guard, proxies, patience=plan.fetch.connect_timeout) as door,
        contextlib.nullcontext(camera) if camera else running_camera(program) as running,
    ):
        photographer = _Photographer(running, door, plan, size or PictureSize(), clock)
        info = WarcInfo(description="Screenshots of the live site", user_agent=user_agent(plan.manners))
        PictureShelf(folder, clock).add(photographer.shots(wanted, told), info=info)
    return photographer.taken


class _Photographer:
    """Goes from page to page."""

    def __init__(self, camera: Camera, door: GuardedProxy, plan: CrawlPlan, size: PictureSize, clock: Clock) -> None:
        self.taken: list[Taken] = []
        self._camera = camera
        self._door = door
        self._plan = plan
        self._size = size
        self._clock = clock

    def shots(self, urls: Sequence[str], told: Told) -> Iterator[tuple[list[Picture], MetadataFields]]:
        """The pictures of each page that could be opened."""
        pause = pace_of(self._plan.manners).delay
        for number, url in enumerate(urls):
            told("taking pictures", number, len(urls))
            if number:
                threading.Event().wait(pause)
            yield from self._shots(url)

    def _shots(self, url: str) -> Iterator[tuple[list[Picture], MetadataFields]]:
        before = len(self._door.refused)
        try:
            shot = self._camera.shoot(canonical(url), self._window(url))
        except (PageFailed, BadUrl) as error:
            refused = self._door.refused[before:]
            self.taken.append(Taken(url=url, problem=f"not allowed: {refused[0]}" if refused else error.what))
            return
        notes = (*shot.notes, *(f"not allowed: {each}" for each in self._door.refused[before:]))
        pictures = made(url, shot, thumbnail(self._camera, shot.view, self._size.thumbnail), self._clock)
        self.taken.append(Taken(url=url, pictures=len(pictures), title=shot.title, notes=notes))
        yield pictures, [("source", "live"), *fields_of(shot, self._size)]

    def _window(self, url: str) -> Window:
        host = urlsplit(url).hostname or ""
        return Window(
            size=self._size,
            proxy=self._door.url,
            user_agent=user_agent(self._plan.manners),
            unverified_tls=host in self._plan.fetch.unverified_tls,
        )
