"""Requests through a proxy: what libcurl is told, what of the request is kept, and who is to blame when it fails.

The address is looked up and checked here and handed to the proxy, in a tunnel; only if the plan lets the proxy look
names up does a plain request go to it as proxies know it from browsers.
"""

import re
from collections.abc import Sequence

from opilio.crawl.fetch.exchange import Proxy, Trouble
from opilio.kernel.capture import Inexactness

SUPPRESS_CONNECT_HEADERS = 265  # CURLOPT_…, which pycurl has no name for
PROXY_DENIES = 407
_TUNNEL = re.compile(rb"\A(?:CONNECT [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+")
_CREDENTIALS = re.compile(rb"(?mi)^Proxy-Authorization:[^\r\n]*\r\n")
_NO_PROXY, _NO_CONNECTION, _SOCKS = 5, 7, 97
_TLS = frozenset({35, 51, 60, 77, 83, 90, 91})
_UNREACHED = frozenset({502, 503, 504})  # the proxy is fine, and the host is not
#: CURLPX_REPLY_…: refused, host unreachable, network unreachable, too far; and a name that the proxy does not find.
_SOCKS_UNREACHED = frozenset({19, 21, 22, 24, 27})


def chosen(addresses: Sequence[str]) -> str:
    """The address that the proxy is told to connect to: few proxies speak IPv6."""
    return next((address for address in addresses if ":" not in address), addresses[0])


def connect_to(address: str, port: int) -> str:
    """The value of CURLOPT_CONNECT_TO: whatever the URL names, connect there."""
    return f"::[{address}]:{port}" if ":" in address else f"::{address}:{port}"


def kept_request(sent: bytes) -> tuple[bytes, tuple[Inexactness, ...]]:
    """The request as it is kept: without the opening of the tunnel, and without the proxy's credentials."""
    request = _TUNNEL.sub(b"", sent)
    hidden = _CREDENTIALS.sub(b"", request)
    return hidden, () if hidden == request else (Inexactness.HIDDEN_PROXY_CREDENTIALS,)


def blamed(
    proxy: Proxy, code: int, *, connected: bool, tunnel_status: int, socks_reply: int
) -> tuple[Trouble, str] | None:
    """The trouble where the proxy has a part in it, and words that name the proxy; None where it has none."""
    if tunnel_status in _UNREACHED or (code == _SOCKS and socks_reply in _SOCKS_UNREACHED):
        return Trouble.REFUSED, f"the proxy {proxy.url} could not reach the host"
    if tunnel_status >= 400 or code == _SOCKS:
        return Trouble.PROXY, f"the proxy {proxy.url} refused to connect"
    if code in (_NO_PROXY, _NO_CONNECTION) or not connected:
        return Trouble.PROXY, f"the proxy {proxy.url} cannot be reached"
    if code in _TLS and proxy.url.startswith("https:") and not tunnel_status:
        return Trouble.PROXY, f"the proxy {proxy.url} shows no certificate that can be trusted"
    return None
