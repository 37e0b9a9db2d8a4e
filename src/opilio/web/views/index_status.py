"""Which generation lies where, since when, and what the next one would bring."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.web.find_home import search_home
from opilio.web.find_words import moment, size
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.works.search_values import GenerationStatus, IndexStatus, NodeStatus


@section("index")
@require_safe
def index_status(request: PageRequest) -> HttpResponse:
    """Generations, nodes, dirty sources and followed crawls."""
    status = search_home().status()
    context = {
        "status": status, "served": sum(1 for node in status.nodes if node.generation),
        "generations": [_generation(each) for each in status.generations],
        "nodes": [_node(each, status) for each in status.nodes],
        "sources": [(each, moment(each.since)) for each in status.sources],
        "changed": sum(1 for each in status.sources if each.change), "followed": status.followed,
    }  # fmt: skip
    return render(request, "web/index_status/status.html", context)


def _generation(one: GenerationStatus) -> dict[str, Any]:
    return {"one": one, "made": moment(one.made), "size": size(one.bytes)}


def _node(one: NodeStatus, status: IndexStatus) -> dict[str, Any]:
    return {"one": one, "since": moment(one.since), "readers": one.name == status.readers, "tone": _tone(one)}


def _tone(one: NodeStatus) -> tuple[str, str]:
    """Colour and word of a node's state."""
    if one.trouble:
        return "bad", "in trouble"
    if not one.generation:
        return "quiet", "empty"
    return ("warn", f"{one.behind} behind") if one.behind else ("good", "current")
