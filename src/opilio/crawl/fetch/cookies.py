"""A jar of cookies as RFC 6265 wants it: by domain, path and scheme, never for a public suffix, kept in the store."""

import email.utils
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Damaged
from opilio.kernel.hosts import registrable_domain

_LONGEST = 4_096  # bytes of name and value
_PER_HOST = 180
_FOREVER = 400 * 86_400  # seconds; RFC 6265bis cuts longer lives


@dataclass(frozen=True, kw_only=True, slots=True)
class Cookie:
    """One cookie."""

    name: str
    value: str
    domain: str
    path: str
    host_only: bool
    secure: bool
    expires: float | None  # seconds since 1970; None: as long as the crawl lasts


class CookieJar:
    """Cookies of one crawl."""

    def __init__(self, *, clock: Clock = SYSTEM, cookies: Iterable[Cookie] = ()) -> None:
        self._clock = clock
        self._cookies: dict[tuple[str, str, str], Cookie] = {}
        self.changed = False
        for cookie in cookies:
            self._cookies[cookie.domain, cookie.path, cookie.name] = cookie

    def receive(self, url: str, headers: Iterable[str]) -> None:
        """Take up what `Set-Cookie` headers say."""
        for text in headers:
            cookie = _parsed(text, url, self._clock.now())
            if cookie is not None:
                self._put(cookie)

    def header(self, url: str) -> str | None:
        """The `Cookie` header for a request; longer paths first (RFC 6265 §5.4)."""
        if not self._cookies:
            return None
        parts = urlsplit(url)
        host, path, secure = parts.hostname or "", parts.path or "/", parts.scheme == "https"
        now = self._clock.now().timestamp()
        fit = [c for c in self._cookies.values() if _fits(c, host, path, secure=secure, now=now)]
        if not fit:
            return None
        return "; ".join(f"{c.name}={c.value}" if c.name else c.value for c in sorted(fit, key=lambda c: -len(c.path)))

    def put(self, cookie: Cookie) -> None:
        """Add a cookie that a credential brings along."""
        self._put(cookie)

    def clear(self, host: str) -> None:
        """Forget what a host may be sent, as before a new login."""
        gone = [key for key, c in self._cookies.items() if _domain_fits(c, host)]
        for key in gone:
            del self._cookies[key]
        self.changed = self.changed or bool(gone)

    def dump(self) -> list[dict[str, object]]:
        """All cookies, to be kept with the crawl."""
        self.changed = False
        return [asdict(cookie) for cookie in self._cookies.values()]

    def __iter__(self) -> Iterator[Cookie]:
        return iter(self._cookies.values())

    def _put(self, cookie: Cookie) -> None:
        key = (cookie.domain, cookie.path, cookie.name)
        if cookie.expires is not None and cookie.expires <= self._clock.now().timestamp():
            self.changed = self._cookies.pop(key, None) is not None or self.changed
            return
        if key not in self._cookies and sum(1 for k in self._cookies if k[0] == cookie.domain) >= _PER_HOST:
            oldest = next(k for k in self._cookies if k[0] == cookie.domain)
            del self._cookies[oldest]
        self._cookies[key] = cookie
        self.changed = True


def loaded(rows: object, clock: Clock = SYSTEM) -> CookieJar:
    """The jar that was dumped."""
    if not isinstance(rows, list):
        raise Damaged("The kept cookies are no list", where="crawl store", remedy="Start without them.")
    try:
        return CookieJar(clock=clock, cookies=[Cookie(**row) for row in rows])
    except TypeError as error:
        raise Damaged("A kept cookie is broken", where="crawl store", remedy="Start without them.") from error


def _parsed(text: str, url: str, now: datetime) -> Cookie | None:
    pair, *attributes = text.split(";")
    name, equals, value = pair.partition("=")
    if not equals:
        name, value = "", pair
    name, value = name.strip(), value.strip()
    if (not name and not value) or len(name) + len(value) > _LONGEST or any(ord(c) < 32 for c in name + value):
        return None
    given = _attributes(attributes)
    parts = urlsplit(url)
    host = parts.hostname or ""
    domain = given.get("domain", "").lstrip(".").lower()
    if domain and not _may_set(domain, host):
        return None
    secure = "secure" in given
    if secure and parts.scheme != "https" and host != "localhost":
        return None
    path = given.get("path", "")
    return Cookie(
        name=name, value=value, domain=domain or host,
        host_only=not domain or (domain == host and registrable_domain(host) is None),
        path=path if path.startswith("/") else _default_path(parts.path), secure=secure, expires=_expiry(given, now),
    )  # fmt: skip


def _attributes(parts: list[str]) -> dict[str, str]:
    pairs = (part.partition("=") for part in parts)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _may_set(domain: str, host: str) -> bool:
    """A cookie is set for the host or a domain above it, but never for a public suffix."""
    if host == domain:
        return True
    return host.endswith(f".{domain}") and registrable_domain(domain) is not None


def _expiry(given: dict[str, str], now: datetime) -> float | None:
    if "max-age" in given:
        digits = given["max-age"]
        if digits.lstrip("-").isdigit() and len(digits) < 12:
            return now.timestamp() + min(int(digits), _FOREVER)
    if "expires" in given:
        try:
            moment = email.utils.parsedate_to_datetime(given["expires"])
        except (ValueError, TypeError, OverflowError):
            return None
        latest = now + timedelta(seconds=_FOREVER)
        return min(
            moment.timestamp() if moment.tzinfo else moment.replace(tzinfo=now.tzinfo).timestamp(), latest.timestamp()
        )
    return None


def _default_path(path: str) -> str:
    above = path.rpartition("/")[0]
    return above if above.startswith("/") else "/"


def _fits(cookie: Cookie, host: str, path: str, *, secure: bool, now: float) -> bool:
    if cookie.expires is not None and cookie.expires <= now:
        return False
    if cookie.secure and not secure and host != "localhost":
        return False
    return _domain_fits(cookie, host) and _path_fits(cookie.path, path)


def _domain_fits(cookie: Cookie, host: str) -> bool:
    return host == cookie.domain or (not cookie.host_only and host.endswith(f".{cookie.domain}"))


def _path_fits(wanted: str, path: str) -> bool:
    return path == wanted or (path.startswith(wanted) and (wanted.endswith("/") or path[len(wanted)] == "/"))
