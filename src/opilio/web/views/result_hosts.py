"""Which hosts of a result link to which: a picture, and the same as a table."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from opilio.curation.queries import result_hosts as query
from opilio.curation.queries import results
from opilio.curation.queries.result_tree import BeingPrepared
from opilio.web import record_page
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.views.result_tree import shown
from opilio.works.harvest_records import NothingHere
from opilio.works.host_graph import drawn

_SHOWN = 100


@section("review")
@require_safe
def hosts(request: PageRequest, result_id: int) -> HttpResponseBase:
    """The graph of hosts."""
    row = results.result(request.actor, result_id)
    told: dict[str, Any] = {}
    try:
        graph = query.graph(row, request.actor.clock.now())
        if record_page.file_wanted(request):
            rows = (query.link(one) for one in graph.links)
            return record_page.kept(request, query.COLUMNS, rows, name=f"result-{row.pk}-hosts")
        picture = mark_safe(drawn(graph))  # noqa: S308 - Markup, escaped by construction
        told = {"graph": graph, "picture": picture, "links": graph.links[:_SHOWN]}
    except (NothingHere, BeingPrepared) as error:
        told = {"fault": error, "waits": isinstance(error, BeingPrepared)}
    context = {"title": f"Hosts: {row.harvest.abstract_target.name}", "path": f"/results/{row.pk}/hosts", **told}
    return shown(request, row, "tree", "web/results/hosts.html", context)
