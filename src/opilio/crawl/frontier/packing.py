"""Outlinks and texts as the store keeps them: compressed, with a byte in front that says how.

A page's outlinks are lines of hop, kind and URL in the order of the page, so that they can be expanded again.
"""

import zlib
from collections.abc import Iterable
from typing import NamedTuple

from isal import isal_zlib

from opilio.crawl.errors import CorruptCrawlStore
from opilio.kernel.capture import Hop

_ZLIB = b"\x01"
_LEVEL = 2  # isal's; a tenth of zlib's time on so little data, and zlib reads it
_MOST = 1 << 30  # bytes that a packed value may unfold to


class Outlink(NamedTuple):
    """One link of a page."""

    hop: Hop
    kind: str  # what it came from: a, img, css …; one word
    url: str


def pack_outlinks(links: Iterable[Outlink]) -> bytes:
    """The links of one page, compressed; made by the worker, so that the committer need not."""
    return _packed("\n".join([f"{hop}{kind} {url}" for hop, kind, url in links]).encode("utf-8", "replace"))


def unpack_outlinks(packed: bytes) -> list[Outlink]:
    """The links again; none for a page that had none."""
    text = _unpacked(packed).decode() if packed else ""
    try:
        return [_parsed(line) for line in text.split("\n") if line]
    except ValueError:
        raise _unreadable() from None


def pack_text(text: str) -> bytes:
    """A page's text, compressed."""
    return _packed(text.encode("utf-8", "replace"))


def unpack_text(packed: bytes) -> str:
    """The text again."""
    return _unpacked(packed).decode()


def _parsed(line: str) -> Outlink:
    head, _, url = line.partition(" ")
    return Outlink(Hop(head[:1]), head[1:], url)


def _packed(data: bytes) -> bytes:
    return _ZLIB + isal_zlib.compress(data, _LEVEL)


def _unpacked(packed: bytes) -> bytes:
    if packed[:1] != _ZLIB:
        raise _unreadable()
    unfold = zlib.decompressobj()
    try:
        data = unfold.decompress(packed[1:], _MOST)
    except zlib.error:
        raise _unreadable() from None
    if not unfold.eof:
        raise _unreadable()
    return data


def _unreadable() -> CorruptCrawlStore:
    return CorruptCrawlStore(
        "packed outlinks or text cannot be unfolded",
        remedy="The WARC files are not harmed; make the store again: opilio crawl rebuild DIR.",
    )
