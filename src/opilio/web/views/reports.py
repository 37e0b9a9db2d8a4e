"""Reports as pages and files."""

import datetime
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from opilio.curation.reports import making
from opilio.curation.reports.all_reports import REPORTS, named
from opilio.curation.reports.chart import drawn
from opilio.curation.reports.declared import Asked
from opilio.curation.reports.times import BadSpan, given, span
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.people.remembering import remembered
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.streams import download
from opilio.web.zones import zone_of

PATH = "/reports"
SHOWN = 100  # rows on a page; files have all
_KINDS = (("target", "Targets"), ("group", "Groups"))
_TYPES = {"csv": ("text/csv; charset=utf-8", making.as_csv), "html": ("text/html; charset=utf-8", making.as_html)}


@section("reports")
@require_safe
def reports(request: PageRequest) -> HttpResponse:
    """All reports."""
    return render(request, "web/reports/reports.html", {"reports": REPORTS})


@section("reports")
@require_safe
def report(request: PageRequest, name: str) -> HttpResponse:
    """One report: its parameters, a picture, and its first rows."""
    declared = named(name)
    fault = ""
    try:
        asked = _asked(request)
    except BadSpan as error:
        fault, asked = str(error), _asked(request, ignore_dates=True)
    made = making.make(request.actor, name, asked, zone_of(request.actor))
    with remembered():
        rows = [] if fault else list(made.rows(SHOWN + 1))
        bars = () if fault else made.bars()
    context = {
        "report": declared, "path": f"{PATH}/{name}", "fault": fault, "query": request.GET.urlencode(),
        "rows": [list(zip(declared.columns, row, strict=True)) for row in rows[:SHOWN]], "more": len(rows) > SHOWN,
        "shown": SHOWN, "chart": mark_safe(drawn(bars, measure=declared.measure)),  # noqa: S308 - escaped where drawn
        **_filters(request, made),
    }  # fmt: skip
    return render(request, "web/reports/report.html", context, status=422 if fault else 200)


@section("reports")
@require_safe
def report_file(request: PageRequest, name: str, form: str) -> HttpResponseBase:
    """One report as a file, with all of its rows."""
    kind, written = _TYPES[form]
    made = making.make(request.actor, name, _asked(request), zone_of(request.actor))
    pieces = (piece.encode("utf-8", "replace") for piece in written(made))
    return download(request, pieces, name=f"{name}.{form}", kind=kind)


def _filters(request: PageRequest, made: making.Made) -> dict[str, Any]:
    last = made.asked.until - datetime.timedelta(seconds=1)
    form = "%Y-%m-%dT%H:%M:%S" if made.report.to_the_second else "%Y-%m-%d"
    since, until = (one.astimezone(made.zone).strftime(form) for one in (made.asked.since, last))
    return {
        "since": since, "until": until, "user": made.asked.user, "kind": made.asked.kind,
        "agency": made.asked.agency, "kinds": _KINDS,
        "agencies": agencies_where(request.actor, Privilege.SYSTEM_REPORT_LEVEL_1),
    }  # fmt: skip


def _asked(request: PageRequest, *, ignore_dates: bool = False) -> Asked:
    zone = zone_of(request.actor)
    today = request.actor.clock.now().astimezone(zone).date()
    days = (None, None) if ignore_dates else tuple(given(request.GET.get(one, ""), one) for one in ("since", "until"))
    since, until = span(days[0], days[1], today=today, zone=zone)
    agency = request.GET.get("agency", "")
    return Asked(
        since=since, until=until, agency=int(agency) if agency.isdigit() and len(agency) < 19 else None,
        user=request.GET.get("user", "").strip()[:150].replace("\x00", ""), kind=request.GET.get("kind", ""),
    )  # fmt: skip
