"""The bytes of WARC 1.1 records, not yet packed. Pure; every function returns one whole record, which for a body in a
file is made of pieces.

Values that others chose (URLs, addresses, names) cannot begin a header line of their own: see `_uri` and `_line`.
"""

import functools
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from opilio.archive.warc.info import WarcInfo
from opilio.kernel.bodies import FileBody, feed
from opilio.kernel.capture import (
    Capture,
    DnsAnswer,
    MetadataFields,
    Resource,
    Revisit,
    RevisitProfile,
    TlsSummary,
)
from opilio.kernel.digests import Algorithm, Digest, in_base32

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_RESPONSE = "application/http;msgtype=response"
_REQUEST = "application/http;msgtype=request"
_FIELDS = "application/warc-fields"

#: Our own field for the payload digest where common checkers would take another payload than the standard does.
PAYLOAD_DIGEST_FIELD = "Opilio-Payload-Digest"

_HASHES = {Algorithm.SHA1: hashlib.sha1, Algorithm.SHA256: hashlib.sha256}
_PROTOCOLS = {"0.9": "http/0.9", "1.0": "http/1.0", "1.1": "http/1.1", "2": "h2", "3": "h3"}
_PLAIN_URI = re.compile(r"[!-~]+")
_NOT_IN_A_URI = re.compile(rb"[^!-~]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_ORDINARY = re.compile(  # lines that no reader takes for the empty one
    rb"HTTP/[0-9.]{1,5}[ \t][^\r\n]*\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*:[^\r\n]*\r\n)*\r\n"
)
_LONGEST_ORDINARY = 32_000  # bytes of a head that common readers take
_TRANSFER_CODING = re.compile(rb"\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_NAME = re.compile(r"[^A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VARIANTS = "89ab"
_END = b"\r\n\r\n"


def new_id() -> str:
    """A record id, `urn:uuid:` with a random UUID (RFC 9562 §5.4)."""
    text = os.urandom(16).hex()
    variant = _VARIANTS[int(text[16], 16) & 3]
    return f"urn:uuid:{text[:8]}-{text[8:12]}-4{text[13:16]}-{variant}{text[17:20]}-{text[20:]}"


def label(digest: Digest) -> str:
    """A digest as WARC files write it: sha1 in base32 by custom, all others in hex."""
    return digest.base32 if digest.algorithm is Algorithm.SHA1 else str(digest)


@dataclass(frozen=True, kw_only=True, slots=True)
class LargeRecord:
    """A record whose body lies in a file."""

    begin: bytes
    body: FileBody

    def pieces(self) -> Iterator[bytes]:
        """The whole record, a piece at a time."""
        yield self.begin
        yield from self.body.pieces()
        yield _END


class About(NamedTuple):
    """What the response and the request of an exchange say alike, as they say it."""

    date: str
    target: str  # the line of the URL
    connection: str  # lines


def about(capture: Capture) -> About:
    """Worked out once for all records of an exchange."""
    lines = _connection(capture.http_version, capture.address, capture.tls)
    return About(_date(capture.started), f"WARC-Target-URI: {_uri(capture.url)}\r\n", lines)


class Recorder:
    """Makes the records of one file; knows what they share."""

    def __init__(self, *, warcinfo: str, algorithm: Algorithm) -> None:
        self.warcinfo = warcinfo  # id of the file's first record
        self._shared = f"WARC-Warcinfo-ID: <{warcinfo}>\r\n"
        self._algorithm = algorithm
        self._hash = _HASHES[algorithm]

    def info(self, info: WarcInfo, *, name: str, at: datetime) -> bytes:
        """The first record of the file."""
        fields = f"WARC-Filename: {_line(name)}\r\n"
        return self._record("warcinfo", self.warcinfo, _date(at), fields, _FIELDS, _pairs(info.fields), info=False)

    def response(self, capture: Capture, record: str, about: About) -> "bytes | LargeRecord":
        """What came back, exact."""
        name = "WARC-Payload-Digest" if _payload_follows(capture.head) else PAYLOAD_DIGEST_FIELD
        fields = f"{about.target}{about.connection}{name}: {label(capture.payload_digest)}\r\n"
        if capture.truncated is not None:
            fields += f"WARC-Truncated: {capture.truncated}\r\n"
        body = capture.body
        if isinstance(body, bytes):
            return self._record("response", record, about.date, fields, _RESPONSE, capture.head, body)
        digest = self._hash(capture.head, usedforsecurity=False)
        feed(digest, body)
        length = len(capture.head) + len(body)
        head = self._head("response", record, about.date, fields, _RESPONSE, self._label(digest), length)
        return LargeRecord(begin=head + capture.head, body=body)

    def request(self, capture: Capture, record: str, concurrent: str, about: About) -> bytes:
        """What was sent, exact."""
        fields = f"{about.target}WARC-Concurrent-To: <{concurrent}>\r\n{about.connection}"
        return self._record("request", record, about.date, fields, _REQUEST, capture.request)

    def revisit(self, revisit: Revisit, record: str, about: About) -> bytes:
        """The head of what came back; the body is that of the original."""
        capture, original = revisit.capture, revisit.original
        identical = revisit.profile is RevisitProfile.IDENTICAL
        digest = capture.payload_digest if identical else original.digest
        fields = (
            f"{about.target}WARC-Profile: {_PROFILE}{revisit.profile}\r\n"
            f"WARC-Refers-To-Target-URI: {_uri(original.url)}\r\n"
            f"WARC-Refers-To-Date: {_date(original.captured)}\r\n{about.connection}"
        )
        if original.record is not None:
            fields += f"WARC-Refers-To: <{_uri(original.record)}>\r\n"
        if digest is not None:
            fields += f"WARC-Payload-Digest: {label(digest)}\r\n"
        if identical:
            fields += "WARC-Truncated: length\r\n"  # the body was there and is left out
        return self._record("revisit", record, about.date, fields, _RESPONSE, capture.head)

    def dns(self, answer: DnsAnswer, record: str) -> bytes:
        """What a name was resolved to, in the form of RFC 4027 that crawlers use."""
        fields = [f"WARC-Target-URI: dns:{_uri(answer.host)}"]
        if answer.server is not None:
            fields.append(f"WARC-IP-Address: {_line(answer.server)}")
        lines = [f"{answer.at:%Y%m%d%H%M%S}"]
        name = _line(answer.host).rstrip(".")
        lines += [f"{name}.\t{ttl}\tIN\t{_line(kind)}\t{_line(value)}" for ttl, kind, value in answer.records]
        block = "".join(f"{text}\n" for text in lines).encode("utf-8", "replace")
        return self._record("response", record, _date(answer.at), _lines(fields), "text/dns", block)

    def resource(self, resource: Resource, record: str) -> bytes:
        """Something that no exchange brought."""
        fields = f"WARC-Target-URI: {_uri(resource.url)}\r\n"
        kind = _line(resource.content_type) or "application/octet-stream"
        return self._record("resource", record, _date(resource.at), fields, kind, resource.content)

    def metadata(self, url: str, at: datetime, pairs: MetadataFields, record: str, concurrent: str) -> bytes:
        """What was learned about a capture."""
        fields = f"WARC-Target-URI: {_uri(url)}\r\nWARC-Concurrent-To: <{concurrent}>\r\n"
        return self._record("metadata", record, _date(at), fields, _FIELDS, _pairs(pairs))

    def _record(
        self, kind: str, record: str, date: str, fields: str, content_type: str, block: bytes, rest: bytes = b"",
        *, info: bool = True,
    ) -> bytes:  # fmt: skip
        """A record whose block has one part or two."""
        digest = self._hash(block, usedforsecurity=False)
        if rest:
            digest.update(rest)
        shown, length = self._label(digest), len(block) + len(rest)
        head = self._head(kind, record, date, fields, content_type, shown, length, info=info)
        return b"".join((head, block, rest, _END))

    def _head(
        self, kind: str, record: str, date: str, fields: str, content_type: str, digest: str, length: int,
        *, info: bool = True,
    ) -> bytes:  # fmt: skip
        return (
            f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{record}>\r\nWARC-Date: {date}\r\n"
            f"{self._shared if info else ''}{fields}WARC-Block-Digest: {digest}\r\n"
            f"Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    def _label(self, digest: "hashlib._Hash") -> str:
        if self._algorithm is Algorithm.SHA256:  # the hot path
            return f"sha256:{digest.hexdigest()}"
        if self._algorithm is Algorithm.SHA1:
            return f"sha1:{in_base32(digest.digest())}"
        return label(Digest(self._algorithm, digest.digest()))


def provenance(capture: Capture) -> list[tuple[str, str]]:
    """How a capture came about, and what is not exact in it, as metadata fields."""
    source = capture.provenance
    pairs = [("seed", source.seed), ("hopsFromSeed", source.hops)]
    if source.via is not None:
        pairs.append(("via", source.via))
    pairs.append(("fetchTimeMs", str(round(capture.duration.total_seconds() * 1000))))
    if unverified(capture):
        pairs.append(("tls", "the certificate was not verified, as the plan asks for this host"))
    pairs += [("note", note.value) for note in capture.notes]
    return pairs


def unverified(capture: Capture) -> bool:
    """Whether nobody checked that the server is the one it says it is."""
    return capture.tls is not None and not capture.tls.verified


@functools.lru_cache(maxsize=1024)  # one host is asked many times in a row
def _connection(http_version: str, address: str | None, tls: TlsSummary | None) -> str:
    fields = [f"WARC-Protocol: {_PROTOCOLS[http_version]}"]
    if address is not None:
        fields.append(f"WARC-IP-Address: {address.partition('%')[0].strip('[]')}")
    if tls is not None:
        fields += _secured(tls)
    return _lines(fields)


def _secured(tls: TlsSummary) -> list[str]:
    """What is known of it; nothing is written of what is not."""
    version = _line(tls.version).lower().replace("sslv", "ssl/").replace("tlsv", "tls/")
    cipher = _line(tls.cipher)
    found = [f"WARC-Protocol: {version}"] if version else []
    return [*found, f"WARC-Cipher-Suite: {cipher}"] if cipher else found


def _payload_follows(head: bytes) -> bool:
    """Whether readers find the same payload after the head as we do: an ordinary head, no transfer coding.

    Readers differ in which lines they take for the empty one, and in how long a head may be. With a transfer coding the
    standard's payload (§6.3.2: coding removed) differs from what warcio and fastwarc digest.
    """
    if len(head) > _LONGEST_ORDINARY:
        return False
    if b"transfer-encoding" in head.lower() and _TRANSFER_CODING.search(head) is not None:
        return False
    return _ORDINARY.fullmatch(head) is not None


def _lines(fields: Iterable[str]) -> str:
    return "".join([f"{field}\r\n" for field in fields])


def _date(at: datetime) -> str:
    return f"{at.isoformat(timespec='microseconds')[:26]}Z"


def _pairs(pairs: MetadataFields) -> bytes:
    lines = (f"{_NAME.sub('-', name) or 'field'}: {_line(value)}\r\n" for name, value in pairs)
    return "".join(lines).encode("utf-8", "replace")


def _uri(url: str) -> str:
    """A URL that keeps to printable ASCII; anything else in it is escaped."""
    if _PLAIN_URI.fullmatch(url):
        return url
    return _NOT_IN_A_URI.sub(lambda found: b"%%%02X" % found[0][0], url.encode("utf-8", "surrogatepass")).decode()


def _line(text: str) -> str:
    """A text on one line, without characters that UTF-8 lacks."""
    return _CONTROL.sub(" ", text).encode("utf-8", "replace").decode().strip()
