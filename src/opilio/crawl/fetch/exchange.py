"""What is asked of a web server, and what came of it, in exact bytes."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from opilio.kernel.bodies import Body
from opilio.kernel.capture import Inexactness, TlsSummary, Truncated

Header = tuple[str, str]


class Trouble(StrEnum):
    """Why there is no response; each with whether trying again later is any use."""

    DNS = "dns"  # the name does not resolve, for now
    NO_SUCH_HOST = "no-such-host"  # the name does not exist
    REFUSED = "refused"  # nobody listens, or the route is closed
    CONNECT_TIMEOUT = "connect-timeout"
    FIRST_BYTE_TIMEOUT = "first-byte-timeout"
    IDLE_TIMEOUT = "idle-timeout"
    TOTAL_TIMEOUT = "total-timeout"
    RESET = "reset"  # the connection broke before a response was whole
    TLS = "tls"  # the certificate or the handshake does not hold
    PRIVATE_ADDRESS = "private-address"  # the guard refused to connect
    NO_CONTACT = "no-contact"  # a public address, and no webmaster would know whom to write to
    PROXY = "proxy"
    PROTOCOL = "protocol"  # what came is no HTTP
    HEAD_TOO_LARGE = "head-too-large"


#: Troubles that may pass by themselves.
PASSING = frozenset(
    {
        Trouble.DNS, Trouble.REFUSED, Trouble.CONNECT_TIMEOUT, Trouble.FIRST_BYTE_TIMEOUT, Trouble.IDLE_TIMEOUT,
        Trouble.TOTAL_TIMEOUT, Trouble.RESET, Trouble.PROXY,
    }
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long to wait, in seconds, and how much to read, in bytes."""

    connect: float = 20.0
    first_byte: float = 60.0
    idle: float = 60.0  # without a byte while the body comes
    total: float = 1_200.0
    head: int = 262_144
    body: int = 1 << 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Proxy:
    """A proxy to go through: its address (http, https, socks5, socks5h), and credentials if it asks for them."""

    url: str
    username: str = ""
    password: str = field(default="", repr=False)
    resolves_names: bool = False  # whether the proxy may look names up itself; then the guard cannot see the address


@dataclass(frozen=True, kw_only=True, slots=True)
class Hidden:
    """What of a request is sent and never written down."""

    headers: frozenset[str] = frozenset()  # lower-case names whose values are secret
    body: bytes | None = None  # stands in for the body that was sent


class Meter(Protocol):
    """Says how fast an answer may come. The rates behind it may change at any time."""

    def wait(self) -> float:
        """Seconds until the next byte may come; infinite where nothing may."""
        ...

    def took(self, size: int) -> None:
        """Bytes of the body came."""
        ...

    def settle(self, size: int = 0) -> None:
        """The exchange is over and brought this many bytes, whether all were told of or not."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One request. Headers are sent in this order, beside Host; their values are bytes in the guise of Latin-1."""

    url: str  # with append string; without fragment
    method: str = "GET"
    headers: tuple[Header, ...] = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    hidden: Hidden | None = None
    patience: Patience = Patience()
    http2: bool = False
    verify_tls: bool = True
    proxy: Proxy | None = None
    meter: Meter | None = field(default=None, repr=False, compare=False)  # None: as fast as it comes


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A response, in the bytes of the wire."""

    status: int
    version: str  # 0.9, 1.0, 1.1, 2 or 3
    request: bytes
    head: bytes
    body: Body  # transfer coding and content coding in place
    started: datetime
    finished: datetime
    first_byte: float  # seconds from the start
    seconds: float
    address: str | None
    paused: float = 0.0  # of these seconds, those that we made the server wait for bandwidth
    tls: TlsSummary | None = None
    truncated: Truncated | None = None
    notes: tuple[Inexactness, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """There is no response to keep."""

    trouble: Trouble
    words: str  # for people: what happened, with the address
    started: datetime
    seconds: float
    address: str | None = None
    request: bytes = b""

    @property
    def passing(self) -> bool:
        """Whether trying again later is any use."""
        return self.trouble in PASSING


class Fetcher(Protocol):
    """Does one exchange at a time per call, many calls at once. Never follows, retries, or answers a challenge.

    Promises: returns, never raises, for whatever the network or the server does; keeps to the patience given; never
    connects to an address that the guard refuses; a cancelled call leaves no open transfer behind.
    """

    async def fetch(self, ask: Ask) -> Answer | Failure:
        """Do the exchange."""
        ...

    async def close(self) -> None:
        """Give up all connections."""
        ...
