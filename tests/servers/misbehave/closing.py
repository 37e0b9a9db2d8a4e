"""Connections that end before the answer does."""

from tests.servers.answers import Ending, Pause, Response, Script, head, page
from tests.servers.behaviour import Behaviour, Visit

_HALF_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/ht"


def drop(_: Visit) -> Script:
    """Closes the connection without a byte."""
    return Script()


def drop_in_head(_: Visit) -> Script:
    """Closes the connection in the middle of a header."""
    return Script(steps=(_HALF_HEAD,))


def reset(_: Visit) -> Script:
    """Resets the connection (RST) without a byte."""
    return Script(steps=(Ending.RESET,))


def reset_in_body(visit: Visit) -> Script:
    """Sends half of the body, waits `seconds` so that it arrives, and resets the connection."""
    start = head("200 OK", (("Content-Type", "text/plain"), ("Content-Length", "20")))
    return Script(steps=(start + b"half of it", Pause(seconds=visit.seconds("seconds", 0.1)), Ending.RESET))


def drop_then_page(visit: Visit) -> Script | Response:
    """Drops the first `times` requests for the same target, then answers."""
    if visit.count() <= visit.number("times", 1):
        return Script()
    return page("At last", "<p>Better late than never.</p>")


BEHAVIOURS = (
    Behaviour(name="drop", path="/drop", answer=drop),
    Behaviour(name="drop-in-head", path="/drop/head", answer=drop_in_head),
    Behaviour(name="drop-then-page", path="/drop/then-page", example="/drop/then-page?times=2", answer=drop_then_page),
    Behaviour(name="reset", path="/reset", answer=reset),
    Behaviour(name="reset-in-body", path="/reset/body", answer=reset_in_body),
)
