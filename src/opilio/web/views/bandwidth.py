"""What the line may carry at which time of the week: the list, one row, a new one."""

import dataclasses
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.bandwidth import create_restriction, update_restriction
from opilio.curation.queries import bandwidth as queries
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.web.forms.bandwidth import EditRestrictionForm, RestrictionForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import BandwidthRestriction

PATH = "/admin/bandwidth"
FIELDS = ("day", "start", "end", "limit", "allow_early_start")
_COLUMNS: "tuple[Column[BandwidthRestriction], ...]" = (
    Column(name="day", label="Day", sort="day",
           cell=lambda row: Link(text=row.get_day_display(), url=f"{PATH}/{row.pk}")),
    Column(name="start", label="From", cell=lambda row: Text(text=f"{row.start:%H:%M}"), sort="start"),
    Column(name="end", label="Until", cell=lambda row: Text(text=f"{row.end:%H:%M}")),
    Column(name="limit", label="kB/s", cell=lambda row: Number(number=row.limit), sort="limit", numeric=True),
    Column(name="early", label="Early starts", cell=lambda row: Text(text="yes" if row.allow_early_start else "no")),
)  # fmt: skip
RESTRICTIONS: "ListPage[BandwidthRestriction]" = ListPage(
    name="bandwidth", path=PATH, title="Bandwidth", words=("row", "rows"), rows=queries.restrictions,
    intro="What all harvests together may receive. Without any row there is no limit; with one, nothing is harvested "
    "at times that no row covers.",
    columns=_COLUMNS, order=("day", "start", "id"),
    new=New(label="New row", path=f"{PATH}/new", privilege=Privilege.MANAGE_WEB_HARVESTER),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MANAGE_WEB_HARVESTER, warning="Without the last row there is no limit any more.",
             run=lambda actor, row: delete_row(actor, kind_name="bandwidth-restriction", row_id=row.pk)),
    ),
    empty=Empty(title="No limit", text="Add rows for the times at which harvests may run, and how fast.", icon="gauge"),
)  # fmt: skip


@section("bandwidth")
def restrictions(request: PageRequest) -> HttpResponseBase:
    """All rows, and what is in force now."""
    now = queries.line_now(request.actor)
    zone = f"Rows are in the zone of the installation, {settings.OPILIO.time_zone}."
    return show(request, dataclasses.replace(RESTRICTIONS, intro=f"{RESTRICTIONS.intro} {zone} {now.sentence}"))


@section("bandwidth")
def new_restriction(request: PageRequest) -> HttpResponse:
    """Add a row."""

    def save(data: dict[str, Any]) -> str:
        made = create_restriction(request.actor, **data)
        messages.success(request, f"Added: {made}.")
        return PATH

    page = FormPage(title="New row", back=PATH, button="Add row")
    return answer(request, RestrictionForm(request, initial={"limit": 1_000}), page, save=save)


@section("bandwidth")
def restriction(request: PageRequest, restriction_id: int) -> HttpResponse:
    """Change a row."""
    row = queries.restriction(request.actor, restriction_id)
    values = {name: getattr(row, name) for name in FIELDS}

    def save(data: dict[str, Any]) -> str:
        update_restriction(request.actor, restriction_id=row.pk, **data)
        messages.success(request, "Saved. Running harvests keep to it within seconds.")
        return PATH

    page = FormPage(title=str(row), back=PATH, context={"row": row, "kind": "bandwidth-restriction"})
    form = EditRestrictionForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
