"""Answers that come late or drop by drop."""

from collections.abc import Iterator

from tests.servers.answers import Pause, Script, Step, head
from tests.servers.behaviour import Behaviour, Visit
from tests.servers.pages import TEXT


def _plain_head() -> bytes:
    return head("200 OK", (("Content-Type", "text/plain"), ("Content-Length", str(len(TEXT))), ("Connection", "close")))


def slow_headers(visit: Visit) -> Script:
    """Waits `seconds` before the status line."""
    return Script(steps=(Pause(seconds=visit.seconds("seconds", 5)), _plain_head(), TEXT.encode()))


def slow_dribble(visit: Visit) -> Script:
    """Sends the head byte by byte, `seconds` apart."""
    pause = Pause(seconds=visit.seconds("seconds", 0.5))

    def steps() -> Iterator[Step]:
        for value in _plain_head():
            yield bytes((value,))
            yield pause
        yield TEXT.encode()

    return Script(steps=steps())


def slow_body(visit: Visit) -> Script:
    """Sends the head at once and the body in `pieces`, `seconds` apart."""
    pause = Pause(seconds=visit.seconds("seconds", 1))
    pieces = visit.number("pieces", 10, low=1, high=1_000_000)
    length = (("Content-Type", "text/plain"), ("Content-Length", str(pieces)), ("Connection", "close"))

    def steps() -> Iterator[Step]:
        yield head("200 OK", length)
        for _ in range(pieces):
            yield pause
            yield b"."

    return Script(steps=steps())


BEHAVIOURS = (
    Behaviour(name="slow-headers", path="/slow/headers", example="/slow/headers?seconds=0.05", answer=slow_headers),
    Behaviour(name="slow-dribble", path="/slow/dribble", example="/slow/dribble?seconds=0.001", answer=slow_dribble),
    Behaviour(name="slow-body", path="/slow/body", example="/slow/body?seconds=0.02&pieces=4", answer=slow_body),
)
