"""Authorising agents: the list, one of them, a new one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.authorising_agents import FIELDS, create_agent, update_agent
from opilio.curation.kinds import AUTHORISING_AGENT
from opilio.curation.queries import permissions as found
from opilio.curation.queries import rights
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.rights import AgentForm, NewAgentForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Words
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.rights_choices import agency_filter
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import AuthorisingAgent

PATH = "/authorising-agents"
_COLUMNS: "tuple[Column[AuthorisingAgent], ...]" = (
    Column(name="name", label="Authorising agent", sort="name",
           cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.id}", note=row.contact)),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="email", label="E-mail", cell=lambda row: Text(text=row.email), sort="email"),
    Column(name="phone", label="Telephone", cell=lambda row: Text(text=row.phone)),
    Column(name="permissions", label="Permissions", numeric=True,
           cell=lambda row: Number(number=row.permission_count)),  # type: ignore[attr-defined]  # counted by the query
    Column(name="address", label="Address", cell=lambda row: Text(text=row.address), shown=False),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
AGENTS: "ListPage[AuthorisingAgent]" = ListPage(
    name="authorising-agents", path=PATH, title="Authorising agents", words=("authorising agent", "authorising agents"),
    intro="Publishers and owners of rights who are asked for permission. All authorisations of an agency share them.",
    rows=rights.agents, columns=_COLUMNS, order=("name", "id"),
    filters=(
        Words(columns=("name", "contact", "email")),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
    ),
    new=New(label="New authorising agent", path=f"{PATH}/new", privilege=Privilege.MODIFY_SITE),
    bulk=(
        Bulk(
            name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
            privilege=Privilege.MODIFY_SITE,
            warning="Whoever gave a permission is left as they are. Deleted ones can be restored.",
            run=lambda actor, row: delete_row(actor, kind_name="authorising-agent", row_id=row.id),
        ),
    ),
    empty=Empty(title="Nobody to ask yet", text="Add the publishers whom you ask for permission.", icon="contact"),
)  # fmt: skip


@section("authorising-agents")
def agents(request: PageRequest) -> HttpResponseBase:
    """Authorising agents of the agencies in which the asker works."""
    return show(request, AGENTS)


@section("authorising-agents")
def new_agent(request: PageRequest) -> HttpResponse:
    """Make an authorising agent."""

    def save(data: dict[str, Any]) -> str:
        row = create_agent(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"{row.name} can be asked for permission from now on.")
        return f"{PATH}/{row.id}"

    agencies = agencies_where(request.actor, Privilege.MODIFY_SITE)
    form = NewAgentForm(request, agencies=agencies, initial={"agency": request.actor.agency})
    page = FormPage(title="New authorising agent", back=PATH, button="Make authorising agent")
    return answer(request, form, page, save=save)


@section("authorising-agents")
def agent(request: PageRequest, agent_id: int) -> HttpResponse:
    """One authorising agent, with the permissions that it gave."""
    row = rights.agent(request.actor, agent_id)

    def save(data: dict[str, Any]) -> str:
        update_agent(request.actor, agent_id=row.id, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    values = {name: getattr(row, name) for name in FIELDS}
    page = FormPage(
        title=row.name, back=PATH, template="web/authorising_agents/agent.html",
        context={
            "row": row, "kind": "authorising-agent", "notes": panel(request.actor, AUTHORISING_AGENT, row),
            "permissions": found.of_agent(request.actor, row.id)[:100],
        },
    )  # fmt: skip
    form = AgentForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
