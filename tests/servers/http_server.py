"""The HTTP test server for use in tests: `with HttpServer() as server: fetch(server.url("/drop"))`."""

import os
import shutil
import signal
import ssl
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from opilio.kernel.errors import Unavailable
from tests.servers.process import PATIENCE, ServerProcess
from tests.servers.request_log import LogEntry, read_log
from tests.servers.robots import Rule, write_rules


class HttpServer:
    """A running server; `tls=True` makes it HTTPS with a certificate authority of its own (`ca_file`)."""

    def __init__(
        self, *, tls: bool = False, site: Path | None = None, hosts: Mapping[str, Path] | None = None,
        sites: Path | None = None, port: int = 0,
    ) -> None:  # fmt: skip
        self.folder = Path(tempfile.mkdtemp(prefix="opilio-http-"))
        self._rules: dict[str, Rule] = {}
        arguments = ["--folder", str(self.folder), "--port", str(port)]
        arguments += ["--tls", str(self.folder / "tls")] if tls else []
        arguments += ["--site", str(site)] if site else []
        for host, folder in (hosts or {}).items():
            arguments += ["--site", f"{host}={folder}"]
        arguments += ["--sites", str(sites)] if sites else []
        self._process = ServerProcess("tests.servers.http", arguments, errors=self.folder / "errors.txt")

    def start(self) -> Self:
        """Start it; returns once it listens."""
        self._process.start()
        return self

    def kill(self) -> None:
        """Let it die at once, as a machine that fails; its log stays until it is stopped."""
        os.kill(self.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Stop it and remove its folder."""
        self._process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except Unavailable:
            self.stop()
            raise

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self._process.address["port"])

    @property
    def pid(self) -> int:
        """The process."""
        return int(self._process.address["pid"])

    @property
    def scheme(self) -> str:
        """http or https."""
        return str(self._process.address["scheme"])

    @property
    def ca_file(self) -> Path:
        """The certificate authority to trust; only of an HTTPS server."""
        return Path(self._process.address["ca"])

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        """The URL of a path, under any host name."""
        return f"{self.scheme}://{host}:{self.port}{path}"

    def client_context(self) -> ssl.SSLContext | None:
        """A TLS context that trusts this server; None for plain HTTP."""
        return ssl.create_default_context(cafile=str(self.ca_file)) if self.scheme == "https" else None

    def log(self) -> list[LogEntry]:
        """Every request so far, in order of arrival."""
        return read_log(self.folder / "requests.jsonl")

    def answered_log(self, count: int) -> list[LogEntry]:
        """The log once that many requests are answered: the client may see the last byte before the log does."""
        tick = threading.Event()
        for _ in range(PATIENCE * 100):
            entries = self.log()
            if sum(entry.answered is not None for entry in entries) >= count:
                return entries
            tick.wait(0.01)
        raise Unavailable(f"The server has not answered {count} requests in {PATIENCE} s", where=str(self.folder))

    def errors(self) -> str:
        """What the server said on standard error."""
        return (self.folder / "errors.txt").read_text(errors="replace")

    def set_robots(self, host: str, rule: Rule) -> None:
        """Say what /robots.txt of a host is from now on; host `*` stands for all others."""
        self._rules[host] = rule
        write_rules(self.folder / "robots.json", self._rules)
