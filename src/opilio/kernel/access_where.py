"""The URLs that a rule of access is about: one, those that begin so, a host, a domain, those that a pattern finds.

Compared by SURT keys: without scheme, `www.` and case, parameters in any order. A rule so reaches a little too far
rather than not far enough.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import re2

from opilio.kernel.access_checks import BadRule, member, require_text
from opilio.kernel.errors import BadUrl
from opilio.kernel.surt import surt, surt_of_host
from opilio.kernel.urls import MAX_URL_BYTES, canonical, parse

_MAX_PATTERN = 1_000  # characters
_PATTERN_MEMORY = 1 << 20  # bytes that a pattern may take


class Reach(StrEnum):
    """How far a rule about URLs reaches."""

    ALL = "all"  # every URL
    DOMAIN = "domain"  # a host and all hosts below it
    HOST = "host"  # one host; on every port unless one is named
    PREFIX = "prefix"  # URLs that begin so
    URL = "url"  # one URL, with what its SURT key holds to be the same
    PATTERN = "pattern"  # canonical URLs in which an RE2 pattern is found


_REACH_RANK = {reach: rank for rank, reach in enumerate((Reach.ALL, Reach.PATTERN, *list(Reach)[1:5]))}


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """The URLs that a rule is about."""

    reach: Reach = Reach.ALL
    value: str = ""  # host, domain, beginning, URL or pattern; empty for all
    within: str = ""  # a domain outside of which a pattern is not even tried
    keys: tuple[str, ...] = field(init=False, repr=False, compare=False)  # beginnings of SURT keys
    exact: frozenset[str] = field(init=False, repr=False, compare=False)  # whole SURT keys
    specificity: tuple[int, int] = field(init=False, repr=False, compare=False)  # the greater, the narrower
    _search: Any = field(init=False, repr=False, compare=False, default=None)  # a compiled pattern
    _begins: tuple[str, str] = field(init=False, repr=False, compare=False, default=("", ""))

    def __post_init__(self) -> None:
        reach = member(Reach, self.reach, "reach")
        require_text(self.value, "the value of a rule", _MAX_PATTERN if reach is Reach.PATTERN else MAX_URL_BYTES)
        require_text(self.within, "the domain of a pattern", 300)
        if self.within and reach is not Reach.PATTERN:
            raise BadRule("only a pattern can lie within a domain", where=self.within[:80], remedy="Leave it out.")
        if bool(self.value) is (reach is Reach.ALL):
            what = "a rule for all URLs has no value" if self.value else f"a rule for a {reach} needs a value"
            raise BadRule(what, where=self.value[:80], remedy="Give the kind of rule that is meant.")
        self._set("reach", reach)
        self._arrange(reach)

    @property
    def narrowed(self) -> bool:
        """Whether it is about a part only of what begins with `keys`."""
        return self._search is not None or bool(self._begins[0])

    def matches(self, key: str, url: str) -> bool:
        """Whether the rule is about a URL whose key begins with one of `keys`, or is one of `exact`."""
        if self._search is not None:
            return self._search.search(url) is not None
        if self._begins[0]:
            return key.startswith(self._begins[0]) or _unsorted(url).startswith(self._begins[1])
        return True

    def _arrange(self, reach: Reach) -> None:
        keys: tuple[str, ...] = ()
        exact: frozenset[str] = frozenset()
        narrow = 0
        match reach:
            case Reach.ALL:
                keys = ("",)
            case Reach.DOMAIN:
                keys, narrow = _domain_keys(self.value)
            case Reach.HOST:
                keys, narrow = _host_keys(self.value)
            case Reach.PREFIX:
                keys, exact, narrow = self._prefix()
            case Reach.URL:
                exact = frozenset({_key(self.value)})
                narrow = len(_key(self.value))
            case Reach.PATTERN:
                keys, narrow = _domain_keys(self.within) if self.within else (("",), 0)
                self._set("_search", _compiled(self.value))
        self._set("keys", keys)
        self._set("exact", exact)
        self._set("specificity", (narrow, _REACH_RANK[reach]))

    def _prefix(self) -> tuple[tuple[str, ...], frozenset[str], int]:
        """A folder's own page has a key without the slash; sorted parameters may hide how a URL began."""
        key = _key(self.value)
        written = _unsorted(canonical(self.value))
        if "?" in key:
            self._set("_begins", (key, written))
            return (f"{key.partition('?')[0]}?",), frozenset(), len(key)
        if self.value.endswith("?"):
            return (f"{key}?",), frozenset(), len(key) + 1
        if written.endswith("/") and not key.endswith("/"):
            return (f"{key}/", f"{key}?"), frozenset({key}), len(key) + 1
        return (key,), frozenset(), len(key)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def key_of(url: str) -> tuple[str, str] | None:
    """The SURT key and the canonical form of a URL; None when it has none, so that rules cannot be applied."""
    try:
        clean = canonical(url)
        return surt(clean), clean
    except BadUrl:
        return None


def _key(url: str) -> str:
    try:
        return surt(url)
    except BadUrl as error:
        raise BadRule(error.what, where=error.where, remedy=error.remedy) from None


def _host_of(name: str) -> tuple[str, str]:
    """A host as SURT writes it, and its port with the colon, where one is named."""
    try:
        parts = parse(f"http://{name.removeprefix('*.')}/")
    except BadUrl:
        parts = None
    if parts is None or not parts.host or parts.path != "/" or parts.query or parts.fragment or parts.username:
        raise BadRule("this is no name of a host", where=name[:80], remedy="Write www.example.org.")
    return surt_of_host(parts.host), f":{parts.port}" if parts.port else ""


def _domain_keys(name: str) -> tuple[tuple[str, ...], int]:
    host, port = _host_of(name)
    if port:
        raise BadRule("a domain has no port", where=name[:80], remedy="Name a host with its port instead.")
    return (f"{host})", f"{host},", f"{host}:"), len(host)


def _host_keys(name: str) -> tuple[tuple[str, ...], int]:
    host, port = _host_of(name)
    return ((f"{host}{port})",) if port else (f"{host})", f"{host}:")), len(host) + len(port)


def _unsorted(url: str) -> str:
    """A canonical URL as a key, its parameters in their own order and its slash kept."""
    rest = url.lower().partition("://")[2]
    authority, _, path = rest.partition("/")
    return f"{_key(f'http://{authority}/').removesuffix('/')}/{path}"


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _PATTERN_MEMORY
    options.never_capture = True
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        what = f"the pattern cannot be used: {_said(error)}"
        raise BadRule(what, where=pattern[:80], remedy="Write it as RE2 reads it, shorter if it is long.") from None


def _said(error: Exception) -> str:
    first = error.args[0] if error.args else ""
    return (first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first))[:120]


EVERYWHERE = Where()
