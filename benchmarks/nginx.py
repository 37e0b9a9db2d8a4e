"""An nginx of our own: one host per site on loopback, with a log that tells what each crawler asked for."""

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.names import address, name
from benchmarks.usage import pinned

ROBOTS = "User-agent: *\\nDisallow: /private/\\nAllow: /\\n"
_PATIENCE = 10.0  # seconds for nginx to listen

_CONFIGURATION = """
daemon off;{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    types {{
        text/html html htm;  text/css css;  application/javascript js;  text/plain txt;  application/xml xml;
        image/png png;  image/gif gif;  image/jpeg jpg jpeg;  image/svg+xml svg;  application/pdf pdf;
        font/woff2 woff2;  application/json json;
    }}
    default_type application/octet-stream;
    log_format visits '$msec\\t$host\\t$request_uri\\t$status\\t$body_bytes_sent\\t$sent_http_content_type';
    access_log {log} visits buffer=64k flush=1s;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    sendfile on; keepalive_timeout 60; keepalive_requests 10000; gzip off; charset utf-8; index index.html;
    open_file_cache max=20000 inactive=600s;
{servers}
}}
"""
_SERVER = """    server {{
        listen {address}:{port} backlog=256;
        server_name {name} {address};
        root {root};
        location = /robots.txt {{ default_type text/plain; return 200 "{robots}"; }}
    }}"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """A folder of documents under a host of its own."""

    number: int  # from 1
    root: Path
    start: str  # path of the page where it begins


def configuration(sites: Sequence[Site], *, port: int, folder: Path, log: Path) -> str:
    """The whole configuration."""
    servers = "\n".join(
        _SERVER.format(
            address=address(site.number), name=name(site.number), port=port, root=site.root, robots=ROBOTS
        )
        for site in sites
    )  # fmt: skip
    user = " user root;" if os.geteuid() == 0 else ""  # else a worker could not enter the caller's folders
    return _CONFIGURATION.format(user=user, folder=folder, log=log, servers=servers)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextlib.contextmanager
def serving(sites: Sequence[Site], *, port: int, folder: Path, log: Path, core: int) -> Iterator[None]:
    """Serve the sites on one core until the end of the block; the log is whole afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "nginx.conf"
    file.write_text(configuration(sites, port=port, folder=folder, log=log))
    env = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin"}
    process = subprocess.Popen(
        pinned(["nginx", "-p", str(folder), "-c", str(file), "-e", str(folder / "error.log")], core),
        env=env, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait(process, port, folder)
        yield
    finally:
        process.terminate()
        process.wait()


def _wait(process: "subprocess.Popen[bytes]", port: int, folder: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            raise SystemExit(f"nginx did not start: {(folder / 'error.log').read_text(errors='replace')}")
        with contextlib.suppress(OSError), socket.create_connection((address(1), port), timeout=1):
            return
        time.sleep(0.05)
    raise SystemExit(f"nginx does not listen on {address(1)}:{port}")
