"""Which proxy the requests to a host go through: a plan names them by host, as URLs without passwords.

`http://user:${PROXY_PASSWORD}@proxy.example:3128`: what is secret stands in a variable of the environment, so that
neither the plan nor a report nor a message holds it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from opilio.crawl.errors import BadPlan
from opilio.crawl.fetch.exchange import Proxy

DIRECT = "direct"
EVERY_HOST = "*"
_SCHEMES = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}")
_HOST = re.compile(r"[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\]")
_PART = re.compile(r"[!-~]{0,1000}")
_WHERE = "fetch: proxies"


@dataclass(frozen=True, kw_only=True, slots=True)
class ProxyUrl:
    """A proxy as a plan names it."""

    scheme: str
    host: str
    port: int
    user: str = ""  # may hold ${NAME}
    password: str = ""  # ${NAME} or nothing

    @property
    def address(self) -> str:
        """The URL without credentials, for people and for libcurl."""
        return f"{self.scheme}://{self.host}:{self.port}"


def parsed(text: str) -> ProxyUrl:
    """A proxy from its URL; `BadPlan` never shows what stands before the @."""
    parts = _split(text)
    host, port = (parts.hostname or "").lower(), _port(parts)
    host = f"[{host}]" if ":" in host else host
    if parts.scheme not in _SCHEMES or not _HOST.fullmatch(host) or parts.path not in ("", "/") or port == 0:
        raise _bad(f"{_shown(text)} is no proxy", "Write http, https, socks5 or socks5h://HOST:PORT.")
    if parts.query or parts.fragment or not _PART.fullmatch(parts.netloc):
        raise _bad(f"{_shown(text)} is no proxy", "Write SCHEME://USER:${VARIABLE}@HOST:PORT.")
    password = parts.password or ""
    if password and not _VARIABLE.fullmatch(password):
        remedy = "Put the password into a variable of the environment, and write ${NAME} in its place."
        raise _bad(f"the URL of the proxy {parts.scheme}://{host} holds a password", remedy)
    return ProxyUrl(
        scheme=parts.scheme, host=host, port=port or _SCHEMES[parts.scheme], user=parts.username or "",
        password=password,
    )  # fmt: skip


def check(proxies: Mapping[str, str], *, proxy_dns: bool) -> None:
    """`BadPlan` for what cannot be used, and for proxies that would look names up though the plan does not allow it."""
    for host, text in proxies.items():
        if host != EVERY_HOST and (not _HOST.fullmatch(host) or host != host.lower()):
            raise _bad(f"{host[:80]!r} is no host", "Name the host in lower case, without a port, or * for all.")
        if text == DIRECT:
            continue
        if parsed(text).scheme == "socks5h" and not proxy_dns:
            remedy = "Write socks5 to look names up here, or allow it: fetch.proxy_dns, --proxy-dns."
            raise _bad("socks5h lets the proxy look names up, where addresses cannot be checked", remedy)


class Proxies:
    """The proxies of a plan, with the secrets that the environment has."""

    def __init__(self, proxies: Mapping[str, str], environ: Mapping[str, str], *, proxy_dns: bool = False) -> None:
        self._proxies = {
            host: None if text == DIRECT else _made(parsed(text), environ, proxy_dns) for host, text in proxies.items()
        }
        self._all = self._proxies.get(EVERY_HOST)

    def of(self, host: str) -> Proxy | None:
        """The proxy of a host; None: it is asked directly."""
        return self._proxies.get(host, self._all)


def _made(url: ProxyUrl, environ: Mapping[str, str], proxy_dns: bool) -> Proxy:
    return Proxy(
        url=url.address,
        username=unquote(_filled(url.user, url, environ)),
        password=_filled(url.password, url, environ),
        resolves_names=proxy_dns and url.scheme != "socks5",
    )


def _filled(text: str, url: ProxyUrl, environ: Mapping[str, str]) -> str:
    """A text with the values of its variables."""

    def value(found: re.Match[str]) -> str:
        given = environ.get(found[1], "")
        if not given or any(ord(sign) < 32 for sign in given):
            remedy = "Set it for this command."
            raise _bad(f"the variable {found[1]} for the proxy {url.address} is not set, or cannot be used", remedy)
        return given

    return _VARIABLE.sub(value, text)


def _split(text: str) -> SplitResult:
    try:
        return urlsplit(text.strip())
    except ValueError:
        raise _bad(f"{_shown(text)} is no proxy", "Write SCHEME://HOST:PORT.") from None


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        return 0


def _shown(text: str) -> str:
    """What may be shown of a URL: nothing before the last @."""
    _, at, end = text.rpartition("@")
    return repr(f"…@{end[:80]}" if at else end[:80])


def _bad(what: str, remedy: str) -> BadPlan:
    return BadPlan(what, where=_WHERE, remedy=remedy)
