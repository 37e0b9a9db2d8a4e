"""Good files for the tests of verifying, as lists of records that a fault can be planted in."""

import base64
import gzip
import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

BODY = b"<title>Owls</title>" + bytes(range(256)) * 4
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY)
URL = "http://example.com/owls"
DATE = "2026-01-01T12:00:00Z"
ARC_DESCRIPTION = b"1 0 Owlery\nURL IP-address Archive-date Content-type Archive-length\n"


def sha1(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def record_id(number: int) -> str:
    return f"<urn:uuid:00000000-0000-4000-8000-{number:012d}>"


@dataclass(frozen=True, kw_only=True)
class Record:
    """A WARC record before it is written; `None` leaves a field out, a list writes it several times."""

    fields: dict = field(default_factory=dict)
    block: bytes = b""
    version: bytes = b"WARC/1.1"
    line_end: bytes = b"\r\n"
    end: bytes = b"\r\n\r\n"
    length: object = "right"
    extra: bytes = b""  # lines of the header as they are

    def with_(self, **changes):
        return replace(self, **changes)

    def set(self, **fields):
        """With other fields: `warc_date="x"`."""
        return replace(
            self, fields={**self.fields, **{name.replace("_", "-"): value for name, value in fields.items()}}
        )

    def bytes(self) -> bytes:
        fields = {**self.fields}
        length = len(self.block) if self.length == "right" else self.length
        if length is not None:
            fields["content-length"] = length
        lines = [self.version]
        for name, value in fields.items():
            for each in value if isinstance(value, list) else [value]:
                if each is not None:
                    text = each if isinstance(each, bytes) else str(each).encode()
                    lines.append(name.title().replace("Warc", "WARC").encode() + b": " + text)
        return self.line_end.join(lines) + self.line_end + self.extra + self.line_end + self.block + self.end


def record(kind: str, number: int, block: bytes, content_type: str | None, **fields) -> Record:
    given = {
        "warc-type": kind,
        "warc-record-id": record_id(number),
        "warc-date": DATE,
        **{name.replace("_", "-"): value for name, value in fields.items()},
        "warc-block-digest": sha256(block),
        "content-type": content_type,
    }
    return Record(fields=given, block=block)


def good() -> list[Record]:
    """warcinfo, a response with its request and metadata, a revisit of it, a resource, and a chunked response."""
    chunks = b"5\r\nhello\r\n6\r\n owls!\r\n0\r\n\r\n"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    info = {"warc_warcinfo_id": record_id(0)}
    web = "application/http;msgtype=response"
    return [
        record("warcinfo", 0, b"software: owlery\r\n", "application/warc-fields", warc_filename="owls.warc"),
        record("response", 1, HEAD + BODY, web, warc_target_uri=URL, warc_ip_address="192.0.2.1",
               warc_payload_digest=sha1(BODY), **info),
        record("request", 2, b"GET /owls HTTP/1.1\r\nHost: example.com\r\n\r\n", "application/http;msgtype=request",
               warc_target_uri=URL, warc_concurrent_to=record_id(1), **info),
        record("metadata", 3, b"via: http://example.com/\r\n", "application/warc-fields", warc_target_uri=URL,
               warc_concurrent_to=record_id(1), **info),
        record("revisit", 4, b"HTTP/1.1 200 OK\r\n\r\n", web, warc_target_uri=URL,
               warc_profile="http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
               warc_refers_to=record_id(1), warc_refers_to_target_uri=URL, warc_refers_to_date=DATE,
               warc_payload_digest=sha1(BODY), warc_truncated="length", **info),
        record("resource", 5, b"hoot", "text/plain", warc_target_uri="urn:owl:hoot", **info),
        record("response", 6, chunked, web, warc_target_uri="http://example.com/chunks",
               warc_payload_digest=sha256(b"hello owls!"), **info),
    ]  # fmt: skip


def pack(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


@dataclass(frozen=True, kw_only=True)
class Archive:
    """Pieces that make a file: each a record, packed or not."""

    pieces: list
    packed: bool = True

    def offset(self, number: int) -> int:
        """Where a piece begins."""
        return sum(map(len, self.pieces[:number]))

    def bytes(self) -> bytes:
        return b"".join(self.pieces)

    def change(self, number: int, piece) -> "Archive":
        """With another piece."""
        return replace(self, pieces=[*self.pieces[:number], piece, *self.pieces[number + 1 :]])

    def write(self, folder: Path, name: str = "owls.warc") -> Path:
        path = folder / (name + ".gz" if self.packed else name)
        path.write_bytes(self.bytes())
        return path


def archive(records: list[Record], *, packed: bool = True) -> Archive:
    return Archive(pieces=[pack(one.bytes()) if packed else one.bytes() for one in records], packed=packed)


def arc_record(
    url: str, block: bytes, *, ip="192.0.2.1", date="20260101120000", mime="text/html", length=None, end=b"\n"
):
    """A record of an ARC file, version 1."""
    line = f"{url} {ip} {date} {mime} {len(block) if length is None else length}\n".encode()
    return line + block + end


def good_arc() -> list[bytes]:
    return [
        arc_record("filedesc://owls.arc", ARC_DESCRIPTION, ip="0.0.0.0", mime="text/plain"),
        arc_record(URL, HEAD + BODY),
        arc_record("http://example.com/two", b"HTTP/1.0 404 Not Found\r\nContent-Length: 2\r\n\r\nno"),
        arc_record("dns:example.com", b"20260101120000\nexample.com. 300 IN A 192.0.2.1\n", mime="text/dns"),
    ]
