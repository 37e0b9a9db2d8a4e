"""nginx on a free port of loopback, with TLS and HTTP/2: what our own server does not speak."""

import contextlib
import os
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import trustme

from opilio.kernel.errors import Unavailable
from tests.servers.process import PATIENCE

MISSING = "nginx is not installed (make setup)"
_CONF = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/client;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  types {{ text/html html; text/plain txt; }}
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {folder}/server.pem;
    ssl_certificate_key {folder}/server.key;
    root {root};
    {lists}
  }}
}}
"""


def is_installed() -> bool:
    """Whether there is an nginx to run."""
    return _program() is not None


def _program() -> str | None:
    return shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")


def _user() -> str:
    """Its workers read files as we do; started by root they would become nobody."""
    return "" if os.geteuid() else "user root;"


class Nginx:
    """Serves a folder's files; `ca_file` is the authority to trust. `lists`: how it lists folders, html or json."""

    def __init__(self, folder: Path, root: Path, *, lists: str = "") -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        authority = trustme.CA()
        certificate = authority.issue_cert("localhost", "a.localhost", "127.0.0.1")
        certificate.private_key_pem.write_to_path(str(folder / "server.key"))
        with (folder / "server.pem").open("wb") as chain:
            chain.writelines(part.bytes() for part in certificate.cert_chain_pems)
        self.ca_file = folder / "ca.pem"
        authority.cert_pem.write_to_path(str(self.ca_file))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        listing = f"autoindex on; autoindex_exact_size on; autoindex_format {lists};" if lists else ""
        text = _CONF.format(folder=folder, port=self.port, root=root, user=_user(), lists=listing)
        (folder / "nginx.conf").write_text(text)
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        """The URL of a path."""
        return f"https://{host}:{self.port}{path}"

    def __enter__(self) -> "Nginx":
        program = _program()
        assert program is not None, MISSING
        config, errors = str(self._folder / "nginx.conf"), str(self._folder / "error.log")
        self._process = subprocess.Popen(
            [program, "-p", str(self._folder), "-c", config, "-e", errors], stderr=subprocess.DEVNULL
        )
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=PATIENCE)

    def _wait(self) -> None:
        tick = threading.Event()
        for _ in range(PATIENCE * 20):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            tick.wait(0.05)
        self.__exit__()
        raise Unavailable("nginx did not start", where=(self._folder / "error.log").read_text(errors="replace")[-500:])
