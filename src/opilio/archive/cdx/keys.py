"""From what somebody asks for to the lines of a sorted index: keys of URLs, and the spans of keys that match."""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote

from opilio.kernel.errors import BadUrl, InvalidInput
from opilio.kernel.surt import surt

_SCHEME = re.compile(r"urn:|[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
_WEB = re.compile(r"(?:https?|ftps?|wss?)://", re.IGNORECASE)
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_LAST = b"\xff" * 16  # behind every line: UTF-8 has no such byte


class Match(StrEnum):
    """How the URL of a question and those of captures compare."""

    EXACT = "exact"
    PREFIX = "prefix"  # keys that begin with that of the URL
    HOST = "host"
    DOMAIN = "domain"  # the host and those below it, on all ports
    RANGE = "range"  # keys from that of the URL up to another


@dataclass(frozen=True, slots=True)
class Span:
    """Lines from `start` up to, but without, `end`; both are beginnings of lines."""

    start: bytes
    end: bytes


def key_of(url: str) -> str:
    """The key of any address: SURT for those of the web, else the address itself in lower case without blanks."""
    web = _WEB.match(url)
    if web is not None:
        try:
            return surt(f"http://{url[web.end() :]}" if url[:4].lower() != "http" else url)
        except BadUrl:
            pass  # an address that no browser would take, and yet a record has it
    return quote(url.lower(), safe=_PRINTABLE, errors="surrogatepass")


def with_scheme(url: str) -> str:
    """The URL of somebody who left `http://` out, as people do."""
    return url if _SCHEME.match(url) else f"http://{url}"


def spans(url: str, match: Match, *, until: str = "") -> tuple[Span, ...]:
    """Where the lines of all matching captures lie, in the order of the index; `until` is the end of a range."""
    if not url:
        raise InvalidInput("no URL was given", where="url", remedy="Name one, such as url=http://example.org/.")
    address = with_scheme(url)
    key = key_of(address)
    if match is Match.EXACT:
        return (lines_of(key),)
    if match is Match.PREFIX:
        return (beginning(_prefix(address, key)),)
    if match is Match.RANGE:
        return (Span(key.encode(), key_of(with_scheme(until)).encode() if until else _LAST),)
    host = key.partition(")")[0]
    if match is Match.HOST:
        return (beginning(f"{host})"),)
    return tuple(beginning(f"{host}{sign}") for sign in "),:")  # in byte order; between them lie other hosts


def lines_of(key: str) -> Span:
    """The lines of one key."""
    return beginning(f"{key} ")


def beginning(text: str) -> Span:
    """The lines that begin so."""
    start = text.encode("utf-8", "backslashreplace")
    return Span(start, start[:-1] + bytes([start[-1] + 1]) if start else _LAST)


def _prefix(url: str, key: str) -> str:
    """The key as far as it was written: what a SURT key drops from its end means something in a prefix."""
    last = url[-1]
    return key + last if last in "/?" and not key.endswith(last) else key
