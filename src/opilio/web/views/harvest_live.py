"""A harvest as it goes: the page, the stream of events that keeps it up to date, and screenshots."""

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_safe

from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.curation.harvest_folders import folder_of
from opilio.curation.queries import harvest_live
from opilio.curation.queries import harvests as query
from opilio.curation.words import HarvestState
from opilio.web.harvest_page import frame
from opilio.web.live import desk
from opilio.web.live.parts import parts_of
from opilio.web.live.stream import KIND, stepped, streamed
from opilio.web.requests import PageRequest
from opilio.web.sections import section

_FULL = "Too many people watch harvests at this moment. The page can be loaded again to see the newest figures.\n"
_LONGEST_MARK = 64
_LONGEST_URL = 300


@section("harvests")
@require_safe
def live(request: PageRequest, harvest_id: int) -> HttpResponse:
    """How the harvest goes at this moment."""
    row = query.harvest(request.actor, harvest_id)
    found = harvest_live.live(row)
    context = {
        **frame(request.actor, row, "live"), "title": f"Live view of the harvest of {row.abstract_target.name}",
        "standing": query.standing(request.actor, row), "parts": parts_of(found), "over": found.over,
        "mark": found.mark, "runs": row.state in (HarvestState.RUNNING, HarvestState.PAUSED), "waits": False,
        "back_to": request.path,
    }  # fmt: skip
    return render(request, "web/harvests/live.html", context)


@section("harvests")
@require_GET
def stream(request: PageRequest, harvest_id: int) -> HttpResponseBase:
    """What changes on the page, until the harvest ends or some minutes have gone."""
    row = query.harvest(request.actor, harvest_id)
    board = desk.board()
    if board.full:
        return HttpResponse(_FULL, status=503, content_type="text/plain; charset=utf-8", headers={"Retry-After": "30"})
    last = request.headers.get("Last-Event-ID", "") or request.GET.get("last", "")
    last = last[:_LONGEST_MARK]
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the latter for nginx
    if isinstance(request, ASGIRequest):
        pieces = streamed(board, row.pk, last=last, begin=desk.ending().listen)
        return StreamingHttpResponse(pieces, content_type=KIND, headers=headers)
    return StreamingHttpResponse(stepped(streamed(board, row.pk, last=last)), content_type=KIND, headers=headers)


@section("harvests")
@require_safe
def picture(request: PageRequest, harvest_id: int) -> HttpResponse:
    """The newest small screenshot of a page; 404 when there is none on this machine."""
    row = query.harvest(request.actor, harvest_id)
    shelf = PictureShelf(folder_of(row.pk, captures=False).path)
    found = shelf.newest(request.GET.get("url", "")[:_LONGEST_URL], PictureKind.THUMBNAIL)
    headers = {"Content-Disposition": "inline", "Cache-Control": "private, max-age=60"}
    return HttpResponse(found.data, content_type=found.kind.content_type, headers=headers)
