"""A link as it is found on a page, and the list in which the links of one page are gathered and resolved.

References are gathered as they are written and resolved at the end, because a `base` element counts for all of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from opilio.extract.extension import EXTENSION
from opilio.extract.options import DEFAULTS, Options
from opilio.kernel.urls import Base, shown

MAX_SAMPLES = 10  # malformed references that are kept as they were written
MAX_ANCHOR = 500  # characters of a link's text

_SCHEME = re.compile(r"[\x00-\x20]*([A-Za-z][A-Za-z0-9+.\-]*)[\t\r\n]*:")
_FETCHABLE = frozenset({"http", "https"})
_MAX_SCHEMES = 50
_made = tuple.__new__  # of a named tuple with all its fields: in half the time of calling it


class LinkKind(StrEnum):
    """What a link is for the crawl."""

    LINK = "link"  # leads to another page
    EMBED = "embed"  # part of this page: picture, style sheet, script, frame
    REDIRECT = "redirect"  # sends the reader on: meta refresh
    SPECULATIVE = "speculative"  # a guess: a string in a script, the content of a template
    MANIFEST = "manifest"  # a web application manifest
    FORM = "form"  # a GET form with its choices made


class Link(NamedTuple):
    """One link; a tuple and not a dataclass, because a crawl makes a hundred per page."""

    url: str  # absolute and canonical
    kind: LinkKind
    element: str  # "a", "img"; "css", "header", "sitemap" where there is no element
    attribute: str
    rel: str = ""  # lower case, as written
    text: str = ""  # anchor text
    times: int = 1  # how often the page has it


class Reference(NamedTuple):
    """A link before it is resolved."""

    ref: str
    kind: LinkKind
    element: str
    attribute: str
    rel: str = ""
    text: str = ""


class Resolved(NamedTuple):
    """The links of a page and what was not one."""

    links: tuple[Link, ...] = ()
    malformed: int = 0  # references that are no URL
    samples: tuple[str, ...] = ()  # the first of them, made safe for messages
    schemes: Mapping[str, int] = MappingProxyType({})  # references that cannot be fetched (mailto, data, …) by scheme
    dropped: int = 0  # links above the limit of a page


def resolve(
    references: Iterable[tuple[str, LinkKind, str, str, str, str]], base: Base, options: Options = DEFAULTS
) -> Resolved:
    """The distinct links that references mean; the first of equal ones stays, with the first text there is."""
    if EXTENSION is None:
        return _resolved(references, base, options)
    given = references if isinstance(references, list) else list(references)
    links, refused, dropped = EXTENSION.resolve(given, base.remembered, base.link, options.max_links, Link)
    if not refused:
        return Resolved(links, dropped=dropped)
    bad = _Bad()
    for ref in refused:
        bad.add(ref)
    return Resolved(links, bad.malformed, tuple(bad.samples), MappingProxyType(dict(bad.schemes)), dropped)


def _resolved(references: Iterable[tuple[str, LinkKind, str, str, str, str]], base: Base, options: Options) -> Resolved:
    """The same where the extension was not built; what it gives is held against this."""
    found: dict[tuple[str, LinkKind, str], Link] = {}
    known: dict[str, str | None] = {}
    bad = _Bad()
    dropped, most = 0, options.max_links
    again: dict[tuple[str, LinkKind, str], int] = {}
    for ref, kind, element, attribute, rel, text in references:
        if ref in known:
            url = known[ref]
        else:
            url = known[ref] = base.link(ref)
        if url is None:
            bad.add(ref)
            continue
        key = (url, kind, rel)
        if key in found:
            again[key] = again.get(key, 1) + 1
            if text and not found[key][5]:
                found[key] = _made(Link, (url, kind, element, attribute, rel, text, 1))
        elif len(found) >= most:
            dropped += 1
        else:
            found[key] = _made(Link, (url, kind, element, attribute, rel, text, 1))
    for key, times in again.items():
        found[key] = found[key]._replace(times=times)
    links = tuple(found.values())
    return Resolved(links, bad.malformed, tuple(bad.samples), MappingProxyType(dict(bad.schemes)), dropped)


def anchor(text: str) -> str:
    """Text of a link on one line, not too long."""
    if len(text) <= MAX_ANCHOR:
        return " ".join(text.split())
    return " ".join(text[: 4 * MAX_ANCHOR].split())[:MAX_ANCHOR]


class _Bad:
    """Counts what is no link."""

    def __init__(self) -> None:
        self.malformed = 0
        self.samples: list[str] = []
        self.schemes: Counter[str] = Counter()

    def add(self, ref: str) -> None:
        scheme = _SCHEME.match(ref)
        name = scheme[1].lower() if scheme else ""
        if name and name not in _FETCHABLE and len(name) <= 30:
            self.schemes[name if name in self.schemes or len(self.schemes) < _MAX_SCHEMES else "other"] += 1
            return
        self.malformed += 1
        if len(self.samples) < MAX_SAMPLES:
            self.samples.append(shown(ref))
