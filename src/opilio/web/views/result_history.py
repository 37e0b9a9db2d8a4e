"""All harvests of a result's target or group, side by side, with a plot."""

import datetime
from collections.abc import Sequence

from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from opilio.curation.queries import result_history as query
from opilio.curation.queries import results
from opilio.curation.queries.result_history import Past
from opilio.web import record_page
from opilio.web.find_words import size
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.views.result_tree import shown
from opilio.web.zones import day, zone_of
from opilio.works.plots import Bar, histogram

_PLOTTED = 16  # harvests


@section("review")
@require_safe
def history(request: PageRequest, result_id: int) -> HttpResponseBase:
    """What every harvest of the target came to."""
    row = results.result(request.actor, result_id)
    found = query.history(request.actor, row)
    if record_page.file_wanted(request):
        told = (one.document() for one in found)
        return record_page.kept(request, query.COLUMNS, told, name=f"result-{row.pk}-history")
    context = {
        "title": f"History: {row.harvest.abstract_target.name}", "path": f"/results/{row.pk}/history",
        "past": [{"one": one, "size": size(one.bytes), "lasted": _lasted(one.seconds)} for one in found],
        "plots": _plots(found, zone_of(request.actor)), "most": query.MOST,
    }  # fmt: skip
    return shown(request, row, "history", "web/results/history.html", context)


def _plots(found: Sequence[Past], zone: datetime.tzinfo) -> SafeString:
    """The newest harvests, oldest first; nothing to see in one alone."""
    told = list(reversed(found[:_PLOTTED]))
    if len(told) < 2:
        return SafeString("")
    urls = [Bar(label=day(one.started, zone), value=one.urls) for one in told]
    amounts = [Bar(label=day(one.started, zone), value=one.bytes, shown=size(one.bytes)) for one in told]
    failed = [Bar(label=day(one.started, zone), value=one.failed) for one in told]
    plots = histogram("URLs, by harvest", urls) + histogram("Data, by harvest", amounts)
    return mark_safe(plots + histogram("Failed URLs, by harvest", failed))  # noqa: S308 - Markup, escaped


def _lasted(seconds: int) -> str:
    hours, rest = divmod(seconds, 3_600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}"
