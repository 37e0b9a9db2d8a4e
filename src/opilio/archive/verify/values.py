"""What the values of a record's fields may be (WARC 1.1 §5): ids, dates, URIs, digests and the like."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache

from opilio.archive.verify.faults import Code
from opilio.archive.verify.header import Found, Header
from opilio.archive.warc.records import PAYLOAD_DIGEST_FIELD
from opilio.kernel.addresses import to_address
from opilio.kernel.capture import Truncated
from opilio.kernel.digests import Algorithm, parse_digest
from opilio.kernel.errors import OpilioError

_PROFILES = ("identical-payload-digest", "server-not-modified", "uri-agnostic-identical-payload-digest")
_ID = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[!-;=?-~]+>")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\x7f]*")
_SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?Z)?)?)?")
_SHA256 = "sha256:"
_LONGEST = 80  # characters of a value in a message
_REASONS = frozenset(map(str, Truncated))
_ALGORITHMS = frozenset(map(str, Algorithm))

Label = tuple[str, bytes]  # an algorithm, and a digest of it


@lru_cache(maxsize=64)
def warc_time(text: str) -> datetime | None:
    """A date of a record; None when it is none."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction = found.groups()
    try:
        return datetime(
            int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0),
            int(fraction.ljust(6, "0")[:6]) if fraction else 0, tzinfo=UTC,
        )  # fmt: skip
    except ValueError:
        return None


@lru_cache(maxsize=64)
def digest_or_none(text: str) -> Label | None:
    """A digest that can be read and checked."""
    try:
        if text.startswith(_SHA256) and len(text) == 71:  # what we write ourselves
            return "sha256", bytes.fromhex(text[7:])
        found = parse_digest(text)
    except (OpilioError, ValueError):
        return None
    return found.algorithm.value, found.value


def _check_date(value: str, header: Header) -> Found | None:
    if warc_time(value) is None:
        return Code.DATE_INVALID, f"{value[:_LONGEST]!r} is no date"
    if header.version == "1.0" and not _SECONDS.fullmatch(value):
        return Code.DATE_PRECISION, f"{value[:_LONGEST]!r} is no date of WARC 1.0"
    return None


def _check_id(value: str, header: Header) -> Found | None:
    return None if _ID.fullmatch(value) else (Code.ID_INVALID, f"{value[:_LONGEST]!r} is no id of a record")


def _check_uri(value: str, header: Header) -> Found | None:
    inner = value[1:-1] if value[:1] == "<" and value[-1:] == ">" else value
    if not _URI.fullmatch(inner):
        return Code.URI_INVALID, f"{value[:_LONGEST]!r} is no URI"
    if inner is not value and header.version == "1.1":
        return Code.URI_BRACKETS, f"{value[:_LONGEST]!r} stands in angle brackets"
    return None


@lru_cache(maxsize=1024)
def is_address(value: str) -> bool:
    """Whether a text is an IP address."""
    try:
        to_address(value)
    except OpilioError:
        return False
    return True


def _check_address(value: str, header: Header) -> Found | None:
    return None if is_address(value) else (Code.ADDRESS_INVALID, f"{value[:_LONGEST]!r} is no address")


def _check_digest(value: str, header: Header) -> Found | None:
    if digest_or_none(value) is not None:
        return None
    label = value.partition(":")[0].strip().lower().replace("-", "")
    if ":" in value and label not in _ALGORITHMS:
        return Code.DIGEST_UNKNOWN, f"{value[:_LONGEST]!r} is of an algorithm that is not known"
    return Code.DIGEST_UNREADABLE, f"{value[:_LONGEST]!r} is no digest"


def _check_profile(value: str, header: Header) -> Found | None:
    name = value.strip("<>").rstrip("/").rpartition("/")[2]
    if name not in _PROFILES:
        return Code.PROFILE_UNKNOWN, f"{value[:_LONGEST]!r} is no profile that is known"
    if "identical" in name and "warc-payload-digest" not in header.named and header.kind == "revisit":
        return Code.FIELD_MISSING, "WARC-Payload-Digest is missing in a revisit of an identical payload"
    return None


def _check_truncated(value: str, header: Header) -> Found | None:
    if value.lower() not in _REASONS:
        return Code.TRUNCATED_UNKNOWN, f"{value[:_LONGEST]!r} is no reason that is known"
    return None if header.kind == "revisit" else (Code.TRUNCATED, f"the capture was cut off: {value.lower()}")


def _check_segment(value: str, header: Header) -> Found | None:
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0
    if number < 1:
        return Code.SEGMENT_INVALID, f"{value[:_LONGEST]!r} is no number of a segment"
    if (number > 1) != (header.kind == "continuation"):
        return Code.SEGMENT_INVALID, f"segment {number} in a {header.kind[:_LONGEST]}"
    return None


def _check_total(value: str, header: Header) -> Found | None:
    known = value.isascii() and value.isdigit()
    return None if known else (Code.SEGMENT_INVALID, f"{value[:_LONGEST]!r} is no length")


#: How a value is checked, by the name of its field.
CHECKS: Mapping[str, Callable[[str, Header], Found | None]] = {
    "warc-record-id": _check_id,
    "warc-concurrent-to": _check_id,
    "warc-refers-to": _check_id,
    "warc-warcinfo-id": _check_id,
    "warc-segment-origin-id": _check_id,
    "warc-date": _check_date,
    "warc-refers-to-date": _check_date,
    "warc-target-uri": _check_uri,
    "warc-refers-to-target-uri": _check_uri,
    "warc-ip-address": _check_address,
    "warc-block-digest": _check_digest,
    "warc-payload-digest": _check_digest,
    PAYLOAD_DIGEST_FIELD.lower(): _check_digest,
    "warc-profile": _check_profile,
    "warc-truncated": _check_truncated,
    "warc-segment-number": _check_segment,
    "warc-segment-total-length": _check_total,
}
