"""The other side of a webhook: `with Receiver() as hook:` takes messages on loopback and answers as it is told."""

import threading
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from tests.servers.certificates import Certificates


@dataclass(frozen=True, kw_only=True)
class Taken:
    """One message as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, kw_only=True)
class Reply:
    """How it answers."""

    status: int = 204
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    silent: bool = False  # no answer until the server ends


class Receiver:
    """Keeps every message in `taken`; answers from `replies`, then with 204."""

    def __init__(self, *replies: Reply, certificates: Certificates | None = None) -> None:
        self.taken: list[Taken] = []
        self.replies = deque(replies)
        self.ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._scheme = "https" if certificates else "http"
        if certificates:
            self._server.socket = certificates.context().wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{self._scheme}://127.0.0.1:{self.port}/hook"


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            receiver.taken.append(Taken(path=self.path, headers=dict(self.headers.items()), body=body))
            reply = receiver.replies.popleft() if receiver.replies else Reply()
            if reply.silent:
                receiver.ended.wait()
                return
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            try:
                self.wfile.write(reply.body)
            except OSError:
                return  # whoever asked has heard enough

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return  # whoever came does not trust our certificate

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    return Handler
