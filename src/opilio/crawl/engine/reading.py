"""Reads what came: one extraction, in a helper process where the content could harm, and the page's own directives."""

from dataclasses import dataclass
from datetime import datetime

from opilio.crawl.exchange_to_capture import Payload
from opilio.crawl.linking import outlinks_of
from opilio.crawl.page_language import PageLanguage
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.robots_tags import PageDirectives, page_directives
from opilio.extract import Extracted, HelperPool, Options, PageType, extract_async
from opilio.extract.link_header import link_header_references
from opilio.extract.links import resolve
from opilio.extract.robots_tags import header_directives
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import Base

_DOCUMENTS = frozenset({PageType.PDF, PageType.OFFICE})


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """What a page holds, and what it asks for."""

    extracted: Extracted
    directives: PageDirectives
    outlinks: tuple[PageLink, ...] = ()
    language: str = ""


class Reader:
    """Reads pages for one worker."""

    def __init__(self, plan: CrawlPlan, pool: HelperPool) -> None:
        self._plan = plan
        self._pool = pool
        self._language = PageLanguage(detect=plan.extract.detect_language)
        self._options = Options(
            query=plan.scope.query,
            forms=plan.extract.forms,
            script_strings=plan.extract.scripts,
        )

    async def read(self, payload: Payload, url: str, now: datetime) -> Read:
        """Extract once; never raises for what a page holds."""
        extracted = await extract_async(
            payload.content,
            url=url,
            pool=self._pool,
            content_type=payload.content_type,
            options=self._options,
        )
        directives = page_directives(
            self._plan.manners.agent,
            extracted.robots,
            header_directives(payload.head.all("x-robots-tag")),
            now=now,
        )
        return Read(
            extracted=extracted,
            directives=directives,
            outlinks=self._outlinks(extracted, directives, payload, url),
            language=self._language.of(extracted, payload.head.get("content-language") or ""),
        )

    def _outlinks(
        self, extracted: Extracted, directives: PageDirectives, payload: Payload, url: str
    ) -> tuple[PageLink, ...]:
        if not self._wanted(extracted.page_type):
            return ()
        links = extracted.links
        values = payload.head.all("link")
        if values:
            links += resolve(link_header_references(values), Base(url, self._options.query), self._options).links
        return tuple(outlinks_of(links, all_nofollow=directives.nofollow))

    def _wanted(self, kind: PageType) -> bool:
        wanted = self._plan.extract
        if kind in _DOCUMENTS:
            return wanted.documents
        if kind is PageType.FEED:
            return wanted.feeds
        return wanted.sitemaps if kind is PageType.SITEMAP else True


def text_of(extracted: Extracted, *, boilerplate: bool) -> PageText:
    """The text that is kept: with navigation and the like behind it, or without."""
    marked = extracted.boilerplate[0][0] if boilerplate and extracted.boilerplate else None  # all of it is at the end
    return PageText(
        text=extracted.text if boilerplate else extracted.main_text,
        main=marked,
        headings=tuple(extracted.headings),
        canonical=extracted.canonical,
    )
