"""What belongs to one harvest: its log, what it was run with, its files, the notes pinned to it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.harvest_words import event_label, tone_of
from opilio.curation.kinds import HARVEST
from opilio.curation.queries import harvests as query
from opilio.curation.words import HarvestState
from opilio.web.find_words import size
from opilio.web.harvest_page import frame
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.snapshot_tables import spoken, tables

_SHOWN = 1_000


@section("harvests")
@require_safe
def log(request: PageRequest, harvest_id: int) -> HttpResponse:
    """What happened to a harvest, oldest first."""
    row = query.harvest(request.actor, harvest_id)
    found = query.events(row)
    events = [
        {
            "one": one, "label": event_label(one.name), "state": HarvestState(one.target).label,
            "tone": tone_of(one.target), "moved": one.source != one.target, "details": spoken(one.details),
        }
        for one in found[:_SHOWN]
    ]  # fmt: skip
    context = {
        **frame(request.actor, row, "log"), "title": f"Log of the harvest of {row.abstract_target.name}",
        "events": events, "more": found.count() - len(events),
    }  # fmt: skip
    return render(request, "web/harvests/log.html", context)


@section("harvests")
@require_safe
def snapshot(request: PageRequest, harvest_id: int) -> HttpResponse:
    """What the harvest was run with."""
    row = query.harvest(request.actor, harvest_id)
    frozen = query.frozen(row)
    context = {
        **frame(request.actor, row, "snapshot"), "title": f"Snapshot of the harvest of {row.abstract_target.name}",
        "frozen": frozen, "tables": tables(frozen.sections) if frozen else [],
    }  # fmt: skip
    return render(request, "web/harvests/snapshot.html", context)


@section("harvests")
@require_safe
def files(request: PageRequest, harvest_id: int) -> HttpResponse:
    """The files that the harvest left."""
    row = query.harvest(request.actor, harvest_id)
    found = list(query.files(row)[:_SHOWN])
    context = {
        **frame(request.actor, row, "files"), "title": f"Files of the harvest of {row.abstract_target.name}",
        "files": [(one, size(one.size)) for one in found], "total": size(sum(one.size for one in found)),
        "ended": row.ended_at is not None,
    }  # fmt: skip
    return render(request, "web/harvests/files.html", context)


@section("harvests")
@require_safe
def notes(request: PageRequest, harvest_id: int) -> HttpResponse:
    """The notes pinned to the harvest."""
    row = query.harvest(request.actor, harvest_id)
    context = {
        **frame(request.actor, row, "notes"), "title": f"Notes on the harvest of {row.abstract_target.name}",
        "notes": panel(request.actor, HARVEST, row),
    }  # fmt: skip
    return render(request, "web/harvests/notes.html", context)
