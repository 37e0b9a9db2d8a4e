"""The search page, for readers and for curators; suggestions while somebody types; the OpenSearch description."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.search.answer import Answer, Suggestions
from opilio.search.request import Sort
from opilio.web.find_face import READERS, Face, SearchService, answered
from opilio.web.find_facets import chips, groups, without_filters
from opilio.web.find_hits import line
from opilio.web.find_parameters import LONGEST_WORD, Wanted, plain, read
from opilio.web.find_words import readable
from opilio.web.public import public

_HOUR = 3_600  # seconds


@answered
def results(request: HttpRequest, face: Face, service: SearchService) -> HttpResponse:
    """The hits of a query, or the box with examples."""
    wanted = read(request.GET)
    if not wanted.query:
        return render(request, "web/find/start.html", {"face": face, "wanted": wanted})
    answer = service.ask(wanted.request, face.reader)
    context = {"face": face, "wanted": wanted, "answer": answer, "notes": (*wanted.notes, *answer.notes)}
    template = "web/find/results.html" if answer.hits else "web/find/none.html"
    return render(request, template, {**context, **_narrowing(answer, wanted), **_links(answer, face, wanted)})


def suggest(request: HttpRequest, face: Face) -> HttpResponse:
    """What somebody who types may want to ask, in the form of OpenSearch suggestions."""
    typed = plain(request.GET.get("q"), LONGEST_WORD)
    service = face.service() if typed else None
    found = service.suggest(typed, face.reader) if service is not None else Suggestions()
    titles = [each for each in found.titles if each.title]
    told = [
        typed,
        [*found.queries, *(each.title for each in titles)],
        [*("" for _ in found.queries), *(readable(each.url) for each in titles)],
        [*(face.path(q=each) for each in found.queries), *(face.path("page", url=each.url) for each in titles)],
    ]
    return JsonResponse(told, safe=False, content_type="application/x-suggestions+json")


@public
@require_safe
def opensearch(request: HttpRequest) -> HttpResponse:
    """Lets browsers and other programs search here."""
    root = (settings.OPILIO.server_public_url or request.build_absolute_uri("/")).rstrip("/")
    context = {"find": f"{root}{READERS}", "icon": f"{root}/static/web/mark.svg"}
    kind = "application/opensearchdescription+xml"
    answer = render(request, "web/find/opensearch.xml", context, content_type=kind)
    answer["Cache-Control"] = f"public, max-age={_HOUR}"
    return answer


def _narrowing(answer: Answer, wanted: Wanted) -> dict[str, Any]:
    given = chips(answer.query, wanted)
    words = without_filters(answer.query) if given else ""
    return {
        "groups": groups(answer, wanted), "chips": given,
        "unfiltered": wanted.link(query=words) if words else "",
    }  # fmt: skip


def _links(answer: Answer, face: Face, wanted: Wanted) -> dict[str, Any]:
    """The hits, the way to others, and the switches."""
    before, after = max(answer.offset - answer.limit, 0), answer.offset + answer.limit
    return {
        "lines": [line(hit, face, wanted) for hit in answer.hits],
        "first": answer.offset + 1, "last": answer.offset + len(answer.hits),
        "previous": wanted.link(offset=before) if answer.offset else "",
        "begin": wanted.link(), "next": wanted.link(offset=after) if answer.further else "",
        "meant": wanted.link(query=answer.did_you_mean) if answer.did_you_mean else "",
        "by_relevance": wanted.link(sort=Sort.RELEVANCE), "by_date": wanted.link(sort=Sort.DATE),
        "switch_every": wanted.link(every=not wanted.every),
        "switch_duplicates": wanted.link(duplicates=not wanted.duplicates),
        "permalink": wanted.link(query=answer.query, offset=answer.offset),
    }  # fmt: skip
