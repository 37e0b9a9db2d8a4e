"""A result beside another: what is new, gone or changed; the text of one page; pictures of both."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from opilio.archive.compare.differences import Kind
from opilio.archive.compare.text_diff import TextDiff, Unit
from opilio.curation.queries import result_compare as query
from opilio.curation.queries import results
from opilio.curation.queries.result_tree import BeingPrepared
from opilio.kernel.errors import InvalidInput, Missing
from opilio.people.errors import NotFound
from opilio.web import record_page
from opilio.web.find_words import size
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.views.result_tree import number_of, shown
from opilio.works.harvest_records import NothingHere
from opilio.works.plots import Bar, bar_chart
from opilio.works.record_filters import BadFilter
from opilio.works.result_comparison import COLUMNS, Asked, ComparedUrl, Comparison

if TYPE_CHECKING:
    from opilio.curation.models import Result

_SHOWN = 100  # rows on a page
_FILTERS = ("kind", "text", "host", "type")
_LONGEST = 8_000  # characters of a URL
_TONES = {"+": "added", "-": "removed", "@": "place"}


@section("review")
@require_safe
def compare(request: PageRequest, result_id: int) -> HttpResponseBase:
    """The differences to another result."""
    row = results.result(request.actor, result_id)
    values = record_page.asked(request.GET, _FILTERS)
    told: dict[str, Any] = {}
    chosen = None
    try:
        chosen = _other(request, row)
        if chosen is not None and record_page.file_wanted(request):
            return _kept(request, row, chosen, Asked(**values))
        if chosen is not None:
            told = _told(request, row, chosen, values)
    except (BadFilter, NothingHere, BeingPrepared) as error:
        told = {"fault": error, "waits": isinstance(error, BeingPrepared)}
    context = {
        "title": f"Compare: {row.harvest.abstract_target.name}", "path": f"/results/{row.pk}/compare",
        "others": query.others(request.actor, row), "chosen": chosen, "values": values, "kinds": tuple(Kind),
        "filter_query": urlencode({"with": chosen.pk, **values}) if chosen else "", **told,
    }  # fmt: skip
    return shown(request, row, "compare", "web/results/compare.html", context)


@section("review")
@require_safe
def compare_page(request: PageRequest, result_id: int) -> HttpResponseBase:
    """One page in both results: its text line by line, its pictures side by side."""
    row = results.result(request.actor, result_id)
    chosen = _other(request, row)
    if chosen is None:
        raise NotFound("There is no result to compare with", where=request.path, remedy="Choose one under Compare.")
    url = request.GET.get("url", "").strip()[:_LONGEST]
    unit = Unit.WORDS if request.GET.get("unit") == Unit.WORDS else Unit.LINES
    context: dict[str, Any] = {}
    try:
        context = _diff(query.text_of(chosen, row, url, unit))
    except (InvalidInput, Missing) as error:
        context = {"fault": error}
    picture = urlencode({"url": url})
    context |= {
        "title": f"Compare a page: {row.harvest.abstract_target.name}", "url": url, "chosen": chosen, "unit": unit,
        "units": tuple(Unit), "pictures": query.pictures(chosen, row, url), "picture_query": picture,
        "back": f"/results/{row.pk}/compare?{urlencode({'with': chosen.pk})}",
    }  # fmt: skip
    return shown(request, row, "compare", "web/results/compare_page.html", context)


def _other(request: PageRequest, row: "Result") -> "Result | None":
    text = request.GET.get("with", "")
    if not text:
        found = query.usual(request.actor, row)
        return query.other(request.actor, found) if found is not None else None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BadFilter("no result has such a number", where="with", remedy="Choose one of the list.")
    return query.other(request.actor, int(text))


def _told(request: PageRequest, row: "Result", chosen: "Result", values: dict[str, str]) -> dict[str, Any]:
    asked, after = Asked(**values), number_of(request, "after", -1)
    with query.compared(chosen, row, request.actor.clock.now()) as found:
        rows = found.found(asked, after=after, most=_SHOWN + 1)
        told = {
            "totals": found.totals(), "fields": found.summary("field"), "hosts": found.summary("host", 20),
            "types": found.summary("type", 20), "counted": found.counted(asked), "plot": _plots(found),
        }  # fmt: skip
    onward = urlencode({"with": chosen.pk, **values, "after": rows[_SHOWN - 1].id}) if len(rows) > _SHOWN else ""
    return {**told, "rows": [_line(one, row, chosen) for one in rows[:_SHOWN]], "next": onward}


def _line(one: ComparedUrl, row: "Result", chosen: "Result") -> dict[str, Any]:
    sizes = [size(number) if number is not None else "–" for number in (one.before_size, one.after_size)]
    page = urlencode({"with": chosen.pk, "url": one.url})
    readable = one.kind in (Kind.CHANGED, Kind.UNCHANGED) and one.type in ("html", "text", "pdf", "office")
    return {
        "one": one, "sizes": sizes, "link": f"/results/{row.pk}/compare/page?{page}" if readable else "",
        "tone": {"added": "good", "removed": "bad", "changed": "warn"}.get(one.kind, "quiet"),
    }  # fmt: skip


def _plots(found: Comparison) -> SafeString:
    kinds = [Bar(label=kind, value=count) for kind, count in found.totals().items()]
    types = [
        Bar(label=value or "unknown", value=sum(counts.values()) - counts[Kind.UNCHANGED])
        for value, counts in found.summary("type", 10).items()
    ]
    differing = [bar for bar in types if bar.value]
    plots = bar_chart("URLs in both results", kinds) + (
        bar_chart("Differences by type", differing) if differing else ""
    )
    return mark_safe(plots)  # noqa: S308 - Markup, escaped by construction


def _kept(request: PageRequest, row: "Result", chosen: "Result", asked: Asked) -> HttpResponseBase:
    found = query.every(chosen, row, asked, request.actor.clock.now())
    return record_page.kept(request, COLUMNS, found, name=f"result-{row.pk}-with-{chosen.pk}")


def _diff(found: TextDiff) -> dict[str, Any]:
    lines = [(_TONES.get(line[:1], "same"), line) for line in found.lines]
    return {"lines": lines, "same": found.same, "notes": found.notes}
