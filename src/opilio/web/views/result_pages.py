"""The pages of a result, with verdicts and notes of reviewers."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.actions.page_verdicts import judge_page
from opilio.curation.coverage import coverage
from opilio.curation.missing_urls import web_url
from opilio.curation.queries import page_verdicts, results
from opilio.curation.queries import result_pages as query
from opilio.curation.queries.result_pages import Judged
from opilio.curation.words import Verdict
from opilio.people.errors import NotFound
from opilio.web import record_page
from opilio.web.find_words import size
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.results_tools import VerdictForm
from opilio.web.requests import PageRequest, local_path
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section
from opilio.works.harvest_records import NothingHere
from opilio.works.record_filters import BadFilter

if TYPE_CHECKING:
    from opilio.curation.models import Result

_FILTERS = ("q", "verdict")
_TONES: dict[str, str] = {Verdict.GOOD: "good", Verdict.ACCEPTABLE: "info", Verdict.BAD: "bad"}


@section("review")
@require_safe
def pages(request: PageRequest, result_id: int) -> HttpResponseBase:
    """What readers may open, by number."""
    row = results.result(request.actor, result_id)
    values = record_page.asked(request.GET, _FILTERS)
    try:
        if record_page.file_wanted(request):
            with query.opened(row):
                pass  # says at once that there is nothing to export
            found = query.exported(request.actor, row, text=values.get("q", ""))
            name = f"harvest-{row.harvest_id}-result-{row.number}-pages"
            return record_page.kept(request, query.COLUMNS, found, name=name)
        told = _told(request, row, values)
    except (BadFilter, NothingHere) as error:
        told = {"fault": error}
    context = {
        **frame(request.actor, row, "pages"), "title": f"Pages: {row.harvest.abstract_target.name}", "values": values,
        "filter_query": urlencode(values), "path": f"{PATH}/{row.pk}/pages", "verdicts": Verdict.choices,
        "counts": page_verdicts.counts(request.actor, row), "judged": page_verdicts.pages_judged(request.actor, row),
        "seen": coverage(row), **told,
    }  # fmt: skip
    part = request.htmx and request.htmx.target == "results"
    return render(request, "web/results/_pages.html" if part else "web/results/pages.html", context)


@section("review")
def page(request: PageRequest, result_id: int) -> HttpResponse:
    """One page: what others said, and one's own verdict."""
    row = results.result(request.actor, result_id)
    url = web_url(request.GET.get("url", "")[:8_001])
    found = query.one(request.actor, row, url)
    if found is None:
        raise NotFound("The result has no such page", where=url[:200], remedy="Choose one from the list.")
    mine = next((one for one in found.verdicts if one.by_id == request.actor.user), None)
    back = local_path(request.GET.get("next"), f"{PATH}/{row.pk}/pages")

    def save(data: dict[str, Any]) -> str:
        version = mine.version if mine is not None else None
        judge_page(request.actor, result_id=row.pk, url=url, version=version, **data)
        messages.success(request, "Your verdict is written down.")
        return back

    start = {"verdict": mine.verdict, "note": mine.note} if mine is not None else {}
    context = {
        **frame(request.actor, row, "pages"), "title": "Page", "line": _line(row, found), "address": _pair(row, found),
        "said": [(said, _TONES.get(said.verdict, "quiet")) for said in found.verdicts],
    }  # fmt: skip
    shown = FormPage(
        title=f"Page: {row.harvest.abstract_target.name}", back=back, template="web/results/page.html", context=context
    )
    return answer(request, VerdictForm(request, initial=start), shown, save=save)


def _told(request: PageRequest, row: "Result", values: dict[str, str]) -> dict[str, Any]:
    chosen = values.get("verdict", "")
    if chosen in Verdict.values:
        part = query.with_verdict(request.actor, row, chosen)
    else:
        after = record_page.after(request.GET, 1) or (-1,)
        part = query.part(request.actor, row, text=values.get("q", ""), after=after[0], most=record_page.SHOWN)
    onward = record_page.onward(values, (part.next,)) if part.next is not None else ""
    return {"lines": [_line(row, one) for one in part.rows], "next": onward, "whole": part.whole}


def _line(row: "Result", one: Judged) -> dict[str, Any]:
    address = f"{PATH}/{row.pk}/pages/page?{urlencode({'url': one.page.url})}" if len(one.page.url) <= 8_000 else ""
    return {
        "one": one, "page": one.page, "address": address, "size": size(one.page.size),
        "tone": record_page.outcome_tone(one.page.outcome),
        "said": [(Verdict(said.verdict).label if said.verdict else "note", _TONES.get(said.verdict, "quiet"),
                  said.by.username) for said in one.verdicts],
    }  # fmt: skip


def _pair(row: "Result", one: Judged) -> dict[str, str]:
    return {"url": one.page.url, "open": f"{PATH}/{row.pk}/replay/open?{urlencode({'url': one.page.url})}"}
