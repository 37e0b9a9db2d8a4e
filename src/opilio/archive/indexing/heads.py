"""What the heads of a record and of the HTTP answer in it tell an index."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from opilio.archive.warc.records import PAYLOAD_DIGEST_FIELD
from opilio.kernel.digests import Algorithm, Digest, parse_digest
from opilio.kernel.errors import InvalidInput

#: The records that are captures.
KINDS = frozenset({"response", "revisit", "resource", "metadata"})
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/[0-9.]+[ \t]+(\d{3})(?!\d)")
_CONTENT_TYPE = re.compile(rb"\ncontent-type[ \t]*:([^\r\n]*)", re.IGNORECASE)
_SHA256_LABEL = 71  # bytes of `sha256:` and its hex
_BEHIND = frozenset({b" ", b"\r", b"\n"})
_NOTES = b"application/warc-fields"  # what such records hold is about other records
_HTTP = b"application/http"
_OURS = PAYLOAD_DIGEST_FIELD.lower().encode()

#: The fields of a record by their names in lower case.
Fields = dict[bytes, bytes]


class _Names(dict[bytes, bytes]):
    """Names of fields in lower case, each spelling worked out once."""

    _MOST = 1_000

    def __missing__(self, name: bytes) -> bytes:
        lower = name.lower()
        if len(self) < self._MOST:
            self[name] = lower
        return lower


_LOWER = _Names()


def fields_of(pairs: Sequence[tuple[bytes, bytes]]) -> Fields:
    """The fields of a record; of those that are there twice, the first."""
    return {_LOWER[name]: value for name, value in reversed(pairs)}


def is_capture(kind: str, fields: Fields) -> bool:
    """Whether a record is one that an index names: not those that hold notes about others."""
    if kind not in KINDS:
        return False
    return kind in ("response", "revisit") or not fields.get(b"content-type", b"").lower().startswith(_NOTES)


def is_http(fields: Fields) -> bool:
    """Whether the block is an HTTP message."""
    return fields.get(b"content-type", b"").lower().startswith(_HTTP)


def head_end(data: bytes) -> int:
    """Where the HTTP head ends, its empty line included; -1 when it does not."""
    usual = data.find(b"\r\n\r\n")
    if usual >= 0 and data.find(b"\n\n", 0, usual) < 0 and data.find(b"\n\r\n", 0, usual + 1) < 0:
        return usual + 4
    found = _END_OF_HEAD.search(data)
    return found.end() if found else -1


def status_of(head: bytes) -> int | None:
    """The HTTP status."""
    if head[:7] == b"HTTP/1." and head[8:9] == b" " and head[12:13] in _BEHIND and head[9:12].isdigit():
        return int(head[9:12])  # as most have it
    found = _STATUS.match(head)
    return int(found[1]) if found else None


def mime_of(head: bytes) -> str:
    """The content type that the server gave."""
    found = _CONTENT_TYPE.search(head)
    return text(found[1]).strip() if found else ""


def recorded_digest(fields: Fields) -> Digest | None:
    """The payload digest that the record names, if it can be read."""
    value = fields.get(b"warc-payload-digest") or fields.get(_OURS)
    if value is None:
        return None
    try:
        if len(value) == _SHA256_LABEL and value.startswith(b"sha256:"):  # as most have it; this is quicker
            return Digest(Algorithm.SHA256, bytes.fromhex(value[7:].decode("ascii")))
        return parse_digest(text(value))
    except (InvalidInput, ValueError):
        return None


def address(fields: Fields, name: bytes) -> str:
    """A URL of the record, without the brackets that some programs put around it."""
    return text(fields.get(name, b"")).strip("<> ")


def moment(value: bytes) -> datetime | None:
    """A date of a record; None when there is none that can be read."""
    try:
        return datetime.fromisoformat(text(value)).astimezone(UTC) if value else None
    except (ValueError, OverflowError):
        return None


def text(data: bytes) -> str:
    """A value of a head, which should be UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
