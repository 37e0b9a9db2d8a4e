"""Stands before an S3 server and makes mistakes: slow, wrong, half and refused answers, conditions ignored."""

import http.client
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

_DROPPED = {"connection", "transfer-encoding", "host", "content-length", "keep-alive"}


@dataclass(kw_only=True)
class Asked:
    """A request on its way to the server; a fault may change it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(kw_only=True)
class Answered:
    """An answer on its way back; a fault may change it."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    length: int | None = None  # what Content-Length says, where it lies
    close: bool = False  # hang up without a byte


Forward = Callable[[Asked], Answered]
Fault = Callable[[Asked, Forward, threading.Event], Answered]


def honest(asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
    """No fault."""
    return forward(asked)


def silent(asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
    """Never answers."""
    ended.wait(60)
    return Answered(status=500, close=True)


def failing(status: int, code: str = "") -> Fault:
    """Answers with an error of S3."""
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode() if code else b""
    return lambda asked, forward, ended: Answered(status=status, body=body, headers={"content-type": "text/xml"})


def wrong(asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
    """Answers like the sign-in page of a hotel."""
    return Answered(status=200, body=b"<html><body>Welcome! Please pay.</body></html>")


def half(asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
    """Breaks off in the middle of a body."""
    answer = forward(asked)
    answer.length = len(answer.body)
    answer.body = answer.body[: len(answer.body) // 2]
    return answer


def flipped(asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
    """Gives back bytes that nobody put."""
    answer = forward(asked)
    if asked.method == "GET" and answer.status in (200, 206) and answer.body:
        answer.body = bytes([answer.body[0] ^ 1]) + answer.body[1:]
    return answer


def forgetful(asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
    """Ignores conditions, as some servers do."""
    asked.headers = {
        name: value for name, value in asked.headers.items() if name.lower() not in ("if-none-match", "if-match")
    }
    return forward(asked)


class OnlyOnce:
    """Does what was asked, once without telling: the connection breaks before the answer."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._done = False

    def __call__(self, asked: Asked, forward: Forward, ended: threading.Event) -> Answered:
        answer = forward(asked)
        if asked.method == self._method and not self._done:
            self._done = True
            answer.close = True
        return answer


class FaultyServer:
    """Listens on a free port; `fault` is what it does with each request."""

    def __init__(self, port: int, *, tls: ssl.SSLContext | None = None) -> None:
        self.fault: Fault = honest
        self.seen: list[str] = []
        self._port = port
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._scheme = "https" if tls else "http"
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def _forward(self, asked: Asked) -> Answered:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request(
            asked.method, asked.path, asked.body, {**asked.headers, "content-length": str(len(asked.body))}
        )
        found = connection.getresponse()
        body = found.read()
        headers = {name: value for name, value in found.getheaders() if name.lower() not in _DROPPED}
        length = found.getheader("content-length")
        connection.close()
        told = int(length) if asked.method == "HEAD" and length else None
        return Answered(status=found.status, headers=headers, body=body, length=told)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name: value for name, value in self.headers.items() if name.lower() not in _DROPPED}
                asked = Asked(method=self.command, path=self.path, headers=headers, body=body)
                outer.seen.append(f"{asked.method} {asked.path}")
                answer = outer.fault(asked, outer._forward, outer._ended)
                self.close_connection = answer.close or answer.length is not None
                if not answer.close:
                    self._send(answer)

            def _send(self, answer: Answered) -> None:
                self.send_response_only(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body) if answer.length is None else answer.length))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer.body)

            do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _answer

            def log_message(self, *_: object) -> None:
                """Silence."""

        return Handler
