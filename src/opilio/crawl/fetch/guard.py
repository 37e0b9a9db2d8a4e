"""Which addresses may be connected to: private, loopback, link-local and metadata ones only if the operator says so."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field

from opilio.kernel.addresses import why_private
from opilio.kernel.errors import InvalidInput

_REMEMBERED = 65_536  # addresses
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, kw_only=True)
class Guard:
    """Refuses addresses that lie in a private range, unless the range is allowed."""

    allowed: tuple[Network, ...] = ()
    _known: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)  # asked for every request

    @classmethod
    def allowing(cls, ranges: Iterable[str]) -> "Guard":
        """A guard that lets these ranges through: `127.0.0.0/8`, `::1`, or `all`."""
        return cls(allowed=tuple(network for text in ranges for network in _networks(text)))

    def refusal(self, address: str) -> str | None:
        """Why the address may not be connected to; None when it may."""
        if address in self._known:
            return self._known[address]
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        found = self._known[address] = _refusal(self.allowed, address)
        return found

    def sifted(self, addresses: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        """Those of the addresses that may be connected to, and why the first of the others may not."""
        refusals = [refusal for address in addresses if (refusal := self.refusal(address))]
        if not refusals:
            return addresses, ""
        return tuple(address for address in addresses if not self.refusal(address)), refusals[0]


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
