"""One exact exchange with a web server, and the place it is written to.

The bytes are those of the wire: `body` keeps transfer coding (chunk framing of HTTP/1.1) and content coding (gzip, br).
HTTP/2 and HTTP/3 have no head in text; there the head is spelt as HTTP/1.1 would, and `notes` say so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from typing import Protocol

from opilio.kernel.addresses import to_address
from opilio.kernel.bodies import Body
from opilio.kernel.digests import Digest
from opilio.kernel.errors import Damaged, InvalidInput

_METHOD = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,40}")
_VERSIONS = frozenset({"0.9", "1.0", "1.1", "2", "3"})
_HOPS = re.compile(r"[LERXPM]*")
_NO_OFFSET = timedelta(0)


class Truncated(StrEnum):
    """Why the body ends early; the words of `WARC-Truncated` (WARC 1.1 §5.13)."""

    LENGTH = "length"  # a size limit of ours
    TIME = "time"  # a time limit of ours
    DISCONNECT = "disconnect"  # the connection broke
    UNSPECIFIED = "unspecified"


class Hop(StrEnum):
    """One step on the way from the seed."""

    LINK = "L"
    EMBED = "E"
    REDIRECT = "R"
    SPECULATIVE = "X"  # found in a script or guessed
    PREREQUISITE = "P"  # robots.txt, a login
    MANIFEST = "M"  # a sitemap or a feed


class Inexactness(Enum):
    """A known way in which the kept bytes differ from the wire; the value is the sentence that reports show."""

    UNFOLDED_HEADERS = "folded header lines arrived unfolded"
    MERGED_INTERIM = "an interim response (1xx) was merged into the head"
    BINARY_HEAD = "the head was binary (HTTP/2 or HTTP/3) and is spelt as HTTP/1.1"
    REBUILT_REQUEST = "the request was rebuilt from what was asked for, not seen on the wire"
    HIDDEN_PROXY_CREDENTIALS = "the credentials for the proxy were left out of the request"
    HIDDEN_SECRETS = "secrets of a credential in the request were replaced by [hidden]"


@dataclass(frozen=True, kw_only=True, slots=True)
class TlsSummary:
    """How the connection was secured."""

    version: str  # TLSv1.3
    cipher: str
    certificate: Digest | None = None  # of the server's own certificate, DER
    verified: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """Why this URL was fetched."""

    seed: str  # canonical URL of the seed
    via: str | None = None  # the page or redirect that led here; None for the seed itself
    hops: str = ""  # one letter of Hop per step from the seed

    def __post_init__(self) -> None:
        if _HOPS.fullmatch(self.hops) is None:
            _require(False, f"the hop path {self.hops[:40]!r} has an unknown letter")


@dataclass(frozen=True, kw_only=True, slots=True)
class Capture:
    """One exact exchange: what was sent, what came back, when, from where, and why."""

    url: str  # as requested, without fragment
    method: str = "GET"
    request: bytes  # head and body as sent
    head: bytes  # status line and header lines as received, with the empty line
    body: Body  # as received: transfer coding and content coding still in place
    started: datetime  # first byte of the request; aware, UTC
    finished: datetime  # last byte of the response; aware, UTC
    address: str | None  # IP address that answered; None behind a proxy that does not tell
    status: int
    http_version: str  # 0.9, 1.0, 1.1, 2 or 3
    tls: TlsSummary | None = None
    payload_digest: Digest  # of the body without transfer coding, content coding kept (WARC 1.1 §5.9)
    truncated: Truncated | None = None
    provenance: Provenance
    notes: tuple[Inexactness, ...] = ()

    def __post_init__(self) -> None:
        if not self._sound():
            self._complain()
        if self.address is not None:
            to_address(self.address)

    def _sound(self) -> bool:
        """Whether nothing is wrong; made for every page, so it words nothing."""
        return (
            self.url.startswith(("http://", "https://"))
            and "#" not in self.url
            and (self.method == "GET" or _METHOD.fullmatch(self.method) is not None)
            and 100 <= self.status <= 999
            and self.http_version in _VERSIONS
            and isinstance(self.request, bytes)
            and isinstance(self.head, bytes)
            and isinstance(self.body, Body)
            and self.started.utcoffset() == _NO_OFFSET
            and self.finished.utcoffset() == _NO_OFFSET
            and self.finished >= self.started
        )

    def _complain(self) -> None:
        """Say what is wrong."""
        _require(self.url.startswith(("http://", "https://")), f"{self.url[:80]!r} is not an http or https URL")
        _require("#" not in self.url, f"{self.url[:80]!r} has a fragment, which is never sent")
        _require(_METHOD.fullmatch(self.method) is not None, f"{self.method[:40]!r} is not a method")
        _require(100 <= self.status <= 999, f"{self.status} is not a status")
        _require(self.http_version in _VERSIONS, f"{self.http_version!r} is not a version of HTTP")
        for name in ("request", "head"):
            _require(isinstance(getattr(self, name), bytes), f"{name} must be bytes")
        _require(isinstance(self.body, Body), "body must be bytes, in memory or in a file")
        for name in ("started", "finished"):
            _require(getattr(self, name).utcoffset() == _NO_OFFSET, f"{name} must be an aware time in UTC")
        _require(self.finished >= self.started, "the exchange finished before it started")

    @property
    def duration(self) -> timedelta:
        """From the first byte sent to the last received."""
        return self.finished - self.started

    @property
    def size(self) -> int:
        """Bytes of the exchange, both directions."""
        return len(self.request) + len(self.head) + len(self.body)


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    """Where a capture was put."""

    file: str
    offset: int  # bytes from the start of the file
    length: int  # bytes


#: File → bytes of it that count.
Offsets = Mapping[str, int]


class CaptureSink(Protocol):
    """Where a crawl writes its captures. One writer at a time; not for sharing between threads.

    Promises: captures lie in the order of `append`; what `sync` reported survives a kill and a power cut; what came
    after may be lost or half there, and `cut_back` to reported offsets makes the sink as it was at that `sync`.
    """

    def append(self, capture: Capture) -> Position:
        """Write a capture at the end. It counts once a later `sync` returned."""
        ...

    def sync(self) -> Offsets:
        """Make everything appended so far durable; the length of every file, to be committed by the caller."""
        ...

    def cut_back(self, offsets: Offsets) -> None:
        """Drop all that lies beyond the offsets, and files they do not name. Doing it twice changes nothing.

        `Damaged` when a file is missing or shorter than its offset: then something durable was lost; nothing is cut.
        """
        ...

    def close(self) -> None:
        """Sync and let go of the files. Closing twice is allowed; appending afterwards is an error."""
        ...


class RevisitProfile(StrEnum):
    """Why a capture is kept without its body (WARC 1.1 §6.7)."""

    IDENTICAL = "identical-payload-digest"  # the body equals one that is kept
    NOT_MODIFIED = "server-not-modified"  # the server answered 304


@dataclass(frozen=True, kw_only=True, slots=True)
class Original:
    """The earlier capture that holds the body which a revisit leaves out."""

    url: str
    captured: datetime  # its `started`; aware, UTC
    digest: Digest | None = None  # its payload digest; needed for NOT_MODIFIED only: otherwise the capture has the same
    record: str | None = None  # `urn:uuid:…` of its response record, where known

    def __post_init__(self) -> None:
        _require(self.captured.utcoffset() == timedelta(0), "the time of the original must be aware, in UTC")


@dataclass(frozen=True, kw_only=True, slots=True)
class Revisit:
    """A capture whose body is kept elsewhere."""

    capture: Capture
    profile: RevisitProfile
    original: Original


@dataclass(frozen=True, kw_only=True, slots=True)
class DnsAnswer:
    """What a name was resolved to."""

    host: str
    at: datetime  # aware, UTC
    records: tuple[tuple[int, str, str], ...]  # seconds to live, type (A, AAAA, CNAME), value
    server: str | None = None  # address of the name server, where known

    def __post_init__(self) -> None:
        _require(bool(self.host), "a DNS answer needs the name that was asked for")
        _require(self.at.utcoffset() == timedelta(0), "the time of a DNS answer must be aware, in UTC")
        if self.server is not None:
            to_address(self.server)


@dataclass(frozen=True, kw_only=True, slots=True)
class Resource:
    """Something kept beside the captures that no HTTP exchange brought: a screenshot, the plan of the crawl."""

    url: str  # names it; `urn:…` where it has no address
    content_type: str
    content: bytes
    at: datetime  # aware, UTC

    def __post_init__(self) -> None:
        _require(bool(self.url), "a resource needs a name")
        _require(self.at.utcoffset() == timedelta(0), "the time of a resource must be aware, in UTC")


#: Names with values, in order; a name may come again (`outlink`).
MetadataFields = Sequence[tuple[str, str]]


class RecordSink(CaptureSink, Protocol):
    """A sink that keeps more than captures. The promises of CaptureSink hold for all that is appended."""

    def append_revisit(self, revisit: Revisit) -> Position:
        """Write a capture without its body."""
        ...

    def append_dns(self, answer: DnsAnswer) -> Position:
        """Write what a name was resolved to."""
        ...

    def append_resource(self, resource: Resource) -> Position:
        """Write something that no exchange brought."""
        ...

    def append_metadata(self, place: Position, fields: MetadataFields) -> Position:
        """Write what was learned about the capture at `place`; allowed until the next `sync`, then `InvalidInput`."""
        ...

    def record_of(self, place: Position) -> str | None:
        """The id of the capture at `place`, until the next `sync`; None for a sink that gives no ids."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Metadata:
    """What a MemorySink keeps of `append_metadata`."""

    about: Position
    fields: tuple[tuple[str, str], ...]


#: Everything that a RecordSink takes.
Record = Capture | Revisit | DnsAnswer | Resource | Metadata


class MemorySink:
    """A RecordSink that keeps all in memory: for tests, and for crawls whose captures nobody wants to keep."""

    def __init__(self, *, file_size: int = 1 << 30) -> None:
        self._file_size = file_size  # bytes after which the next file is begun
        self._files: dict[str, list[tuple[Position, Record]]] = {}
        self._fresh: set[Position] = set()  # captures since the last sync
        self._closed = False

    @property
    def records(self) -> list[Record]:
        """All that was written, in its order."""
        return [record for entries in self._files.values() for _, record in entries]

    @property
    def captures(self) -> list[Capture]:
        """All captures, in the order of their writing."""
        return [record for record in self.records if isinstance(record, Capture)]

    def append(self, capture: Capture) -> Position:
        return self._append(capture, capture.size)

    def append_revisit(self, revisit: Revisit) -> Position:
        return self._append(revisit, len(revisit.capture.request) + len(revisit.capture.head))

    def append_dns(self, answer: DnsAnswer) -> Position:
        return self._append(answer, sum(len(value) for _, _, value in answer.records) + len(answer.host))

    def append_resource(self, resource: Resource) -> Position:
        return self._append(resource, len(resource.content))

    def append_metadata(self, place: Position, fields: MetadataFields) -> Position:
        if place not in self._fresh:
            raise not_fresh(place)
        return self._append(Metadata(about=place, fields=tuple(fields)), sum(len(n) + len(v) for n, v in fields))

    def record_of(self, place: Position) -> str | None:
        return f"urn:memory:{place.file}:{place.offset}" if place in self._fresh else None

    def sync(self) -> Offsets:
        self._fresh.clear()
        return {name: self._length(name) for name in self._files}

    def cut_back(self, offsets: Offsets) -> None:
        kept = {name: self._until(name, offset) for name, offset in sorted(offsets.items())}
        self._files = kept
        self._fresh.clear()

    def close(self) -> None:
        self._closed = True

    def _append(self, record: Record, size: int) -> Position:
        if self._closed:
            raise InvalidInput("the sink is closed", remedy="Open a new one for this crawl.")
        name = self._current()
        place = Position(file=name, offset=self._length(name), length=size)
        self._files[name].append((place, record))
        self._fresh.add(place)
        return place

    def _current(self) -> str:
        last = next(reversed(self._files), None)
        if last is not None and self._length(last) < self._file_size:
            return last
        name = f"memory-{len(self._files):05d}"
        self._files[name] = []
        return name

    def _length(self, name: str) -> int:
        entries = self._files[name]
        return entries[-1][0].offset + entries[-1][0].length if entries else 0

    def _until(self, name: str, offset: int) -> list[tuple[Position, Record]]:
        if name not in self._files or self._length(name) < offset:
            raise Damaged(
                f"less than the {offset} committed bytes are there", where=name, remedy="Rewind the frontier."
            )
        return [entry for entry in self._files[name] if entry[0].offset + entry[0].length <= offset]


def not_fresh(place: Position) -> InvalidInput:
    """The error of metadata that comes too late, or about nothing."""
    return InvalidInput(
        "metadata must follow its capture before the next sync",
        where=f"{place.file} at {place.offset}",
        remedy="Append the metadata right after the capture.",
    )


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise InvalidInput(what, where="a capture", remedy="Fix the code that made it.")
