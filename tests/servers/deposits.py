"""A server that takes deposits: `with DepositServer() as server:` keeps packages by key, or misbehaves as told."""

import hashlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


@dataclass(frozen=True, kw_only=True)
class Posted:
    """One package as it came."""

    key: str
    headers: dict[str, str]
    body: bytes


@dataclass(kw_only=True)
class Manners:
    """How the server behaves; all quite well unless told otherwise."""

    silent: bool = False  # no answer until the server ends
    loses_answer: int = 0  # so many posts are kept and their connection is closed without an answer
    answers: list[int] = field(default_factory=list)  # statuses of the next posts, which are not kept
    lies: dict[str, object] = field(default_factory=dict)  # what statements say instead
    forgets: bool = False  # has nothing any more, once it was posted
    tells_content: bool = True
    spoils: bytes = b""  # what it gives back instead
    renames: bool = False  # another identifier in each statement
    password: str = ""  # that a bearer must show


class DepositServer:
    """Keeps every package that was posted in `posted`, and the last of each key in `kept`."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self.kept: dict[str, Posted] = {}
        self.asked: list[str] = []
        self.manners = Manners()
        self.ended = threading.Event()
        self._stated = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
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
    def url(self) -> str:
        """The collection."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/deposits"

    def statement(self, key: str) -> bytes:
        """What it says of a package."""
        body = self.kept[key].body
        self._stated += 1
        told = {
            "id": f"archive/{key}/{self._stated}" if self.manners.renames else f"archive/{key}", "size": len(body),
            "sha512": hashlib.sha512(body).hexdigest(),
        }  # fmt: skip
        if self.manners.tells_content:
            told["content"] = f"/deposits/{key}/content"
        return json.dumps({**told, **self.manners.lies}).encode()


def _handler(server: DepositServer) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"deposits": server})


class _Handler(BaseHTTPRequestHandler):
    deposits: DepositServer

    def do_GET(self) -> None:
        server = self.deposits
        server.asked.append(self.path)
        key, _, rest = self.path.removeprefix("/deposits/").partition("/")
        kept = None if server.manners.forgets else server.kept.get(key)
        if not self._known():
            self._answer(401, b"who are you?")
        elif kept is None:
            self._answer(404, b"")
        elif rest == "content":
            self._answer(200, server.manners.spoils or kept.body)
        else:
            self._answer(200, server.statement(key))

    def do_POST(self) -> None:
        server = self.deposits
        body = self.rfile.read(int(self.headers["Content-Length"]))
        one = Posted(key=self.headers["Idempotency-Key"], headers=dict(self.headers.items()), body=body)
        server.posted.append(one)
        if server.manners.silent:
            server.ended.wait()
        elif not self._known():
            self._answer(401, b"who are you?")
        elif server.manners.answers:
            self._answer(server.manners.answers.pop(0), b"<b>not now</b>", location="http://elsewhere.example/")
        else:
            self._keep(one)

    def _keep(self, one: Posted) -> None:
        server = self.deposits
        there = server.kept.setdefault(one.key, one)
        if server.manners.loses_answer:
            server.manners.loses_answer -= 1
            self.close_connection = True
            return
        self._answer(201 if there is one else 409, server.statement(one.key))

    def _known(self) -> bool:
        wanted = self.deposits.manners.password
        return not wanted or self.headers.get("Authorization") == f"Bearer {wanted}"

    def _answer(self, status: int, body: bytes, *, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""
