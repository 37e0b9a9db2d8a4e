"""Resources of results as search documents, and why a resource does not become one. Pure."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from opilio.archive.results.values import Resource
from opilio.crawl.outcomes import Outcome
from opilio.extract.page_types import EXTENSIONS
from opilio.kernel.hosts import registrable_domain
from opilio.kernel.page_text import PageText
from opilio.kernel.surt import surt
from opilio.search.document import SearchDocument

#: Outcomes whose pages can be found, if they have a text.
FINDABLE = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE})
_READ = frozenset({"html", "text", "pdf", "feed", "xml", "office", "json"})
_NOINDEX = "robots: "  # in the reason: what the page asks robots for
_DESCRIPTIONS = ("description", "og:description", "dc.description", "dcterms.description", "twitter:description")
_KEYWORDS = ("keywords", "dc.subject", "dcterms.subject", "news_keywords")
_DIGEST_SIZE = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Belonging:
    """To whom the pages of a result belong."""

    crawl: str  # the name of the result among the sources of the index
    harvest: str = ""
    target: str = ""
    agency: str = ""
    access: str = ""
    copyright: str = ""


def why_not(resource: Resource, *, has_text: bool) -> str:
    """Why a resource cannot be found by search; empty if it can."""
    if resource.outcome not in FINDABLE:
        told = f": {resource.reason}" if resource.reason else ""
        return f"{Outcome(resource.outcome).sentence[:-1]}{told}."
    if resource.type not in _READ:
        return f"Files of the kind {resource.type or 'other'} have no text to search."
    if not has_text:
        asked = resource.reason.partition(_NOINDEX)[2].partition(";")[0]
        return f"The page asks robots for {asked}." if asked else "The page has no text, or its text was not kept."
    return ""


def document_of(
    resource: Resource, text: PageText, belonging: Belonging, anchors: Sequence[str] = ()
) -> SearchDocument:
    """The search document of a resource with its text."""
    metas = metas_of(resource)
    return replace(
        outline_of(resource, belonging, anchors),
        headings=tuple(words for _, words in text.headings),
        description=_first(metas, _DESCRIPTIONS),
        keywords=_first(metas, _KEYWORDS),
        metas=metas,
        text=text.text,
        boilerplate_from=text.main,
        canonical=text.canonical,
    )


def outline_of(resource: Resource, belonging: Belonging, anchors: Sequence[str] = ()) -> SearchDocument:
    """The document without what needs the text to be read."""
    host = urlsplit(resource.url).hostname or ""
    return SearchDocument(
        url=resource.url,
        surt=surt(resource.url),
        site=registrable_domain(host) or host,
        host=host,
        title=resource.title,
        anchors=tuple(anchors),
        language=resource.language,
        type=mime_of(resource.extension),
        page_type=resource.type,
        size=resource.size,
        last_modified=modified_of(resource.last_modified),
        captured=resource.at,
        status=resource.status or 0,
        depth=resource.depth,
        digest=resource.digest,
        harvest=belonging.harvest,
        target=belonging.target,
        agency=belonging.agency,
        access=belonging.access,
        copyright=belonging.copyright,
        crawl=belonging.crawl,
    )


def digest_of(outline: SearchDocument, resource: Resource, extractor: str) -> str:
    """What tells whether a page must be indexed again: all that the index is told, the text by its payload's digest."""
    told = (
        outline.url, outline.title, outline.anchors, outline.language, outline.type, outline.page_type, outline.size,
        outline.last_modified, outline.captured, outline.status, outline.depth, outline.digest, outline.harvest,
        outline.target, outline.agency, outline.access, outline.copyright, outline.crawl, resource.meta, extractor,
    )  # fmt: skip
    return hashlib.blake2b(json.dumps(told).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).hexdigest()


def metas_of(resource: Resource) -> tuple[tuple[str, str], ...]:
    """The meta tags of a page: name in lower case, content."""
    if not resource.meta:
        return ()
    return tuple((str(name).lower(), str(content)) for name, content in json.loads(resource.meta))


def mime_of(extension: str) -> str:
    """The usual MIME type of what has this extension."""
    _, mimes = EXTENSIONS.get(extension, (None, ()))
    return mimes[0] if mimes else ""


def modified_of(header: str) -> float:
    """The time of a Last-Modified header; 0 if it has none."""
    try:
        found = parsedate_to_datetime(header)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() if header else 0.0
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0


def _first(metas: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    found = dict(reversed(metas))
    return next((found[name] for name in names if found.get(name)), "")
