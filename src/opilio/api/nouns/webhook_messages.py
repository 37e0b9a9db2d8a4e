"""Messages to webhooks: list, show, send again."""

import datetime
from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.people.actions.webhooks import send_again
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege
from opilio.people.queries import webhooks as queries

router = Router(tags=["webhooks"])
_ORDER = Order(name="webhook messages", column="created", newest_first=True)
_MANAGE = Privilege.MANAGE_WEBHOOKS


class WebhookMessageAnswer(Answer):
    """A message to a webhook."""

    id: Id = Field(description="Also in the message and in its header Opilio-Message; the same at every try.")
    webhook: Id = Field(alias="webhook_id")
    event: str
    state: str = Field(description="waiting, sent or failed.")
    body: dict[str, Any] = Field(description="What it says.")
    created: datetime.datetime = Field(description="When it happened.")
    tries: int
    next_at: datetime.datetime | None = Field(description="The next try; null: none is left.")
    tried_at: datetime.datetime | None
    ended_at: datetime.datetime | None = Field(description="When it was taken or given up.")
    status: int | None = Field(description="HTTP status of the last answer.")
    answer: str = Field(description="Beginning of the last answer.")
    error: str = Field(description="Why the last try failed.")
    milliseconds: int | None = Field(description="That the last try took.")


class WebhookMessageFilters(Schema):
    """Which messages are listed."""

    state: str = Field("", max_length=16, description="waiting, sent or failed.")
    event: str = Field("", max_length=64, description="Name of the event.")


@router.get("/{webhook_id}/messages", response=Page[WebhookMessageAnswer])
def list_webhook_messages(
    request: ApiRequest, webhook_id: Identifier, filters: Query[WebhookMessageFilters], paging: Query[Paging]
) -> Page[WebhookMessageAnswer]:
    """List the messages to a webhook, newest first.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    need(request.auth, "see webhooks", _MANAGE)
    wanted = {name: value for name, value in (("state", filters.state), ("event", filters.event)) if value}
    rows = queries.deliveries(request.auth, webhook_id).filter(**wanted)
    return page(rows, _ORDER, paging, WebhookMessageAnswer)


@router.get("/{webhook_id}/messages/{message_id}", response=WebhookMessageAnswer)
def show_webhook_message(request: ApiRequest, webhook_id: Identifier, message_id: Identifier) -> WebhookMessageAnswer:
    """Show a message to a webhook, with what was answered.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    return _shown(request.auth, webhook_id, message_id)


@router.post("/{webhook_id}/messages/{message_id}/again", response=WebhookMessageAnswer)
def send_webhook_message_again(
    request: ApiRequest, webhook_id: Identifier, message_id: Identifier
) -> WebhookMessageAnswer:
    """Send a message again that was taken or given up; it keeps its identifier.

    Needs MANAGE_WEBHOOKS in its agency.
    """
    _shown(request.auth, webhook_id, message_id)
    send_again(request.auth, delivery_id=message_id)
    return _shown(request.auth, webhook_id, message_id)


def _shown(actor: Actor, webhook_id: int, message_id: int) -> WebhookMessageAnswer:
    need(actor, "see webhooks", _MANAGE)
    row = queries.delivery(actor, message_id)
    if row.webhook_id != webhook_id:
        raise NotFound(f"Webhook {webhook_id} has no message {message_id}", remedy="It belongs to another webhook.")
    return WebhookMessageAnswer.from_orm(row)
