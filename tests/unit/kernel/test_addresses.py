"""Which addresses a crawl must not reach, also in disguise."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.addresses import embedded, is_private, why_private
from opilio.kernel.errors import InvalidInput

CLOSED = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "10.1.2.3": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.0.1": "private",
    "100.64.0.1": "carrier-grade NAT",
    "169.254.1.1": "link-local",
    "169.254.169.254": "cloud metadata",
    "0.0.0.0": "unspecified",
    "224.0.0.1": "multicast",
    "255.255.255.255": "broadcast",
    "240.0.0.1": "reserved",
    "192.0.2.1": "documentation",
    "198.18.0.1": "benchmarking",
    "::": "unspecified",
    "::1": "loopback",
    "[::1]": "loopback",
    "fe80::1%eth0": "link-local",
    "fc00::1": "private",
    "fd00:ec2::254": "cloud metadata",
    "ff02::1": "multicast",
    "2001:db8::1": "documentation",
    "::ffff:127.0.0.1": "loopback",
    "::ffff:169.254.169.254": "cloud metadata",
    "::10.0.0.1": "private",
    "::ffff:0:10.0.0.1": "private",
    "64:ff9b::10.0.0.1": "private",
    "64:ff9b:1::1": "local NAT64",
    "2002:7f00:1::": "loopback",
    "2001:0:a00:1::": "private",  # Teredo with a private server
    "2001:0:808:808:0:0:80ff:fffe": "loopback",  # Teredo with the client 127.0.0.1
}
OPEN = [
    "93.184.216.34",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "2606:2800:220:1::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::",
]


@pytest.mark.parametrize(("address", "reason"), CLOSED.items())
def test_closed_addresses(address, reason):
    """Addresses of closed networks are recognised, bare and inside IPv6."""
    assert why_private(address) == reason
    assert is_private(address)


@pytest.mark.parametrize("address", OPEN)
def test_open_addresses(address):
    """Addresses of the open internet pass, also inside IPv6."""
    assert why_private(address) is None
    assert not is_private(address)


def test_parsed_addresses_are_taken_as_they_are():
    """An address object needs no spelling."""
    assert is_private(ipaddress.ip_address("10.0.0.1"))


@pytest.mark.parametrize("wrong", ["", "example.com", "127.1", "0x7f000001", "1.2.3.4.5", "::1::"])
def test_names_and_odd_spellings_are_no_addresses(wrong):
    """The check wants a real address, so nothing is let through unread."""
    with pytest.raises(InvalidInput, match="not an IP address"):
        is_private(wrong)


@given(st.ip_addresses(v=4))
def test_an_address_inside_ipv6_is_judged_like_itself(inner):
    """Mapping never opens a closed address, and never closes an open one."""
    mapped = ipaddress.IPv6Address(f"::ffff:{inner}")
    assert embedded(mapped) == (inner,)
    assert is_private(mapped) == is_private(inner)


@given(st.ip_addresses())
def test_whatever_python_calls_local_is_closed(address):
    """No address that the standard library knows as loopback, link-local or multicast is open."""
    if address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified:
        assert is_private(address)
