"""WARC files as other programs write them."""

import gzip
import io
import uuid

from opilio.kernel.digests import Algorithm, digest_of


class Warc:
    """A WARC file as another program may write it."""

    def __init__(self, *, packed=True, version="1.0"):
        self.stream = io.BytesIO()
        self._packed = packed
        self._version = version

    def response(self, url, body=b"", *, status="200 OK", at="2020-01-01T00:00:00Z", kind="text/html", headers=()):
        """One answer, without its request; its id."""
        block = _head(status, [("Content-Type", kind), *headers]) + body
        digest = ("WARC-Payload-Digest", sha1(body))
        return self._record("response", url, at, "application/http; msgtype=response", block, digest)

    def request(self, url, answer, method="GET"):
        """The request of an answer."""
        block = f"{method} / HTTP/1.1\r\nHost: example.org\r\n\r\n".encode()
        together = ("WARC-Concurrent-To", answer)
        self._record("request", url, "2020-01-01T00:00:00Z", "application/http; msgtype=request", block, together)

    def revisit(self, url, original, *, digest):
        """An answer without its body."""
        refers = (
            ("WARC-Refers-To-Target-URI", original),
            ("WARC-Refers-To-Date", "2020-01-01T00:00:00Z"),
            ("WARC-Payload-Digest", digest),
        )
        block = _head("200 OK", [("Content-Type", "text/html")])
        self._record("revisit", url, "2021-01-01T00:00:00Z", "application/http; msgtype=response", block, *refers)

    def resource(self, url, body, kind):
        """Something that no exchange brought."""
        self._record("resource", url, "2020-01-02T00:00:00Z", kind, body)

    def save(self, path):
        path.write_bytes(self.stream.getvalue())
        return path

    def _record(self, kind, url, at, content_type, block, *fields):
        number = f"<urn:uuid:{uuid.uuid4()}>"
        named = [
            ("WARC-Type", kind), ("WARC-Record-ID", number), ("WARC-Target-URI", url), ("WARC-Date", at), *fields,
            ("Content-Type", content_type), ("Content-Length", str(len(block))),
        ]  # fmt: skip
        head = "".join(f"{name}: {value}\r\n" for name, value in named)
        record = f"WARC/{self._version}\r\n{head}\r\n".encode() + block + b"\r\n\r\n"
        self.stream.write(gzip.compress(record, 1) if self._packed else record)
        return number


def _head(status, headers):
    return "".join([f"HTTP/1.1 {status}\r\n", *(f"{name}: {value}\r\n" for name, value in headers), "\r\n"]).encode()


def sha1(body):
    return digest_of(body, Algorithm.SHA1).base32
