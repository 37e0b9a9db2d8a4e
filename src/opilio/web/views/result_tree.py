"""The tree of a result: hosts, folders and resources with their counts; filters; what is found as a file."""

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.queries import result_tree as query
from opilio.curation.queries import results
from opilio.curation.queries.result_tree import BeingPrepared
from opilio.curation.words import HarvestState
from opilio.kernel.errors import InvalidInput, Missing, OpilioError
from opilio.web import record_page
from opilio.web.find_words import size
from opilio.web.requests import PageRequest
from opilio.web.result_page import frame
from opilio.web.sections import section
from opilio.works.harvest_records import NothingHere
from opilio.works.record_filters import BadFilter
from opilio.works.result_picks import Pick, Way
from opilio.works.result_tree_reading import ORDERS, Folder, Leaf, ResultTree

if TYPE_CHECKING:
    from opilio.curation.models import Result

_FOLDERS = 100  # on a page
_LEAVES = 100
_FILTERS = ("host", "path", "text", "way", "status", "outcome", "type")
_MOST_PLACE = 10**12


@section("review")
@require_safe
def tree(request: PageRequest, result_id: int) -> HttpResponseBase:
    """A folder with what is directly in it, or all below it for which the filters hold."""
    row = results.result(request.actor, result_id)
    values = record_page.asked(request.GET, _FILTERS)
    if not values.get("text"):
        values.pop("way", None)
    path = f"/results/{row.pk}/tree"
    try:
        pick = Pick(**values)
        if record_page.file_wanted(request):
            found = query.every(row, pick, request.actor.clock.now())
            return record_page.kept(request, query.LEAF_COLUMNS, found, name=f"result-{row.pk}-resources")
        with query.opened(row, request.actor.clock.now()) as opened:
            told = _told(request, opened, pick, path, values)
    except (BadFilter, NothingHere, BeingPrepared, Missing) as error:
        told = {"fault": error, "waits": isinstance(error, BeingPrepared)}
    context = {
        **frame(request.actor, row, "tree"), "title": f"Tree: {row.harvest.abstract_target.name}", "path": path,
        "values": values, "filter_query": urlencode(values), "ways": tuple(Way), "statuses": record_page.STATUSES,
        "outcomes": record_page.OUTCOMES, "prunable": _prunable(row), **told,
    }  # fmt: skip
    branch = "branch" in request.GET and request.htmx and "fault" not in told
    template = "web/results/tree/_branch.html" if branch else "web/results/tree.html"
    return render(request, template, context, status=_status(told.get("fault")))


def _told(request: PageRequest, opened: ResultTree, pick: Pick, path: str, values: dict[str, str]) -> dict[str, Any]:
    here = opened.folder(pick.host, pick.path)
    told = {
        "here": here, "here_size": size(here.bytes), "crumbs": _crumbs(here, path), "types": opened.facets("type"),
        "order": _order(request), "orders": ORDERS,
    }  # fmt: skip
    if pick.filtered:
        return told | _filtered(request, opened, pick, values)
    return told | _unfiltered(request, opened, here, values, path)


def _filtered(request: PageRequest, opened: ResultTree, pick: Pick, values: dict[str, str]) -> dict[str, Any]:
    after = number_of(request, "after", -1)
    found = opened.found(pick, after=after, most=_LEAVES + 1)
    counted = opened.counted(pick)
    return {
        "filtered": True, "leaves": _leaves(found[:_LEAVES]), "counted": counted, "counted_size": size(counted.bytes),
        "all_pick": json.dumps(pick.document()),
        "next": urlencode({**values, "after": found[_LEAVES - 1].place}) if len(found) > _LEAVES else "",
    }  # fmt: skip


def _unfiltered(
    request: PageRequest, opened: ResultTree, here: Folder, values: dict[str, str], path: str
) -> dict[str, Any]:
    start, after, order = number_of(request, "start", 0), number_of(request, "after", -1), _order(request)
    folders = opened.folders(here, order=order, start=start, most=_FOLDERS + 1) if after < 0 else []
    leaves = opened.leaves(here, after=after, most=_LEAVES + 1) if here.host else []
    more = {**values, "order": order}
    return {
        "folders": [_folder(one, path, order) for one in folders[:_FOLDERS]], "leaves": _leaves(leaves[:_LEAVES]),
        "next_folders": urlencode({**more, "start": start + _FOLDERS}) if len(folders) > _FOLDERS else "",
        "next": urlencode({**more, "after": leaves[_LEAVES - 1].place}) if len(leaves) > _LEAVES else "",
    }  # fmt: skip


def _folder(one: Folder, path: str, order: str) -> dict[str, Any]:
    query_string = urlencode({"host": one.host, "path": "" if one.path == "/" else one.path, "order": order})
    return {
        "one": one, "size": size(one.bytes), "link": f"{path}?{query_string}", "pick": json.dumps(one.pick.document()),
    }  # fmt: skip


def _leaves(found: list[Leaf]) -> list[dict[str, Any]]:
    return [
        {
            "one": one, "size": size(one.size), "tone": record_page.outcome_tone(one.outcome),
            "name": one.url.partition("://")[2].partition("/")[2].rpartition("/")[2] or "/",
            "pick": json.dumps(Pick(url=one.url).document()),
        }
        for one in found
    ]  # fmt: skip


def _crumbs(here: Folder, path: str) -> list[tuple[str, str]]:
    """The way from all hosts to a folder."""
    crumbs = [("All hosts", path)]
    if here.host:
        crumbs.append((here.host, f"{path}?{urlencode({'host': here.host})}"))
    above = "/"
    for name in here.path.strip("/").split("/"):
        if name:
            above += f"{name}/"
            crumbs.append((name, f"{path}?{urlencode({'host': here.host, 'path': above})}"))
    return crumbs


def _prunable(row: "Result") -> bool:
    return bool(row.harvest.state == HarvestState.HARVESTED)


def _order(request: PageRequest) -> str:
    found = request.GET.get("order", "")
    return found if found in ORDERS else "name"


def number_of(request: PageRequest, name: str, default: int) -> int:
    """A number of the address; `BadFilter` where it is none."""
    text = request.GET.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or int(text[:20]) > _MOST_PLACE:
        raise BadFilter("nothing goes on from there", where=name, remedy="Begin again without it.")
    return int(text)


def _status(fault: OpilioError | None) -> int:
    if isinstance(fault, InvalidInput):
        return 422
    return 404 if isinstance(fault, Missing) and not isinstance(fault, NothingHere) else 200


def shown(request: PageRequest, row: "Result", here: str, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page of a result."""
    return render(
        request, template, {**frame(request.actor, row, here), **context}, status=_status(context.get("fault"))
    )
