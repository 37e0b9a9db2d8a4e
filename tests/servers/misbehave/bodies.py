"""Bodies whose length is not what the head says, and bodies without an end."""

import itertools
from collections.abc import Iterator

from tests.servers.answers import Pause, Script, Step, chunk, chunked, head
from tests.servers.behaviour import Behaviour, Visit

BODY = b"<!DOCTYPE html><title>Odd length</title><p>Forty stalks of barley make a sheaf.</p>"

_HTML = ("Content-Type", "text/html; charset=utf-8")
_CHUNKED = head("200 OK", (_HTML, ("Transfer-Encoding", "chunked")))


def _with_length(length: int) -> bytes:
    return head("200 OK", (_HTML, ("Content-Length", str(length)))) + BODY


def truncated(visit: Visit) -> Script:
    """Announces `missing` bytes more than it sends, then closes."""
    return Script(steps=(_with_length(len(BODY) + visit.number("missing", 1000, low=1)),))


def wrong_length(visit: Visit) -> Script:
    """Sends `extra` bytes more than it announces, then closes."""
    return Script(steps=(_with_length(len(BODY) - visit.number("extra", 10, low=1, high=len(BODY))),))


def broken_chunks(_: Visit) -> Script:
    """A second chunk whose size is no number."""
    return Script(steps=(_CHUNKED, chunk(BODY), b"zz-no-size\r\nlost\r\n"))


def short_chunk(_: Visit) -> Script:
    """A chunk that ends before its announced size."""
    return Script(steps=(_CHUNKED, b"%x\r\n%s" % (len(BODY) + 50, BODY)))


def no_last_chunk(_: Visit) -> Script:
    """Whole chunks, but the connection closes without the last, empty one."""
    return Script(steps=(_CHUNKED, chunk(BODY)))


def huge_chunk(_: Visit) -> Script:
    """Announces a chunk of 16 exabytes."""
    return Script(steps=(_CHUNKED, b"ffffffffffffffff\r\n" + BODY))


def _endless(first: bytes, piece: bytes, pause: Pause) -> Iterator[Step]:
    yield first
    for _ in itertools.repeat(None):
        yield piece
        if pause.seconds:
            yield pause


def endless(visit: Visit) -> Script:
    """A body that goes on until the client leaves; `seconds` apart if given."""
    start = head("200 OK", (_HTML, ("Connection", "close")))
    return Script(steps=_endless(start, BODY * 100, Pause(seconds=visit.seconds("seconds", 0))))


def endless_chunks(visit: Visit) -> Script:
    """The same in chunks."""
    return Script(steps=_endless(_CHUNKED, chunk(BODY * 100), Pause(seconds=visit.seconds("seconds", 0))))


def long_piece(number: int) -> bytes:
    """The piece of this number of a long body: 64 KiB, each different."""
    return (b"%015d\n" % number) * 4096


def long_body(visit: Visit) -> Script:
    """A correct body of `mib` mebibytes of the `type` of the query, in chunks with `chunked=1`."""
    pieces = visit.number("mib", 1, low=1, high=1 << 20) * 16
    kind = ("Content-Type", visit.text("type", "text/plain"))
    if "\r" in kind[1] or "\n" in kind[1]:
        raise ValueError("a type is one line")
    made = (long_piece(number) for number in range(pieces))
    if visit.number("chunked", 0, high=1):
        framed, body = ("Transfer-Encoding", "chunked"), chunked(made)
    else:
        framed, body = ("Content-Length", str(pieces << 16)), made
    return Script(steps=itertools.chain((head("200 OK", (kind, framed)),), body), persistent=True)


BEHAVIOURS = (
    Behaviour(name="truncated", path="/truncated", answer=truncated),
    Behaviour(name="wrong-length", path="/wrong-length", answer=wrong_length),
    Behaviour(name="broken-chunks", path="/chunks/broken", answer=broken_chunks),
    Behaviour(name="short-chunk", path="/chunks/short", answer=short_chunk),
    Behaviour(name="no-last-chunk", path="/chunks/no-last", answer=no_last_chunk),
    Behaviour(name="huge-chunk", path="/chunks/huge", answer=huge_chunk),
    Behaviour(name="endless", path="/endless", answer=endless),
    Behaviour(
        name="endless-chunks", path="/endless/chunks", answer=endless_chunks, summary="A body without end, in chunks."
    ),
    Behaviour(name="long-body", path="/long", example="/long?mib=1", answer=long_body),
)
