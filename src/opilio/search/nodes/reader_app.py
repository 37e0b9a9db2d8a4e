"""The reader endpoint: one address that always leads to a node that serves, whichever that is at the moment.

It asks the nodes in the order of `for_readers`; one that does not answer, or is not ready, is passed over.
"""

import asyncio
import http.client
import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from opilio.kernel.errors import OpilioError
from opilio.search.nodes.app import lifespan
from opilio.search.nodes.asker import passed_on
from opilio.search.nodes.errors import BadQuestion, NodeUnreachable, NotServedHere, QuestionTooLong
from opilio.search.nodes.messages import LONGEST_QUERY, Receive, Scope, Send, refusal, reply
from opilio.search.nodes.node import Node, for_readers
from opilio.search.nodes.reader_state import ReaderState

_PATHS = ("/search", "/suggest", "/health")
_LARGEST = 32 << 20  # bytes of an answer
_THREADS = 64
_UNREADY = 500  # from this status on, another node is asked
_HEADERS = ("content-type", "cache-control", "retry-after")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Relayed:
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    node: str


class ReaderApp:
    """The application; who is drained is looked up for each request."""

    def __init__(self, nodes: Sequence[Node], state: ReaderState, *, seconds: float = 30.0) -> None:
        """`seconds`: how long one node may take."""
        self._nodes = tuple(nodes)
        self._state = state
        self._seconds = seconds
        self._tls = ssl.create_default_context()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="reader")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send)
        if scope["type"] != "http":
            return
        try:
            _check(scope)
            target = f"{scope['path']}?{scope.get('query_string', b'').decode('ascii', 'replace')}"
            found = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._relay, target, passed_on(scope)
            )
        except OpilioError as error:
            await reply(send, refusal(error), head=scope["method"] == "HEAD")
            return
        await _pass_on(send, found, head=scope["method"] == "HEAD")

    def end(self) -> None:
        """Let go of threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _relay(self, target: str, came_from: str) -> _Relayed:
        """What the best node answers; what the last one said, if none does better."""
        last: _Relayed | None = None
        for node in for_readers(self._nodes, self._state.drained()):
            try:
                last = self._ask(node, target, came_from)
            except (OSError, http.client.HTTPException):
                continue
            if last.status < _UNREADY:
                return last
        if last is None:
            raise NodeUnreachable("no node answers readers", remedy="Start `opilio node serve` on one of them.")
        return last

    def _ask(self, node: Node, target: str, came_from: str) -> _Relayed:
        parts = urlsplit(node.service)
        host = parts.hostname or ""
        connection = (
            http.client.HTTPSConnection(host, parts.port, timeout=self._seconds, context=self._context(node))
            if parts.scheme == "https"
            else http.client.HTTPConnection(host, parts.port, timeout=self._seconds)
        )
        try:
            connection.request("GET", f"{parts.path.rstrip('/')}{target}", headers={"X-Forwarded-For": came_from})
            answer = connection.getresponse()
            body = answer.read(_LARGEST + 1)
            if len(body) > _LARGEST or answer.length:  # what is left of a body that broke off, or is too long
                raise http.client.IncompleteRead(body[:100])
            headers = tuple((name.encode(), (answer.getheader(name) or "").encode("latin-1")) for name in _HEADERS)
            kept = tuple((name, value) for name, value in headers if value)
            return _Relayed(status=answer.status, headers=kept, body=body, node=node.name)
        finally:
            connection.close()

    def _context(self, node: Node) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=node.ca_file) if node.ca_file else self._tls


def _check(scope: Scope) -> None:
    if scope["path"] not in _PATHS:
        raise NotServedHere("nothing answers here", where=scope["path"][:80], remedy=f"Ask {', '.join(_PATHS)}.")
    if scope["method"] not in ("GET", "HEAD"):
        raise BadQuestion("readers ask with GET", where=scope["method"], remedy="Ask with GET.")
    if len(scope.get("query_string", b"")) > LONGEST_QUERY:
        remedy = "Ask a shorter question."
        raise QuestionTooLong(f"the query string has more than {LONGEST_QUERY} bytes", remedy=remedy)


async def _pass_on(send: Send, found: _Relayed, *, head: bool) -> None:
    headers = [
        *found.headers,
        (b"content-length", str(len(found.body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-opilio-node", found.node.encode()),
    ]
    await send({"type": "http.response.start", "status": found.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if head else found.body})
