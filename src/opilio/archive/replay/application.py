"""The rules of replay's web server, without the server: a request in, an answer out.

Each result has a host name of its own; a token brings a session, the session brings the pages. Requests under any other
host name are refused.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from opilio.archive.replay import own_pages
from opilio.archive.replay.archive_paths import ArchivePath, archived_url, filled, parse_path, path_of
from opilio.archive.replay.assets import asset
from opilio.archive.replay.entry import Entry
from opilio.archive.replay.holdings import Holding, Wish
from opilio.archive.replay.hosts import HostNames
from opilio.archive.replay.messages import Request, Response, plain, redirect
from opilio.archive.replay.seals import Seals
from opilio.archive.replay.showing import Missing, Showing
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import join

COOKIE = "opilio_replay"
_SESSION = 12 * 3600  # seconds
_WISH = 3600  # seconds in which the form of a missing page can be sent
_ARCHIVED = re.compile(r"/\d{1,17}/(?:[a-z]+:|[^/])", re.IGNORECASE)
_TIMEMAP = re.compile(r"/timemap/([a-z]{1,10})/(.+)", re.DOTALL)
_OWN = f"{own_pages.ASSETS}/"
_PLAIN, _SCRIPTS = "plain", "scripts"


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """Somebody who was let in to one result."""

    holding: Holding
    scripts: bool
    person: str = ""  # who it is, where that was said with the token


def _everybody(result: int, person: str) -> bool:
    """Where a session alone is enough."""
    return True


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Results that can be looked at."""

    holdings: Mapping[int, Holding]
    key: bytes  # 32 random bytes; whoever has it can let people in
    names: HostNames = HostNames()
    title: str = "Results"
    ancestors: str = "'self'"  # who may put archived pages into a frame, as frame-ancestors writes it
    admits: Callable[[int, str], bool] = _everybody  # whether a person may still see a result
    pages: Callable[[Request, int], str] | None = None  # where results are listed, if not under the base name
    clock: Clock = SYSTEM

    @property
    def seals(self) -> Seals:
        """What signs tokens and sessions."""
        return Seals(key=self.key, host=self.names.base, clock=self.clock)

    def answer(self, request: Request) -> Response:
        """The answer to any request."""
        if request.name == self.names.base:
            return self._entry().answer(request) if self.pages is None else redirect(self.pages(request, 0))
        number = self.names.result_of(request.name)
        if number is None:
            return plain(421, f"Replay answers under {self.names.base} and the names below it only.")
        own = asset(request.path.removeprefix(_OWN)) if request.path.startswith(_OWN) else None
        if own is not None:
            return own
        if request.header("service-worker"):
            return plain(403, "Archived service workers are not run.")
        holding = self.holdings.get(number)
        if holding is None:
            return own_pages.no_way_in(self._entry_address(request))
        return self._of_result(request, holding)

    def session(self, request: Request) -> Session | None:
        """Who asks, if that is known."""
        number = self.names.result_of(request.name)
        holding = self.holdings.get(number) if number is not None else None
        if holding is None:
            return None
        bearer = request.header("authorization").removeprefix("Bearer ").strip()
        for text in (*request.cookies(_cookie_name(request)), bearer):
            note = self.seals.note(text, "session", holding.number)
            mode, _, person = (note or "").partition("-")
            if note is not None and self.admits(holding.number, person):
                return Session(
                    holding=holding, scripts=mode == _SCRIPTS and self._confinable(request), person=person
                )  # fmt: skip
        return None

    def entry_token(self) -> str:
        """What opens the list of results."""
        return self.seals.make("entry", 0, seconds=_SESSION)

    def session_token(self, result: int) -> str:
        """A session for a program, to be sent as `Authorization: Bearer …`."""
        return self.seals.make("session", result, seconds=_SESSION, note=_PLAIN)

    def _entry(self) -> Entry:
        return Entry(
            holdings=self.holdings, seals=self.seals, names=self.names, title=self.title, session_seconds=_SESSION
        )

    def _of_result(self, request: Request, holding: Holding) -> Response:
        session = self.session(request)
        if request.path == f"{_OWN}open":
            return self._let_in(request, holding)
        if session is None:
            return own_pages.no_way_in(self._entry_address(request))
        if request.path.startswith(_OWN):
            return self._service(request, session)
        showing = Showing(
            holding=holding, scripts=session.scripts, entry=self._entry_address(request), ancestors=self.ancestors
        )
        return self._shown(request, showing)

    def _shown(self, request: Request, showing: Showing) -> Response:
        if request.method not in ("GET", "HEAD"):
            return own_pages.not_replayable(request.method)
        asked = parse_path(request.target) if _ARCHIVED.match(request.path) else None
        if asked is not None:
            return showing.capture(request, asked, missing=lambda url: self._missing(showing.holding, url))
        asking = self._asking_page(request)
        return _resolved(request, asking) if asking is not None else self._about(request, showing)

    def _about(self, request: Request, showing: Showing) -> Response:
        """What is no capture: lists of captures, and the way back."""
        if request.path.startswith("/timegate/"):
            return showing.timegate(request, request.target.removeprefix("/timegate/"))
        listed = _TIMEMAP.fullmatch(request.target)
        if listed is not None:
            return showing.timemap(request, listed[1], listed[2])
        if request.path == "/":
            return redirect(showing.entry)
        words = "Archived pages are at /{time}/{address}, as in /20260131120000/https://example.org/."
        return own_pages.page("There is nothing here", own_pages.paragraph(words), status=404)

    def _let_in(self, request: Request, holding: Holding) -> Response:
        """Exchange a token for a session, start the service worker, and go on to the page."""
        given = request.arguments()
        person = self.seals.note(given.get("token", ""), "open", holding.number)
        if person is None or not self.admits(holding.number, person):
            return own_pages.no_way_in(self._entry_address(request))
        url = archived_url(given.get("url", "")) if given.get("url") else None
        time = given.get("time", "")
        if url is None or not (time.isascii() and time.isdigit() and len(time) <= 17):
            return redirect(self._entry_address(request))
        onward = path_of(filled(time), url)
        cookie = ("set-cookie", self._cookie(request, holding, _PLAIN, person))
        if not self._confinable(request):
            return redirect(onward, status=303, headers=(cookie,))
        return own_pages.page(
            "Opening the archive",
            f'<p><a data-onward href="{own_pages.text(onward)}">Go on to the archived page</a></p>',
            script="open.js",
            head=f'<noscript><meta http-equiv="refresh" content="0;url={own_pages.text(onward)}"></noscript>',
            headers=(cookie,),
        )

    def _service(self, request: Request, session: Session) -> Response:
        if request.method != "POST" or not _same_origin(request):
            return plain(403, "This is for pages of replay only.")
        if request.path == f"{_OWN}ready":
            mode = _SCRIPTS if self._confinable(request) else _PLAIN
            cookie = self._cookie(request, session.holding, mode, session.person)
            return Response(status=204, headers=(("set-cookie", cookie), ("cache-control", "no-store")))
        if request.path == f"{_OWN}patch":
            return self._wished(request, session)
        return plain(404, "There is nothing here.")

    def _wished(self, request: Request, session: Session) -> Response:
        """Put a URL on the patch list, if a person pressed our button."""
        given, holding = request.form(), session.holding
        url = archived_url(given.get("url", ""))
        seal = self.seals.note(given.get("seal", ""), "wish", holding.number)
        if url is None or seal != self.seals.digest(url) or request.header("sec-fetch-mode") not in ("", "navigate"):
            return own_pages.page("The form is too old", own_pages.paragraph("Go back and try again."), status=403)
        now = self.clock.now()
        moment = now.replace(microsecond=0).isoformat()
        holding.patches.add(Wish(url=url, at=moment, result=holding.number, by=session.person))
        return redirect(path_of(now, url), status=303)

    def _missing(self, holding: Holding, url: str) -> Missing:
        """What the page about a missing capture offers."""
        wished = holding.patches.has(url)
        seal = self.seals.make("wish", holding.number, seconds=_WISH, note=self.seals.digest(url))
        return Missing(seal=seal, wished=wished)

    def _asking_page(self, request: Request) -> ArchivePath | None:
        """The archived page from which a request comes, by its Referer."""
        referrer = urlsplit(request.header("referer"))
        if referrer.netloc.lower() != request.host:
            return None
        return parse_path(f"{referrer.path}?{referrer.query}" if referrer.query else referrer.path)

    def _entry_address(self, request: Request) -> str:
        if self.pages is not None:
            return self.pages(request, self.names.result_of(request.name) or 0)
        port = request.host.removeprefix(request.name)
        return f"{request.scheme}://{self.names.base}{port}/"

    def _confinable(self, request: Request) -> bool:
        """Whether browsers run service workers here: on their own machine, or by TLS."""
        return request.scheme == "https" or self.names.local

    def _cookie(self, request: Request, holding: Holding, mode: str, person: str) -> str:
        note = f"{mode}-{person}" if person else mode
        value = self.seals.make("session", holding.number, seconds=_SESSION, note=note)
        secure = "; Secure" if request.scheme == "https" else ""
        return f"{_cookie_name(request)}={value}; Path=/; HttpOnly; SameSite=Lax{secure}"


def _resolved(request: Request, asking: ArchivePath) -> Response:
    """What an archived page asked for without its archive: `/style.css` means the site's, not ours."""
    try:
        url = join(asking.url, request.target)
    except BadUrl:
        return plain(404, "Not archived.")
    return redirect(f"/{asking.stamp}/{url}", status=307)


def _cookie_name(request: Request) -> str:
    return f"__Host-{COOKIE}" if request.scheme == "https" else COOKIE


def _same_origin(request: Request) -> bool:
    """Whether a page of this very host asks; browsers say so by one of two headers."""
    site, origin = request.header("sec-fetch-site"), request.header("origin")
    return site == "same-origin" if site else origin == request.origin
