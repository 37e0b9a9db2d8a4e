"""Connections through the proxy of a plan: HTTP tunnels (RFC 9110 §9.3.6) and SOCKS 5 (RFC 1928, RFC 1929)."""

import base64
import contextlib
import re
import socket
from urllib.parse import urlsplit

from opilio.crawl.fetch.exchange import Proxy
from opilio.kernel.errors import InvalidInput

_MOST_HEAD = 64 << 10  # bytes
_OPEN = re.compile(rb"HTTP/1\.[01] 2\d\d")


def through(proxy: Proxy, host: str, port: int, patience: float) -> socket.socket:
    """A connection to a host by way of a proxy; OSError when it cannot be made."""
    parts = urlsplit(proxy.url)
    if parts.scheme == "https":
        remedy = "Use a proxy with http or socks5 for screenshots of the live site."
        raise InvalidInput("screenshots cannot go through a proxy by https", where=proxy.url, remedy=remedy)
    connection = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=patience)
    try:
        (_socks if parts.scheme.startswith("socks") else _tunnel)(connection, proxy, host, port)
    except BaseException:
        connection.close()
        raise
    return connection


def read_head(connection: socket.socket) -> bytes:
    """All up to an empty line, which is included, and what came with it; ConnectionError when it never comes."""
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(4_096)
        if not piece or len(head) > _MOST_HEAD:
            raise ConnectionError("no head came")
        head += piece
    return head


def _tunnel(connection: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if proxy.username:
        secret = base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {secret}")
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    if not _OPEN.match(read_head(connection)):
        raise ConnectionRefusedError(f"the proxy {proxy.url} refused to connect")


def _socks(connection: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    connection.sendall(b"\x05\x01\x02" if proxy.username else b"\x05\x01\x00")
    chosen = _exactly(connection, 2)[1]
    if chosen == 2:
        user, password = proxy.username.encode(), proxy.password.encode()
        connection.sendall(b"\x01" + bytes([len(user)]) + user + bytes([len(password)]) + password)
        chosen = _exactly(connection, 2)[1]
    if chosen != 0:
        raise ConnectionRefusedError(f"the proxy {proxy.url} does not let us sign in")
    connection.sendall(b"\x05\x01\x00" + _socks_address(host) + port.to_bytes(2, "big"))
    reply = _exactly(connection, 4)
    if reply[1] != 0:
        raise ConnectionRefusedError(f"the proxy {proxy.url} could not reach the host")
    length = {1: 4, 4: 16}.get(reply[3]) or _exactly(connection, 1)[0]
    _exactly(connection, length + 2)


def _socks_address(host: str) -> bytes:
    for family, mark in ((socket.AF_INET, b"\x01"), (socket.AF_INET6, b"\x04")):
        with contextlib.suppress(OSError):
            return mark + socket.inet_pton(family, host)
    name = host.encode("ascii", "replace")[:255]
    return b"\x03" + bytes([len(name)]) + name


def _exactly(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        piece = connection.recv(size - len(found))
        if not piece:
            raise ConnectionError("the proxy hung up")
        found += piece
    return found
