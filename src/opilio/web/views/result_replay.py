"""Replay of exactly one result: where to start, a page beside the live site, and the way in."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.archive.screenshots.errors import NoPicture
from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.curation import replay_doors
from opilio.curation.harvest_folders import folder_of
from opilio.curation.missing_urls import web_url
from opilio.curation.queries import result_pages, results
from opilio.curation.replay_doors import Place
from opilio.people.errors import InvalidFields
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section
from opilio.works.harvest_records import NothingHere

if TYPE_CHECKING:
    from opilio.curation.models import Result

_SEEDS = 50  # that are offered to start from
_PAGES = 20
_LONGEST = 8_000  # characters of a URL


@section("review")
@require_safe
def replay(request: PageRequest, result_id: int) -> HttpResponse:
    """Where to start, and one address beside the live site."""
    row = results.result(request.actor, result_id)
    url, fault = request.GET.get("url", "").strip()[:_LONGEST], ""
    try:
        chosen = _start(row, web_url(url)) if url else None
    except InvalidFields as error:
        chosen, fault = None, error.messages["url"][0]
    context = {
        **frame(request.actor, row, "replay"), "title": f"Replay: {row.harvest.abstract_target.name}", "url": url,
        "chosen": chosen, "fault": fault, "host": replay_doors.names().name_of(row.pk), **_starts(request, row),
    }  # fmt: skip
    return render(request, "web/results/replay.html", context, status=422 if fault else 200)


@section("review")
@require_safe
def open_page(request: PageRequest, result_id: int) -> HttpResponse:
    """Lets the asker in to the replay of a result, at one page."""
    row = results.result(request.actor, result_id)
    with result_pages.opened(row):
        pass  # says here, and not in a page of replay, that the files are elsewhere
    url = web_url(request.GET.get("url", "")[: _LONGEST + 1])
    place = Place.of(request.build_absolute_uri("/"))
    return HttpResponseRedirect(replay_doors.address(request.actor, row.pk, url, place, clock=request.actor.clock))


@section("review")
@require_safe
def picture(request: PageRequest, result_id: int) -> HttpResponse:
    """The newest small screenshot of a page; 404 when there is none on this machine."""
    row = results.result(request.actor, result_id)
    found = _shelf(row).newest(request.GET.get("url", "")[:_LONGEST], PictureKind.THUMBNAIL)
    headers = {"Content-Disposition": "inline", "Cache-Control": "private, max-age=60"}
    return HttpResponse(found.data, content_type=found.kind.content_type, headers=headers)


def _starts(request: PageRequest, row: "Result") -> dict[str, Any]:
    try:
        seeds = result_pages.seeds(row)
        pages = result_pages.part(request.actor, row, most=_PAGES).rows
    except NothingHere as error:
        return {"nothing": error}
    known = set(seeds)
    return {
        "seeds": [_start(row, url) for url in seeds[:_SEEDS]], "more_seeds": max(0, len(seeds) - _SEEDS),
        "pages": [_start(row, one.page.url, one.page.title) for one in pages if one.page.url not in known],
    }  # fmt: skip


def _start(row: "Result", url: str, title: str = "") -> dict[str, str]:
    """An address with its way in, its live site, and its picture if there is one."""
    query, base = urlencode({"url": url}), f"{PATH}/{row.pk}/replay"
    return {
        "url": url, "title": title, "open": f"{base}/open?{query}",
        "picture": f"{base}/picture?{query}" if _pictured(row, url) else "",
    }  # fmt: skip


def _pictured(row: "Result", url: str) -> bool:
    try:
        _shelf(row).newest(url, PictureKind.THUMBNAIL)
    except NoPicture:
        return False
    return True


def _shelf(row: "Result") -> PictureShelf:
    return PictureShelf(folder_of(row.harvest_id, captures=False).path)
