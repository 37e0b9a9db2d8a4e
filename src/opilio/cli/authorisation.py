"""`opilio authorisation`: rights to collect, what they cover and who is asked."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.cli.rights_lookups import agent_named, authorisation_named
from opilio.curation.actions import authorisations as actions
from opilio.curation.actions import authorising_agents
from opilio.curation.queries import rights

if TYPE_CHECKING:
    from opilio.curation.models import Authorisation, AuthorisingAgent

app = noun_app("List, make and change authorisations, their patterns and authorising agents.")
_SITE = Annotated[str, typer.Argument(metavar="AUTHORISATION", help="Title or identifier.", show_default=False)]
_PATTERNS = Annotated[list[str] | None, typer.Option("--pattern", help="URL pattern, as http://*.example.org/*.")]
_AGENTS = Annotated[list[str] | None, typer.Option("--agent", help="Name or identifier of an authorising agent.")]


@catalogue_command(app, "list")
def list_authorisations(agency: Annotated[str, typer.Option(help="Only of this agency.")] = "") -> Answer:
    """List authorisations."""
    rows = rights.authorisations(operator()).order_by("title", "id")
    if agency:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    told = [_told(row) for row in rows]
    columns = ("id", "title", "agency", "active", "patterns", "permissions")
    table = Rows(columns=columns, rows=[[one[name] for name in columns] for one in told], empty="No authorisation yet.")
    return Answer(document={"authorisations": told}, parts=[table])


@catalogue_command(app, "show")
def show(authorisation: _SITE) -> Answer:
    """Show one authorisation with its patterns and authorising agents."""
    return _one(authorisation_named(operator(), authorisation))


@catalogue_command(app, "create")
def create(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="Its title.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Whose it is.", show_default=False)],
    pattern: _PATTERNS = None,
    agent: _AGENTS = None,
    description: Annotated[str, typer.Option(help="What it is about.")] = "",
    order_number: Annotated[str, typer.Option(help="Number of an outside order.")] = "",
    notes: Annotated[str, typer.Option(help="Notes.")] = "",
    published: Annotated[bool, typer.Option(help="Whether the site is published.")] = False,
) -> Answer:
    """Make an authorisation."""
    row = actions.create_authorisation(
        operator(), agency_id=agency_named(operator(), agency).id, title=title, patterns=pattern or [],
        agents=[agent_named(operator(), each).id for each in agent or []], description=description,
        order_number=order_number, notes=notes, published=published,
    )  # fmt: skip
    return _one(rights.authorisation(operator(), row.id))


@catalogue_command(app, "update")
def update(
    authorisation: _SITE,
    title: Annotated[str | None, typer.Option(help="Its title.", show_default=False)] = None,
    description: Annotated[str | None, typer.Option(help="What it is about.", show_default=False)] = None,
    order_number: Annotated[str | None, typer.Option(help="Number of an outside order.", show_default=False)] = None,
    notes: Annotated[str | None, typer.Option(help="Notes.", show_default=False)] = None,
    published: Annotated[bool | None, typer.Option(help="Whether the site is published.", show_default=False)] = None,
) -> Answer:
    """Change details of an authorisation; what is not given stays."""
    row = authorisation_named(operator(), authorisation)
    given = {
        "title": title, "description": description, "order_number": order_number, "notes": notes,
        "published": published,
    }  # fmt: skip
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    actions.update_authorisation(operator(), authorisation_id=row.id, version=row.version, **changes)
    return _one(rights.authorisation(operator(), row.id))


@catalogue_command(app, "patterns")
def patterns(authorisation: _SITE, pattern: _PATTERNS = None) -> Answer:
    """Set all URL patterns of an authorisation."""
    row = authorisation_named(operator(), authorisation)
    actions.set_patterns(operator(), authorisation_id=row.id, patterns=pattern or [])
    return _one(rights.authorisation(operator(), row.id))


@catalogue_command(app, "agents")
def agents(authorisation: _SITE, agent: _AGENTS = None) -> Answer:
    """Set who is asked for an authorisation."""
    row = authorisation_named(operator(), authorisation)
    chosen = [agent_named(operator(), each).id for each in agent or []]
    actions.set_agents(operator(), authorisation_id=row.id, agents=chosen)
    return _one(rights.authorisation(operator(), row.id))


@catalogue_command(app, "enable")
def enable(authorisation: _SITE) -> Answer:
    """Let new seeds be linked with its permissions again."""
    return _switched(authorisation, active=True)


@catalogue_command(app, "disable")
def disable(authorisation: _SITE) -> Answer:
    """Let no new seeds be linked with its permissions; links that are there stay."""
    return _switched(authorisation, active=False)


@catalogue_command(app, "list-agents")
def list_agents(agency: Annotated[str, typer.Option(help="Only of this agency.")] = "") -> Answer:
    """List authorising agents."""
    rows = rights.agents(operator()).order_by("name", "id")
    if agency:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    told = [_agent(row) for row in rows]
    columns = ("id", "name", "agency", "contact", "email", "permissions")
    table = Rows(columns=columns, rows=[[one[name] for name in columns] for one in told], empty="Nobody to ask yet.")
    return Answer(document={"authorising_agents": told}, parts=[table])


@catalogue_command(app, "create-agent")
def create_agent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the authorising agent.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Whose authorisations can name it.", show_default=False)],
    contact: Annotated[str, typer.Option(help="Person to address.")] = "",
    email: Annotated[str, typer.Option(help="E-mail address.")] = "",
    phone: Annotated[str, typer.Option(help="Telephone number.")] = "",
    address: Annotated[str, typer.Option(help="Postal address.")] = "",
    description: Annotated[str, typer.Option(help="What it is.")] = "",
) -> Answer:
    """Make an authorising agent."""
    row = authorising_agents.create_agent(
        operator(), agency_id=agency_named(operator(), agency).id, name=name, contact=contact, email=email,
        phone=phone, address=address, description=description,
    )  # fmt: skip
    return _one_agent(rights.agent(operator(), row.id))


@catalogue_command(app, "update-agent")
def update_agent(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Name or identifier.", show_default=False)],
    name: Annotated[str | None, typer.Option(help="Its name.", show_default=False)] = None,
    contact: Annotated[str | None, typer.Option(help="Person to address.", show_default=False)] = None,
    email: Annotated[str | None, typer.Option(help="E-mail address.", show_default=False)] = None,
    phone: Annotated[str | None, typer.Option(help="Telephone number.", show_default=False)] = None,
    address: Annotated[str | None, typer.Option(help="Postal address.", show_default=False)] = None,
    description: Annotated[str | None, typer.Option(help="What it is about.", show_default=False)] = None,
) -> Answer:
    """Change an authorising agent; what is not given stays."""
    row = agent_named(operator(), agent)
    given = {
        "name": name, "contact": contact, "email": email, "phone": phone, "address": address,
        "description": description,
    }  # fmt: skip
    changes = {field: value for field, value in given.items() if value is not None}
    authorising_agents.update_agent(operator(), agent_id=row.id, version=row.version, **changes)
    return _one_agent(rights.agent(operator(), row.id))


def _switched(authorisation: str, *, active: bool) -> Answer:
    row = authorisation_named(operator(), authorisation)
    actions.switch_authorisation(operator(), authorisation_id=row.id, active=active)
    return _one(rights.authorisation(operator(), row.id))


def _one(row: "Authorisation") -> Answer:
    document = {
        **_told(row),
        "patterns": [each.pattern for each in row.patterns.all()],
        "agents": [link.agent.name for link in row.agent_links.all()],
    }
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    details = {name: getattr(row, name) for name in actions.FIELDS}
    return {
        "id": str(row.id), **details, "agency": row.agency.name, "active": row.active, "patterns": row.pattern_count,
        "permissions": row.permission_count, "version": row.version,
    }  # fmt: skip


def _one_agent(row: "AuthorisingAgent") -> Answer:
    document = _agent(row)
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _agent(row: Any) -> dict[str, Any]:
    details = {name: getattr(row, name) for name in authorising_agents.FIELDS}
    return {
        "id": str(row.id), **details, "agency": row.agency.name, "permissions": row.permission_count,
        "version": row.version,
    }  # fmt: skip


add_bulk(app, "authorisation")
