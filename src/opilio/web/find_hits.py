"""Hits of a search as the page shows them."""

import datetime
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from opilio.search.answer import Hit
from opilio.search.snippets import Snippet
from opilio.web.find_face import Face
from opilio.web.find_parameters import Wanted
from opilio.web.find_replay import replay_url
from opilio.web.find_words import day, kind_label, language_label, moment, readable, size, web_address


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One hit."""

    title: SafeString
    snippet: SafeString
    leads: str  # where the title leads
    shown: str  # the URL, readable
    url: str
    story: str  # empty in the working index, which tells none
    similar: str
    live: str = ""
    replay: str = ""
    site: str = ""
    kind: str = ""
    language: str = ""
    size: str = ""
    day: str = ""
    at: datetime.datetime | None = None
    copyright: str = ""
    more: int = 0
    with_duplicates: str = ""
    access: str = ""
    agency: str = ""
    harvest: str = ""
    notes: tuple[str, ...] = ()


def line(hit: Hit, face: Face, wanted: Wanted) -> Line:
    """A hit with its links."""
    story = "" if face.working else face.path("page", url=hit.url, q=wanted.query)
    replay, live = replay_url(hit) or "", web_address(hit.url)
    return Line(
        title=marked(hit.title) or format_html("{}", readable(hit.url)),
        snippet=marked(hit.snippet) or format_html("{}", hit.description[:300]),
        leads=replay or live or story, shown=readable(hit.url), url=hit.url, story=story,
        similar=face.path("similar", page=str(hit.page), url=hit.url), live=live, replay=replay, site=hit.site,
        kind=kind_label(hit.page_type) if hit.page_type else hit.type,
        language=language_label(hit.language) if hit.language else "", size=size(hit.size) if hit.size else "",
        day=day(hit.date or hit.captured), at=moment(hit.date or hit.captured), copyright=hit.copyright,
        more=hit.more, with_duplicates=f"{face.base}?{wanted.link(duplicates=True)}", access=hit.access,
        agency=hit.agency, harvest=hit.harvest, notes=hit.notes,
    )  # fmt: skip


def marked(snippet: Snippet) -> SafeString:
    """A text with its marks; the snippet escapes whatever a page wrote."""
    return mark_safe(snippet.html)  # noqa: S308 - escaped by Snippet.html
