"""The captures of a WARC file as an import needs them, with what was not readable; records of any size, any damage."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.imports.blocks import HeadBlock, WholeBlock
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.framing import Block, Scanned, State
from opilio.archive.verify.header import Header
from opilio.archive.verify.scanning import scan
from opilio.archive.warc.info import PLAN_FIELD
from opilio.archive.warc.payload import header_values
from opilio.archive.warc.records import PAYLOAD_DIGEST_FIELD
from opilio.kernel.digests import Digest, parse_digest
from opilio.kernel.errors import InvalidInput
from opilio.kernel.urls import shown

_WEB = ("http://", "https://")
_KINDS = frozenset({"response", "revisit", "resource"})
_STATUS = re.compile(rb"HTTP/[0-9.]+[ \t]+(\d{3})(?!\d)")
_METHOD = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,40}(?=[ \t])")
_MOST_INFO = 4 << 20  # bytes of a warcinfo
_MOST_REQUEST = 256  # bytes of a request: its method


@dataclass(frozen=True, kw_only=True, slots=True)
class Captured:
    """One capture, as its record tells."""

    url: str
    at: datetime
    kind: str  # response, revisit or resource
    offset: int
    length: int
    status: int | None
    mime: str
    digest: Digest | None
    size: int  # bytes behind the HTTP head
    record: str  # its id
    concurrent: tuple[str, ...] = ()
    original_url: str = ""
    original_at: datetime | None = None
    refers_to: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A request by another method than GET: its answer is no page."""

    record: str
    concurrent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundPlan:
    """The plan of one of our crawls."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """Something that could not be taken over."""

    file: str
    offset: int
    reason: str


class SharedMember(InvalidInput):
    """A gzip member holds several records, so that none can be read alone."""


def captures(path: Path, skipped: Callable[[Skipped], None], told: Callable[[int], None]) -> Iterator[
    Captured | Asked | FoundPlan
]:  # fmt: skip
    """All that a file holds; `SharedMember` as soon as records turn out to share a gzip member."""

    def report(fault: Fault) -> None:
        if fault.severity is Severity.ERROR:
            skipped(Skipped(file=path.name, offset=fault.offset, reason=fault.sentence))

    for scanned in scan(path, report, _wanted, told=told):
        if scanned.within or scanned.end is None:
            remedy = "Pack each record by itself."
            raise SharedMember(
                "several records share a gzip member", where=f"{path} at {scanned.offset}", remedy=remedy
            )
        if scanned.state is not State.LOST:
            yield from _taken(scanned, path.name, skipped)


def _wanted(header: Header) -> Block | None:
    kind = header.kind
    if kind in _KINDS and header.url.startswith(_WEB):
        http = "application/http" in header.named.get("content-type", "").lower()
        return HeadBlock(http=http, digest=kind != "revisit" and _recorded(header) is None)
    if kind == "warcinfo":
        return WholeBlock(_MOST_INFO)
    return WholeBlock(_MOST_REQUEST) if kind == "request" else None


def _taken(scanned: Scanned, file: str, skipped: Callable[[Skipped], None]) -> Iterator[Captured | Asked | FoundPlan]:
    block, header = scanned.block, scanned.header
    if isinstance(block, HeadBlock):
        block.finish()
        captured = _captured(scanned, block)
        if captured is not None:
            yield captured
            return
        reason = f"the time of {shown(header.url)} cannot be read"
        skipped(Skipped(file=file, offset=scanned.offset, reason=reason))
    elif isinstance(block, WholeBlock) and header.kind == "request":
        method = _METHOD.match(block.data)
        if method is not None and method[0].upper() != b"GET":
            yield Asked(record=header.id, concurrent=_concurrent(header))
    elif isinstance(block, WholeBlock):
        plan = _field(block.data, PLAN_FIELD)
        if plan:
            yield FoundPlan(plan)


def _captured(scanned: Scanned, block: HeadBlock) -> Captured | None:
    header = scanned.header
    at = _time(header.named.get("warc-date", ""))
    if at is None or scanned.end is None:
        return None
    http = bool(block.head)
    found = _STATUS.match(block.head)
    types = header_values(block.head, b"content-type")
    return Captured(
        url=header.url,
        at=at,
        kind=header.kind,
        offset=scanned.offset,
        length=scanned.end - scanned.offset,
        status=int(found[1]) if found else None,
        mime=types[0] if types else "" if http else header.named.get("content-type", ""),
        digest=_recorded(header) or block.digest,
        size=block.body_length,
        record=header.id,
        concurrent=_concurrent(header),
        original_url=header.named.get("warc-refers-to-target-uri", "").strip("<>"),
        original_at=_time(header.named.get("warc-refers-to-date", "")),
        refers_to=header.named.get("warc-refers-to", "").strip("<>"),
    )


def _recorded(header: Header) -> Digest | None:
    for name in ("warc-payload-digest", PAYLOAD_DIGEST_FIELD.lower()):
        text = header.named.get(name)
        if text:
            try:
                return parse_digest(text)
            except InvalidInput:
                continue
    return None


def _concurrent(header: Header) -> tuple[str, ...]:
    return tuple(value.strip("<> ") for name, value in header.fields if name.lower() == "warc-concurrent-to")


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _field(block: bytes, name: str) -> str:
    """The value of a field of a warcinfo."""
    wanted = name.encode() + b":"
    for line in block.split(b"\n"):
        if line.startswith(wanted):
            return line[len(wanted) :].decode("utf-8", "replace").strip()
    return ""
