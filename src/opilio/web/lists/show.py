"""Answers for a list: the page, the part of it that htmx replaces, CSV, and bulk actions."""

import datetime
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render

from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.queries.account import saved_views
from opilio.web import installation
from opilio.web.lists import bulk, export, paging, selection, tables
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import ListPage
from opilio.web.lists.drawing import Line, Reader, drawn
from opilio.web.lists.filters import LONGEST, Filter, FilterFault, Options
from opilio.web.lists.state import ListState, parse
from opilio.web.requests import PageRequest
from opilio.web.zones import zone_of


@dataclass(frozen=True, kw_only=True)
class ShownFilter:
    """A filter as the template draws it."""

    filter: Filter
    value: str
    fault: str
    options: Options


@dataclass(frozen=True, kw_only=True)
class Head:
    """The head of a column: its label, and where a click leads."""

    column: Column[Any]
    query: str  # empty: does not sort
    direction: str  # ascending, descending, or empty


def show(request: PageRequest, page: ListPage[Any]) -> HttpResponseBase:
    """The answer to whatever was asked of the list."""
    actor = request.actor
    if request.method == "POST":
        return _bulk(request, page)
    state = _state(request.GET, page)
    rows, faults = _narrowed(page, page.rows(actor), state, zone_of(actor))
    rows = page.ordered(rows, state.sort, state.descending)
    columns = _columns(page, state)
    if request.GET.get("format", "") in tables.FORMATS and tables.known(page.name):
        return tables.response(request, tables.known(page.name), rows)
    if request.GET.get("format") == "csv":
        return export.response(request, rows, columns, name=page.name, zone=zone_of(actor))
    context = _context(request, page, state, rows, columns)
    if request.htmx and request.htmx.target == "results":
        return render(request, "web/lists/_rows.html", {**context, "swapped": True})
    filters = _filters(request, page, state, faults, actor)
    return render(request, "web/lists/list.html", {**context, "filters": filters, "faults": faults})


def _state(query: QueryDict, page: ListPage[Any]) -> ListState:
    return parse(
        query,
        filters=tuple(one.name for one in page.filters),
        columns=tuple(column.name for column in page.columns),
        sortable=page.sortable,
    )


def _narrowed(
    page: ListPage[Any], rows: QuerySet[Any], state: ListState, zone: datetime.tzinfo
) -> tuple[QuerySet[Any], dict[str, str]]:
    faults: dict[str, str] = {}
    for one in page.filters:
        value = state.values.get(one.name, "")
        try:
            if len(value) > LONGEST:
                raise FilterFault(f"Write at most {LONGEST} characters.")
            rows = one.narrowed(rows, value, zone) if value else rows
        except FilterFault as fault:
            faults[one.name] = str(fault)
    return (rows.none() if faults else rows), faults


def _columns(page: ListPage[Any], state: ListState) -> list[Column[Any]]:
    if state.columns:
        return [column for column in page.columns if column.name in state.columns]
    return [column for column in page.columns if column.shown]


def _context(
    request: PageRequest, page: ListPage[Any], state: ListState, rows: QuerySet[Any], columns: list[Column[Any]]
) -> dict[str, Any]:
    actor = request.actor
    cut = paging.page(paging.counted(rows), asked=state.page, size=installation.rows_per_page(request))
    found = paging.cut_out(rows, cut)
    query = state.query()
    address = f"{page.path}?{query}" if query else page.path
    bulks = bulk.offered(page.bulk, page.name, actor) if found else []
    reader = Reader(zone=zone_of(actor), address=address, token=get_token(request), picks=bool(bulks))
    lines = [Line(id=row.pk, name=str(row), cells=[column.cell(row) for column in columns]) for row in found]
    return {
        "page": page,
        "list_state": state,
        "cut": cut,
        "heads": [_head(page, state, column) for column in columns],
        "lines": drawn(lines, [column.label for column in columns], reader),
        "columns": [(column, column in columns) for column in page.columns],
        "bulks": bulks,
        "table": tables.known(page.name),
        "may_import": tables.may_import(page.name, actor),
        "views": list(saved_views(actor, page.name)),
        "query": query,
        "address": address,
        "newer": state.query(page=cut.previous) if cut.previous else "",
        "older": state.query(page=cut.following) if cut.following else "",
        "may_make": page.new is not None and actor.holds(page.new.privilege),
    }


def _head(page: ListPage[Any], state: ListState, column: Column[Any]) -> Head:
    if not column.sort:
        return Head(column=column, query="", direction="")
    sorts = state.sort == column.name
    query = state.query(sort=column.name, descending=sorts and not state.descending, page=1)
    return Head(
        column=column, query=query, direction=("descending" if state.descending else "ascending") if sorts else ""
    )


def _filters(
    request: PageRequest, page: ListPage[Any], state: ListState, faults: dict[str, str], actor: Actor
) -> list[ShownFilter]:
    shown = [
        ShownFilter(
            filter=one, value=state.values.get(one.name, ""), fault=faults.get(one.name, ""), options=one.options(actor)
        )
        for one in page.filters
        if one.name != "agency" or installation.offers_agencies(request)
    ]
    return [one for one in shown if one.filter.kind != "choice" or len(one.options) > 1 or one.value]


def _bulk(request: PageRequest, page: ListPage[Any]) -> HttpResponseBase:
    actor, query = request.actor, request.POST.get("query", "")[:2000]
    offered = bulk.offered(page.bulk, page.name, actor)
    chosen = next((one for one in offered if one.name == request.POST.get("action")), None)
    back = f"{page.path}?{query}".rstrip("?")
    if chosen is None:
        raise NotFound("The list offers no such action", where=page.title, remedy="Choose one of those below the list.")
    whole = request.POST.get("all") == "yes"
    if chosen.noun and (whole or chosen.run is None):
        found = _filtered(page, actor, query) if whole else bulk.chosen(page.rows(actor), request.POST)
        return selection.prepared(request, chosen, found, back)
    rows = bulk.few(_filtered(page, actor, query)) if whole else bulk.selected(page.rows(actor), request.POST)
    confirmed = request.POST.get("confirmed") == "yes"
    reasoned = not chosen.asks or bool(request.POST.get("reason", "").strip())
    if rows and confirmed and reasoned:
        bulk.perform(request, actor, chosen, rows, page.words)
        return HttpResponseRedirect(back)
    refusals = bulk.refusals(actor, chosen, rows)
    return render(
        request,
        "web/lists/bulk.html",
        {"page": page, "bulk": chosen, "rows": rows, "back": back, "query": query, "whole": whole,
         "refusals": refusals, "longest": bulk.LONGEST_REASON, "unreasoned": confirmed and not reasoned},
        status=422 if rows and confirmed else 200,
    )  # fmt: skip


def _filtered(page: ListPage[Any], actor: Actor, query: str) -> QuerySet[Any]:
    """All rows of the filter that a page of the list showed, in its order."""
    state = _state(QueryDict(query), page)
    rows, _ = _narrowed(page, page.rows(actor), state, zone_of(actor))
    return page.ordered(rows, state.sort, state.descending)
