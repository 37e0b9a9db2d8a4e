"""A client that hides nothing: sends exact bytes and returns exact bytes."""

import json
import socket
import ssl
from dataclasses import dataclass
from typing import Any

PATIENCE = 60.0  # seconds


@dataclass(frozen=True, kw_only=True)
class RawAnswer:
    """What came back, split at the first empty line."""

    data: bytes

    @property
    def head(self) -> bytes:
        """Status line and headers."""
        return self.data.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        """Everything after the empty line, as it was on the wire."""
        return self.data.partition(b"\r\n\r\n")[2]

    @property
    def status(self) -> int:
        """The number in the status line."""
        return int(self.head.split(b" ")[1][:3])

    def headers(self, name: str) -> list[str]:
        """The values of all headers of that name, in any case."""
        lines = (line.decode("latin-1").partition(":") for line in self.head.split(b"\r\n")[1:])
        return [value.strip() for key, _, value in lines if key.lower() == name.lower()]

    def header(self, name: str) -> str | None:
        """The first header of that name."""
        return next(iter(self.headers(name)), None)

    def json(self) -> object:
        """The body, read as JSON."""
        return json.loads(self.body)


def connect(port: int, *, context: ssl.SSLContext | None = None, name: str = "localhost") -> socket.socket:
    """A connection to a port of 127.0.0.1; under TLS an end without farewell raises, as a reset does."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    if context is None:
        return plain
    try:
        return context.wrap_socket(plain, server_hostname=name, suppress_ragged_eofs=False)
    except OSError:
        plain.close()
        raise


def request_bytes(
    target: str, *, method: str = "GET", host: str = "localhost", headers: dict[str, str] | None = None,
    body: bytes = b"", close: bool = True,
) -> bytes:  # fmt: skip
    """A request as sent by `ask`."""
    fields = {"Host": host, **({"Connection": "close"} if close else {}), **(headers or {})}
    if body:
        fields["Content-Length"] = str(len(body))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def read_all(connection: socket.socket, *, limit: int = 1 << 30) -> bytes:
    """All bytes until the other side closes, or until the limit is reached."""
    data = bytearray()
    while len(data) < limit and (piece := connection.recv(min(1 << 16, limit - len(data)))):
        data += piece
    return bytes(data)


def read_head(connection: socket.socket) -> RawAnswer:
    """Just the head, byte by byte, so that the body is still to be read."""
    data = b""
    while not data.endswith(b"\r\n\r\n") and (piece := connection.recv(1)):
        data += piece
    return RawAnswer(data=data)


def read_answer(connection: socket.socket) -> RawAnswer:
    """One answer with a Content-Length, from a connection that stays open."""
    head = read_head(connection)
    return RawAnswer(data=head.data + read_all(connection, limit=int(head.header("Content-Length") or 0)))


def ask(
    port: int, target: str, *, limit: int = 1 << 30, context: ssl.SSLContext | None = None, **fields: Any
) -> RawAnswer:
    """One request on a connection of its own; `fields` are those of `request_bytes`."""
    with connect(port, context=context) as connection:
        connection.sendall(request_bytes(target, **fields))
        return RawAnswer(data=read_all(connection, limit=limit))
