"""What a resource is: from the MIME type, then the signature, then the path."""

import gzip

import pytest

from opilio.extract.kind import essence, kind_of
from opilio.extract.page_types import EXTENSIONS, PageType

_SITEMAP = b'<?xml version="1.0"?>\n<!-- x --><urlset xmlns="s"/>'


@pytest.mark.parametrize(
    ("body", "content_type", "path", "expected"),
    [
        (b"<html>", "text/html; charset=x", "/a.pdf", ("html", "html", "mime")),
        (b"%PDF-1.4", "text/html", "/a", ("pdf", "pdf", "signature")),
        (b"%PDF-1.4", "application/octet-stream", "/a.html", ("pdf", "pdf", "signature")),
        (b"\x89PNG\r\n\x1a\n", "", "/x.jpg", ("image", "png", "signature")),
        (b"GIF89a", "image/jpeg", "/x.gif", ("image", "jpg", "mime")),
        (b"hello", "", "/notes.TXT", ("text", "txt", "path")),
        (b"hello", "", "/x.css?v=1.js", ("style", "css", "path")),
        (b"hello", "", "/", ("text", "txt", "nothing")),
        (b"\x00\x01\x02", "", "/", ("other", "bin", "nothing")),
        (b"", "", "/", ("other", "bin", "nothing")),
        (_SITEMAP, "application/xml", "/", ("sitemap", "xml", "mime")),
        (_SITEMAP, "text/xml", "/", ("sitemap", "xml", "mime")),
        (gzip.compress(_SITEMAP, mtime=0), "application/x-gzip", "/s.xml.gz", ("sitemap", "xml", "mime")),
        (gzip.compress(b"other", mtime=0), "application/gzip", "/s.gz", ("archive", "gz", "mime")),
        (b"<sitemapindex>", "", "/", ("sitemap", "xml", "signature")),
        (b"<rss version='2.0'>", "text/xml", "/", ("feed", "rss", "mime")),
        (b"<a:feed xmlns:a='x'>", "application/xml", "/", ("feed", "atom", "mime")),
        (b"<svg>", "image/svg+xml", "/", ("image", "svg", "mime")),
        (b"<x/>", "application/xml", "/", ("xml", "xml", "mime")),
        (b"<!DOCTYPE html><p>", "", "/", ("html", "html", "signature")),
        (b'{"a": 1}', "application/vnd.api+json", "/", ("json", "json", "mime")),
        (b'{"a": 1}', "", "/", ("json", "json", "signature")),
        (b"PK\x03\x04....word/document.xml", "application/zip", "/a", ("office", "docx", "mime")),
        (b"PK\x03\x04....photo.jpg", "application/zip", "/a", ("archive", "zip", "mime")),
        (b"x", "video/x-unknown", "/a", ("video", "bin", "mime")),
        (b"x", "garbage", "/a.js", ("script", "js", "path")),
        (b"RIFF....WEBPVP8 ", "", "/", ("image", "webp", "signature")),
        (b"....ftypisom", "", "/", ("video", "mp4", "signature")),
    ],
)
def test_kinds(body, content_type, path, expected):
    """Header, bytes and path are asked in this order; a binary file that calls itself text is seen through."""
    kind = kind_of(body, content_type=content_type, url=f"http://example.org{path}")
    assert (kind.page_type.word, kind.extension, kind.decided_by) == expected


def test_ids_never_change():
    """The ids are stored; a change here breaks every crawl store."""
    assert {one.word: int(one) for one in PageType} == {
        "html": 1, "text": 2, "pdf": 3, "feed": 4, "sitemap": 5, "xml": 6, "json": 7, "office": 8, "image": 9,
        "audio": 10, "video": 11, "style": 12, "script": 13, "archive": 14, "other": 15,
    }  # fmt: skip


def test_no_mime_type_means_two_things():
    """Each MIME type stands once in the table."""
    mimes = [mime for _, names in EXTENSIONS.values() for mime in names]
    assert len(mimes) == len(set(mimes))


@pytest.mark.parametrize(
    ("header", "expected"), [("Text/HTML ; a=b", "text/html"), ("a/b/c", ""), ("x y/z", ""), ("", "")]
)
def test_essence(header, expected):
    """Parameters and malformed headers are dropped."""
    assert essence(header) == expected
