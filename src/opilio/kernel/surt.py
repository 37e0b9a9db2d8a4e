"""SURT: the sort key of a URL in CDXJ files, `org,example)/path?query`.

A key to look up and to sort by, not an identity: several URLs share one key on purpose, as readers of CDXJ expect.
The scheme, `www.` (also `www2.`) and a trailing slash are dropped, letters are lower case, parameters are sorted.
"""

import re

from opilio.kernel.urls import canonical

_WWW = re.compile(r"^www\d*\.(?=.)")
_PORT = re.compile(r":\d+$")


def surt(url: str) -> str:
    """The key of a URL. IPv4 numbers are reversed like labels, IPv6 stays whole, an unusual port stays."""
    authority, _, rest = canonical(url).lower().partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    arguments = f"?{_sorted(query)}" if query else ""
    port = _PORT.search(authority)
    host = authority[: port.start()] if port else authority
    return f"{_reversed(host)}{port[0] if port else ''})/{path.rstrip('/')}{arguments}"


def surt_of_host(host: str) -> str:
    """The beginning that the keys of a host and of all hosts below it share: `org,example`."""
    return _reversed(host.lower().rstrip("."))


def _reversed(host: str) -> str:
    if host.startswith("["):
        return host
    return ",".join(reversed(_WWW.sub("", host, count=1).split(".")))


def _sorted(query: str) -> str:
    return "&".join(sorted(query.split("&"), key=lambda pair: pair.partition("=")[::2]))
