"""The way of a browser to the live web: a proxy of ours on this machine that checks where each connection leads.

Names are looked up here, the address is checked, and that very address is connected to, directly or through the proxy
of the plan. So redirects, frames, scripts and odd spellings are all judged at the moment of connecting.
"""

import contextlib
import re
import selectors
import socket
import socketserver
import threading
from types import TracebackType
from urllib.parse import urlsplit

from opilio.crawl.fetch.guard import Guard
from opilio.crawl.proxies import Proxies
from opilio.kernel.errors import OpilioError
from opilio.works.onward_connection import read_head, through

_PIECE = 64 << 10  # bytes
_SILENCE = 60.0  # seconds without a byte after which a connection is given up
_LINE = re.compile(rb"([A-Z]{1,20}) ([^ \r\n]{1,60000}) HTTP/1\.[01]\r\n")
_HOP = re.compile(rb"(?mi)^(?:proxy-[a-z-]+|connection|keep-alive)[ \t]*:[^\r\n]*\r\n")


class GuardedProxy:
    """Listens on a free port of this machine, for one browser."""

    def __init__(self, guard: Guard, proxies: Proxies, *, patience: float = 20.0) -> None:
        self.refused: list[str] = []  # what was not allowed, and why
        self.patience = patience  # seconds to connect
        self._guard = guard
        self._proxies = proxies
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.door = self
        self._thread = threading.Thread(target=self._server.serve_forever, name="guarded-proxy", daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "GuardedProxy":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def connected(self, host: str, port: int) -> socket.socket | None:
        """A connection to a host; None when the guard does not allow it. OSError when it cannot be made."""
        proxy = self._proxies.of(host.lower())
        if proxy is not None and proxy.resolves_names:
            return through(proxy, host, port, self.patience)
        address = self._allowed(host, port)
        if address is None:
            return None
        if proxy is not None:
            return through(proxy, address, port, self.patience)
        return socket.create_connection((address, port), timeout=self.patience)

    def _allowed(self, host: str, port: int) -> str | None:
        """The first address of a host, if every one of its addresses is allowed."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        reason = next(filter(None, map(self._guard.refusal, addresses)), None)
        if reason is not None:
            self.refused.append(f"{host}:{port}: {reason}")
            return None
        return addresses[0]


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    door: GuardedProxy


class _Handler(socketserver.BaseRequestHandler):
    """One connection of the browser: a tunnel, or one request of http://."""

    request: socket.socket
    server: _Server

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # either side went away, which the browser sees for itself
            self.request.settimeout(self.server.door.patience)
            head = read_head(self.request)
            line = _LINE.match(head)
            target = line[2].decode("latin-1") if line else ""
            if line is None:
                self._say("400 Bad Request")
            elif line[1] == b"CONNECT":
                self._join(f"//{target}", b"")
            else:
                path = target.partition("://")[2].partition("/")[2].encode("latin-1")
                fields, _, begun = head[line.end() :].partition(b"\r\n\r\n")
                kept = _HOP.sub(b"", fields + b"\r\n")
                first = b"%s /%s HTTP/1.1\r\n%sConnection: close\r\n\r\n%s" % (line[1], path, kept, begun)
                self._join(target, first)

    def _join(self, target: str, first: bytes) -> None:
        """Connect to the host of a URL, send what was said first, and let both sides speak."""
        place = _place(target)
        if place is None:
            self._say("400 Bad Request")
            return
        try:
            other = self.server.door.connected(*place)
        except (OSError, OpilioError):
            self._say("502 Bad Gateway")
            return
        if other is None:
            self._say("403 Forbidden")
            return
        with other:
            if first:
                other.sendall(first)
            else:
                self._say("200 Connection established", more="")
            _pump(self.request, other)

    def _say(self, status: str, *, more: str = "Content-Length: 0\r\nConnection: close\r\n") -> None:
        self.request.sendall(f"HTTP/1.1 {status}\r\n{more}\r\n".encode())


def _place(target: str) -> tuple[str, int] | None:
    """Host and port of a URL."""
    try:
        parts = urlsplit(target)
        port = parts.port or 80
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and parts.scheme in ("", "http", "ws") else None


def _pump(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes both ways until either side ends, or both fall silent."""
    ways = {one: other, other: one}
    with selectors.DefaultSelector() as waiting:
        for side in ways:
            side.settimeout(_SILENCE)
            waiting.register(side, selectors.EVENT_READ, data=side)
        while ready := waiting.select(_SILENCE):
            for key, _ in ready:
                speaker: socket.socket = key.data
                piece = speaker.recv(_PIECE)
                if not piece:
                    return
                ways[speaker].sendall(piece)
