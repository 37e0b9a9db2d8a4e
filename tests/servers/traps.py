"""Sites without an end, and pages that lie about being there."""

import html

from tests.servers.answers import Response, link, page
from tests.servers.behaviour import Behaviour, Visit, whole

SESSION_PAGES = 5  # real pages behind the session-id traps
SOFT_PAGES = ("", "barley", "rye")


def calendar(visit: Visit) -> Response:
    """A calendar whose next and previous months never end."""
    year = whole(visit.rest[0], name="year", low=1, high=999_999) if visit.rest else 2024
    month = whole(visit.rest[1], name="month", low=1, high=12) if len(visit.rest) > 1 else 1
    after = f"/calendar/{year + month // 12}/{month % 12 + 1:02}"
    before = f"/calendar/{max(1, year - (month == 1))}/{(month - 2) % 12 + 1:02}"
    days = " ".join(link(f"/calendar/{year}/{month:02}/{day:02}", str(day)) for day in range(1, 29))
    return page(f"{year}-{month:02}", f"<p>{link(before, 'earlier')} {link(after, 'later')}</p><p>{days}</p>")


def _fresh(visit: Visit) -> str:
    """A session id never given before by this server."""
    visit.memory.counts["sid",] += 1
    return f"{visit.memory.counts['sid',]:08x}"


def session_id(visit: Visit) -> Response:
    """Five pages whose links carry a fresh `sid` each time."""
    links = (
        f"<li>{link(f'/sid/{number}?sid={_fresh(visit)}', f'page {number}')}</li>" for number in range(SESSION_PAGES)
    )
    number = whole(visit.segment() or "0", name="page", high=SESSION_PAGES - 1)
    return page(f"Page {number}", f"<p>The same text, whatever the sid.</p><ul>{''.join(links)}</ul>")


def session_path(visit: Visit) -> Response:
    """Five pages whose links carry a fresh `;jsessionid=` in the path."""
    links = (
        f"<li>{link(f'/jsessionid/{number};jsessionid={_fresh(visit)}', f'page {number}')}</li>"
        for number in range(SESSION_PAGES)
    )
    segment = visit.segment().partition(";")[0]
    number = whole(segment or "0", name="page", high=SESSION_PAGES - 1)
    return page(f"Page {number}", f"<p>The same text, whatever the id.</p><ul>{''.join(links)}</ul>")


def deeper(visit: Visit) -> Response:
    """A relative link that leads one folder deeper each time, to the same page."""
    return page("Archive", f"<p>{len(visit.rest)} deep</p>" + link("archive/index/", "index"))


def soft_404(visit: Visit) -> Response:
    """200 with a not-found text for every page but `/`, `/barley` and `/rye`, which exist."""
    wanted = "/".join(visit.rest)
    if wanted in SOFT_PAGES:
        links = " ".join(link(f"/soft-404/{name}") for name in (*SOFT_PAGES, "oats", "spelt"))
        return page(f"Grain {wanted}".strip(), f"<p>All about {wanted or 'grain'}.</p><p>{links}</p>")
    return page("Page not found", f"<p>Sorry, {html.escape(ascii(wanted))} does not exist or has moved.</p>")


BEHAVIOURS = (
    Behaviour(name="calendar-trap", path="/calendar", example="/calendar/2024/01", answer=calendar),
    Behaviour(name="session-id-trap", path="/sid", example="/sid/", answer=session_id),
    Behaviour(name="session-path-trap", path="/jsessionid", example="/jsessionid/", answer=session_path),
    Behaviour(name="deeper-trap", path="/deeper", example="/deeper/", answer=deeper),
    Behaviour(name="soft-404", path="/soft-404", example="/soft-404/oats", answer=soft_404),
)
