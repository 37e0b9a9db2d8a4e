"""What the index keeps of a page for the list of results: compressed, in one field."""

import json
import re
import threading
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final

import zstandard

from opilio.search.document import SearchDocument
from opilio.search.index.errors import IndexUnreadable

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_LEVEL: Final = 3
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_LOCAL: Final = threading.local()  # a compressor serves one thread at a time
MOST_TEXT: Final = 4_000_000  # characters of a page that are indexed and kept
_MOST_SHORT: Final = 10_000  # characters of any other text


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredPage:
    """What results, snippets and similar pages need to know of a page."""

    url: str
    title: str = ""
    description: str = ""
    text: str = ""
    boilerplate_from: int | None = None  # text[boilerplate_from:] is navigation and the like
    language: str = ""
    type: str = ""
    page_type: str = ""
    site: str = ""
    size: int = 0  # bytes
    last_modified: float = 0.0  # seconds since 1970; 0: unknown
    captured: float = 0.0
    status: int = 200
    depth: int = 0
    digest: str = ""
    harvest: str = ""
    target: str = ""
    agency: str = ""
    access: str = ""
    copyright: str = ""
    crawl: str = ""
    notes: tuple[str, ...] = ()  # what was cut when it was indexed

    @property
    def main_text(self) -> str:
        """The text without navigation and the like."""
        return self.text if self.boilerplate_from is None else self.text[: self.boilerplate_from]


_DEFAULTS: Final = {field.name: field.default for field in fields(StoredPage)}
_NAMES: Final = tuple(name for name in _DEFAULTS if name not in ("notes", "text"))
_given: Final = attrgetter(*_NAMES)


def kept(document: SearchDocument) -> bytes:
    """The bytes that the index keeps of a document, cut to size: a line of JSON, then the text, compressed."""
    values = {
        name: value[:_MOST_SHORT] if isinstance(value, str) else value
        for name, value in zip(_NAMES, _given(document), strict=True)
        if value != _DEFAULTS[name]
    }
    if len(document.text) > MOST_TEXT:
        values["notes"] = (f"Only the first {MOST_TEXT:,} of {len(document.text):,} characters are indexed.",)
    return _compressor().compress(b"\n".join((_encoded(_JSON.encode(values)), _encoded(document.text[:MOST_TEXT]))))


def unpack(data: bytes) -> StoredPage:
    """The page that `pack` was given."""
    try:
        head, _, text = _decompressor().decompress(data).partition(b"\n")
        values = json.loads(head)
        return StoredPage(**{**values, "notes": tuple(values.get("notes", ()))}, text=text.decode())
    except (zstandard.ZstdError, ValueError, TypeError, AttributeError) as error:
        remedy = "Take another generation, or build the index again."
        raise IndexUnreadable("what the index keeps of a page cannot be read", remedy=remedy) from error


def clean(text: str) -> str:
    """The text without halves of characters, which cannot be encoded."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return clean(text).encode()


def _compressor() -> zstandard.ZstdCompressor:
    if not hasattr(_LOCAL, "compressor"):
        _LOCAL.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_content_size=True, write_checksum=False)
    found: zstandard.ZstdCompressor = _LOCAL.compressor
    return found


def _decompressor() -> zstandard.ZstdDecompressor:
    if not hasattr(_LOCAL, "decompressor"):
        _LOCAL.decompressor = zstandard.ZstdDecompressor()
    found: zstandard.ZstdDecompressor = _LOCAL.decompressor
    return found
