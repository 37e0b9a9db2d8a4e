"""Links and texts as a result keeps them: a byte that says how (1: zlib), then the packed bytes."""

from collections.abc import Iterable

from isal import isal_zlib
from isal.igzip_lib import IsalError

from opilio.archive.results.errors import DamagedResult
from opilio.kernel.page_links import PageLink, link_line, link_of
from opilio.kernel.page_text import PageText, page_text_of

_ZLIB = b"\x01"
_LEVEL = 2  # isal's; every zlib reads it
_MOST = 1 << 30  # bytes that a packed value may unfold to


def pack_links(links: Iterable[PageLink]) -> bytes:
    """The links of one resource: lines in the order of the page."""
    return packed("\n".join(map(link_line, links)))


def unpack_links(body: bytes) -> list[PageLink]:
    """The links again."""
    try:
        return [link_of(line) for line in unpacked(body).split("\n") if line]
    except ValueError:
        raise _unreadable() from None


def link_targets(body: bytes) -> set[str]:
    """Only the URLs of the links, each once."""
    return {line.split(" ", 2)[1] for line in unpacked(body).split("\n") if line}  # as `url_of_line` does


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Numbers of resources, one per line."""
    return packed("\n".join(map(str, numbers)))


def unpack_numbers(body: bytes) -> list[int]:
    """The numbers again."""
    try:
        return [int(line) for line in unpacked(body).split("\n") if line]
    except ValueError:
        raise _unreadable() from None


def page_text(kept: str) -> PageText:
    """A text with what is known about it, as it was packed."""
    try:
        return page_text_of(kept)
    except (ValueError, TypeError):
        raise _unreadable() from None


def packed(text: str) -> bytes:
    """A text, compressed."""
    return _ZLIB + isal_zlib.compress(text.encode("utf-8", "replace"), _LEVEL)


def unpacked(body: bytes) -> str:
    """The text again."""
    if body[:1] != _ZLIB:
        raise _unreadable()
    unfold = isal_zlib.decompressobj()
    try:
        text = unfold.decompress(body[1:], _MOST).decode()
    except (IsalError, UnicodeDecodeError):  # type: ignore[misc]  # its stub takes the class for an object
        raise _unreadable() from None
    if not unfold.eof:
        raise _unreadable()
    return text


def _unreadable() -> DamagedResult:
    return DamagedResult("packed links or text of a result cannot be unfolded", remedy="Restore the file from a copy.")
