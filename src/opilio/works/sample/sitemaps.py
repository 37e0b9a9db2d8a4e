"""The sitemaps of the sample site, after the sitemaps.org protocol, and the index that names them."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from opilio.works.sample.source import PageSource

_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(pages: Iterable[PageSource], *, origin: str) -> bytes:
    """A sitemap of the pages with the day each was last changed."""
    urls = "".join(
        f"<url><loc>{origin}{escape(page.path)}</loc><lastmod>{page.date.isoformat()}</lastmod></url>\n"
        for page in pages
    )
    return f'{_DECLARATION}<urlset xmlns="{_NAMESPACE}">\n{urls}</urlset>\n'.encode()


def sitemap_index(paths: Iterable[str], *, origin: str) -> bytes:
    """A sitemap index that names the sitemaps at `paths`."""
    entries = "".join(f"<sitemap><loc>{origin}{escape(path)}</loc></sitemap>\n" for path in paths)
    return f'{_DECLARATION}<sitemapindex xmlns="{_NAMESPACE}">\n{entries}</sitemapindex>\n'.encode()
