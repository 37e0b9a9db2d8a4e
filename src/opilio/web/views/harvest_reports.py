"""The reports on one harvest as pages and files."""

import json
from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from opilio.curation.queries import harvest_reports as query
from opilio.curation.queries.harvests import harvest
from opilio.web.harvest_page import frame
from opilio.web.report_cells import shown_rows
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.streams import download
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.all_reports import BadChoice, named
from opilio.works.harvest_reports.declared import Form, HarvestReport
from opilio.works.harvest_reports.written import as_csv, as_values

_KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@section("harvests")
@require_safe
def reports(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Which reports there are, with what they count."""
    row = harvest(request.actor, harvest_id)
    context = {
        **frame(request.actor, row, "reports"), "title": f"Reports on the harvest of {row.abstract_target.name}",
        "offer": query.offered(row),
    }  # fmt: skip
    return render(request, "web/harvests/reports.html", context)


@section("harvests")
@require_safe
def report(request: PageRequest, harvest_id: int, name: str) -> HttpResponse:
    """One report: plots, and its table."""
    row = harvest(request.actor, harvest_id)
    declared = named(name)
    context: dict[str, Any] = {
        **frame(request.actor, row, "reports"), "report": declared, "query": request.GET.urlencode(),
        "title": f"{declared.label}: harvest of {row.abstract_target.name}", "chosen": _chosen(request, declared),
    }  # fmt: skip
    status = 200
    try:
        made = query.made(row, name, context["chosen"])
    except NothingHere as error:
        context["nothing"] = query.told(error)
    except BadChoice as error:
        context["fault"], status = str(error), 422
    else:
        context |= _filled(made, context["base"])
    return render(request, "web/harvests/report.html", context, status=status)


@section("harvests")
@require_safe
def report_file(request: PageRequest, harvest_id: int, name: str, form: str) -> HttpResponseBase:
    """One report as a file."""
    row = harvest(request.actor, harvest_id)
    made = query.made(row, name, _chosen(request, named(name)))
    pieces = as_csv(made.report, made.rows) if form == "csv" else _json(made)
    written = (piece.encode("utf-8", "replace") for piece in pieces)
    return download(request, written, name=f"harvest-{row.pk}-{name}.{form}", kind=_KINDS[form])


def _filled(made: query.Made, base: str) -> dict[str, Any]:
    plots = mark_safe("".join(made.plots()))  # noqa: S308 - Markup, escaped by construction
    return {
        "made": made, "plots": plots, "rows": shown_rows(base, made.report.columns, made.rows), "chosen": made.choice,
        "linked": any(column.form in (Form.URL, Form.URLS) for column in made.report.columns),
    }  # fmt: skip


def _json(made: query.Made) -> Iterator[str]:
    found = {"report": made.report.name, "total": made.total, "rows": as_values(made.report, made.rows)}
    yield json.dumps(found, ensure_ascii=False, indent=1)


def _chosen(request: PageRequest, report: HarvestReport) -> str:
    return request.GET.get(report.choice.name, "")[:40] if report.choice else ""
