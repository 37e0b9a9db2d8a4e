"""The pipe between the process that owns a crawl store and its workers: calls there, answers back, both pickled.

Both ends are processes of one program, started by each other; nobody else can write into the socket.
"""

import pickle
import socket
import struct
import threading
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from opilio.crawl.engine.quick_pickling import quicken
from opilio.crawl.frontier.batch import Batch, Committed, Denial, HostUpdate, PageResult, Requeued, Text
from opilio.crawl.frontier.control import Control
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.rows import Counts, Page, WarcFile
from opilio.crawl.frontier.values import (
    FIRST_HASH,
    Asked,
    Claim,
    Entry,
    Found,
    Held,
    HeldEntry,
    Host,
    Robots,
    Taken,
)
from opilio.kernel.capture import Position
from opilio.kernel.errors import OpilioError, Unavailable

_LENGTH = struct.Struct("!Q")
quicken(Batch, PageResult, Text, Requeued, HostUpdate, Denial, Entry, Host, Taken, Position)
#: Calls that a worker may make on the store.
CALLS = frozenset(
    {
        "claim", "release", "evict", "take", "commit", "insert", "robots", "cookies", "asked", "known", "text",
        "control", "counts", "warcs", "page",
    }
)  # fmt: skip


class ParentGone(Unavailable):
    """The process that owns the crawl store ended."""


class Channel:
    """One end of the pipe. Calls may come from several threads; they are made one after the other."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._lock = threading.Lock()

    def call(self, what: str, *arguments: Any, **named: Any) -> Any:
        """Ask the other side and wait; its errors are raised here."""
        with self._lock:
            send(self._end, (what, arguments, named))
            answer = receive(self._end)
        if answer is None:
            raise ParentGone(
                "the main process of the crawl ended", remedy="Resume the crawl with `opilio crawl resume`."
            )
        good, value = answer
        if not good:
            raise value
        return value

    def close(self) -> None:
        """Hang up."""
        self._end.close()


def serve(end: socket.socket, answer: Callable[[str, Sequence[Any], Mapping[str, Any]], Any]) -> None:
    """Answer calls until the other side hangs up. Errors of ours are passed on; others are for the caller."""
    while (asked := receive(end)) is not None:
        what, arguments, named = asked
        try:
            reply: tuple[bool, Any] = (True, answer(what, arguments, named))
        except OpilioError as error:
            reply = (False, error)
        if not send(end, reply):
            return


def send(end: socket.socket, value: object) -> bool:
    """Whether the other side was there to take it."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    try:
        end.sendall(_LENGTH.pack(len(data)) + data)
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


def receive(end: socket.socket) -> Any:
    """The next value; None when the other side hung up."""
    head = _exactly(end, _LENGTH.size)
    data = _exactly(end, _LENGTH.unpack(head)[0]) if head else b""
    return pickle.loads(data) if data else None  # noqa: S301 - the other end is our own process


def _exactly(end: socket.socket, size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0:
        try:
            part = end.recv(min(size, 1 << 20))
        except ConnectionResetError:
            part = b""
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class RemoteStore:
    """The store as a worker process sees it: every call goes to the process that owns it."""

    def __init__(self, channel: Channel) -> None:
        self._call = channel.call

    def claim(self, owner: str, now: float, ttl: float, want: int) -> Claim:
        found: Claim = self._call("claim", owner, now, ttl, want)
        return found

    def release(self, owner: str, leases: Mapping[int, int]) -> None:
        self._call("release", owner, dict(leases))

    def evict(self, owner: str | None) -> None:
        self._call("evict", owner)

    def take(
        self, owner: str, leases: Mapping[int, int], now: float, *, max_hosts: int, per_host: int,
        inflight: Sequence[Held] = (), busy: Collection[int] = (),
    ) -> Taken:  # fmt: skip
        found: Taken = self._call(
            "take", owner, dict(leases), now, max_hosts=max_hosts, per_host=per_host, busy=list(busy),
            inflight=[HeldEntry(entry.id, entry.host, entry.label, entry.counted) for entry in inflight],
        )  # fmt: skip
        return found

    def commit(self, batch: Batch) -> Committed:
        found: Committed = self._call("commit", batch)
        return found

    def insert(self, finds: Sequence[Found]) -> int:
        found: int = self._call("insert", list(finds))
        return found

    def robots(self, host: int) -> Robots | None:
        found: Robots | None = self._call("robots", host)
        return found

    def cookies(self, host: int) -> bytes:
        found: bytes = self._call("cookies", host)
        return found

    def asked(self, host: int, after: int = FIRST_HASH) -> list[Asked]:
        found: list[Asked] = self._call("asked", host, after)
        return found

    def known(self, host: int, after: int = FIRST_HASH) -> dict[Label, "array[int]"]:
        found: dict[Label, array[int]] = self._call("known", host, after)
        return found

    def text(self, digest: str) -> str:
        found: str = self._call("text", digest)
        return found

    def control(self) -> Control:
        found: Control = self._call("control")
        return found

    def counts(self, now: float) -> Counts:
        found: Counts = self._call("counts", now)
        return found

    def warcs(self) -> list[WarcFile]:
        found: list[WarcFile] = self._call("warcs")
        return found

    def page(self, url: str) -> Page | None:
        found: Page | None = self._call("page", url)
        return found
