"""Looks names up, remembers the answers for as long as they say, and keeps what the answer was for the archive."""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass

import aiodns
import pycares

from opilio.kernel.clock import SYSTEM, Clock

_SHORTEST, _LONGEST = 30.0, 86_400.0  # seconds that an answer is remembered
_FAILED = 60.0  # seconds that a failure is remembered
_MOST = 100_000  # names
_GONE = {pycares.errno.ARES_ENOTFOUND, pycares.errno.ARES_ENODATA}


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """What a name resolved to; no addresses means that it did not, and `words` say why."""

    name: str
    addresses: tuple[str, ...] = ()
    until: float = 0.0  # on the monotonic clock
    ttl: int = 0  # seconds, as answered
    missing: bool = False  # the name certainly does not exist
    words: str = ""


class Resolver:
    """A cache before the machine's own resolver (its hosts file included). For one event loop."""

    def __init__(self, *, clock: Clock = SYSTEM, servers: tuple[str, ...] = (), timeout: float = 10.0) -> None:
        self._clock = clock
        self._servers = list(servers) or None
        self._timeout = timeout
        self._channel: aiodns.DNSResolver | None = None
        self._known: dict[str, Resolved] = {}
        self._asking: dict[str, asyncio.Task[Resolved]] = {}

    def remembered(self, host: str) -> Resolved | None:
        """What is known of a host by the name it was asked for last, without asking anybody."""
        known = self._known.get(host)
        return known if known is not None and known.until > self._clock.monotonic() else None

    async def resolve(self, host: str) -> Resolved:
        """The addresses of a host, which may be an address itself. Names asked for at once are looked up once."""
        known = self.remembered(host)
        if known is not None:
            return known
        host = host.strip("[]").rstrip(".").lower()
        known = self.remembered(host)
        if known is not None:
            return known
        task = self._asking.get(host)
        if task is None:
            task = asyncio.ensure_future(self._look_up(host))
            self._asking[host] = task
            task.add_done_callback(lambda _: self._asking.pop(host, None))
        return await asyncio.shield(task)

    def close(self) -> None:
        """Stop asking."""
        for task in self._asking.values():
            task.cancel()
        if self._channel is not None:
            self._channel.cancel()

    async def _look_up(self, host: str) -> Resolved:
        found = literal(host) or await self._asked(host)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[host] = found
        return found

    async def _asked(self, host: str) -> Resolved:
        if self._channel is None:
            self._channel = aiodns.DNSResolver(nameservers=self._servers, timeout=self._timeout, tries=2)
        now = self._clock.monotonic()
        try:
            answer = await self._channel.getaddrinfo(host, family=socket.AF_UNSPEC, type=socket.SOCK_STREAM)
        except aiodns.error.DNSError as error:
            code = error.args[0] if error.args else None
            words = f"{host} does not resolve: {error.args[-1] if error.args else error}"
            return Resolved(name=host, until=now + _FAILED, missing=code in _GONE, words=words)
        addresses = tuple(dict.fromkeys(_text(node.addr[0]) for node in answer.nodes))
        ttl = min((node.ttl for node in answer.nodes), default=0)
        return Resolved(
            name=host, addresses=addresses, ttl=ttl, until=now + min(max(ttl, _SHORTEST), _LONGEST),
            words="" if addresses else f"{host} has no address",
        )  # fmt: skip


def _text(address: str | bytes) -> str:
    return address.decode("ascii") if isinstance(address, bytes) else address


def literal(host: str) -> Resolved | None:
    """What a host stands for that is an address itself, or a name of this machine; None for all other names."""
    if host == "localhost" or host.endswith(".localhost"):  # RFC 6761 §6.3
        return Resolved(name=host, addresses=("127.0.0.1", "::1"), until=float("inf"))
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return Resolved(name=host, addresses=(str(address),), until=float("inf"))
