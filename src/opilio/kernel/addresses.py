"""Whether an IP address belongs to the open internet, or to a network that a crawl must not reach into.

The ranges follow the IANA special-purpose registries for IPv4 and IPv6. An IPv4 address inside an IPv6 one (mapped,
translated, 6to4, Teredo, NAT64) is judged as well: a guard that looks at the outside only can be walked around.
"""

import functools
import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from opilio.kernel.errors import InvalidInput

Address = IPv4Address | IPv6Address

_CLOSED_4 = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("169.254.169.254/32", "cloud metadata"),
        ("100.100.100.200/32", "cloud metadata"),
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_CLOSED_6 = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("fd00:ec2::254/128", "cloud metadata"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard"),
        ("2001:2::/48", "benchmarking"),
        ("2001:10::/28", "ORCHID"),
        ("2001:20::/28", "ORCHID"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
# Prefixes whose last 32 bits are an IPv4 address.
_CARRIERS = tuple(map(IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
_6TO4 = IPv6Network("2002::/16")
_TEREDO = IPv6Network("2001::/32")


def is_private(address: str | Address) -> bool:
    """Whether a crawl must not connect to this address unless the operator allows its range."""
    return why_private(address) is not None


def why_private(address: str | Address) -> str | None:
    """The reason in a word or two (`loopback`, `private`, `cloud metadata` …); None for the open internet."""
    parsed = to_address(address)
    if isinstance(parsed, IPv4Address):
        return next((reason for network, reason in _CLOSED_4 if parsed in network), None)
    own = next((reason for network, reason in _CLOSED_6 if parsed in network), None)
    if own is not None:
        return own
    inner = (why_private(carried) for carried in embedded(parsed))
    return next((reason for reason in inner if reason is not None), None)


def embedded(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that an IPv6 address carries; empty for an ordinary one."""
    number = int(address)
    if any(address in network for network in _CARRIERS):
        return (IPv4Address(number & 0xFFFF_FFFF),)
    if address in _6TO4:
        return (IPv4Address(number >> 80 & 0xFFFF_FFFF),)
    if address in _TEREDO:  # RFC 4380 §4: the server in clear, the client with its bits flipped
        return (IPv4Address(number >> 64 & 0xFFFF_FFFF), IPv4Address(~number & 0xFFFF_FFFF))
    return ()


def to_address(address: str | Address) -> Address:
    """Read an address as the socket layer or a URL spells it: brackets and a zone are allowed."""
    return _read(address) if isinstance(address, str) else address


@functools.lru_cache(maxsize=4_096)
def _read(address: str) -> Address:
    try:
        return ipaddress.ip_address(address.removeprefix("[").removesuffix("]").partition("%")[0])
    except ValueError:
        remedy = "Resolve the name first: this check wants the address that will be connected to."
        raise InvalidInput(f"“{address[:80]}” is not an IP address", remedy=remedy) from None
