"""WARC files to work on: the real pages of the crawl benchmark, as a crawl would have kept them. Made once.

OPILIO_TEST_BENCH_SITES takes only the first of its 16 sites.
"""

import mimetypes
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks import cache
from benchmarks.crawl.documents import sites
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import Capture, Provenance
from opilio.kernel.digests import digest_of

SITES = int(os.environ.get("OPILIO_TEST_BENCH_SITES", "16"))
_BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
_MOST = 4 << 20  # bytes of a file; a few archives and movies would outweigh all pages


def folder() -> Path:
    """A folder with the WARC files."""
    place = cache.folder("warcs") / f"documents-{SITES}"
    if not (place / "ready").exists():
        print("Writing WARC files …", flush=True)
        sink = WarcSink(place, worker="bench", options=WarcOptions(prefix="documents", size=64 << 20))
        for capture in _captures():
            sink.append(capture)
        sink.close()
        (place / "ready").touch()
    return place


def files() -> list[Path]:
    """The WARC files in their order."""
    return sorted(folder().glob("*.warc.gz"))


def _captures() -> Iterator[Capture]:
    number = 0
    for site in sites(SITES):
        for path in sorted(each for each in site.root.rglob("*") if each.is_file()):
            if path.stat().st_size <= _MOST:
                number += 1
                yield _capture(f"docs{site.number:02d}.test", path.relative_to(site.root).as_posix(), path, number)


def _capture(host: str, name: str, path: Path, number: int) -> Capture:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    at = _BEGUN + timedelta(milliseconds=250 * number)
    return Capture(
        url=f"http://{host}/{name}",
        request=f"GET /{name} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Opilio\r\nAccept: */*\r\n\r\n".encode(),
        head=f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode(),
        body=body,
        started=at,
        finished=at + timedelta(milliseconds=20),
        address="192.0.2.1",
        status=200,
        http_version="1.1",
        payload_digest=digest_of(body),
        provenance=Provenance(seed=f"http://{host}/"),
    )
