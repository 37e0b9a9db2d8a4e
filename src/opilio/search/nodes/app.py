"""The service of a node as an ASGI application: searches, suggestions, health and counts; publishers by their token."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any

from opilio.kernel import logs
from opilio.kernel.access import Reader
from opilio.kernel.errors import OpilioError
from opilio.search.nodes.asker import asker
from opilio.search.nodes.errors import BadQuestion, NodeBusy, NodeFailed, NotReady, NotServedHere
from opilio.search.nodes.intake import PREFIX, Intake
from opilio.search.nodes.messages import Answer, Receive, Scope, Send, question, refusal, reply
from opilio.search.nodes.serving import OpenGeneration, Serving

_MOST = 512  # requests under way; more are told to come back
_THREADS = 16
_PATHS = ("/search", "/suggest", "/health", "/metrics")

log = logs.logger("node")


class NodeApp:
    """The application. Every answer comes from one generation, the one that was open when the request began."""

    def __init__(self, serving: Serving, *, name: str = "", intake: Intake | None = None, proxies: int = 0) -> None:
        """`proxies`: how many of ours stand in front; that many entries of X-Forwarded-For are believed."""
        self._serving = serving
        self._name = name
        self._intake = intake
        self._proxies = proxies
        self._counts: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._under_way = 0
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="node")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send)
        if scope["type"] != "http":
            return
        begun = time.monotonic()
        answer = await self._answer(scope, receive)
        label = scope["path"] if scope["path"] in _PATHS else "/node" if scope["path"].startswith(PREFIX) else "other"
        self._counts[label, answer.status] += 1
        self._seconds[label] += time.monotonic() - begun  # type: ignore[assignment]  # a Counter adds any numbers
        await reply(send, answer, head=scope["method"] == "HEAD")

    def end(self) -> None:
        """Let go of threads and files."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._serving.close()

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        try:
            if self._intake is not None and scope["path"].startswith(PREFIX):
                return await self._intake.answer(scope, receive)
            return await self._read(scope)
        except OpilioError as error:
            return refusal(error)
        except Exception as error:
            failed = refusal(NodeFailed("the node failed to answer", remedy="Tell whoever runs it; its log says why."))
            log.error("node_failed", path=scope["path"][:200], kind=type(error).__name__, exc_info=error)
            return failed

    async def _read(self, scope: Scope) -> Answer:
        path = scope["path"]
        if path not in _PATHS:
            raise NotServedHere("nothing answers here", where=path[:80], remedy=f"Ask {', '.join(_PATHS)}.")
        if scope["method"] not in ("GET", "HEAD"):
            refused = refusal(BadQuestion("nodes are asked with GET", where=scope["method"], remedy="Ask with GET."))
            return Answer(document=refused.document, status=405, headers=((b"allow", b"GET, HEAD"),))
        if path == "/health":
            return self._health()
        if path == "/metrics":
            return Answer(text=self._metrics())
        return await self._searched(path, question(scope), asker(scope, self._proxies))

    async def _searched(self, path: str, asked: Mapping[str, str], reader: Reader) -> Answer:
        if self._under_way >= _MOST:
            raise NodeBusy(f"{_MOST} requests are under way", remedy="Ask again in a second.")
        self._under_way += 1
        try:
            work = partial(self._found, path, asked, reader)
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._under_way -= 1

    def _found(self, path: str, asked: Mapping[str, str], reader: Reader) -> Answer:
        with self._serving.reading() as held:
            ask = held.opened.search if path == "/search" else held.opened.suggest
            found = ask(asked, reader)
            return Answer(document={"generation": held.manifest.id, **found})

    def _health(self) -> Answer:
        refused = self._serving.refused
        document: dict[str, Any] = {"ready": False, "node": self._name, "refused": None}
        if refused is not None:
            document["refused"] = {**asdict(refused), "at": refused.at.isoformat()}
        try:
            with self._serving.reading() as held:
                return Answer(document={**document, "ready": True, **_described(held)})
        except NotReady as error:
            told = refusal(error)
            return Answer(document={**document, **(told.document or {})}, status=told.status, headers=told.headers)

    def _metrics(self) -> str:
        manifest = self._serving.current()
        lines = ["# TYPE opilio_node_requests_total counter"]
        lines += [
            f'opilio_node_requests_total{{path="{path}",status="{status}"}} {count}'
            for (path, status), count in sorted(self._counts.items())
        ]
        lines.append("# TYPE opilio_node_seconds_total counter")
        lines += [
            f'opilio_node_seconds_total{{path="{path}"}} {total:.6f}' for path, total in sorted(self._seconds.items())
        ]
        lines += ["# TYPE opilio_node_ready gauge", f"opilio_node_ready {int(manifest is not None)}"]
        lines += ["# TYPE opilio_node_under_way gauge", f"opilio_node_under_way {self._under_way}"]
        if manifest is not None:
            lines.append("# TYPE opilio_node_count gauge")
            lines += [f'opilio_node_count{{kind="{kind}"}} {count}' for kind, count in sorted(manifest.counts.items())]
        return "\n".join(lines) + "\n"


def _described(held: OpenGeneration) -> dict[str, Any]:
    manifest = held.manifest
    return {
        "generation": manifest.id,
        "since": held.since.isoformat(),
        "made": manifest.made.isoformat(),
        "counts": dict(manifest.counts),
        "analyzer": manifest.analyzer,
        "software": manifest.software,
    }


async def lifespan(receive: Receive, send: Send) -> None:
    """Say yes to the server's beginning and end."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
