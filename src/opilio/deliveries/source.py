"""A source: a partner's server and how we may use it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum
from typing import Protocol, Self

from opilio.deliveries.errors import BadSource

_PORTS = {"sftp": 22, "ftp": 21, "ftps": 21, "http": 80, "https": 443, "folder": 0}
_MOST_CONNECTIONS = 32
_DAYS = 7


class SourceProtocol(StrEnum):
    """How a server is spoken to."""

    SFTP = "sftp"
    FTP = "ftp"
    FTPS = "ftps"
    HTTPS = "https"
    HTTP = "http"
    FOLDER = "folder"


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """When a source may be used: on some days of the week, from one time to another, over midnight if need be."""

    days: frozenset[int] = frozenset(range(_DAYS))  # 0 is Monday
    start: time = time(0)
    end: time = time(0)  # midnight: the end of the day

    def holds(self, moment: datetime) -> bool:
        """Whether a moment, in the source's own time zone, lies in it."""
        clock, day = moment.time(), moment.weekday()
        if self.start < self.end or self.end == time(0):
            return day in self.days and self.start <= clock and (self.end == time(0) or clock < self.end)
        return (day in self.days and clock >= self.start) or ((day - 1) % _DAYS in self.days and clock < self.end)


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a partner offers files; secrets are never shown."""

    name: str
    protocol: SourceProtocol
    host: str = ""
    port: int | None = None
    base: str = "/"  # folder that holds the folders of actions
    user: str = ""
    password: str = field(default="", repr=False)
    private_key: str = field(default="", repr=False)  # in PEM or OpenSSH form, not a path
    passphrase: str = field(default="", repr=False)
    host_keys: tuple[str, ...] = ()  # sftp: fingerprints "SHA256:…" that were enrolled
    authority: str = ""  # ftps, https: certificates in PEM form to trust; empty: those of the system
    timeout: float = 30.0  # seconds without a byte
    connections: int = 2  # at once
    bytes_per_second: int | None = None  # of all connections together
    windows: tuple[Window, ...] = ()  # none: always
    preference: int = 0  # higher is asked first
    centre: str = ""  # partner that runs it

    def __post_init__(self) -> None:
        """Refuse what cannot be used."""
        if self.protocol is not SourceProtocol.FOLDER and not self.host:
            raise BadSource("A source on a server needs a host", where=self.name, remedy="Give the host name.")
        if any(character in text for text in (self.host, self.base, self.user) for character in "\r\n\0"):
            raise BadSource("A line break stands in the description of a source", where=self.name, remedy="Remove it.")
        if self.port is not None and not 0 < self.port < 1 << 16:
            raise BadSource(f"{self.port} is no port", where=self.name, remedy="Give a number from 1 to 65535.")
        if not 1 <= self.connections <= _MOST_CONNECTIONS:
            remedy = f"Give a number from 1 to {_MOST_CONNECTIONS}."
            raise BadSource(f"{self.connections} connections at once", where=self.name, remedy=remedy)
        if self.timeout <= 0 or (self.bytes_per_second is not None and self.bytes_per_second <= 0):
            raise BadSource("A time-out or a rate must be more than nothing", where=self.name)

    @property
    def where(self) -> str:
        """How messages name it."""
        place = f"{self.protocol}://{self.host}:{self.at_port}" if self.host else str(self.protocol)
        return f"{self.name}: {place}{self.base}"

    @property
    def at_port(self) -> int:
        """The port, given or usual."""
        return self.port or _PORTS[self.protocol]

    def open_at(self, moment: datetime) -> bool:
        """Whether it may be used now; the moment is in the source's time zone."""
        return not self.windows or any(window.holds(moment) for window in self.windows)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """What a server says of one name in a folder."""

    name: str
    file: bool = True
    size: int | None = None
    modified: datetime | None = None
    tag: str = ""  # what else tells two versions apart: an ETag, a unique fact

    @property
    def mark(self) -> tuple[int | None, str, str]:
        """Equal for equal versions, as far as the server tells."""
        return (self.size, self.modified.isoformat() if self.modified else "", self.tag)


class Connection(Protocol):
    """One signed-in connection to a source; used by one thread at a time."""

    def entries(self, folder: str) -> Iterator[Entry]:
        """What lies directly in a folder below the base; `NotAtSource` when there is none."""
        ...

    def look(self, path: str) -> Entry:
        """One file now, as exactly as the server tells."""
        ...

    def fetch(self, path: str, offset: int, take: Callable[[bytes], None]) -> None:
        """Give the bytes of a file from an offset on, in order."""
        ...

    def put(self, path: str, content: bytes) -> None:
        """Write a small file, for reports to the partner."""
        ...

    def close(self) -> None:
        """End it; also from another thread, to end what hangs."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
