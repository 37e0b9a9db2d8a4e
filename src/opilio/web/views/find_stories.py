"""The story of a page, of a word and of links; pages that are similar to one."""

import dataclasses
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from opilio.kernel.errors import Missing
from opilio.search.answer import Explanation
from opilio.web.find_charts import bars, time_line
from opilio.web.find_face import Face, SearchService, answered, told
from opilio.web.find_hits import line
from opilio.web.find_parameters import LONGEST_URL, LONGEST_WORD, Wanted, number, plain, read
from opilio.web.find_replay import replay_url
from opilio.web.find_words import kind_label, language_label, moment, readable, size, web_address
from opilio.works.search_service import PublishedSearch
from opilio.works.search_values import LinkedPage, PageStory

_MOST_LINKS = 20  # of each side on the page of a story
_MOST_ON_LINKS = 1_000  # of each side on the page of links
_MOST_CAPTURES = 100
_MOST_POSITIONS = 30
_PORTION = 100  # pages of a word at a time


@told
def page(request: HttpRequest, face: Face, service: PublishedSearch) -> HttpResponse:
    """All that is known about a URL; with a query also why it ranks where it does."""
    url, wanted = _asked_url(request), read(request.GET)
    story = service.page(url, face.reader)
    context = {
        "face": face, "wanted": wanted, "story": story, "shown": readable(story.url), "live": web_address(story.url),
        "replay": replay_url(story) or "", **_facts(story), **_links_of(story, face),
        "bars": [(each, face.path("word", w=each.word)) for each in bars(story.words)],
        "timeline": time_line(story.captures), "captures": _captures(story),
        "near": [(readable(each), face.path("page", url=each)) for each in story.near],
        "similar": face.path("similar", page=str(story.page), url=story.url) if story.indexed else "",
        "why": _explanation(service, face, story, wanted),
    }  # fmt: skip
    return render(request, "web/find/page.html", context)


@told
def word(request: HttpRequest, face: Face, service: PublishedSearch) -> HttpResponse:
    """A word with the pages that it stands on, a portion at a time."""
    asked = plain(request.GET.get("w"), LONGEST_WORD)
    if not asked:
        return render(request, "web/find/word_start.html", {"face": face})
    story = service.word(asked, face.reader, after=number(request.GET.get("after"), -1), most=_PORTION)
    shown = [
        {
            "occurrence": each, "shown": readable(each.url), "story": face.path("page", url=each.url),
            "positions": each.positions[:_MOST_POSITIONS], "more": len(each.positions[_MOST_POSITIONS:]),
        }
        for each in story.shown
    ]  # fmt: skip
    onward = face.path("word", w=story.word, after=str(story.onward)) if story.onward is not None else ""
    return render(request, "web/find/word.html", {"face": face, "story": story, "shown": shown, "onward": onward})


@told
def links(request: HttpRequest, face: Face, service: PublishedSearch) -> HttpResponse:
    """All pages that lead to a page, and all to which it leads."""
    story = service.links(_asked_url(request), face.reader, most=_MOST_ON_LINKS)
    context = {
        "face": face, "story": story, "shown": readable(story.url), "page": face.path("page", url=story.url),
        "parents": _linked(story.parents, face), "children": _linked(story.children, face),
    }  # fmt: skip
    return render(request, "web/find/links.html", context)


@answered
def similar(request: HttpRequest, face: Face, service: SearchService) -> HttpResponse:
    """Pages that are about the same."""
    url, page_number = _asked_url(request), number(request.GET.get("page"), -1)
    if page_number < 0:
        raise Missing("no page was named", where="page", remedy="Search, and choose “Similar pages” at a hit.")
    hits = service.similar(page_number, face.reader, most=20)
    wanted = Wanted(working=face.working)
    context = {
        "face": face, "shown": readable(url), "page": "" if face.working else face.path("page", url=url),
        "lines": [dataclasses.replace(line(hit, face, wanted), more=0) for hit in hits],
    }  # fmt: skip
    return render(request, "web/find/similar.html", context)


def _asked_url(request: HttpRequest) -> str:
    url = plain(request.GET.get("url"), LONGEST_URL)
    if not url:
        raise Missing("no page was named", where="url", remedy="Search, and choose “About this page” at a hit.")
    return url


def _facts(story: PageStory) -> dict[str, Any]:
    return {
        "kind": kind_label(story.page_type) if story.page_type else "", "size": size(story.size) if story.size else "",
        "language": language_label(story.language) if story.language else "", "captured": moment(story.captured),
        "modified": moment(story.last_modified), "rank": f"{story.rank:.3f}",
    }  # fmt: skip


def _captures(story: PageStory) -> list[tuple[Any, Any]]:
    return [(moment(each.at), each) for each in story.captures[:_MOST_CAPTURES]]


def _links_of(story: PageStory, face: Face) -> dict[str, Any]:
    if story.links is None:
        return {"parents": [], "children": [], "all_links": ""}
    return {
        "parents": _linked(story.links.parents[:_MOST_LINKS], face),
        "children": _linked(story.links.children[:_MOST_LINKS], face),
        "all_links": face.path("links", url=story.url),
    }


def _linked(ends: tuple[LinkedPage, ...], face: Face) -> list[tuple[str, str, int]]:
    return [(readable(each.url), face.path("page", url=each.url), each.times) for each in ends]


def _explanation(service: PublishedSearch, face: Face, story: PageStory, wanted: Wanted) -> Explanation | None:
    if not wanted.query or not story.indexed:
        return None
    try:
        return service.explain(story.page, wanted.query, face.reader)
    except Missing:
        return None  # the query does not find the page
