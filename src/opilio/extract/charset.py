"""Decides in which charset a body is written, and decodes it; decoding never fails.

Order: BOM, HTTP header, meta element (HTML) or declaration (XML, CSS), strict UTF-8, a detector, windows-1252. One step
beyond the standard: where header and document contradict each other, bytes that are not ASCII and valid UTF-8 win.
"""

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

import charset_normalizer

from opilio.extract.charset_labels import CORRECTIONS, MULTIBYTE, SINGLE_BYTE, name_of
from opilio.extract.meta_prescan import label_in_content, prescan

_BOMS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xfe\xff", "UTF-16BE"), (b"\xff\xfe", "UTF-16LE"))
_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:\-]{1,40})[\"']")
_CSS_DECLARATION = re.compile(rb'@charset "([^"\n]{1,40})";')
_SAMPLE = 8_192  # bytes the detector sees
_MARKUP = re.compile(rb"<[^>]*+>|&#?\w*+;?")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_TOGETHER = 0.6  # share of bytes above ASCII with a neighbour, from which a text is not of a Latin script
_KANA = 0.2  # share of kana in Japanese text, far below what is usual
#: What undeclared pages of other scripts are really written in: Python's codec → name.
_CANDIDATES = {
    "cp932": "Shift_JIS", "euc_jp": "EUC-JP", "gb18030": "gb18030", "big5": "Big5", "cp949": "EUC-KR",
    "cp1251": "windows-1251", "koi8_r": "KOI8-R", "cp1250": "windows-1250", "cp1253": "windows-1253",
    "cp1256": "windows-1256",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Charset:
    """An encoding by its name in the Encoding standard, and how it was found."""

    name: str
    source: str  # "bom", "http", "meta", "declaration", "utf-8", "detected", "fallback", or "bytes" (see above)


def decide(body: bytes, *, content_type: str = "", markup: str = "html") -> Charset:
    """The charset of a body; `markup` is html, xml, css or text and says where a document may declare it."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return Charset(name=name, source="bom")
    header, own = header_charset(content_type), _declared(body, markup)
    if header is not None and (own is None or own == header or "UTF-8" not in (own, header)):
        return Charset(name=header, source="http")
    if header is not None and own is not None:
        return _settle(body, header, own)
    if own is not None:
        return Charset(name=own, source="meta" if markup == "html" else "declaration")
    return _undeclared(body)


def header_charset(content_type: str) -> str | None:
    """The encoding that a Content-Type header names; None without one that is known."""
    label = label_in_content(content_type.encode("latin-1", "replace")) if "charset" in content_type.lower() else None
    return name_of(label.decode("latin-1")) if label is not None else None


def decode(body: bytes, charset: Charset) -> str:
    """The text of a body; what cannot be read becomes U+FFFD. A BOM is dropped."""
    for mark, name in _BOMS:
        if body.startswith(mark) and name == charset.name:
            body = body[len(mark) :]
    if charset.name in MULTIBYTE:
        return body.decode(MULTIBYTE[charset.name], "replace")
    if charset.name == "replacement":
        return "\N{REPLACEMENT CHARACTER}" if body else ""
    return codecs.charmap_decode(body, "replace", _table(charset.name))[0]


def is_utf8(body: bytes) -> bool:
    """Whether the bytes are strictly valid UTF-8."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _declared(body: bytes, markup: str) -> str | None:
    if markup == "html":
        return prescan(body) or _by_pattern(_XML_DECLARATION, body)
    if markup == "xml":
        return _by_pattern(_XML_DECLARATION, body)
    return _by_pattern(_CSS_DECLARATION, body) if markup == "css" else None


def _by_pattern(pattern: re.Pattern[bytes], body: bytes) -> str | None:
    found = pattern.match(body[:1024])
    name = name_of(found[1].decode("latin-1")) if found else None
    return "UTF-8" if name in ("UTF-16BE", "UTF-16LE") else name


def _settle(body: bytes, header: str, own: str) -> Charset:
    """Header and document contradict each other and one says UTF-8: the bytes know."""
    if body.isascii():
        return Charset(name=header, source="http")
    if is_utf8(body):
        return Charset(name="UTF-8", source="http" if header == "UTF-8" else "bytes")
    return Charset(name=own, source="bytes") if header == "UTF-8" else Charset(name=header, source="http")


def _undeclared(body: bytes) -> Charset:
    if is_utf8(body):
        return Charset(name="UTF-8", source="utf-8")
    sixteen = _bare_utf16(body)
    if sixteen:
        return Charset(name=sixteen, source="detected")
    sample = _MARKUP.sub(b"", body[: 4 * _SAMPLE])[:_SAMPLE]
    name = _detected(sample) if _in_runs(sample) else None
    return Charset(name=name, source="detected") if name else Charset(name="windows-1252", source="fallback")


def _in_runs(sample: bytes) -> bool:
    """Whether bytes above ASCII stand together, as in all scripts but Latin, where accents are scattered."""
    runs = _HIGH_RUN.findall(sample)
    return sum(len(run) for run in runs if len(run) > 1) >= _TOGETHER * sum(map(len, runs))


def _detected(sample: bytes) -> str | None:
    """The charset of a text that is not of a Latin script."""
    for codec in ("cp932", "euc_jp"):
        if _is_japanese(sample, codec):
            return _CANDIDATES[codec]
    best = charset_normalizer.from_bytes(sample, cp_isolation=list(_CANDIDATES)).best()
    return _CANDIDATES.get(best.encoding) if best is not None else None


def _is_japanese(sample: bytes, codec: str) -> bool:
    """Whether the sample is faultless in a Japanese encoding and a good part of it kana; its end may be cut."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return False
    beyond = [char for char in text if char > "\x7f"]
    return sum("\u3041" <= char <= "\u30fe" for char in beyond) >= _KANA * len(beyond) > 0


def _bare_utf16(body: bytes) -> str | None:
    """UTF-16 without a BOM shows itself by a NUL in every other byte."""
    head = body[:256]
    if len(head) < 4 or b"\x00" not in head:
        return None
    pairs = len(head) // 2
    if head[1::2].count(0) > 0.7 * pairs and head[::2].count(0) == 0:
        return "UTF-16LE"
    return "UTF-16BE" if head[::2].count(0) > 0.7 * pairs and head[1::2].count(0) == 0 else None


@lru_cache(maxsize=64)
def _table(name: str) -> str:
    """The 256 characters of an encoding; the standard maps unassigned bytes below 0xA0 to controls."""
    if name == "x-user-defined":
        return "".join(chr(byte) if byte < 0x80 else chr(0xF780 + byte - 0x80) for byte in range(256))
    corrections = CORRECTIONS.get(name, {})
    return "".join(corrections.get(byte) or _character(SINGLE_BYTE[name], byte) for byte in range(256))


def _character(codec: str, byte: int) -> str:
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return chr(byte) if byte < 0xA0 else "\N{REPLACEMENT CHARACTER}"
