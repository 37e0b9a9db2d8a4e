"""Cookies: set, shown, demanded."""

from tests.servers.answers import Response, document, page, redirect
from tests.servers.behaviour import Behaviour, Visit

WALL = "seen_the_wall"


def set_cookies(visit: Visit) -> Response:
    """Sets each pair of the query as a cookie; `attributes` is put behind each of them."""
    pairs = dict(visit.request.query)
    attributes = pairs.pop("attributes", "Path=/")
    headers = tuple(("Set-Cookie", f"{name}={value}; {attributes}") for name, value in pairs.items())
    return page("Cookies set", f"<p>{len(headers)} set.</p>", headers=headers)


def show_cookies(visit: Visit) -> Response:
    """Answers with the cookies received, as JSON."""
    return document(visit.request.cookies)


def require_cookies(visit: Visit) -> Response:
    """403 unless each pair of the query came as a cookie."""
    missing = set(visit.request.query.items()) - set(visit.request.cookies.items())
    if missing:
        return page("No cookie, no page", f"<p>{len(missing)} missing.</p>", status=403)
    return page("Welcome", "<p>All cookies are there.</p>")


def wall(visit: Visit) -> Response:
    """Sets a cookie and redirects to itself until the cookie comes back: a loop for clients without cookies."""
    if WALL in visit.request.cookies:
        return page("Behind the wall", "<p>Content.</p>")
    return redirect(visit.request.local_target, headers=(("Set-Cookie", f"{WALL}=1; Path=/"),))


BEHAVIOURS = (
    Behaviour(name="cookie-set", path="/cookies/set", example="/cookies/set?grain=rye", answer=set_cookies),
    Behaviour(name="cookie-show", path="/cookies/show", answer=show_cookies),
    Behaviour(
        name="cookie-require", path="/cookies/require", example="/cookies/require?grain=rye", answer=require_cookies
    ),
    Behaviour(name="cookie-wall", path="/cookies/wall", answer=wall),
)
