"""Redirects: chains, loops, and to wherever the query says."""

import html

from tests.servers.answers import Response, page, redirect
from tests.servers.behaviour import Behaviour, Visit, whole

_STATUSES = (300, 301, 302, 303, 305, 307, 308)


def _status(visit: Visit) -> int:
    status = visit.number("status", 302)
    if status not in _STATUSES:
        raise ValueError(f"status={status} is no redirect; use one of {_STATUSES}")
    return status


def loop(visit: Visit) -> Response:
    """Two pages that redirect to each other for ever."""
    return redirect("/redirect/loop/b" if visit.segment("a") == "a" else "/redirect/loop/a", status=_status(visit))


def self_loop(visit: Visit) -> Response:
    """A page that redirects to itself."""
    return redirect(visit.request.local_target, status=_status(visit))


def chain(visit: Visit) -> Response:
    """As many redirects as the path says, then a page."""
    left = whole(visit.segment("5"), name="length", high=1_000_000)
    if left == 0:
        return page("The end of the chain", "<p>Arrived.</p>")
    return redirect(f"/redirect/chain/{left - 1}", status=_status(visit))


def endless(visit: Visit) -> Response:
    """Redirects to a new URL each time, for ever."""
    step = whole(visit.segment("0"), name="step")
    return redirect(f"/redirect/endless/{step + 1}", status=_status(visit))


def anywhere(visit: Visit) -> Response:
    """Redirects to the `url` of the query, whatever it is (an open redirect)."""
    return redirect(visit.text("url", "/page"), status=_status(visit))


def nowhere(visit: Visit) -> Response:
    """A redirect without a Location."""
    return Response(status=_status(visit), body=b"Lost.\n", type="text/plain")


def by_meta(visit: Visit) -> Response:
    """A page with a meta refresh to the `url` of the query."""
    url = html.escape(visit.text("url", "/page"))
    return page("Moving", f'<meta http-equiv="refresh" content="0; url={url}">')


def by_header(visit: Visit) -> Response:
    """A page with a Refresh header to the `url` of the query."""
    return page("Moving", "", headers=(("Refresh", f"0; url={visit.text('url', '/page')}"),))


BEHAVIOURS = (
    Behaviour(name="redirect-loop", path="/redirect/loop", answer=loop),
    Behaviour(name="redirect-self", path="/redirect/self", answer=self_loop),
    Behaviour(name="redirect-chain", path="/redirect/chain", example="/redirect/chain/5", answer=chain),
    Behaviour(name="redirect-endless", path="/redirect/endless", answer=endless),
    Behaviour(name="redirect-to", path="/redirect/to", example="/redirect/to?url=/page&status=301", answer=anywhere),
    Behaviour(name="redirect-nowhere", path="/redirect/nowhere", answer=nowhere),
    Behaviour(name="redirect-meta", path="/redirect/meta", example="/redirect/meta?url=/page", answer=by_meta),
    Behaviour(
        name="redirect-refresh", path="/redirect/refresh", example="/redirect/refresh?url=/page", answer=by_header
    ),
)
