"""Which addresses may be connected to: private, loopback, link-local and metadata ones only if the operator says so."""

import functools
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from opilio.kernel.addresses import why_private
from opilio.kernel.errors import InvalidInput

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, kw_only=True)
class Guard:
    """Refuses addresses that lie in a private range, unless the range is allowed."""

    allowed: tuple[Network, ...] = ()

    @classmethod
    def allowing(cls, ranges: Iterable[str]) -> "Guard":
        """A guard that lets these ranges through: `127.0.0.0/8`, `::1`, or `all`."""
        return cls(allowed=tuple(network for text in ranges for network in _networks(text)))

    def refusal(self, address: str) -> str | None:
        """Why the address may not be connected to; None when it may."""
        return _refusal(self.allowed, address)


@functools.lru_cache(maxsize=65_536)  # asked twice for every request
def _refusal(allowed: tuple[Network, ...], address: str) -> str | None:
    reason = why_private(address)
    return None if reason is None or _allows(allowed, address) else f"{address} is {reason}"


def _allows(allowed: tuple[Network, ...], address: str) -> bool:
    number = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(number, "ipv4_mapped", None)
    return any(number in network or (mapped is not None and mapped in network) for network in allowed)


def _networks(text: str) -> tuple[Network, ...]:
    if text == "all":
        return (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
    try:
        return (ipaddress.ip_network(text, strict=False),)
    except ValueError as error:
        raise InvalidInput(
            f"{text[:80]!r} is no range of addresses", where="allowed private ranges", remedy="Write 10.0.0.0/8 or ::1."
        ) from error
