"""From a search document to what the engine is given."""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

import tantivy

from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import host_key, registrable_domain
from opilio.kernel.surt import surt
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.folding import folded
from opilio.search.analysis.languages import language_code
from opilio.search.document import SearchDocument
from opilio.search.index.checks import check_document
from opilio.search.index.errors import BadSearchDocument
from opilio.search.index.kinds import kind_of
from opilio.search.index.schema import UNKNOWN_LANGUAGE
from opilio.search.index.stored import MOST_TEXT, clean, kept

MOST_VALUE: Final = 2_000  # characters of an exact value
MOST_META: Final = 200  # characters of a meta tag's content that can be asked for
_MOST_METAS: Final = 200
_MOST_SHORT: Final = 100_000  # characters of titles, headings, anchors and the like
_FIRST_DATE: Final = 631_152_000  # 1990: no page of the web is older
_BLANKS: Final = re.compile(r"\s+")
_PORT: Final = re.compile(r":\d+$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A search document, analysed and compressed: all that can be done in another process before it is indexed."""

    texts: tuple[tuple[str, str], ...]  # field, terms with blanks between them
    exact: tuple[tuple[str, str], ...]  # field, value
    date: int  # seconds since 1970
    fingerprint: int
    stored: bytes


class Preparer:
    """Prepares search documents with one analyzer. May be sent to another process."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    def prepared(self, document: SearchDocument) -> Prepared:
        """The document as the index takes it; `BadSearchDocument` when it cannot."""
        check_document(document)
        try:
            return Prepared(
                texts=tuple(self._texts(document)),
                exact=tuple((name, clean(value)[:MOST_VALUE]) for name, value in _exact(document)),
                date=page_date(document),
                fingerprint=document.fingerprint,
                stored=kept(document),
            )
        except (ValueError, TypeError, OverflowError) as error:
            what, remedy = f"the page cannot be indexed: {error}", "It was left out; correct it and add it again."
            raise BadSearchDocument(what, where=document.url[:200], remedy=remedy) from error

    def _texts(self, document: SearchDocument) -> Iterator[tuple[str, str]]:
        text = document.text[:MOST_TEXT]
        cut = len(text) if document.boilerplate_from is None else document.boilerplate_from
        parts = {
            "title": document.title,
            "headings": "\n".join(document.headings),
            "about": f"{document.description}\n{document.keywords}",
            "anchors": "\n".join(document.anchors),
            "body": text[:cut],
            "aside": text[cut:],
            "urlwords": unquote(document.url),
        }
        texts = [part if name in ("body", "aside") else part[:_MOST_SHORT] for name, part in parts.items()]
        fed, words = self._analyzer.fed_texts(texts, language_code(document.language))
        yield from ((name, terms) for name, terms in zip(parts, fed, strict=True) if terms)
        yield "words", words


def entry(page: int, prepared: Prepared, *, rank: float, group: int, visible_from: float) -> tantivy.Document:
    """What the engine is given for a page."""
    made = tantivy.Document()
    made.add_unsigned("page", page)
    made.add_unsigned("group", group)
    made.add_unsigned("fingerprint", prepared.fingerprint)
    made.add_float("rank", float(rank))
    if visible_from:
        made.add_integer("visible", int(visible_from))
    made.add_integer("date", prepared.date)
    made.add_unsigned("year", datetime.datetime.fromtimestamp(prepared.date, datetime.UTC).year)
    for name, value in (*prepared.texts, *prepared.exact):
        made.add_text(name, value)
    made.add_bytes("stored", prepared.stored)
    return made


def page_date(document: SearchDocument) -> int:
    """When the page last changed, as far as is known: its Last-Modified where that can be true, else its capture."""
    credible = _FIRST_DATE <= document.last_modified <= document.captured
    return int(document.last_modified if credible else document.captured)


def meta_value(text: str) -> str:
    """The form in which contents of meta tags are compared."""
    return _BLANKS.sub(" ", folded(clean(text[: 4 * MOST_META]))).strip()[:MOST_META]


@lru_cache(maxsize=65_536)
def domains(host: str) -> tuple[str, ...]:
    """A host and the domains above it, up to the registered one."""
    name = _PORT.sub("", host)
    top = registrable_domain(name) or name
    found = [name]
    while found[-1] != top and "." in found[-1]:
        found.append(found[-1].partition(".")[2])
    return tuple(found)


def _exact(document: SearchDocument) -> Iterator[tuple[str, str]]:
    host = _host(document.url).lower()  # what access is decided by, whatever the document says
    yield "surt", document.surt or _surt(document.url)
    yield "host", host
    found = domains(host)
    yield from (("domain", name) for name in found)
    yield "site", document.site or found[-1]
    yield "kind", kind_of(document.type, document.page_type)
    yield "type", document.type
    yield "lang", language_code(document.language) or UNKNOWN_LANGUAGE
    for name in ("target", "harvest", "agency", "access", "crawl"):
        if value := getattr(document, name):
            yield name, value
    yield from (("meta", value) for value in _metas(document))


def _metas(document: SearchDocument) -> dict[str, None]:
    """What can be asked of meta tags: the name, the name with its content, and with each part between commas."""
    found: dict[str, None] = {}
    for name, content in document.metas[:_MOST_METAS]:
        key = meta_value(name)
        found[key] = None
        for value in (content, *content[:MOST_VALUE].split(",")):
            found[f"{key}={meta_value(value)}"] = None
    return found


def _host(url: str) -> str:
    try:
        return host_key(url)
    except BadUrl:
        return ""


def _surt(url: str) -> str:
    try:
        return surt(url)
    except BadUrl:
        return url
