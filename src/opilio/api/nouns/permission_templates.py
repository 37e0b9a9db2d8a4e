"""Texts of permission requests: list, show, make, change, delete; and the list of placeholders."""

import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.authorisations import COLLECTORS
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import permission_templates as actions
from opilio.curation.kinds import PERMISSION_TEMPLATE
from opilio.curation.queries import rights
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["permission-templates"])
_ORDER = Order(name="permission-templates", column="name")
_READERS = (Privilege.PERMISSION_REQUEST_TEMPLATE, *COLLECTORS)
Text = Annotated[str, Field(max_length=32_000, examples=["Dear {contact_name},"])]
Addresses = Annotated[str, Field(max_length=2_048, description="Addresses with commas.")]


class TemplateAnswer(Answer):
    """A text of permission requests."""

    id: Id
    name: str
    agency: Named
    description: str
    kind: str = Field(examples=["Email Template", "Print Template"])
    text: str
    subject: str
    override_from: bool
    sender: str
    cc: str
    bcc: str
    reply_to: str
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class TemplateFilters(Schema):
    """Which templates are listed."""

    q: Line = Field("", description="Part of the name.")
    agency: Identifier | None = None


class TemplateFields(Body):
    """Details; those left out stay as they are, or empty."""

    description: Annotated[str, Field(max_length=4_000)] | None = None
    kind: Annotated[str, Field(max_length=32, examples=["Email Template"])] | None = None
    subject: Line | None = None
    override_from: Flag | None = None
    sender: Line | None = None
    cc: Addresses | None = None
    bcc: Addresses | None = None
    reply_to: Line | None = None


class TemplateNew(TemplateFields):
    """A template to be made."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=255)
    text: Text


class TemplateChange(TemplateFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None
    text: Text | None = None


class PlaceholderAnswer(Answer):
    """A placeholder."""

    name: str
    sentence: str = Field(description="What stands in its place.")


@router.get("", response=Page[TemplateAnswer])
def list_permission_templates(
    request: ApiRequest, filters: Query[TemplateFilters], paging: Query[Paging]
) -> Page[TemplateAnswer]:
    """List the texts of permission requests of the agencies that you work for, by name.

    Needs PERMISSION_REQUEST_TEMPLATE or a privilege of collecting.
    """
    need(request.auth, "see templates", *_READERS)
    rows = rights.templates(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, TemplateAnswer)


@router.get("/placeholders", response=list[PlaceholderAnswer])
def list_placeholders(request: ApiRequest) -> list[PlaceholderAnswer]:
    """List the placeholders that texts can hold."""
    return [PlaceholderAnswer(name=name, sentence=sentence) for name, sentence in rights.PLACEHOLDERS.items()]


@router.post("", response={201: TemplateAnswer})
def create_permission_template(request: ApiRequest, response: HttpResponse, body: TemplateNew) -> TemplateAnswer:
    """Make a text of permission requests; an unknown placeholder is refused.

    Needs PERMISSION_REQUEST_TEMPLATE in its agency.
    """
    row = actions.create_template(
        request.auth, agency_id=body.agency, name=body.name, text=body.text, **body.changes("agency", "name", "text")
    )
    return _shown(request.auth, row.id, response)


@router.get("/{template_id}", response=TemplateAnswer)
def show_permission_template(request: ApiRequest, response: HttpResponse, template_id: Identifier) -> TemplateAnswer:
    """Show a text of permission requests.

    Needs PERMISSION_REQUEST_TEMPLATE or a privilege of collecting in its agency.
    """
    return _shown(request.auth, template_id, response)


@router.patch("/{template_id}", response=TemplateAnswer)
def change_permission_template(
    request: ApiRequest, response: HttpResponse, template_id: Identifier, body: TemplateChange
) -> TemplateAnswer:
    """Change a text of permission requests.

    Needs PERMISSION_REQUEST_TEMPLATE in its agency.
    """
    need(request.auth, "see templates", *_READERS)
    rights.template(request.auth, template_id)
    actions.update_template(
        request.auth, template_id=template_id, version=base_version(request, body.version), **body.changes()
    )
    return _shown(request.auth, template_id, response)


@router.delete("/{template_id}", response={204: None})
def delete_permission_template(request: ApiRequest, template_id: Identifier) -> None:
    """Delete a text of permission requests so that it can be restored.

    Needs PERMISSION_REQUEST_TEMPLATE in its agency.
    """
    delete(request.auth, PERMISSION_TEMPLATE, template_id, matched_version(request))


def _shown(actor: Actor, template_id: int, response: HttpResponse) -> TemplateAnswer:
    need(actor, "see templates", *_READERS)
    row = rights.template(actor, template_id)
    tag(response, row.version)
    return TemplateAnswer.from_orm(row)
