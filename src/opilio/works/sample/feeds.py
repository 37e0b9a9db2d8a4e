"""The news as RSS 2.0 and the events as Atom (RFC 4287), made from the page sources."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from xml.sax.saxutils import escape

from opilio.works.sample.render import SITE_NAME
from opilio.works.sample.source import PageSource

_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


def rss(pages: Iterable[PageSource], *, origin: str) -> bytes:
    """The pages, newest first, as an RSS channel."""
    items = "".join(
        f"<item><title>{escape(page.title)}</title><link>{origin}{escape(page.path)}</link>"
        f'<guid isPermaLink="true">{origin}{escape(page.path)}</guid>'
        f"<pubDate>{format_datetime(_noon(page.date))}</pubDate>"
        f"<description>{escape(page.description)}</description></item>\n"
        for page in _newest_first(pages)
    )
    head = f"<title>{SITE_NAME}: news</title><link>{origin}/news/</link><description>What is new.</description>"
    return f'{_DECLARATION}<rss version="2.0"><channel>{head}\n{items}</channel></rss>\n'.encode()


def atom(pages: Iterable[PageSource], *, origin: str) -> bytes:
    """The pages, newest first, as an Atom feed."""
    ordered = _newest_first(pages)
    entries = "".join(
        f"<entry><title>{escape(page.title)}</title><id>{origin}{escape(page.path)}</id>"
        f'<link href="{origin}{escape(page.path)}"/><updated>{_noon(page.date).isoformat()}</updated>'
        f"<summary>{escape(page.description)}</summary></entry>\n"
        for page in ordered
    )
    updated = _noon(ordered[0].date).isoformat() if ordered else _noon(date(1970, 1, 1)).isoformat()
    head = (
        f"<title>{SITE_NAME}: events</title><id>{origin}/events/</id><author><name>{SITE_NAME}</name></author>"
        f'<link rel="self" href="{origin}/feeds/events.atom"/><updated>{updated}</updated>'
    )
    return f'{_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">{head}\n{entries}</feed>\n'.encode()


def _newest_first(pages: Iterable[PageSource]) -> list[PageSource]:
    return sorted(pages, key=lambda page: (page.date, page.path), reverse=True)


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)
