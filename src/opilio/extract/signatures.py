"""What the first bytes of a resource say it is, whatever its server says (the idea of the MIME Sniffing standard)."""

import re
import zlib
from typing import Final

_HEAD = 1_024  # bytes in which text formats must show themselves
_ZIP_HEAD = 65_536  # bytes in which an office file names its first parts

#: First bytes → extension; longer and more special ones first.
_BINARY: Final = (
    (b"%PDF-", "pdf"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"\x00\x00\x01\x00", "ico"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"OggS", "ogg"),
    (b"ID3", "mp3"),
    (b"fLaC", "flac"),
    (b"MThd", "mid"),
    (b"\x1aE\xdf\xa3", "webm"),
    (b"\x1f\x8b\x08", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"WARC/1.", "warc"),
    (b"wOFF", "woff"),
    (b"wOF2", "woff2"),
    (b"OTTO", "otf"),
    (b"\x00\x01\x00\x00\x00", "ttf"),
    (b"\x00asm", "wasm"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "doc"),
    (b"{\\rtf", "rtf"),
    (b"%!PS", "eps"),
)
_ISO_MEDIA: Final = {b"avif": "avif", b"heic": "heic", b"M4A ": "m4a", b"qt  ": "mov"}
_RIFF: Final = {b"WEBP": "webp", b"WAVE": "wav", b"AVI ": "avi"}
_ZIP_PARTS: Final = (
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "odt"),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "odp"),
    (b"mimetypeapplication/epub+zip", "epub"),
    (b"word/", "docx"),
    (b"xl/", "xlsx"),
    (b"ppt/", "pptx"),
)
_TEXT_LEAD = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*+")
_HTML_TAG = re.compile(
    rb"<(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta)[\s>]", re.IGNORECASE
)
_XML_LEAD = re.compile(
    rb"(?:<\?.*?\?>|<!--.*?-->|<![^>]*>|\s)*+<([A-Za-z_][\w.\-]*+(?::[A-Za-z_][\w.\-]*+)?)", re.DOTALL
)
_ROOTS: Final = {
    b"rss": "rss", b"rdf": "rss", b"feed": "atom", b"urlset": "sitemap", b"sitemapindex": "sitemap", b"svg": "svg",
    b"html": "xhtml",
}  # fmt: skip
#: Extensions that text can never be mistaken for, so that they overrule a MIME type of text or HTML.
UNMISTAKABLE: Final = frozenset({"pdf", "png", "gif", "jpg", "gz", "zip", "docx", "xlsx", "pptx", "odt", "ods", "odp"})


def sniff(body: bytes) -> str | None:
    """The extension that the bytes show; `sitemap` for both kinds of XML sitemap; None when they show nothing."""
    for lead, extension in _BINARY:
        if body.startswith(lead):
            return _inside_gzip(body) if extension == "gz" else extension
    if body.startswith(b"PK\x03\x04"):
        return _inside_zip(body)
    if body[4:8] == b"ftyp":
        return _ISO_MEDIA.get(body[8:12], "mp4")
    if body.startswith(b"RIFF"):
        return _RIFF.get(body[8:12])
    return sniff_text(body)


def sniff_text(body: bytes) -> str | None:
    """The text format that the first bytes show: html, xhtml, xml, rss, atom, sitemap, svg, json; None for others."""
    lead = _TEXT_LEAD.match(body)
    start = lead.end() if lead else 0
    if _HTML_TAG.match(body, start, start + _HEAD):
        return "html"
    if body.startswith((b"<?xml", b"<!--", b"<"), start):
        return xml_root(body)
    if body.startswith((b"{", b"["), start) and body.rstrip()[-1:] in (b"}", b"]"):
        return "json"
    return None


def xml_root(body: bytes) -> str | None:
    """The format that the first element of XML names; `xml` for one that is not known, None when there is none."""
    lead = _TEXT_LEAD.match(body)
    root = _XML_LEAD.match(body, lead.end() if lead else 0, 16 * _HEAD)
    if root is None:
        return "xml" if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml") else None
    return _ROOTS.get(root[1].rpartition(b":")[2].lower(), "xml")


def _inside_gzip(body: bytes) -> str:
    """gzip, unless it holds a sitemap (sitemap.xml.gz is sent as gzip by most servers)."""
    try:
        head = zlib.decompressobj(31).decompress(body[: 4 * _HEAD], 4 * _HEAD)
    except zlib.error:
        return "gz"
    return "sitemap" if xml_root(head) == "sitemap" else "gz"


def _inside_zip(body: bytes) -> str:
    head = body[:_ZIP_HEAD]
    for part, extension in _ZIP_PARTS:
        if part in head:
            return extension
    return "zip"
