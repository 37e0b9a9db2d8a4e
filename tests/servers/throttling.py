"""Servers that ask for patience. Requests are counted per host and target; add a `key` of your own to start afresh."""

import time
from collections.abc import Callable
from email.utils import formatdate

from tests.servers.answers import Response, page
from tests.servers.behaviour import Behaviour, Visit
from tests.servers.request import Headers


def _until_nth(visit: Visit, retry_after: Callable[[int], Headers]) -> Response:
    """429 until the request number `nth`, which succeeds, like all that follow."""
    nth = visit.number("nth", 2, low=1)
    if visit.count() >= nth:
        return page("Thank you for waiting", "<p>Here you are.</p>")
    return page("Too many requests", "<p>Later, please.</p>", status=429, headers=retry_after(visit.number("wait", 1)))


def in_seconds(visit: Visit) -> Response:
    """429 with Retry-After in seconds (`wait`); request number `nth` succeeds."""
    return _until_nth(visit, lambda wait: (("Retry-After", str(wait)),))


def as_date(visit: Visit) -> Response:
    """429 with Retry-After as a date, `wait` seconds ahead; request number `nth` succeeds."""
    return _until_nth(visit, lambda wait: (("Retry-After", formatdate(int(time.time()) + wait, usegmt=True)),))


def silent(visit: Visit) -> Response:
    """429 without Retry-After; request number `nth` succeeds."""
    return _until_nth(visit, lambda wait: ())


def nonsense(visit: Visit) -> Response:
    """429 with a Retry-After that means nothing; request number `nth` succeeds."""
    return _until_nth(visit, lambda wait: (("Retry-After", "after the harvest"),))


def flapping(visit: Visit) -> Response:
    """503, but every request whose number is a multiple of `every` succeeds."""
    if visit.count() % visit.number("every", 3, low=1) == 0:
        return page("Up", "<p>For the moment.</p>")
    return page("Down", "<p>For the moment.</p>", status=503)


BEHAVIOURS = (
    Behaviour(name="429-seconds", path="/429/seconds", example="/429/seconds?wait=1&nth=2", answer=in_seconds),
    Behaviour(name="429-date", path="/429/date", example="/429/date?wait=5&nth=2", answer=as_date),
    Behaviour(name="429-silent", path="/429/silent", example="/429/silent?nth=2", answer=silent),
    Behaviour(name="429-nonsense", path="/429/nonsense", example="/429/nonsense?nth=2", answer=nonsense),
    Behaviour(name="503-flapping", path="/503/flapping", example="/503/flapping?every=3", answer=flapping),
)
