"""A small HTTP proxy (plain requests and tunnels) and a small SOCKS5 proxy; each tells what it was asked for.

Both know every name, as 127.0.0.1, so that a test sees who looks names up: `asked` holds the names or addresses.
"""

import base64
import socket
import socketserver
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

_PATIENCE = 20.0  # seconds
_HOME = "127.0.0.1"
_MOST_HEAD = 65_536


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a client asked the proxy for."""

    how: str  # the method of a request, or socks5
    host: str  # as the client named it
    port: int
    head: bytes = b""
    user: str = ""


@dataclass(kw_only=True)
class Proxy:
    """A proxy on a free port; `with HttpProxy() as proxy: … proxy.url`."""

    user: str = ""
    password: str = ""
    refusal: int = 0  # what every tunnel is answered with: a status, or a SOCKS5 reply
    asked: list[Asked] = field(default_factory=list)
    scheme: str = ""

    def __enter__(self) -> Self:
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.settimeout(_PATIENCE)
                with suppress(OSError, EOFError):
                    proxy.serve(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

        self._server = Server((_HOME, 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Its address, without credentials."""
        return f"{self.scheme}://{_HOME}:{self.port}"

    @property
    def targets(self) -> list[str]:
        """What it was asked to connect to."""
        return [f"{each.host}:{each.port}" for each in self.asked]

    def serve(self, client: socket.socket) -> None:
        """Serve one connection."""
        raise NotImplementedError


@dataclass(kw_only=True)
class HttpProxy(Proxy):
    """Takes absolute URLs and CONNECT."""

    scheme: str = "http"

    def serve(self, client: socket.socket) -> None:
        head = _head(client)
        method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ", 2)
        authority = target if method == "CONNECT" else target.split("/", 3)[2]
        host, _, port = authority.rpartition(":") if ":" in authority else (authority, "", "80")
        self.asked.append(Asked(how=method, host=host.strip("[]"), port=int(port), head=head))
        if not self._admitted(head):
            _say(client, 407, "Proxy-Authenticate: Basic realm=x\r\n")
        elif method == "CONNECT":
            self._tunnel(client, int(port))
        else:
            self._forward(client, head, "/" + target.split("/", 3)[3], int(port))

    def _admitted(self, head: bytes) -> bool:
        wanted = base64.b64encode(f"{self.user}:{self.password}".encode())
        return not self.user or b"Proxy-Authorization: Basic " + wanted in head

    def _tunnel(self, client: socket.socket, port: int) -> None:
        if self.refusal:
            _say(client, self.refusal)
            return
        try:
            server = socket.create_connection((_HOME, port), _PATIENCE)
        except OSError:
            _say(client, 502)
            return
        client.sendall(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
        _relay(client, server)

    def _forward(self, client: socket.socket, head: bytes, path: str, port: int) -> None:
        line, rest = head.split(b"\r\n", 1)
        method, _, version = line.split(b" ", 2)
        kept = [each for each in rest.split(b"\r\n") if not each.lower().startswith((b"proxy-", b"connection:"))]
        with socket.create_connection((_HOME, port), _PATIENCE) as server:
            first = b" ".join((method, path.encode(), version))
            server.sendall(b"\r\n".join((first, b"Connection: close", *kept)))
            while part := server.recv(65_536):
                client.sendall(part)


@dataclass(kw_only=True)
class SocksProxy(Proxy):
    """SOCKS5 (RFC 1928) with user and password (RFC 1929)."""

    scheme: str = "socks5"

    def serve(self, client: socket.socket) -> None:
        _, count = _exactly(client, 2)
        methods = _exactly(client, count)
        wanted = 2 if self.user else 0
        if wanted not in methods:
            client.sendall(b"\x05\xff")
            return
        client.sendall(bytes((5, wanted)))
        if wanted and not self._admitted(client):
            return
        _, _, _, kind = _exactly(client, 4)
        host = _host(client, kind)
        (port,) = struct.unpack("!H", _exactly(client, 2))
        self.asked.append(Asked(how="socks5", host=host, port=port, user=self.user))
        self._connect(client, port)

    def _connect(self, client: socket.socket, port: int) -> None:
        reply, server = self.refusal, None
        if not reply:
            try:
                server = socket.create_connection((_HOME, port), _PATIENCE)
            except OSError:
                reply = 5  # connection refused
        client.sendall(bytes((5, reply, 0, 1, 127, 0, 0, 1, 0, 0)))
        if server is not None:
            _relay(client, server)

    def _admitted(self, client: socket.socket) -> bool:
        _, length = _exactly(client, 2)
        user = _exactly(client, length)
        (length,) = _exactly(client, 1)
        right = (user, _exactly(client, length)) == (self.user.encode(), self.password.encode())
        client.sendall(b"\x01\x00" if right else b"\x01\x01")
        return right


def _host(client: socket.socket, kind: int) -> str:
    if kind == 3:
        (length,) = _exactly(client, 1)
        return _exactly(client, length).decode()
    family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
    return socket.inet_ntop(family, _exactly(client, size))


def _head(client: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data and len(data) < _MOST_HEAD:
        part = client.recv(4_096)
        if not part:
            raise EOFError
        data += part
    return data


def _exactly(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = client.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def _say(client: socket.socket, status: int, headers: str = "") -> None:
    client.sendall(f"HTTP/1.1 {status} No\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())


def _relay(client: socket.socket, server: socket.socket) -> None:
    """Carry bytes both ways until either side ends."""
    back = threading.Thread(target=_carry, args=(server, client), daemon=True)
    back.start()
    _carry(client, server)
    back.join(_PATIENCE)
    server.close()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65_536):
            target.sendall(part)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
