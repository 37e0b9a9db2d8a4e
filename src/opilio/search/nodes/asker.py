"""Who asks a node, as far as rules of access must know: the network address, and through how many proxies it came."""

import ipaddress

from opilio.kernel.access import Reader
from opilio.search.nodes.messages import Scope

_FORWARDED = b"x-forwarded-for"


def asker(scope: Scope, trusted: int = 0) -> Reader:
    """The reader of a request; `trusted`: own proxies in front, of which that many entries are believed."""
    entries = forwarded(scope)
    if not trusted:
        return Reader(address=_address(_client(scope)))
    return Reader(address=_address(entries[-trusted] if len(entries) >= trusted else _client(scope)))


def forwarded(scope: Scope) -> list[str]:
    """The entries of X-Forwarded-For, the nearest last."""
    lines = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == _FORWARDED]
    return [entry.strip() for entry in ",".join(lines).split(",") if entry.strip()]


def passed_on(scope: Scope) -> str:
    """X-Forwarded-For for the next in line: what came, and who sent it."""
    return ", ".join([*(_address(entry) or "unknown" for entry in forwarded(scope)[-10:]), _client(scope) or "unknown"])


def _client(scope: Scope) -> str:
    client = scope.get("client")
    return _address(str(client[0])) if client else ""


def _address(text: str) -> str:
    """An IP address; empty for anything else, which no room holds."""
    try:
        return str(ipaddress.ip_address(text[:64].strip("[]")))
    except ValueError:
        return ""
