"""A handle of libcurl with what it was told last, and what comes back over it."""

import asyncio
import os
import socket
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pycurl

from opilio.crawl.fetch.exchange import Ask, Header
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.pacing import Pacer
from opilio.crawl.fetch.tls import Secured, secured
from opilio.kernel.bodies import Spool
from opilio.kernel.clock import Clock
from opilio.kernel.errors import OpilioError

_TEXT = 0  # CURLINFO_TEXT
_OUT = frozenset({2, 4})  # CURLINFO_HEADER_OUT, CURLINFO_DATA_OUT
_PAUSE: int = pycurl.WRITEFUNC_PAUSE  # bytes taken: none, and libcurl keeps them until it is told to go on
_REFUSE = 0  # bytes taken: libcurl gives the transfer up


@dataclass(kw_only=True, slots=True, eq=False)
class Transfer:
    """What has come of one exchange so far."""

    ask: Ask
    done: "asyncio.Future[int]"
    asked: float  # seconds of the machine's even clock
    began: float  # the same, of the crawl's clock
    started: datetime
    request: list[bytes] = field(default_factory=list)
    head: list[bytes] = field(default_factory=list)
    head_size: int = 0
    body: Spool
    first_byte: float = 0.0
    refused: str = ""
    paused: float = 0.0  # seconds
    secured: Secured | None = None  # if a connection was made for it
    broken: OpilioError | None = None  # why the body cannot be kept
    target: str | None = None  # the address that a proxy was told to connect to
    too_long: bool = False
    head_bomb: bool = False
    dropped: bool = False  # the server left after the request; libcurl would ask again at once, past the ledger


class Line:
    """Asking alike again costs a fraction of the first time, so a line remembers what must be equal for that."""

    def __init__(self, handle: Any, guard: Guard, clock: Clock, pacer: "Pacer[Line, Transfer]") -> None:
        self.handle = handle
        self.transfer: Transfer | None = None  # none between two exchanges
        self.alike: tuple[object, ...] = ()  # with this, nothing but URL, headers and address is told anew
        self.headers: tuple[Header, ...] = ()
        self.resolved: tuple[object, ...] = ()
        self._guard = guard
        self._clock = clock
        self._pacer = pacer

    def on_header(self, data: bytes) -> int | None:
        """A line of the head came."""
        transfer = self.transfer
        if transfer is None:
            return _REFUSE
        if not transfer.head:
            transfer.first_byte = max(0.0, self._clock.monotonic() - transfer.began)
        transfer.head_size += len(data)
        if transfer.head_size > transfer.ask.patience.head:
            transfer.head_bomb = True
            return _REFUSE
        transfer.head.append(data)
        return None

    def on_body(self, data: bytes) -> int | None:
        """A piece of the body came."""
        transfer = self.transfer
        if transfer is None:
            return _REFUSE
        ask, body = transfer.ask, transfer.body
        if ask.meter is not None:
            if body.size and (wait := ask.meter.wait()) > 0:
                self._pacer.pause(self, transfer, wait)
                return _PAUSE
            ask.meter.took(len(data))
        try:
            if body.size + len(data) > ask.patience.body:
                body.write(data[: ask.patience.body - body.size])
                transfer.too_long = True
                return _REFUSE
            body.write(data)
        except OpilioError as error:
            transfer.broken = error
            return _REFUSE
        return None

    def on_debug(self, kind: int, data: bytes) -> None:
        """Something went over the wire, or libcurl tells of it; what was sent is kept, and how it was secured."""
        if self.transfer is None:
            return
        if kind in _OUT:
            self.transfer.request.append(data)
        elif kind == _TEXT and data.startswith(b"SSL connection"):
            self.transfer.secured = secured(data) or self.transfer.secured

    def on_open(self, purpose: int, address: tuple[Any, ...]) -> Any:
        """A connection is to be made; behind a proxy it is the proxy's."""
        family, kind, protocol, (ip, *_) = address
        transfer = self.transfer
        proxied = transfer is not None and transfer.ask.proxy is not None
        if transfer is not None and transfer.request and not proxied:
            transfer.dropped = True
            return pycurl.SOCKET_BAD
        refusal = None if proxied else self._guard.refusal(_as_text(ip))
        if not refusal:
            return _Opened(family, kind, protocol)
        if transfer is not None:
            transfer.refused = refusal
        return pycurl.SOCKET_BAD


class _Opened:
    """A socket for libcurl, which makes a copy of its number; ours is closed once that is done."""

    def __init__(self, family: int, kind: int, protocol: int) -> None:
        self._number = socket.socket(family, kind, protocol).detach()

    def fileno(self) -> int:
        return self._number

    def __del__(self) -> None:
        os.close(self._number)


def _as_text(ip: str | bytes) -> str:
    return ip.decode("ascii") if isinstance(ip, bytes) else ip
