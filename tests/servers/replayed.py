"""Archives written by hand and replayed by a real server in a thread, for tests over HTTP and in a browser."""

import asyncio
import contextlib
import http.client
import socket
import socketserver
import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from granian.constants import Interfaces
from granian.server.embed import Server

from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.server import CdxServer
from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.archive.replay.application import Replay
from opilio.archive.replay.asgi import ReplayApp
from opilio.archive.replay.holdings import Holding, Source
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import Original, Revisit, RevisitProfile
from opilio.kernel.digests import digest_of
from tests.unit.archive.warcs import START, capture

KEY = b"k" * 32
SECOND = timedelta(seconds=1)
PATIENCE = 20  # seconds


@dataclass(kw_only=True)
class Archive:
    """A folder with WARC files and an index."""

    folder: Path
    compression: object = None
    rows: list[CdxRow] = field(default_factory=list)

    def __post_init__(self):
        options = WarcOptions(compression=self.compression) if self.compression else WarcOptions()
        self._sink = WarcSink(self.folder, worker="w0", options=options)

    def keep(self, url, body=b"", *, type="text/html; charset=utf-8", status=200, at=0, headers=(), **changes):
        """Put a capture in, `at` seconds after noon of the first of January 2026."""
        lines = [f"HTTP/1.1 {status} Said", *([f"Content-Type: {type}"] if type else []), *headers]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        started = START + at * SECOND
        made = capture(url=url, head=head, body=body, status=status, started=started, finished=started, **changes)
        place = self._sink.append(made)
        self._row(made, place, type)
        return self

    def keep_revisit(self, url, *, original, at, profile=RevisitProfile.IDENTICAL, body=b"", status=200):
        """Put in a capture without its body."""
        started = START + at * SECOND
        head = f"HTTP/1.1 {status} Said\r\nContent-Type: text/html; charset=utf-8\r\nX-Again: yes\r\n\r\n".encode()
        made = capture(url=url, head=head, body=body, status=status, started=started, finished=started)
        made = replace(made, body=b"") if profile is RevisitProfile.NOT_MODIFIED else made
        place = self._sink.append_revisit(Revisit(capture=made, profile=profile, original=original))
        self._row(made, place, "text/html", revisit=True, original_url=original.url, original_at=original.captured)
        return self

    def _row(self, made, place, type, **more):
        self.rows.append(
            CdxRow(
                url=made.url, at=made.started, mime=type, status=made.status, digest=made.payload_digest,
                file=place.file, offset=place.offset, length=place.length, **more,
            )
        )  # fmt: skip

    def source(self):
        """The archive as replay wants it."""
        self._sink.sync()
        write_cdxj(self.folder / "index.cdxj", self.rows)
        return Source(index=open_index(self.folder / "index.cdxj"), open_at=partial(open_at, self.folder))

    def holding(self, number=1, **parts):
        """The same as a result."""
        return Holding(number=number, title=f"Result {number} of owls", source=self.source(), **parts)


def original(url="http://a.test/", at=0, body=b""):
    return Original(url=url, captured=START + at * SECOND, digest=digest_of(body))


def open_at(folder, name, offset):
    path = next(path for path in (folder / name, folder / f"{name}.open") if path.exists())
    stream = path.open("rb")
    stream.seek(offset)
    return stream


class ReplayServer:
    """Serves a Replay on loopback; `https` makes it believe in a proxy that ends TLS."""

    def __init__(self, *holdings, https=False, cdx=True, **parts):
        found = {holding.number: holding for holding in holdings}
        self.replay = Replay(holdings=found, key=KEY, **parts)
        mounted = lambda number: CdxServer(found[number].source.index, found[number].access)  # noqa: E731 - short
        self.app = ReplayApp(self.replay, https=https, cdx=mounted if cdx else None)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self):
        server = Server(
            self.app, address="127.0.0.1", port=self.port, interface=Interfaces.ASGINL, websockets=False,
            log_enabled=False,
        )  # fmt: skip
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        task = asyncio.ensure_future(server.serve())
        await self._stop.wait()
        self.app.end()
        server.stop()
        await asyncio.wait((task,), timeout=PATIENCE)

    def __enter__(self):
        self._thread.start()
        tick = threading.Event()
        for _ in range(PATIENCE * 50):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return self
            tick.wait(0.02)
        raise AssertionError("replay does not listen")

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)

    def host(self, result=1):
        """The host name of a result, with the port."""
        return f"{self.replay.names.name_of(result)}:{self.port}"

    @property
    def entry(self):
        """The list of results, with its key."""
        return f"http://{self.replay.names.base}:{self.port}/?key={self.replay.entry_token()}"

    def ask(self, path, *, method="GET", result=1, host=None, session=True, body=None, **headers):
        """One request over a connection of its own."""
        sent = {"Host": host or self.host(result)}
        if session:
            sent["Authorization"] = f"Bearer {self.replay.session_token(result)}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Asked(status=answer.status, headers=answer.headers, body=answer.read())
        finally:
            connection.close()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")


class LiveWeb:
    """Stands for everything outside: it notes each connection, and lets every page in."""

    def __init__(self):
        self.visits = []
        noted = self.visits

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                line = self.rfile.readline(2000).decode("latin-1").strip()
                noted.append(line)
                if line:
                    self.wfile.write(b"HTTP/1.0 200 OK\r\nAccess-Control-Allow-Origin: *\r\n\r\nlive")

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
