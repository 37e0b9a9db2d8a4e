"""Authorisations: the list, one of them with its parts, a new one, on and off."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.authorisations import (
    FIELDS,
    create_authorisation,
    set_agents,
    set_patterns,
    switch_authorisation,
    update_authorisation,
)
from opilio.curation.kinds import AUTHORISATION
from opilio.curation.queries import permissions as found
from opilio.curation.queries import rights
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.rights import AgentsForm, AuthorisationForm, NewAuthorisationForm, PatternsForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, States, Words
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.rights_choices import agency_filter, agent_choices
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Authorisation

PATH = "/authorisations"


def _state(row: "Authorisation") -> Cell:
    return Badge(text="active", tone="good") if row.active else Badge(text="disabled", tone="warn")


_COLUMNS: "tuple[Column[Authorisation], ...]" = (
    Column(name="title", label="Authorisation", sort="title",
           cell=lambda row: Link(text=row.title, url=f"{PATH}/{row.id}", note=row.order_number)),
    Column(name="state", label="State", cell=_state, sort="active"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="patterns", label="Patterns", numeric=True,
           cell=lambda row: Number(number=row.pattern_count)),  # type: ignore[attr-defined]  # counted by the query
    Column(name="permissions", label="Permissions", numeric=True,
           cell=lambda row: Number(number=row.permission_count)),  # type: ignore[attr-defined]  # as above
    Column(name="published", label="Published", shown=False,
           cell=lambda row: Text(text="yes" if row.published else "no")),
    Column(name="description", label="Description", cell=lambda row: Text(text=row.description), shown=False),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
_SWITCH = Privilege.ENABLE_DISABLE_SITE
AUTHORISATIONS: "ListPage[Authorisation]" = ListPage(
    name="authorisations", path=PATH, title="Authorisations", words=("authorisation", "authorisations"),
    intro="Rights to collect: which URLs, who is asked, and what was permitted.",
    rows=rights.authorisations, columns=_COLUMNS, order=("title", "id"),
    filters=(
        Words(columns=("title", "order_number", "description")),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
        States(name="state", label="State",
               states={"active": ("Active", Q(active=True)), "disabled": ("Disabled", Q(active=False))}),
    ),
    new=New(label="New authorisation", path=f"{PATH}/new", privilege=Privilege.CREATE_SITE),
    bulk=(
        Bulk(name="disable", label="Disable", icon="pause", done="disabled", privilege=_SWITCH,
             warning="New seeds are not linked with their permissions; links that are there stay.",
             run=lambda actor, row: switch_authorisation(actor, authorisation_id=row.id, active=False)),
        Bulk(name="enable", label="Enable", icon="play", done="enabled", privilege=_SWITCH,
             warning="New seeds are linked with their permissions again.",
             run=lambda actor, row: switch_authorisation(actor, authorisation_id=row.id, active=True)),
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MODIFY_SITE,
             warning="Those on which seeds rely are left as they are. Deleted ones can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="authorisation", row_id=row.id)),
    ),
    empty=Empty(title="No authorisation yet", text="Make one for the site that you want to collect.", icon="file-key"),
)  # fmt: skip


@section("authorisations")
def authorisations(request: PageRequest) -> HttpResponseBase:
    """Authorisations of the agencies in which the asker works."""
    return show(request, AUTHORISATIONS)


@section("authorisations")
def new_authorisation(request: PageRequest) -> HttpResponse:
    """Make an authorisation."""

    def save(data: dict[str, Any]) -> str:
        patterns = data.pop("patterns").splitlines()
        row = create_authorisation(request.actor, agency_id=data.pop("agency"), patterns=patterns, **data)
        messages.success(request, f"The authorisation {row.title} is made. Add the permission that you ask for.")
        return f"{PATH}/{row.id}"

    agencies = agencies_where(request.actor, Privilege.CREATE_SITE)
    form = NewAuthorisationForm(
        request, agencies=agencies, agents=agent_choices(request.actor, *(number for number, _ in agencies)),
        initial={"agency": request.actor.agency},
    )  # fmt: skip
    page = FormPage(title="New authorisation", back=PATH, button="Make authorisation")
    return answer(request, form, page, save=save)


@section("authorisations")
@require_safe
def authorisation(request: PageRequest, authorisation_id: int) -> HttpResponse:
    """One authorisation: what it covers, who is asked, what was permitted."""
    row = rights.authorisation(request.actor, authorisation_id)
    subject = AUTHORISATION.subject(row)
    rows = found.of_authorisation(request.actor, row.id).order_by("-start_date", "-id")[:500]
    context = {
        "row": row, "permissions": rows,
        "may_modify": request.actor.may(Privilege.MODIFY_SITE, subject),
        "may_switch": request.actor.may(_SWITCH, subject),
        "may_permit": request.actor.may(Privilege.MODIFY_PERMISSION, subject),
        "notes": panel(request.actor, AUTHORISATION, row),
    }  # fmt: skip
    return render(request, "web/authorisations/authorisation.html", context)


@section("authorisations")
def edit_authorisation(request: PageRequest, authorisation_id: int) -> HttpResponse:
    """Change the details."""
    row = rights.authorisation(request.actor, authorisation_id)

    def save(data: dict[str, Any]) -> str:
        update_authorisation(request.actor, authorisation_id=row.id, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    values = {name: getattr(row, name) for name in FIELDS}
    page = FormPage(title=row.title, back=f"{PATH}/{row.id}", context={"row": row, "kind": "authorisation"})
    form = AuthorisationForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("authorisations")
def patterns(request: PageRequest, authorisation_id: int) -> HttpResponse:
    """Change the URL patterns."""
    row = rights.authorisation(request.actor, authorisation_id)

    def save(data: dict[str, Any]) -> str:
        set_patterns(request.actor, authorisation_id=row.id, patterns=data["patterns"].splitlines())
        messages.success(request, "The patterns are saved.")
        return f"{PATH}/{row.id}"

    form = PatternsForm(request, initial={"patterns": "\n".join(each.pattern for each in row.patterns.all())})
    page = FormPage(title=f"URL patterns of {row.title}", back=f"{PATH}/{row.id}")
    return answer(request, form, page, save=save)


@section("authorisations")
def agents(request: PageRequest, authorisation_id: int) -> HttpResponse:
    """Change who is asked."""
    row = rights.authorisation(request.actor, authorisation_id)

    def save(data: dict[str, Any]) -> str:
        set_agents(request.actor, authorisation_id=row.id, agents=data["agents"])
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    chosen = [link.agent_id for link in row.agent_links.all()]
    form = AgentsForm(request, agents=agent_choices(request.actor, row.agency_id), initial={"agents": chosen})
    page = FormPage(title=f"Who is asked for {row.title}", back=f"{PATH}/{row.id}")
    return answer(request, form, page, save=save)


@section("authorisations")
@require_POST
def switch(request: PageRequest, authorisation_id: int, verb: str) -> HttpResponse:
    """Enable or disable."""
    row = rights.authorisation(request.actor, authorisation_id)
    switch_authorisation(request.actor, authorisation_id=row.id, active=verb == "enable")
    messages.success(request, f"{row.title} is {'active again' if verb == 'enable' else 'disabled'}.")
    return HttpResponseRedirect(f"{PATH}/{row.id}")
