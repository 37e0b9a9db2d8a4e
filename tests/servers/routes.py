"""Which behaviour answers a request: a site's own files first, then the behaviour with the longest matching path."""

import html
from dataclasses import dataclass, field

from tests.servers import (
    caching,
    charsets,
    cookies,
    form_login,
    http_logins,
    large_site,
    other_logins,
    pages,
    redirects,
    robots,
    throttling,
    traps,
)
from tests.servers.answers import Answer, Response, link, page
from tests.servers.behaviour import Behaviour, Memory, Visit
from tests.servers.folder import Sites
from tests.servers.misbehave import bodies, bombs, closing, encodings, odd_bytes, slow
from tests.servers.request import Request

BEHAVIOURS: tuple[Behaviour, ...] = (
    *pages.BEHAVIOURS,
    *slow.BEHAVIOURS,
    *closing.BEHAVIOURS,
    *bodies.BEHAVIOURS,
    *bombs.BEHAVIOURS,
    *encodings.BEHAVIOURS,
    *odd_bytes.BEHAVIOURS,
    *redirects.BEHAVIOURS,
    *throttling.BEHAVIOURS,
    *cookies.BEHAVIOURS,
    *http_logins.BEHAVIOURS,
    *form_login.BEHAVIOURS,
    *other_logins.BEHAVIOURS,
    *traps.BEHAVIOURS,
    *charsets.BEHAVIOURS,
    *caching.BEHAVIOURS,
    *large_site.BEHAVIOURS,
    *robots.BEHAVIOURS,
)

BY_PATH = {behaviour.path: behaviour for behaviour in BEHAVIOURS}


def find(path: str) -> tuple[Behaviour, tuple[str, ...]] | None:
    """The behaviour for a decoded path, and the segments below its own path."""
    parts = path.split("/")
    for length in range(len(parts), 1, -1):
        behaviour = BY_PATH.get("/".join(parts[:length]))
        if behaviour is not None:
            return behaviour, tuple(parts[length:])
    return None


def table() -> str:
    """All behaviours as the table of README.md."""
    rows = [f"| {one.name} | `{one.shown}` | {one.sentence} |" for one in BEHAVIOURS]
    return "\n".join(("| behaviour | try | what it does |", "|---|---|---|", *rows))


@dataclass(frozen=True, kw_only=True)
class Routes:
    """From a request to its answer."""

    sites: Sites
    memory: Memory = field(default_factory=Memory)

    def __call__(self, request: Request) -> Answer:
        """The answer; a parameter that makes no sense gives 400 with the reason."""
        try:
            return self._answer(request)
        except ValueError as error:
            return Response(status=400, body=f"{error}\n".encode("utf-8", "replace"), type="text/plain")

    def _answer(self, request: Request) -> Answer:
        if request.path == "/robots.txt" and robots.is_controlled(request.host, self.memory.robots_file):
            return robots.robots(Visit(request=request, rest=(), memory=self.memory))
        stored = self.sites.answer(request)
        if stored is not None:
            return stored
        found = find(request.path)
        if found is not None:
            behaviour, rest = found
            return behaviour.answer(Visit(request=request, rest=rest, memory=self.memory))
        return _index() if request.path == "/" else _missing(request)


def _index() -> Response:
    """The front page: every behaviour with a link that shows it."""
    rows = (f"<dt>{link(one.shown, one.name)}</dt><dd>{html.escape(one.sentence)}</dd>" for one in BEHAVIOURS)
    return page("Behaviours of this server", "<dl>\n" + "\n".join(rows) + "\n</dl>")


def _missing(request: Request) -> Response:
    return page("Not found", f"<p>Nothing at {html.escape(ascii(request.path))}.</p>", status=404)
