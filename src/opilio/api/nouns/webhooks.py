"""Webhooks: list, show, make, change, delete, try; a secret is shown once, in the answer that makes it."""

import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.webhook_messages import WebhookMessageAnswer
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import webhooks as actions
from opilio.people.actor import Actor
from opilio.people.kinds import WEBHOOK
from opilio.people.privileges import Privilege
from opilio.people.queries import webhooks as queries
from opilio.people.webhook_events import EVENTS

router = Router(tags=["webhooks"])
_ORDER = Order(name="webhooks", column="name")
_MANAGE = Privilege.MANAGE_WEBHOOKS
_NAMES = Field(description=f"Events that it hears, of: {', '.join(event.name for event in EVENTS)}.")
Address = Annotated[str, Field(min_length=1, max_length=1024, examples=["https://hooks.example.org/opilio"])]
Names = Annotated[list[Annotated[str, Field(max_length=64)]], Field(min_length=1, max_length=100), _NAMES]


class WebhookAnswer(Answer):
    """A webhook, without its secret."""

    id: Id
    name: str
    agency: Id | None = Field(description="Whose events it hears; null: those of all agencies.", alias="agency_id")
    url: str
    events: list[str]
    enabled: bool = Field(description="Whether messages are sent.")
    stopped: str = Field(description="Why Opilio itself switched it off; empty: it did not.")
    failures: int = Field(description="Tries in a row that failed.")
    resting_until: datetime.datetime | None = Field(description="Before then nothing is tried.")
    waiting: int = Field(description="Messages that wait.")
    failed: int = Field(description="Messages that were given up.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class WebhookMade(WebhookAnswer):
    """A webhook with a new secret."""

    secret: str = Field(description="Shown this once; messages are signed with it.")


class WebhookFilters(Schema):
    """Which webhooks are listed."""

    q: Line = Field("", description="Part of the name.")


class WebhookNew(Body):
    """A webhook to be made."""

    name: str = Field(min_length=1, max_length=255, examples=["Notes in the catalogue"])
    agency: Identifier | None = Field(None, description="Whose events it hears; left out: those of all agencies.")
    url: Address
    events: Names
    enabled: Flag = True


class WebhookChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None
    url: Address | None = None
    events: Names | None = None
    enabled: Flag | None = None


@router.get("", response=Page[WebhookAnswer])
def list_webhooks(request: ApiRequest, filters: Query[WebhookFilters], paging: Query[Paging]) -> Page[WebhookAnswer]:
    """List the webhooks that you manage, by name.

    Needs MANAGE_WEBHOOKS.
    """
    need(request.auth, "see webhooks", _MANAGE)
    rows = queries.webhooks(request.auth)
    return page(rows.filter(name__icontains=filters.q) if filters.q else rows, _ORDER, paging, WebhookAnswer)


@router.post("", response={201: WebhookMade})
def create_webhook(request: ApiRequest, response: HttpResponse, body: WebhookNew) -> WebhookMade:
    """Make a webhook; its secret is shown this once.

    Needs MANAGE_WEBHOOKS in the agency, or over everything.
    """
    row, secret = actions.create_webhook(
        request.auth, name=body.name, url=body.url, events=body.events, agency_id=body.agency, enabled=body.enabled
    )
    return _with_secret(request.auth, row.pk, secret, response)


@router.get("/{webhook_id}", response=WebhookAnswer)
def show_webhook(request: ApiRequest, response: HttpResponse, webhook_id: Identifier) -> WebhookAnswer:
    """Show a webhook.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    return _shown(request.auth, webhook_id, response)


@router.patch("/{webhook_id}", response=WebhookAnswer)
def change_webhook(
    request: ApiRequest, response: HttpResponse, webhook_id: Identifier, body: WebhookChange
) -> WebhookAnswer:
    """Change a webhook; enabled again, it begins afresh.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    need(request.auth, "change webhooks", _MANAGE)
    queries.webhook(request.auth, webhook_id)
    version = base_version(request, body.version)
    actions.update_webhook(request.auth, webhook_id=webhook_id, version=version, **body.changes())
    return _shown(request.auth, webhook_id, response)


@router.delete("/{webhook_id}", response={204: None})
def delete_webhook(request: ApiRequest, webhook_id: Identifier) -> None:
    """Delete a webhook so that it can be restored; messages that wait are given up.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    delete(request.auth, WEBHOOK, webhook_id, matched_version(request))


@router.post("/{webhook_id}/secret", response=WebhookMade)
def renew_webhook_secret(request: ApiRequest, response: HttpResponse, webhook_id: Identifier) -> WebhookMade:
    """Give a webhook a new secret, which is shown this once; the old one counts no more.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    need(request.auth, "renew secrets", _MANAGE)
    row, secret = actions.renew_secret(request.auth, webhook_id=queries.webhook(request.auth, webhook_id).pk)
    return _with_secret(request.auth, row.pk, secret, response)


@router.post("/{webhook_id}/try", response={201: WebhookMessageAnswer})
def try_webhook(request: ApiRequest, webhook_id: Identifier) -> WebhookMessageAnswer:
    """Send a message that only tries a webhook; its page, and the list of messages, tell what became of it.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    need(request.auth, "try webhooks", _MANAGE)
    row = queries.webhook(request.auth, webhook_id)
    return WebhookMessageAnswer.from_orm(actions.try_webhook(request.auth, webhook_id=row.pk))


def _shown(actor: Actor, webhook_id: int, response: HttpResponse) -> WebhookAnswer:
    need(actor, "see webhooks", _MANAGE)
    row = queries.webhook(actor, webhook_id)
    tag(response, row.version)
    return WebhookAnswer.from_orm(row)


def _with_secret(actor: Actor, webhook_id: int, secret: str, response: HttpResponse) -> WebhookMade:
    told = _shown(actor, webhook_id, response).model_dump(by_alias=True)
    return WebhookMade(**told, secret=secret)
