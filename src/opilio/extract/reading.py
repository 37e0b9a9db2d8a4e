"""Reads one resource in this process, whatever its type; PDF and office files need readers that only the helper has.

`Resource` is what is to be read; `helper_needed` says why it must not be read here, before anything is parsed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from opilio.extract.bounds import too_hostile
from opilio.extract.charset import Charset, decide, decode
from opilio.extract.css import css_references
from opilio.extract.document import Document
from opilio.extract.extracted import Extracted
from opilio.extract.feed import read_feed
from opilio.extract.html import HtmlSource, html_source, notes, read_html
from opilio.extract.json_links import json_references, manifest_references
from opilio.extract.kind import Kind, kind_of
from opilio.extract.links import LinkKind, Reference, Resolved, resolve
from opilio.extract.options import DEFAULTS, Options
from opilio.extract.page_types import PageType
from opilio.extract.quick import QuickPage, read_quickly
from opilio.extract.script_strings import script_references
from opilio.extract.sitemap import read_sitemap
from opilio.kernel.urls import Base

DocumentReader = Callable[[bytes, str, Options], Document]

#: Types that only the helper process reads.
_DOCUMENTS = frozenset({PageType.PDF, PageType.OFFICE})
_LARGE = frozenset({PageType.FEED, PageType.SITEMAP, PageType.JSON, PageType.STYLE, PageType.SCRIPT})


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A body (content-decoded) with its URL and header, and how it is to be read."""

    body: bytes = field(repr=False)
    url: str
    content_type: str = ""
    options: Options = DEFAULTS
    expect: PageType | None = None  # what the caller knows better, such as a sitemap named by robots.txt

    @cached_property
    def kind(self) -> Kind:
        """What the resource is."""
        found = kind_of(self.body, content_type=self.content_type, url=self.url)
        return found if self.expect is None else replace(found, page_type=self.expect)

    @cached_property
    def html(self) -> HtmlSource:
        """The body as the HTML parser wants it."""
        return html_source(self.body, self.content_type)

    @cached_property
    def quick(self) -> QuickPage | None:
        """What a page holds, where it can be told without a parser."""
        return read_quickly(self.html.markup, self.options)

    @property
    def is_markup(self) -> bool:
        """Whether the HTML parser reads it: HTML, and SVG, which is a picture that can hold links."""
        return self.kind.page_type is PageType.HTML or self.kind.extension == "svg"


def helper_needed(resource: Resource) -> str:
    """Why a resource must be read by the helper process; empty when it may be read here."""
    kind = resource.kind
    if kind.page_type in _DOCUMENTS:
        return f"a {kind.page_type.word} file is read by a helper process"
    if resource.is_markup:
        return "" if resource.quick else too_hostile(resource.html.markup, resource.options) or ""
    if kind.page_type in _LARGE and len(resource.body) > resource.options.max_html_bytes:
        return f"it is larger than {resource.options.max_html_bytes} bytes"
    return ""


def read_here(resource: Resource, documents: Mapping[PageType, DocumentReader] | None = None) -> Extracted:
    """Read a resource in this process. `documents` holds the readers of PDF and office files, where there are any."""
    kind = resource.kind
    if resource.is_markup:
        return read_html(resource.html, kind, url=resource.url, options=resource.options, quick=resource.quick)
    if kind.page_type in _DOCUMENTS:
        reader = (documents or {}).get(kind.page_type)
        if reader is None:
            return unparsable(resource, f"a {kind.page_type.word} file is read by a helper process, and there is none")
        return _of_document(resource, reader(resource.body, kind.extension, resource.options))
    reader_of_type = _READERS.get(kind.page_type)
    return _bare(resource) if reader_of_type is None else reader_of_type(resource)


def unparsable(resource: Resource, reason: str) -> Extracted:
    """A resource that could not be read, with the reason."""
    return replace(_bare(resource), unparsable=reason)


def _bare(resource: Resource, charset: Charset | None = None) -> Extracted:
    kind = resource.kind
    return Extracted(
        page_type=kind.page_type,
        extension=kind.extension,
        mime=kind.mime,
        type_decided_by=kind.decided_by,
        charset=charset.name if charset else "",
        charset_source=charset.source if charset else "",
    )


def _with_links(
    found: Extracted, resource: Resource, references: Iterable[Reference], *, cut: bool = False
) -> Extracted:
    base = Base(resource.url, resource.options.query)
    resolved: Resolved = resolve(references, base, resource.options)
    return replace(
        found,
        links=resolved.links,
        malformed=resolved.malformed,
        malformed_samples=resolved.samples,
        schemes=resolved.schemes,
        notes=(*found.notes, *notes(resolved, text_cut=cut)),
    )


def _decoded(resource: Resource, markup: str) -> tuple[Extracted, str]:
    charset = decide(resource.body, content_type=resource.content_type, markup=markup)
    return _bare(resource, charset), decode(resource.body, charset)


def _read_text(resource: Resource) -> Extracted:
    found, text = _decoded(resource, "text")
    limit = resource.options.max_text
    return _with_links(replace(found, text=text[:limit]), resource, (), cut=len(text) > limit)


def _read_style(resource: Resource) -> Extracted:
    found, text = _decoded(resource, "css")
    return _with_links(found, resource, css_references(text))


def _read_script(resource: Resource) -> Extracted:
    found, text = _decoded(resource, "text")
    return _with_links(found, resource, script_references(text) if resource.options.script_strings else ())


def _read_json(resource: Resource) -> Extracted:
    found, text = _decoded(resource, "text")
    if '"https://jsonfeed.org/version/' in text[:1_000].replace("\\/", "/"):
        return replace(_read_feed(resource), page_type=PageType.FEED)
    if resource.kind.extension == "webmanifest" or resource.kind.mime == "application/manifest+json":
        return _with_links(found, resource, manifest_references(text))
    return _with_links(found, resource, json_references(text) if resource.options.script_strings else ())


def _read_feed(resource: Resource) -> Extracted:
    feed = read_feed(resource.body, content_type=resource.content_type, options=resource.options)
    found = replace(
        _bare(resource, decide(resource.body, content_type=resource.content_type, markup="xml")),
        title=feed.title,
        language=feed.language,
        language_source="meta" if feed.language else "",
        text=feed.text,
        notes=_stopped(feed.problem, feed.dropped, "entries"),
        unparsable="" if feed.entries or feed.references else feed.problem,
    )
    return _with_links(found, resource, feed.references)


def _read_sitemap(resource: Resource) -> Extracted:
    sitemap = read_sitemap(resource.body, content_type=resource.content_type, options=resource.options)
    references = [Reference(one.ref, LinkKind.LINK, "sitemap", "loc") for one in sitemap.entries]
    references += [Reference(one.ref, LinkKind.LINK, "sitemap", "sitemap", "sitemap") for one in sitemap.children]
    references += [
        Reference(image, LinkKind.EMBED, "sitemap", "image") for one in sitemap.entries for image in one.images
    ]
    found = replace(
        _bare(resource),
        notes=_stopped(sitemap.problem, sitemap.dropped, "entries"),
        unparsable="" if references else sitemap.problem,
    )
    return _with_links(found, resource, references)


def _stopped(problem: str, dropped: int, what: str) -> tuple[str, ...]:
    found = [f"Reading stopped early: {problem}."] if problem else []
    return (*found, f"{dropped} {what} above the limit were left out.") if dropped else tuple(found)


def _of_document(resource: Resource, document: Document) -> Extracted:
    if document.problem:
        return unparsable(resource, document.problem)
    found = replace(
        _bare(resource),
        title=document.title,
        metas=document.metas,
        language=document.language,
        language_source="meta" if document.language else "",
        text=document.text,
        notes=document.notes,
    )
    return _with_links(found, resource, document.references)


_READERS: Mapping[PageType, Callable[[Resource], Extracted]] = {
    PageType.TEXT: _read_text,
    PageType.STYLE: _read_style,
    PageType.SCRIPT: _read_script,
    PageType.JSON: _read_json,
    PageType.FEED: _read_feed,
    PageType.SITEMAP: _read_sitemap,
}
