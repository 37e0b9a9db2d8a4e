"""Short ways to extract in tests."""

from pathlib import Path

from opilio.extract import Options, extract

DATA = Path(__file__).parent / "data"
URL = "http://example.org/dir/page.html"


def html(markup, *, url=URL, content_type="text/html", **options):
    """What a page of this markup gives."""
    body = markup if isinstance(markup, bytes) else markup.encode()
    return extract(body, url=url, content_type=content_type, options=Options(**options))


def urls(found, kind=None):
    """The URLs of the links, of one kind or of all, without the origin of the tests' pages."""
    return [link.url.removeprefix("http://example.org") for link in found.links if kind in (None, link.kind)]
