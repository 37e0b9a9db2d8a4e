"""Serves the sample site over HTTP/1.1 on the loopback interface, in threads of the calling process."""

import logging
import socket
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Self

from opilio.kernel.errors import PortInUse
from opilio.works.sample.respond import Request, Site
from opilio.works.sample.response import Response

_MOST_FORM_BYTES = 8192
_log = logging.getLogger(__name__)


class SampleSite:
    """The sample site while the `with` block runs; port 0 takes any free one."""

    def __init__(self, *, port: int = 0) -> None:
        self._port = port
        self._server: _Server | None = None
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        """The origin, without a slash at its end: `http://127.0.0.1:8123`."""
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        try:
            self._server = _Server(("127.0.0.1", self._port), _Handler)
        except (OSError, OverflowError) as error:
            raise PortInUse(
                f"The sample site cannot listen on port {self._port}", where="127.0.0.1", remedy="Name another port."
            ) from error
        self._port = self._server.server_address[1]
        self._server.site = Site(self.url)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="sample-site")
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.hang_up()
            self._server.server_close()


class _Server(ThreadingHTTPServer):
    """Knows its open connections, so that closing need not wait for idle clients."""

    daemon_threads = False
    site: Site

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._open: set[socket.socket] = set()
        self._lock = Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the connections that clients keep open."""
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # the client hung up first
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if isinstance(sys.exception(), ConnectionError):
            _log.debug("the client at %s went away", client_address)
        else:
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Tidewick/1"
    sys_version = ""
    wbufsize = -1  # headers and body leave together
    timeout = 60  # seconds that an idle connection may stay
    server: _Server

    def do_GET(self) -> None:
        self._send(self.server.site.get(self._request()))

    do_HEAD = do_GET

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self._refuse(411, "A form needs its Content-Length.")
        elif len(length) > 9 or int(length) > _MOST_FORM_BYTES:
            self._refuse(413, f"A form may have {_MOST_FORM_BYTES} bytes.")
        else:
            form = self.rfile.read(int(length))
            self._send(self.server.site.post(self._request(form)))

    def _request(self, form: bytes = b"") -> Request:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Request(target=self.path, headers=headers, form=form)

    def log_message(self, format: str, *args: Any) -> None:
        _log.debug(format, *args)

    def _refuse(self, status: int, why: str) -> None:
        """Answer without reading the body; the connection cannot be used again."""
        self.close_connection = True
        headers = {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        self._send(Response(status=status, headers=headers, body=f"{why}\n".encode()))

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status != 304:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)
