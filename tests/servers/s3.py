"""An S3-compatible server on a free port of loopback: moto in a process of its own; `python -m tests.servers.s3`."""

import json
import logging
import sys
import tempfile
import threading
import urllib.request
import warnings
from pathlib import Path
from typing import Self

from opilio.archive.store.s3_options import S3Options
from tests.servers.process import ServerProcess

ACCESS_KEY = "test-access"
SECRET_KEY = "test-secret-0123456789"


class S3Server:
    """The server, and buckets in it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="s3-")
        self._process = ServerProcess(__name__, [], errors=Path(self._folder.name) / "errors")

    @property
    def url(self) -> str:
        """Where it listens."""
        return str(self._process.address["url"])

    @property
    def port(self) -> int:
        """The same as a number."""
        return int(self._process.address["port"])

    def make_bucket(self, name: str) -> str:
        """A new, empty bucket."""
        request = urllib.request.Request(f"{self.url}/{name}", method="PUT")
        with urllib.request.urlopen(request, timeout=60):
            return name

    def options(self, **changes: object) -> S3Options:
        """How a store reaches it; parts of 5 MB, the least that S3 allows."""
        given = {"endpoint": self.url, "access_key": ACCESS_KEY, "secret_key": SECRET_KEY, "part": 5 << 20}
        return S3Options(**{**given, **changes})

    def __enter__(self) -> Self:
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()
        self._folder.cleanup()


def one_at_a_time(app):
    """S3 decides about conditions and writes in one step; moto looks first and writes then, so requests must queue."""
    turn = threading.Lock()

    def served(environ, start_response):
        with turn:
            return list(app(environ, start_response))

    return served


def main() -> None:
    """Serve until standard input closes."""
    warnings.simplefilter("ignore")
    logging.disable()
    from moto.moto_server.werkzeug_app import (  # noqa: PLC0415 - slow
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )
    from werkzeug.serving import make_server  # noqa: PLC0415 - and only this process needs them

    app = one_at_a_time(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=MotoRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}", "port": server.server_port}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
