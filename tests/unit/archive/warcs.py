"""What tests of WARC files share: captures of every odd kind, and the checks of two other programs."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from warcio.checker import Checker

from opilio.archive.warc.fast import ArchiveIterator
from opilio.kernel.capture import Capture, Provenance
from opilio.kernel.digests import digest_of

START = datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
REQUEST = b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"


def capture(**changes) -> Capture:
    """An ordinary capture, changed where a test wants it."""
    body = changes.setdefault("body", b"<title>Owls</title>")
    given = {
        "url": "http://example.com/",
        "request": REQUEST,
        "head": HEAD,
        "started": START,
        "finished": START + timedelta(milliseconds=25),
        "address": "192.0.2.1",
        "status": 200,
        "http_version": "1.1",
        "payload_digest": digest_of(body),
        "provenance": Provenance(seed="http://example.com/"),
    }
    return Capture(**{**given, **changes})


def chunked(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)


class _Options:
    verbose = False

    def __init__(self, paths):
        self.inputs = [str(path) for path in paths]


def assert_valid(folder: Path) -> list[Path]:
    """Every WARC file of the folder passes fastwarc (digests verified) and warcio; the files."""
    files = sorted(path for path in folder.iterdir() if ".warc" in path.name)
    for path in files:
        with path.open("rb") as stream:
            records = list(_verified(stream))
        assert records, path
        assert all(records), path
    assert Checker(_Options(files)).process_all() == 0
    return files


def _verified(stream):
    """By fastwarc: each block, and each payload whose digest was recorded."""
    for record in ArchiveIterator(stream, parse_http=False):
        yield record.verify_block_digest(consume=False)
        if record.headers.get("WARC-Payload-Digest") and record.headers.get("WARC-Type") == "response":
            record.parse_http()
            yield record.verify_payload_digest(consume=False)


def assert_programs_agree(path: Path) -> None:
    """The command lines of both programs find nothing wrong."""
    programs = Path(sys.executable).parent
    for command in ([programs / "fastwarc", "check", "-q", path], [programs / "warcio", "check", path]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert not done.stdout, done.stdout
