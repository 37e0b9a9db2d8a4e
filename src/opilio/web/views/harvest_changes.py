"""What a harvest found changed, and how often the pages of a target or group change."""

import csv
import datetime
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from opilio.curation import change_words as words
from opilio.curation.change_rate import LEAST_CHECKS
from opilio.curation.queries import harvest_changes as query
from opilio.curation.queries.groups import group
from opilio.curation.queries.harvests import harvest
from opilio.curation.queries.targets import target
from opilio.kernel.errors import OpilioError
from opilio.web import group_page, target_page
from opilio.web.find_words import moment
from opilio.web.harvest_page import frame
from opilio.web.lists.export import harmless
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.streams import download
from opilio.web.zones import day, zone_of
from opilio.works.plots import Bar, bar_chart, histogram

if TYPE_CHECKING:
    from opilio.curation.models import AbstractTarget

_PAGES = 100  # on a page
_PLOTTED = 24  # harvests
_PORTION = 1_000
_LONGEST = 500  # characters of a filter


@section("harvests")
@require_safe
def of_harvest(request: PageRequest, harvest_id: int) -> HttpResponse:
    """What a harvest found changed since the one before."""
    row = harvest(request.actor, harvest_id)
    found = query.found_by(row)
    context = {
        **frame(request.actor, row, "changes"), "title": f"Changes: harvest of {row.abstract_target.name}",
        "found": found, "plot": _plot_of(found) if found else "", "lasting": words.lasting(found.days) if found else "",
        "ended": row.ended_at is not None,
    }  # fmt: skip
    return render(request, "web/harvests/changes.html", context)


@section("targets")
@require_safe
def of_target(request: PageRequest, target_id: int) -> HttpResponse:
    """How often the pages of a target change, and how often to harvest it therefore."""
    row = target(request.actor, target_id)
    context = target_page.frame(request.actor, row, "changes") | _told_of(request, row)
    return render(request, "web/targets/changes.html", context)


@section("groups")
@require_safe
def of_group(request: PageRequest, group_id: int) -> HttpResponse:
    """The same of a group that is harvested as one."""
    row = group(request.actor, group_id)
    context = group_page.frame(request.actor, row, "changes") | _told_of(request, row)
    return render(request, "web/groups/changes.html", context)


def _told_of(request: PageRequest, row: "AbstractTarget") -> dict[str, Any]:
    evidence = query.evidence(request.actor, row)
    rate, suggested = evidence.rate, evidence.suggestion
    return {
        "title": f"Changes of {row.name}", "evidence": evidence,
        "rate": words.rate_words(rate) if rate else "",
        "suggestion": words.suggestion_words(suggested) if suggested else "",
        "scheduled": words.lasting(evidence.scheduled) if evidence.scheduled is not None else "",
        "plot": _plot_over_time(evidence.found, zone_of(request.actor)), "least_checks": LEAST_CHECKS,
        "shares": [(one, "–" if one.share is None else f"{one.share:.0%}") for one in evidence.found],
        **_pages(row, request.GET.get("q", "")[:_LONGEST].strip()),
    }  # fmt: skip


@section("targets")
@require_safe
def pages_file(request: PageRequest, target_id: int) -> HttpResponseBase:
    """What is known of every page, as CSV."""
    return _file(request, target(request.actor, target_id), "target")


@section("groups")
@require_safe
def group_pages_file(request: PageRequest, group_id: int) -> HttpResponseBase:
    """What is known of every page of a group's harvests, as CSV."""
    return _file(request, group(request.actor, group_id), "group")


def _file(request: PageRequest, row: "AbstractTarget", kind: str) -> HttpResponseBase:
    query.pages(row, limit=1)  # says now that nothing is here
    return download(request, _csv(row), name=f"{kind}-{row.pk}-changes.csv", kind="text/csv; charset=utf-8")


def _pages(row: "AbstractTarget", text: str) -> dict[str, Any]:
    try:
        found = query.pages(row, text=text, limit=_PAGES + 1)
    except OpilioError as error:
        return {"pages": [], "more": False, "nothing": str(error), "q": text}
    told = [
        {
            "one": page.history, "rate": words.rate_words(page.rate) if page.rate else "",
            "changed": moment(page.history.changed) if page.history.changed else None,
            "last": moment(page.history.last),
        }
        for page in found[:_PAGES]
    ]  # fmt: skip
    return {"pages": told, "more": len(found) > _PAGES, "nothing": "", "q": text}


def _csv(row: "AbstractTarget") -> Iterator[bytes]:
    columns = ("url", "present", "first", "last", "changed", "checks", "changes", "per_day", "low", "high")
    yield f"\ufeff{','.join(columns)}\r\n".encode()
    start = 0
    while found := query.pages(row, limit=_PORTION, offset=start):
        start += len(found)
        sheet = io.StringIO()
        writer = csv.writer(sheet, lineterminator="\r\n")
        for page in found:
            told = words.page_told(page)
            told |= told.pop("rate") or {}
            cells = [told.get(name) for name in columns]
            writer.writerow([harmless(str(cell)) if cell is not None else "" for cell in cells])
        yield sheet.getvalue().encode("utf-8", "replace")


def _plot_of(found: query.Found) -> SafeString:
    bars = [Bar(label=label, value=getattr(found, name)) for name, label in words.COUNTS]
    return mark_safe(bar_chart("Pages", bars))  # noqa: S308 - Markup, escaped by construction


def _plot_over_time(found: Sequence[query.Found], zone: datetime.tzinfo) -> SafeString:
    told = [one for one in reversed(found[:_PLOTTED]) if one.share is not None]
    if len(told) < 2:
        return SafeString("")
    bars = [Bar(label=day(one.began, zone), value=one.share or 0, shown=f"{one.share:.0%}") for one in told]
    return mark_safe(histogram("Share of pages that had changed, by harvest", bars))  # noqa: S308 - Markup, as above
