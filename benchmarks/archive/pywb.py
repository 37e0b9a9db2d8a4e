"""A real pywb in an environment of its own, showing the crawl of a folder: beside Opilio, never inside it."""

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.crawl.programs import environment

PEER = ("pywb==2.10.0", "setuptools<81")
COLLECTION = "crawl"
_PATIENCE = 120.0  # seconds for pywb to answer


@contextlib.contextmanager
def serving(crawl: Path, place: Path, *, prefix: tuple[str, ...] = ()) -> Iterator[int]:
    """Serve the WARC files and the index of a crawl as they are until the end of the block; the port."""
    collection = place / "collections" / COLLECTION
    for name in ("archive", "indexes"):
        (collection / name).mkdir(parents=True)
    for path in (crawl / "warcs").iterdir():
        (collection / "archive" / path.name).symlink_to(path.resolve())
    (collection / "indexes" / "index.cdxj").symlink_to((crawl / "index.cdxj").resolve())
    program = environment("pywb", PEER) / "bin" / "wayback"
    port = _free_port()
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            [*prefix, str(program), "-p", str(port), "-b", "127.0.0.1"], cwd=place, env=env, stdout=log, stderr=log
        )
        try:
            _wait(process, port, place / "log")
            yield port
        finally:
            process.terminate()
            process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            raise SystemExit(f"pywb did not start:\n{log.read_text(errors='replace')[-2000:]}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
            return
        time.sleep(0.2)
    raise SystemExit(f"pywb does not answer on port {port}:\n{log.read_text(errors='replace')[-2000:]}")
