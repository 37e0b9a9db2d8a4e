"""What a harvest collected, what it has before it, and the story of one URL."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.queries import harvest_records as records
from opilio.curation.queries import harvests as query
from opilio.curation.words import HarvestState
from opilio.kernel.errors import InvalidInput
from opilio.web import record_page
from opilio.web.find_words import size
from opilio.web.harvest_page import frame
from opilio.web.record_page import SHOWN, asked, filtered, onward, pattern_of, story_link
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.works.harvest_records import HarvestResource, NothingHere, WaitingUrl
from opilio.works.record_filters import BadFilter
from opilio.works.story_words import facts

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

_RESOURCE_FILTERS = ("q", "status", "outcome", "type", "host")
_QUEUE_FILTERS = ("q", "host")
_RUNS = (HarvestState.RUNNING, HarvestState.PAUSED)


@section("harvests")
@require_safe
def resources(request: PageRequest, harvest_id: int) -> HttpResponseBase:
    """What a harvest collected, with the place of each record."""
    row = query.harvest(request.actor, harvest_id)
    values = asked(request.GET, _RESOURCE_FILTERS)
    try:
        if record_page.file_wanted(request):
            found = records.exported_resources(row, filtered(values))
            return record_page.kept(request, records.RESOURCE_COLUMNS, found, name=f"harvest-{row.pk}-resources")
        told = _resources(request, row, values)
    except (BadFilter, NothingHere) as error:
        told = {"fault": error}
    context = {
        **frame(request.actor, row, "resources"), "title": f"Resources of the harvest of {row.abstract_target.name}",
        "values": values, "filter_query": urlencode(values), "path": f"/harvests/{row.pk}/resources",
        "statuses": record_page.STATUSES, "outcomes": record_page.OUTCOMES, **told,
    }  # fmt: skip
    return _shown(request, "web/harvests/resources.html", "web/harvests/_resources.html", context)


@section("harvests")
@require_safe
def queue(request: PageRequest, harvest_id: int) -> HttpResponseBase:
    """What waits for its turn."""
    row = query.harvest(request.actor, harvest_id)
    values = asked(request.GET, _QUEUE_FILTERS)
    try:
        if record_page.file_wanted(request):
            found = records.exported_waiting(row, filtered(values))
            return record_page.kept(request, records.WAITING_COLUMNS, found, name=f"harvest-{row.pk}-queue")
        told = _waiting(request, row, values)
    except (BadFilter, NothingHere) as error:
        told = {"fault": error}
    figures = query.figures(row)
    context = {
        **frame(request.actor, row, "queue"), "title": f"Queue of the harvest of {row.abstract_target.name}",
        "values": values, "filter_query": urlencode(values), "path": f"/harvests/{row.pk}/queue",
        "pattern_query": urlencode({"pattern": pattern_of(values)}), "about": figures.urls_waiting if figures else 0,
        "steers": row.state in _RUNS and query.may_manage(request.actor, row), **told,
    }  # fmt: skip
    return _shown(request, "web/harvests/queue.html", "web/harvests/_queue.html", context)


@section("harvests")
@require_safe
def story(request: PageRequest, harvest_id: int) -> HttpResponse:
    """All that is known about one URL."""
    row = query.harvest(request.actor, harvest_id)
    url, told, fault = request.GET.get("url", "").strip(), {}, None
    if url:
        try:
            told = records.story(row, url)
        except (InvalidInput, NothingHere) as error:
            fault = error
    context = {
        **frame(request.actor, row, "story"), "title": f"Story of a URL in the harvest of {row.abstract_target.name}",
        "url": url[:8_000], "facts": facts(told), "fault": fault, "tone": record_page.outcome_tone(_outcome(told)),
        "told": told, "parents": [(one, story_link(f"/harvests/{row.pk}", one)) for one in told.get("parents", ())],
    }  # fmt: skip
    return render(request, "web/harvests/story.html", context, status=_status(fault))


def _resources(request: PageRequest, row: "Harvest", values: dict[str, str]) -> dict[str, Any]:
    after, wanted = record_page.after(request.GET, 1), filtered(values)
    with records.opened(row) as found:
        part, types, counts = found.resources(wanted, after, SHOWN), found.types(), found.outcomes()
    lines = [_resource(one, f"/harvests/{row.pk}") for one in part.rows]
    return {
        "lines": lines, "next": onward(values, part.next), "whole": part.whole, "types": types,
        "sealed": found.sealed, "counts": counts, "total": sum(counts.values()),
    }  # fmt: skip


def _waiting(request: PageRequest, row: "Harvest", values: dict[str, str]) -> dict[str, Any]:
    after, wanted = record_page.after(request.GET, 4), filtered(values)
    with records.opened(row) as found:
        part, sealed = found.waiting(wanted, after, SHOWN), found.sealed
    lines = [_wait(one, f"/harvests/{row.pk}") for one in part.rows]
    return {"lines": lines, "next": onward(values, part.next), "whole": part.whole, "sealed": sealed}


def _resource(one: HarvestResource, base: str) -> dict[str, Any]:
    return {
        "one": one, "story": story_link(base, one.url), "tone": record_page.outcome_tone(one.outcome),
        "size": size(one.size), "fetched": records.moment(one.at),
    }  # fmt: skip


def _wait(one: WaitingUrl, base: str) -> dict[str, Any]:
    return {
        "one": one, "story": story_link(base, one.url), "found_on": story_link(base, one.found_on),
        "not_before": records.moment(one.not_before),
    }  # fmt: skip


def _outcome(told: dict[str, Any]) -> str:
    return str(told.get("outcome", ""))


def _shown(request: PageRequest, page: str, rows: str, context: dict[str, Any]) -> HttpResponse:
    """The page, or the part of it that htmx replaces."""
    part = request.htmx and request.htmx.target == "results"
    return render(request, rows if part else page, context, status=_status(context.get("fault")))


def _status(fault: Exception | None) -> int:
    return 422 if isinstance(fault, InvalidInput) else 200
