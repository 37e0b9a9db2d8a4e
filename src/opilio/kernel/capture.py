"""One exact exchange with a web server, and the place it is written to.

The bytes are those of the wire: `body` keeps transfer coding (chunk framing of HTTP/1.1) and content coding (gzip, br).
HTTP/2 and HTTP/3 have no head in text; there the head is spelt as HTTP/1.1 would, and `notes` say so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from typing import Protocol

from opilio.kernel.addresses import to_address
from opilio.kernel.digests import Digest
from opilio.kernel.errors import Damaged, InvalidInput

_METHOD = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,40}")
_VERSIONS = frozenset({"0.9", "1.0", "1.1", "2", "3"})
_HOPS = re.compile(r"[LERXPM]*")


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
        _require(_HOPS.fullmatch(self.hops) is not None, f"the hop path {self.hops[:40]!r} has an unknown letter")


@dataclass(frozen=True, kw_only=True, slots=True)
class Capture:
    """One exact exchange: what was sent, what came back, when, from where, and why."""

    url: str  # as requested, without fragment
    method: str = "GET"
    request: bytes  # head and body as sent
    head: bytes  # status line and header lines as received, with the empty line
    body: bytes  # as received: transfer coding and content coding still in place
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
        _require(self.url.startswith(("http://", "https://")), f"{self.url[:80]!r} is not an http or https URL")
        _require("#" not in self.url, f"{self.url[:80]!r} has a fragment, which is never sent")
        _require(_METHOD.fullmatch(self.method) is not None, f"{self.method[:40]!r} is not a method")
        _require(100 <= self.status <= 999, f"{self.status} is not a status")
        _require(self.http_version in _VERSIONS, f"{self.http_version!r} is not a version of HTTP")
        for name in ("request", "head", "body"):
            _require(isinstance(getattr(self, name), bytes), f"{name} must be bytes")
        for name in ("started", "finished"):
            _require(getattr(self, name).utcoffset() == timedelta(0), f"{name} must be an aware time in UTC")
        _require(self.finished >= self.started, "the exchange finished before it started")
        if self.address is not None:
            to_address(self.address)

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


class MemorySink:
    """A sink that keeps captures in memory: for tests, and for crawls whose captures nobody wants to keep."""

    def __init__(self, *, file_size: int = 1 << 30) -> None:
        self._file_size = file_size  # bytes after which the next file is begun
        self._files: dict[str, list[tuple[Position, Capture]]] = {}
        self._closed = False

    @property
    def captures(self) -> list[Capture]:
        """All captures, in the order of their writing."""
        return [capture for entries in self._files.values() for _, capture in entries]

    def append(self, capture: Capture) -> Position:
        if self._closed:
            raise InvalidInput("the sink is closed", remedy="Open a new one for this crawl.")
        name = self._current()
        place = Position(file=name, offset=self._length(name), length=capture.size)
        self._files[name].append((place, capture))
        return place

    def sync(self) -> Offsets:
        return {name: self._length(name) for name in self._files}

    def cut_back(self, offsets: Offsets) -> None:
        kept = {name: self._until(name, offset) for name, offset in sorted(offsets.items())}
        self._files = kept

    def close(self) -> None:
        self._closed = True

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

    def _until(self, name: str, offset: int) -> list[tuple[Position, Capture]]:
        if name not in self._files or self._length(name) < offset:
            raise Damaged(
                f"less than the {offset} committed bytes are there", where=name, remedy="Rewind the frontier."
            )
        return [entry for entry in self._files[name] if entry[0].offset + entry[0].length <= offset]


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise InvalidInput(what, where="a capture", remedy="Fix the code that made it.")
