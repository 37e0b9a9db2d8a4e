"""Takes pictures of pages as the archive has them: every request is answered from a result, none leaves the machine."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from opilio.archive.replay.holdings import Holding
from opilio.archive.screenshots.answers import Answer, ArchivedAnswers, newest_capture
from opilio.archive.screenshots.browser import Camera, Shot, Window, running_camera
from opilio.archive.screenshots.errors import NoPicture
from opilio.archive.screenshots.pictures import PictureSize

try:
    from playwright.sync_api import Error as BrowserError
    from playwright.sync_api import Route
except ImportError:
    BrowserError = RuntimeError  # type: ignore[misc, assignment]  # nothing runs without the extra

_INSIDE = ("data:", "blob:", "about:")
_WEB = ("http://", "https://")
_ERROR = 400  # statuses from here on


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedShot:
    """A picture with what it shows."""

    shot: Shot
    captured: datetime  # the page's capture
    missing: tuple[str, ...]  # URLs that the page asked for and the result does not have
    failed: tuple[str, ...] = ()  # URLs that the page asked for, of which the result has only an error


class ArchiveCamera:
    """Photographs pages of results."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera

    def shoot(self, holding: Holding, url: str, size: PictureSize) -> ArchivedShot:
        """A page as it was captured last; `NoPicture` when the result does not have it."""
        row = newest_capture(holding, url)
        answers = ArchivedAnswers(holding, row.at) if row else None
        start = answers.final_url(url) if answers else None
        if row is None or answers is None or start is None or not start.startswith(_WEB):
            remedy = "Name a page that was captured: opilio archive list."
            raise NoPicture(f"the result has no capture of {url[:200]}", where=holding.title, remedy=remedy)
        answering = _Answering(answers)
        shot = self.camera.shoot(start, Window(size=size, answering=answering))
        missing, failed = tuple(answering.missing), tuple(answering.failed)
        return ArchivedShot(shot=shot, captured=row.at, missing=missing, failed=failed)


@contextlib.contextmanager
def archive_camera(program: str = "") -> Iterator[ArchiveCamera]:
    """A browser that can reach nothing but what it is given."""
    with running_camera(program) as camera:
        yield ArchiveCamera(camera)


class _Answering:
    """Answers the requests of one page."""

    def __init__(self, answers: ArchivedAnswers) -> None:
        self._answers = answers
        self.missing: list[str] = []
        self.failed: list[str] = []

    def __call__(self, route: "Route") -> None:
        request = route.request
        with contextlib.suppress(BrowserError):  # the page is gone before its answer
            if request.url.startswith(_INSIDE):
                route.continue_()
                return
            found = self._answers.answer(request.url, kind=request.resource_type) if request.method == "GET" else None
            if found is None:
                self.missing.append(request.url)
                route.abort("internetdisconnected")
            else:
                if found.status >= _ERROR and request.resource_type != "document":
                    self.failed.append(request.url)
                route.fulfill(status=found.status, headers=_merged(found), body=found.body)


def _merged(answer: Answer) -> dict[str, str]:
    """Headers of one name joined, as the browser takes them; cookies by lines."""
    found: dict[str, list[str]] = {}
    for name, value in answer.headers:
        found.setdefault(name.lower(), []).append(value)
    return {name: ("\n" if name == "set-cookie" else ", ").join(values) for name, values in found.items()}
