"""The limits of agencies for what is measured of results."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.actions.indicators import create_indicator, update_indicator
from opilio.curation.indicators import BY_CODE, Limit
from opilio.curation.queries import assessments as query
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.quality import EditIndicatorForm, IndicatorForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New, Tab
from opilio.web.lists.filters import Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Indicator

PATH = "/admin/indicators"
_MANAGE = Privilege.MANAGE_INDICATORS
_COLUMNS: "tuple[Column[Indicator], ...]" = (
    Column(name="code", label="Indicator", cell=lambda row: Link(text=_label(row.code), url=f"{PATH}/{row.id}"),
           sort="code"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="limits", label="Limits", cell=lambda row: Text(text=_words(row))),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip


def _tabs(here: str) -> tuple[Tab, ...]:
    pairs = (("Own limits", PATH), ("Limits in force", f"{PATH}/in-force"))
    return tuple(Tab(label=label, path=path, here=path == here) for label, path in pairs)


INDICATORS: "ListPage[Indicator]" = ListPage(
    name="indicators", path=PATH, title="Indicators", words=("limit", "limits"), rows=query.indicators,
    columns=_COLUMNS, order=("agency__name", "code", "id"),
    intro="Limits that agencies set themselves for what is measured of results; else the usual ones hold.",
    tabs=_tabs(PATH),
    filters=(Words(columns=("code", "agency__name")),),
    new=New(label="Set a limit", path=f"{PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="The usual limits hold again. They can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="indicator", row_id=row.id)),
    ),
    empty=Empty(title="The usual limits hold", text="Set a limit where those do not fit your sites.", icon="gauge"),
)  # fmt: skip


@section("indicators")
def indicators(request: PageRequest) -> HttpResponseBase:
    """The own limits of the agencies that the asker manages."""
    return show(request, INDICATORS)


@section("indicators")
@require_safe
def in_force(request: PageRequest) -> HttpResponse:
    """All indicators of one agency with the limits that hold."""
    agencies = list(query.agencies(request.actor))
    wanted = request.GET.get("agency", "")
    chosen = next((one for one in agencies if str(one.pk) == wanted), agencies[0] if agencies else None)
    rows = query.in_force(chosen.pk) if chosen is not None else []
    context = {
        "agencies": agencies, "chosen": chosen, "rows": rows, "title": "Limits in force", "path": PATH,
        "tabs": _tabs(f"{PATH}/in-force"),
    }  # fmt: skip
    return render(request, "web/quality/in_force.html", context)


@section("indicators")
def new_indicator(request: PageRequest) -> HttpResponse:
    """Set limits."""

    def save(data: dict[str, Any]) -> str:
        made = create_indicator(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"{_label(made.code)} is judged by these limits from now on.")
        return PATH

    code = request.GET.get("code", "")
    start: dict[str, Any] = {"agency": request.GET.get("agency") or request.actor.agency, "active": True}
    if code in BY_CODE:
        usual = BY_CODE[code].limit
        start |= {"code": code, "tolerance": usual.tolerance, "lower": usual.lower, "upper": usual.upper}
    form = IndicatorForm(request, agencies=agencies_where(request.actor, _MANAGE), initial=start)
    intro = "They replace the usual ones as a whole; an empty limit is none. Bytes and seconds are plain numbers."
    return answer(request, form, FormPage(title="Set a limit", back=PATH, button="Set limits", intro=intro), save=save)


@section("indicators")
def indicator(request: PageRequest, indicator_id: int) -> HttpResponse:
    """The limits of one agency for one indicator."""
    row = query.indicator(request.actor, indicator_id)

    def save(data: dict[str, Any]) -> str:
        update_indicator(request.actor, indicator_id=row.id, version=data.pop("version"), changes=data)
        messages.success(request, "Saved.")
        return PATH

    values = {name: getattr(row, name) for name in ("tolerance", "lower", "upper", "active")}
    form = EditIndicatorForm(request, initial={**values, "version": row.version})
    page = FormPage(
        title=f"{_label(row.code)} of {row.agency.name}", back=PATH, intro=BY_CODE[row.code].sentence,
        context={"row": row, "kind": "indicator"},
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


def _label(code: str) -> str:
    return BY_CODE[code].label if code in BY_CODE else code


def _words(row: "Indicator") -> str:
    limit = Limit(tolerance=row.tolerance, lower=row.lower, upper=row.upper, active=row.active)
    return query.limit_words(BY_CODE[row.code], limit) if row.code in BY_CODE else ""
