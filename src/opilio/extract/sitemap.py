"""Sitemaps: XML, gzipped, index and plain text (sitemaps.org), under limits. Feeds as sitemaps are read by `feed`.

A broken file gives what could be read up to the break. Following an index, and how deep, is the caller's business.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from opilio.extract.charset import decide, decode
from opilio.extract.options import DEFAULTS, Options
from opilio.extract.xml_reading import XmlReader

_CHUNK = 65_536
_URL_LINE = re.compile(r"https?://\S+", re.IGNORECASE)
_ROBOTS_LINE = re.compile(r"[\t ]*sitemap[\t ]*:[\t ]*(\S+)", re.IGNORECASE)
_MOST_LINES = 1_000  # Sitemap lines of a robots.txt


@dataclass(frozen=True, kw_only=True, slots=True)
class SitemapEntry:
    """One URL of a sitemap, as written there."""

    ref: str
    last_modified: str = ""  # as written: W3C date and time
    change_frequency: str = ""
    priority: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitemap:
    """What a sitemap holds."""

    entries: tuple[SitemapEntry, ...] = ()
    children: tuple[SitemapEntry, ...] = ()  # the sitemaps of an index
    problem: str = ""  # why it was not read to its end
    dropped: int = 0  # entries above the limit


def read_sitemap(body: bytes, *, content_type: str = "", options: Options = DEFAULTS) -> Sitemap:
    """Read a sitemap of any form."""
    problem = ""
    if body.startswith(b"\x1f\x8b"):
        body, problem = _unpacked(body, options.max_sitemap_bytes)
    elif len(body) > options.max_sitemap_bytes:
        body, problem = body[: options.max_sitemap_bytes], _too_large(options.max_sitemap_bytes)
    if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        found = _read_xml(body, content_type, options)
    else:
        found = _read_text(body, content_type, options)
    if not problem:
        return found
    return Sitemap(entries=found.entries, children=found.children, dropped=found.dropped, problem=problem)


def robots_sitemaps(robots: str) -> Iterator[str]:
    """The URLs of the Sitemap lines of a robots.txt, each once."""
    seen: set[str] = set()
    for line in robots.splitlines():
        found = _ROBOTS_LINE.match(line)
        if found and found[1] not in seen and len(seen) < _MOST_LINES:
            seen.add(found[1])
            yield found[1]


def _unpacked(body: bytes, limit: int) -> tuple[bytes, str]:
    """The content of gzip (also of several members), as far as it can be read and up to the limit."""
    pieces: list[bytes] = []
    room = limit
    try:
        while body.startswith(b"\x1f\x8b") and room > 0:
            stream = zlib.decompressobj(31)
            pieces.append(stream.decompress(body, room))
            room -= len(pieces[-1])
            if not stream.eof:
                return b"".join(pieces), _too_large(limit) if room <= 0 else "the gzip stream ends too early"
            body = stream.unused_data
    except zlib.error:
        return b"".join(pieces), "the gzip stream is damaged"
    return b"".join(pieces), ""


def _too_large(limit: int) -> str:
    return f"it is larger than {limit} bytes"


def _read_text(body: bytes, content_type: str, options: Options) -> Sitemap:
    text = decode(body, decide(body, content_type=content_type, markup="text"))
    lines = [line for raw in text.splitlines() if (line := raw.strip()) and _URL_LINE.fullmatch(line)]
    kept = lines[: options.max_sitemap_entries]
    problem = "" if kept or not text.strip() else "it holds no URL"
    entries = tuple(SitemapEntry(ref=line) for line in kept)
    return Sitemap(entries=entries, problem=problem, dropped=len(lines) - len(kept))


def _read_xml(body: bytes, content_type: str, options: Options) -> Sitemap:
    reading = _Reading(options.max_sitemap_entries)
    text = decode(body, decide(body, content_type=content_type, markup="xml")).lstrip()
    data = text.encode("utf-8", "replace")
    reader = XmlReader(start=reading.start, end=reading.end, max_depth=options.max_xml_depth, doctype=True)
    problem = reader.read(data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
    if not problem and reading.root not in ("urlset", "sitemapindex"):
        problem = "it is no sitemap"
    return Sitemap(
        entries=tuple(reading.entries), children=tuple(reading.children), problem=problem, dropped=reading.dropped
    )


class _Reading:
    """Gathers entries while the XML streams by."""

    def __init__(self, limit: int) -> None:
        self.root = ""
        self.entries: list[SitemapEntry] = []
        self.children: list[SitemapEntry] = []
        self.dropped = 0
        self._limit = limit
        self._fields: dict[str, str] = {}
        self._images: list[str] = []
        self._in_image = False

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.root = self.root or name
        if name in ("url", "sitemap"):
            self._fields, self._images = {}, []
        elif name == "image":
            self._in_image = True

    def end(self, name: str, text: str) -> None:
        if name == "image":
            self._in_image = False
        elif name in ("url", "sitemap") and self._fields.get("loc"):
            self._keep(name)
        elif name == "loc" and self._in_image:
            self._images.append(text.strip())
        else:
            self._fields.setdefault(name, text.strip())

    def _keep(self, name: str) -> None:
        if len(self.entries) + len(self.children) >= self._limit:
            self.dropped += 1
            return
        fields = self._fields
        entry = SitemapEntry(
            ref=fields["loc"],
            last_modified=fields.get("lastmod", "")[:40],
            change_frequency=fields.get("changefreq", "")[:20].lower(),
            priority=fields.get("priority", "")[:10],
            images=tuple(self._images[:1_000]),
        )
        (self.children if name == "sitemap" else self.entries).append(entry)
        self._fields = {}
