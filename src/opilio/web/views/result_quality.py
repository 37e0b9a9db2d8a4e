"""The quality of one result: its indicators with what they rest on, plots, files; orders to measure it again."""

import json
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.assessments import assess_again
from opilio.curation.assessment_tables import TABLES, as_csv
from opilio.curation.patch_proposals import take_proposals
from opilio.curation.queries import assessments, results
from opilio.kernel.errors import OpilioError
from opilio.people.errors import NotAllowed, NotFound
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section
from opilio.web.streams import download
from opilio.works.markup import Markup
from opilio.works.plots import Bar, bar_chart, stacked_bar

if TYPE_CHECKING:
    from opilio.curation.queries.assessments import Assessed

_FILES = (*((f"{name}.csv", f"{name.capitalize()} (CSV)") for name in TABLES), ("assessment.json", "All of it (JSON)"))
_MOST_BARS = 12
#: Shares of a page check, by the name that the page calls them in percent.
_SHARES = {"picture_percent": "picture", "live_picture_percent": "live_picture", "live_percent": "live_text"}


@section("review")
@require_safe
def quality(request: PageRequest, result_id: int) -> HttpResponse:
    """Everything that was measured."""
    row = results.result(request.actor, result_id)
    found = assessments.assessment(row)
    context = {
        **frame(request.actor, row, "quality"), "title": f"Quality of result {row.number}", "assessed": found,
        "coverage": assessments.covered(row), "files": _FILES, "plots": _plots(found) if found else "",
    }  # fmt: skip
    if found is not None:
        _percents(found.sheet)
    return render(request, "web/results/quality.html", context)


@section("review")
@require_safe
def quality_csv(request: PageRequest, result_id: int, name: str) -> HttpResponseBase:
    """One table for spreadsheets."""
    row = results.result(request.actor, result_id)
    pieces = (piece.encode("utf-8", "replace") for piece in as_csv(row, name))
    return download(request, pieces, name=f"result-{row.pk}-{name}.csv", kind="text/csv; charset=utf-8")


@section("review")
@require_safe
def quality_json(request: PageRequest, result_id: int) -> HttpResponseBase:
    """The whole assessment for programs."""
    row = results.result(request.actor, result_id)
    text = json.dumps(assessments.document(row), ensure_ascii=False, indent=1)
    pieces = iter([text.encode("utf-8", "replace")])
    return download(request, pieces, name=f"result-{row.pk}-assessment.json", kind="application/json")


@section("review")
@require_POST
def assess(request: PageRequest, result_id: int) -> HttpResponse:
    """Have it measured again."""
    row = results.result(request.actor, result_id)
    try:
        assess_again(request.actor, result_id=row.pk)
        messages.success(request, "It is measured again; the recommendation follows in a moment.")
    except (NotAllowed, NotFound):
        raise
    except OpilioError as error:
        messages.error(request, str(error))
    return HttpResponseRedirect(f"{PATH}/{row.pk}/quality")


@section("review")
@require_POST
def patch_list(request: PageRequest, result_id: int) -> HttpResponse:
    """Take what was found missing into the list for a patch."""
    row = results.result(request.actor, result_id)
    try:
        taken = take_proposals(request.actor, row)
        messages.success(request, f"{taken.added:,} URLs are on the list; {taken.known:,} stood there already.")
    except (NotAllowed, NotFound):
        raise
    except OpilioError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(f"{PATH}/{row.pk}/quality")
    return HttpResponseRedirect(f"{PATH}/{row.pk}/missing")


def _plots(found: "Assessed") -> str:
    """What is measured as a share of the reference; answers by status; the largest clusters."""
    figures, drawn = found.sheet.get("figures", {}), list[Markup]()
    shares = [
        Bar(label=one.label, value=round(100 * one.share, 1), shown=f"{100 * one.share:.0f} %")
        for one in found.values
        if one.share is not None
    ]
    if shares:
        drawn.append(bar_chart("Measured, in percent of the reference harvest", shares[:_MOST_BARS]))
    if figures.get("statuses"):
        drawn.append(stacked_bar("Answers by status", [Bar(label=k, value=v) for k, v in _most(figures["statuses"])]))
    if found.sheet.get("clusters"):
        clusters = found.sheet["clusters"][:_MOST_BARS]
        drawn.append(bar_chart("Pages by cluster", [Bar(label=one["label"], value=one["pages"]) for one in clusters]))
    return mark_safe("".join(drawn))  # noqa: S308 - Markup, escaped by construction


def _most(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_MOST_BARS]


def _percents(sheet: dict[str, Any]) -> None:
    for one in sheet.get("checks", {}).get("pages", ()):
        for name, key in _SHARES.items():
            one[name] = "" if one.get(key) is None else f"{100 * one[key]:.1f}"
