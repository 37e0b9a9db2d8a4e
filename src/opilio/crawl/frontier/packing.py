"""Outlinks and texts as the store keeps them: compressed, with a byte in front that says how.

A page's outlinks are lines in the order of the page, so that they can be expanded again.
"""

from collections.abc import Iterable

from isal import isal_zlib
from isal.igzip_lib import IsalError

from opilio.crawl.errors import CorruptCrawlStore
from opilio.kernel.page_links import PageLink, link_line, link_of
from opilio.kernel.page_text import PageText, kept_text, page_text_of

_ZLIB = b"\x01"
_LEVEL = 2  # isal's; a tenth of zlib's time on so little data, and zlib reads it
_MOST = 1 << 30  # bytes that a packed value may unfold to


def pack_outlinks(links: Iterable[PageLink]) -> bytes:
    """The links of one page, compressed; made by the worker, so that the committer need not."""
    return _packed("\n".join(map(link_line, links)).encode("utf-8", "replace"))


def unpack_outlinks(packed: bytes) -> list[PageLink]:
    """The links again; none for a page that had none."""
    try:
        return [link_of(line) for line in outlink_lines(packed)]
    except ValueError:
        raise _unreadable() from None


def outlink_lines(packed: bytes) -> list[str]:
    """The links as lines."""
    return [line for line in _unpacked(packed).decode().split("\n") if line] if packed else []


def pack_text(page: PageText) -> bytes:
    """A page's text, compressed."""
    return _packed(kept_text(page).encode("utf-8", "replace"))


def unpack_text(packed: bytes) -> PageText:
    """The text again."""
    try:
        return page_text_of(_unpacked(packed).decode())
    except (ValueError, TypeError):
        raise _unreadable() from None


def _packed(data: bytes) -> bytes:
    return _ZLIB + isal_zlib.compress(data, _LEVEL)


def _unpacked(packed: bytes) -> bytes:
    if packed[:1] != _ZLIB:
        raise _unreadable()
    unfold = isal_zlib.decompressobj()
    try:
        data = unfold.decompress(packed[1:], _MOST)
    except IsalError:  # type: ignore[misc]  # its stub takes the class for an object
        raise _unreadable() from None
    if not unfold.eof:
        raise _unreadable()
    return data


def _unreadable() -> CorruptCrawlStore:
    return CorruptCrawlStore(
        "packed outlinks or text cannot be unfolded",
        remedy="The WARC files are not harmed; make the store again: opilio crawl rebuild DIR.",
    )
