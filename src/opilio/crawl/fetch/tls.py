"""How a connection was secured, from what libcurl tells when it is made, and remembered while it may be used again."""

import re
from collections import OrderedDict
from typing import Any, NamedTuple

import pycurl

from opilio.crawl.fetch.exchange import Ask
from opilio.kernel.capture import TlsSummary

#: As in `SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384 / x25519 / RSASSA-PSS`.
_TOLD = re.compile(rb"SSL connection using ((?:TLS|SSL)v[0-9.]+) / ([A-Za-z0-9_-]+)")
_REMEMBERED = 4_096  # connections; more than are ever kept open


class Secured(NamedTuple):
    """Version and cipher suite of a connection."""

    version: str
    cipher: str


_UNKNOWN = Secured("", "")


def secured(told: bytes) -> Secured | None:
    """What a line that libcurl tells says; None for any other line."""
    found = _TOLD.match(told)
    return Secured(found[1].decode(), found[2].decode()) if found else None


class Connections:
    """The secured connections of one fetcher, by libcurl's number."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, Secured] = OrderedDict()

    def learn(self, connection: int, how: Secured) -> None:
        """Remember a new connection."""
        self._known[connection] = how
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def summary(self, ask: Ask, fresh: Secured | None, handle: Any) -> TlsSummary | None:
        """How an exchange was secured; None for one that was not. `fresh`: of a connection that was made for it."""
        if not ask.url.startswith("https:"):
            return None
        how = fresh or self._known.get(handle.getinfo(pycurl.CONN_ID), _UNKNOWN)
        return TlsSummary(version=how.version, cipher=how.cipher, verified=ask.verify_tls)
