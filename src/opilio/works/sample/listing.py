"""Every response of the sample site by its path. Pure: the same origin gives the same bytes."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path

from opilio.kernel.errors import Damaged, Missing
from opilio.works.sample import expected
from opilio.works.sample.feeds import atom, rss
from opilio.works.sample.pdf import typeset
from opilio.works.sample.render import print_version, render
from opilio.works.sample.response import Response, document, redirect
from opilio.works.sample.sitemaps import sitemap, sitemap_index
from opilio.works.sample.source import PageSource, read_page, request_path

_SITE = Path(__file__).parent / "site"
_FILES_DATE = date(2025, 9, 1)  # Last-Modified of what is no page
_DEFAULT_ORIGIN = "http://127.0.0.1"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".gif": "image/gif",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webp": "image/webp",
}


def pages(origin: str = _DEFAULT_ORIGIN) -> dict[str, Response]:
    """All responses, by path; `origin` (no slash at its end) goes into robots.txt, feeds and sitemaps only."""
    sources = _sources()
    redirects = {path: redirect(status, location) for path, (status, location) in expected.REDIRECTS.items()}
    return _html(sources) | _files() | _publications() | _for_machines(sources, origin) | redirects


def special(name: str, *, status: int) -> Response:
    """A page that answers a request for something else: `not-found`, `login-failed`."""
    file = _SITE / "special" / f"{name}.html"
    if not file.is_file():
        remedy = "Install Opilio anew: its package is not whole."
        raise Missing(f"The sample site has no special page {name!r}", where=str(file.parent), remedy=remedy)
    page = read_page(file, root=_SITE / "special")
    return _document(page, status=status)


def _sources() -> list[PageSource]:
    root = _SITE / "pages"
    return sorted((read_page(file, root=root) for file in root.rglob("*.html")), key=lambda page: page.path)


def _html(sources: Iterable[PageSource]) -> dict[str, Response]:
    found = {}
    for page in sources:
        found[page.path] = _document(page)
        if page.has_print_version:
            copy = print_version(page)
            found[copy.path] = _document(copy)
    return found


def _document(page: PageSource, *, status: int = 200) -> Response:
    # A page in another charset says so in its meta element only, as old pages do.
    content_type = "text/html; charset=utf-8" if page.charset == "utf-8" else "text/html"
    body = render(page, chrome=_chrome(page.layout))
    return document(body, content_type=content_type, on=page.date, status=status, members_only=page.members_only)


@cache
def _chrome(name: str) -> str:
    return (_SITE / "chrome" / f"{name}.html").read_text(encoding="utf-8")


def _files() -> dict[str, Response]:
    root = _SITE / "files"
    return {
        request_path(file.relative_to(root)): document(
            file.read_bytes(), content_type=content_type(file), on=_FILES_DATE
        )
        for file in sorted(root.rglob("*.*"))
    }


def content_type(file: Path) -> str:
    """The Content-Type of a file that is served as it is, after its ending."""
    found = _TYPES.get(file.suffix)
    if found is None:
        raise Damaged(
            "The sample site holds a file of a kind it cannot serve",
            where=str(file),
            remedy=f"Remove it, or give it one of these endings: {', '.join(_TYPES)}.",
        )
    return found


def _publications() -> dict[str, Response]:
    return {
        f"/publications/{file.stem}.pdf": document(
            typeset(file.read_text(encoding="utf-8")), content_type="application/pdf", on=_FILES_DATE
        )
        for file in sorted((_SITE / "publications").glob("*.txt"))
    }


def _for_machines(sources: Sequence[PageSource], origin: str) -> dict[str, Response]:
    robots = (_SITE / "robots.txt").read_text(encoding="utf-8").replace("{origin}", origin)
    public = [page for page in sources if _is_public(page)]
    news = [page for page in public if page.section == "/news/"]
    events = [page for page in public if page.section == "/events/"]
    other = [page for page in public if page.section != "/news/"]
    bodies = {
        expected.ROBOTS: ("text/plain; charset=utf-8", robots.encode()),
        "/sitemap.xml": ("application/xml", sitemap(other, origin=origin)),
        "/sitemaps/news.xml.gz": ("application/gzip", gzip.compress(sitemap(news, origin=origin), mtime=0)),
        expected.SITEMAP_INDEX: ("application/xml", sitemap_index(sorted(expected.SITEMAPS), origin=origin)),
        "/feeds/news.rss": ("application/rss+xml", rss(_leaves(news), origin=origin)),
        "/feeds/events.atom": ("application/atom+xml", atom(_leaves(events), origin=origin)),
    }
    newest = max(page.date for page in public)
    return {path: document(body, content_type=kind, on=newest) for path, (kind, body) in bodies.items()}


def _is_public(page: PageSource) -> bool:
    hidden = page.members_only or "noindex" in page.robots or bool(page.refresh) or page.path == expected.SOFT_404
    return not hidden and page.path not in expected.DENIED_BY_ROBOTS


def _leaves(sources: Iterable[PageSource]) -> list[PageSource]:
    """The pages of a section without its index."""
    return [page for page in sources if page.path.partition("?")[0] != page.section]


def lookup(site: Mapping[str, Response], path: str, query: str) -> Response | None:
    """The response to a path and query; a query that the site does not know is ignored, as most servers do."""
    exact = site.get(f"{path}?{query}") if query else None
    if exact is not None:
        return exact
    if path == expected.SOFT_404.partition("?")[0]:
        return site[expected.SOFT_404]
    return site.get(path)
