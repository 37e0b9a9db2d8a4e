"""Chromium, driven by Playwright: opens pages in windows of their own and takes pictures of them.

Needs the optional library playwright (`pip install 'opilio[browser]'`) and the system's Chromium. The browser itself is
sent into a dead end, whatever it wants; a page may reach what its window's proxy lets through, or nothing.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opilio.archive.screenshots.dead_end import DeadEnd
from opilio.archive.screenshots.errors import NoBrowser, PageFailed
from opilio.archive.screenshots.pictures import PictureSize

try:
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import BrowserContext, Page, Route, sync_playwright
    from playwright.sync_api import Error as BrowserError
except ImportError:  # the extra is not installed; nothing below runs without it
    INSTALLED = False
else:
    INSTALLED = True

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: No way past the proxy is left, and a page cannot take all memory. Playwright adds what keeps the browser quiet.
_ARGUMENTS = (
    "--disable-gpu", "--disable-domain-reliability", "--disable-quic", "--dns-prefetch-disable", "--no-pings",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--js-flags=--max-old-space-size=1024",
    "--hide-scrollbars", "--mute-audio",
)  # fmt: skip
_BYPASS = "<-loopback>"  # by itself the browser would reach this machine without the proxy
_START = 60_000.0  # milliseconds for the browser to start
_QUIET = 3_000.0  # milliseconds that a loaded page may still ask for things
_SHUTTER = 20_000.0  # milliseconds for one picture, at the most
_TEXT = 100_000  # characters of a page's text
_READ = f"document.body ? document.body.innerText.slice(0, {_TEXT}) : ''"

Answering = Callable[["Route"], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """How a page is opened."""

    size: PictureSize
    answering: Answering | None = None  # answers every request
    proxy: str = ""  # through which requests go that nobody answers; empty: nowhere
    user_agent: str = ""
    unverified_tls: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Shot:
    """What was seen of a page."""

    view: bytes  # PNG
    full: bytes | None  # PNG
    title: str
    url: str  # where the browser ended
    notes: tuple[str, ...] = field(default=())  # what was not as it should be
    text: str = ""  # what a reader sees of it, as far as it is kept


class Camera:
    """A running browser."""

    def __init__(self, chromium: "Chromium", dead_end: DeadEnd) -> None:
        self._chromium = chromium
        self._dead_end = dead_end

    @property
    def strayed(self) -> list[str]:
        """What ended in the dead end: wishes of the browser itself, and of pages that nobody answered."""
        return self._dead_end.asked

    def shoot(self, url: str, window: Window) -> Shot:
        """Open a page and take its pictures; `PageFailed` when it shows nothing."""
        with self._context(window) as context:
            page = context.new_page()
            context.on("page", lambda popup: popup.close())
            try:
                notes = _loaded(page, url, window.size)
                return _pictures(page, window.size, notes)
            except BrowserError as error:
                remedy = "Look at the page with: opilio replay DIR."
                raise PageFailed(
                    f"the page could not be shown: {_reason(error)}", where=url[:200], remedy=remedy
                ) from None

    @contextlib.contextmanager
    def blank(self) -> Iterator["Page"]:
        """A page of our own, on which pictures are made smaller or compared; it asks for nothing."""
        context = self._chromium.new_context(offline=True, service_workers="block", accept_downloads=False)
        try:
            yield context.new_page()
        finally:
            context.close()

    @contextlib.contextmanager
    def _context(self, window: Window) -> Iterator["BrowserContext"]:
        context = self._chromium.new_context(
            viewport={"width": window.size.width, "height": window.size.height},
            user_agent=window.user_agent or None,
            ignore_https_errors=window.unverified_tls,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
            color_scheme="light",
            permissions=[],
            proxy={"server": window.proxy, "bypass": _BYPASS} if window.proxy else None,
        )
        try:
            if window.answering is not None:
                context.route("**/*", window.answering)
                context.route_web_socket("**/*", lambda socket: socket.close())
            yield context
        finally:
            with contextlib.suppress(BrowserError):  # it fell with its page
                context.close()


@contextlib.contextmanager
def running_camera(program: str = "") -> Iterator[Camera]:
    """Start the browser."""
    if not INSTALLED:
        raise not_installed()
    path = chromium_program(program)
    with DeadEnd() as dead_end, sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path=path,
                args=list(_ARGUMENTS),
                chromium_sandbox=os.geteuid() != 0,  # Chromium refuses its sandbox to root
                proxy={"server": dead_end.url, "bypass": _BYPASS},
                timeout=_START,
            )
        except BrowserError as error:
            remedy = f"Try it by hand: {path} --headless --dump-dom about:blank."
            raise NoBrowser(f"Chromium does not start: {_reason(error)}", where=path, remedy=remedy) from None
        try:
            yield Camera(chromium, dead_end)
        finally:
            chromium.close()


def not_installed() -> NoBrowser:
    """What is said without the extra."""
    remedy = "Install it: pip install 'opilio[browser]'."
    return NoBrowser("screenshots need Playwright, which is not installed", remedy=remedy)


def chromium_program(named: str = "") -> str:
    """The program to start; `NoBrowser` when there is none."""
    if named:
        found = shutil.which(named)
        if found is None:
            raise NoBrowser("there is no such program", where=named, remedy="Name Chromium's, or leave it out.")
        return found
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        remedy = "Install it (Debian: apt install chromium), or name it: OPILIO_BROWSER_PROGRAM."
        raise NoBrowser("screenshots need Chromium, which is not installed", remedy=remedy)
    return str(Path(found))


def _loaded(page: "Page", url: str, size: PictureSize) -> list[str]:
    """Wait until a page has loaded and is quiet; a page that never does is taken as it is."""
    notes: list[str] = []
    page.on("crash", lambda _: notes.append("the page crashed"))
    page.set_default_timeout(size.timeout * 1000)
    try:
        page.goto(url, wait_until="load", timeout=size.timeout * 1000)
    except BrowserError as error:
        if "Timeout" not in error.message:
            raise
        notes.append(f"the page had not loaded after {size.timeout:g} seconds")
        return notes
    with contextlib.suppress(BrowserError):  # pages that never rest are taken in motion
        page.wait_for_load_state("networkidle", timeout=_QUIET)
    return notes


def _pictures(page: "Page", size: PictureSize, notes: list[str]) -> Shot:
    patience = min(_SHUTTER, size.timeout * 1000)
    view = page.screenshot(type="png", animations="disabled", caret="hide", timeout=patience)
    full = None
    if size.full:
        clip = {"x": 0.0, "y": 0.0, "width": float(size.width), "height": float(size.tallest)}
        full = page.screenshot(
            type="png", animations="disabled", caret="hide", timeout=patience, full_page=True,
            clip=clip,  # type: ignore[arg-type]  # a dict of four numbers
        )  # fmt: skip
    text = str(page.evaluate(_READ))
    return Shot(view=view, full=full, title=page.title()[:1_000], url=page.url, notes=tuple(notes), text=text)


def _reason(error: "BrowserError") -> str:
    """The first line, without the call log."""
    return error.message.split("\n", 1)[0].removeprefix("Page.goto: ").removeprefix("Page.screenshot: ")[:300]
