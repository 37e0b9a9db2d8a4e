"""What a URL is here: parsed by the WHATWG rules (ada-url), brought to one canonical form, joined and compared.

The canonical form is the identity of a page; docs/reference/urls.md states its rules, and CANONICAL_VERSION is stored
with whatever is keyed by it. SURT keys are in `surt`, names of hosts in `hosts`, IP addresses in `addresses`.
"""

import functools
import hashlib
import re
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import unquote_plus

import ada_url

from opilio.kernel.errors import BadUrl

#: Raised whenever a rule below changes, because stored keys then no longer compare.
CANONICAL_VERSION = 1
#: Longer URLs are refused: servers refuse them too, and traps grow them without end.
MAX_URL_BYTES = 16 * 1024

_SHOWN = 200  # characters of a refused URL that an error message repeats
_PORTS = {"http": 80, "https": 443}
_OWN_PAGE = "?#"  # what references begin with that mean something else on each page
_REMEMBERED = 2_000  # references of one folder
_FOLDERS = 128

# Characters that no rule rewrites: RFC 3986 unreserved and sub-delims, ':' and '@' (the query also '/' and '?').
_PATH = r"(?:/(?!\.)[A-Za-z0-9\-._~!$&'()*+,;=:@]*)"
_QUERY = r"(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@/?]+)?"
_HOST = r"(?:(?!xn--)[a-z0-9_-]+\.)*(?!xn--)[a-z][a-z0-9-]*(?::(?!80/|443/)[1-9][0-9]{1,3}|:[1-5][0-9]{4})?"
_CLEAN_URL = re.compile(rf"(https?://{_HOST}{_PATH}+{_QUERY})(?:#.*)?")
_CLEAN_PATH = re.compile(rf"((?!//){_PATH}+{_QUERY})(?:#.*)?")
_CLEAN_NAME = re.compile(rf"((?:\.\./)*)([A-Za-z0-9_~][A-Za-z0-9\-._~!$&'()*+,;=@]*{_PATH}*{_QUERY})(?:#.*)?")

_HREF = re.compile(r"(https?)://(?:[^/?#]*@)?(\[[^]]*\]|[^/?#:]*)(:\d+)?(/[^?#]*)(?:\?([^#]*))?")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPES = {f"{code:02X}": chr(code) if chr(code) in _UNRESERVED else f"%{code:02X}" for code in range(256)}


@dataclass(frozen=True, kw_only=True, slots=True)
class UrlParts:
    """A URL of any scheme, taken apart; everything is in WHATWG normal form (ASCII, escapes as written)."""

    href: str = field(repr=False)  # may hold a password
    scheme: str
    username: str
    password: str = field(repr=False)
    host: str  # lower case, punycode; IPv6 in brackets; empty when the scheme has none
    port: int | None  # None: the default of the scheme
    path: str
    query: str  # without "?"
    fragment: str  # without "#"

    @property
    def fetchable(self) -> bool:
        """Whether Opilio can fetch it at all: http or https."""
        return self.scheme in _PORTS

    @property
    def effective_port(self) -> int | None:
        """The port that a connection would use; None where neither URL nor scheme names one."""
        return self.port if self.port is not None else _PORTS.get(self.scheme)


class QueryRule(Enum):
    """What the canonical form does with the query."""

    KEEP = "keep"
    DROP_ALL = "drop-all"
    DROP_NAMED = "drop-named"


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryPolicy:
    """A profile's choice for queries. Names are compared decoded and with their case; order is never changed."""

    rule: QueryRule = QueryRule.KEEP  # keep it whole, drop it, or drop some names of it
    names: frozenset[str] = frozenset()  # parameters, for `drop-named`

    def apply(self, query: str) -> str:
        """The query (without "?") that stays."""
        if self.rule is QueryRule.KEEP or not query:
            return query
        if self.rule is QueryRule.DROP_ALL:
            return ""
        pairs = query.split("&")
        return "&".join(pair for pair in pairs if unquote_plus(pair.partition("=")[0]) not in self.names)


KEEP_QUERY = QueryPolicy()
DROP_QUERY = QueryPolicy(rule=QueryRule.DROP_ALL)


def drop_parameters(*names: str) -> QueryPolicy:
    """The policy that drops the named parameters and keeps all others."""
    return QueryPolicy(rule=QueryRule.DROP_NAMED, names=frozenset(names))


def parse(url: str) -> UrlParts:
    """Take a URL of any scheme apart."""
    _check_size(url)
    try:
        parts = ada_url.parse_url(url)
    except ValueError:
        raise _unreadable(url) from None
    port = parts["port"]
    return UrlParts(
        href=parts["href"],
        scheme=parts["protocol"].removesuffix(":"),
        username=parts["username"],
        password=parts["password"],
        host=parts["hostname"],
        port=int(port) if port else None,
        path=parts["pathname"],
        query=parts["search"].removeprefix("?"),
        fragment=parts["hash"].removeprefix("#"),
    )


def join(base: str, reference: str) -> str:
    """The absolute URL, of any scheme, that `reference` means on a page at `base`; fragment and userinfo kept."""
    _check_size(base)
    _check_size(reference)
    try:
        return ada_url.join_url(base, reference)
    except ValueError:
        raise _unreadable(reference, f"as a reference on {shown(base)}") from None


def canonical(url: str, policy: QueryPolicy = KEEP_QUERY) -> str:
    """The one form in which Opilio stores, compares and fetches this URL; `BadUrl` when it cannot be fetched."""
    _check_size(url)
    clean = _CLEAN_URL.fullmatch(url)
    if clean is not None:
        return _with_policy(clean[1], policy)
    try:
        href = ada_url.normalize_url(url)
    except ValueError:
        raise _unreadable(url) from None
    found = _finish(href, policy)
    if found is None:
        raise _unfetchable(url)
    return found


class Base:
    """The URL against which the references of one page are resolved; made once per page, asked once per link."""

    __slots__ = ("_folder", "_href", "_known", "_origin", "_policy")

    def __init__(self, url: str, policy: QueryPolicy = KEEP_QUERY) -> None:
        self._href = canonical(url)
        self._policy = policy
        start = self._href.index("/", 8)
        path, _, _ = self._href.partition("?")
        self._origin = self._href[:start]
        self._folder = path[: path.rindex("/") + 1]
        self._known = _references_of(self._folder, policy)

    @property
    def remembered(self) -> dict[str, str]:
        """What references on the pages of this folder mean, as far as it was found out; only to be read."""
        return self._known

    def link(self, reference: str) -> str | None:
        """The canonical URL that a reference leads to; None when it is no URL, not fetchable or too long."""
        found = self._known.get(reference)
        if found is not None:
            return found
        if len(reference) > MAX_URL_BYTES:
            return None
        stem, mark, _ = reference.partition("#")
        if mark and stem[-1:] > " ":  # white space in front of a fragment is part of the path, and so not at its end
            return self.link(stem)
        found = self._found(reference)
        first = reference[:1]
        if found is not None and first > " " and first not in _OWN_PAGE:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[reference] = found
        return found

    def _found(self, reference: str) -> str | None:
        clean = self._clean(reference)
        if clean is not None:
            return _with_policy(clean, self._policy) if len(clean) <= MAX_URL_BYTES else None
        try:
            return _finish(ada_url.join_url(self._href, reference), self._policy)
        except ValueError:
            return None

    def _clean(self, reference: str) -> str | None:
        """The answer for references in which no rule has anything to rewrite; None for all others."""
        if reference[:1] == "/":
            found = _CLEAN_PATH.fullmatch(reference)
            return self._origin + found[1] if found else None
        if reference[:4] == "http":
            found = _CLEAN_URL.fullmatch(reference)
            if found:
                return found[1]
        found = _CLEAN_NAME.fullmatch(reference)
        if found is None:
            return None
        up, name = found.groups()
        return (self._above(len(up) // 3) if up else self._folder) + name

    def _above(self, steps: int) -> str:
        """The folder so many steps up; the root at most."""
        end = len(self._folder) - 1
        least = len(self._origin)
        while steps and end > least:
            end = self._folder.rindex("/", 0, end)
            steps -= 1
        return self._folder[: end + 1]


@functools.lru_cache(maxsize=_FOLDERS)
def _references_of(folder: str, policy: QueryPolicy) -> dict[str, str]:
    """What references on the pages of one folder mean, as far as it was found out: menus repeat on every page."""
    return {}


def root_matches(root: str, url: str) -> bool:
    """Whether `url` lies under a seed's root string: its canonical form starts with that of the root.

    The prefix ends anywhere (`/new` admits `/news`; write `/new/` to mean the folder); scheme and host are part of it.
    """
    prefix = canonical(root)
    if root.endswith("?") and "?" not in prefix:
        prefix += "?"
    return canonical(url).startswith(prefix)


def url_hash64(url: str) -> int:
    """A signed 64-bit key of a canonical URL (fits a database integer); the same on every machine and for ever."""
    return int.from_bytes(hashlib.blake2b(url.encode(), digest_size=8).digest(), "big", signed=True)


def shown(url: object) -> str:
    """A URL as messages may repeat it: short, without userinfo, on one line."""
    text = re.sub(r"^([^/?#]*//)[^/?#]*@", r"\1", str(url)[: 4 * MAX_URL_BYTES])[: 4 * _SHOWN]
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def _finish(href: str, policy: QueryPolicy) -> str | None:
    """From WHATWG normal form to ours; None when it is not fetchable."""
    parts = _HREF.match(href)
    if parts is None:
        return None
    scheme, host, port, path, query = parts.groups()
    if host.endswith("."):
        return _without_root_dot(scheme, host, f"{port or ''}{href[parts.end(3) if port else parts.end(2) :]}", policy)
    query = policy.apply(query or "")
    if "%" in path:
        path = _normal_escapes(path)
    if "%" in query:
        query = _normal_escapes(query)
    found = f"{scheme}://{host}{port or ''}{path}{'?' if query else ''}{query}"
    return found if len(found) <= MAX_URL_BYTES else None


def _without_root_dot(scheme: str, host: str, rest: str, policy: QueryPolicy) -> str | None:
    """`example.com.` names the same host as `example.com`; what remains may be an odd IPv4, so it is parsed again."""
    try:
        return _finish(ada_url.normalize_url(f"{scheme}://{host.rstrip('.')}{rest}"), policy)
    except ValueError:
        return None


def _normal_escapes(text: str) -> str:
    """RFC 3986 §6.2.2: upper-case hex, unreserved characters decoded.

    Where a stray percent sign stands, nothing is decoded: `%%34%31` must not turn into another escape.
    """
    if _STRAY_PERCENT.search(text):
        return _ESCAPE.sub(lambda found: found[0].upper(), text)
    return _ESCAPE.sub(lambda found: _ESCAPES[found[1].upper()], text)


def _with_policy(clean: str, policy: QueryPolicy) -> str:
    if policy.rule is QueryRule.KEEP or "?" not in clean:
        return clean
    path, _, query = clean.partition("?")
    kept = policy.apply(query)
    return f"{path}?{kept}" if kept else path


def _check_size(url: str) -> None:
    if not isinstance(url, str):
        raise BadUrl(f"a URL must be text, not {type(url).__name__}", remedy="Decode the bytes first.")
    if len(url) > MAX_URL_BYTES:
        raise _too_long(url)


def _too_long(url: str) -> BadUrl:
    return BadUrl(
        f"the URL is longer than {MAX_URL_BYTES} bytes",
        where=shown(url),
        remedy="Give a shorter URL; this one is refused.",
    )


def _unreadable(url: str, where: str = "") -> BadUrl:
    return BadUrl(
        f"“{shown(url)}” is not a URL", where=where, remedy="Write it in full, such as https://example.org/page."
    )


def _unfetchable(url: str) -> BadUrl:
    parts = parse(url)
    if not parts.fetchable:
        remedy = "Only http and https can be fetched: give such a URL."
        return BadUrl(f"a URL of the scheme “{shown(parts.scheme)}” cannot be fetched", where=shown(url), remedy=remedy)
    return _unreadable(url) if not parts.host.strip(".") else _too_long(url)
