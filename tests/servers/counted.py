"""A site without end whose server counts what it sends, for tests of how much a crawl receives in a second.

Pages /NAME/1, /NAME/2, … link to the next ones; what is sent is counted by NAME.
"""

import http.server
import threading
import time
from typing import Self

PAGE = 20_000  # bytes
_PIECE = 4_000


class CountedServer:
    """Runs in threads of the test; `sent` is asked before and after a while."""

    def __init__(self) -> None:
        self._sent: dict[str, int] = {}
        self._lock = threading.Lock()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def url(self, name: str) -> str:
        """The first page of a name."""
        return f"http://127.0.0.1:{self.port}/{name}/1"

    def rates(self, *names: str, seconds: float) -> list[float]:
        """Bytes in a second that were sent under each name, over so many seconds from now on."""
        before, begun = [self.sent(name) for name in names], time.monotonic()
        threading.Event().wait(seconds)
        lasted = time.monotonic() - begun
        return [(self.sent(name) - old) / lasted for name, old in zip(names, before, strict=True)]

    def sent(self, name: str) -> int:
        """Bytes so far."""
        with self._lock:
            return self._sent.get(name, 0)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _count(self, name: str, number: int) -> None:
        with self._lock:
            self._sent[name] = self._sent.get(name, 0) + number

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        counted = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                name, _, number = self.path.strip("/").partition("/")
                body = _page(name, int(number)) if number.isdigit() else b""
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                for start in range(0, len(body), _PIECE):
                    piece = body[start : start + _PIECE]
                    self.wfile.write(piece)
                    counted._count(name, len(piece))

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


def _page(name: str, number: int) -> bytes:
    links = "".join(f'<a href="/{name}/{one}">{one}</a>' for one in range(number + 1, number + 6))
    return f"<title>{number}</title>{links}<p>".encode().ljust(PAGE, b"x")
