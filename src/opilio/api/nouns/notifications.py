"""Notifications of the asker: list, mark as read, delete."""

import datetime

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.tasks import ResourceAnswer, resource_of
from opilio.api.paging import MOST, Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Count
from opilio.people.actions import intray as actions
from opilio.people.queries import intray

router = Router(tags=["in-tray"])
_ORDER = Order(name="notifications", column="sent_at", newest_first=True)


class NotificationAnswer(Answer):
    """Something that you should know."""

    id: Id
    kind: str
    category: str = Field(description="general or warning.")
    subject: str
    message: str
    sender: str
    sent_at: datetime.datetime
    read_at: datetime.datetime | None
    resource: ResourceAnswer | None = Field(description="The row that it is about.")

    @staticmethod
    def resolve_resource(row: object) -> dict[str, object] | None:
        """Its kind and identifier."""
        return resource_of(row)


class NotificationFilters(Schema):
    """Which notifications are listed."""

    read: bool | None = Field(None, description="Only read ones, or only unread ones.")


class Chosen(Body):
    """Notifications by identifier; those of others are left alone."""

    ids: list[Identifier] = Field(min_length=1, max_length=MOST)


@router.get("", response=Page[NotificationAnswer])
def list_notifications(
    request: ApiRequest, filters: Query[NotificationFilters], paging: Query[Paging]
) -> Page[NotificationAnswer]:
    """List your notifications, newest first."""
    rows = intray.notifications(request.auth)
    if filters.read is not None:
        rows = rows.filter(read_at__isnull=not filters.read)
    return page(rows, _ORDER, paging, NotificationAnswer)


@router.post("/read", response=Count)
def read_notifications(request: ApiRequest, body: Chosen) -> Count:
    """Mark notifications of yours as read; says how many were unread."""
    return Count(count=actions.read_notifications(request.auth, notification_ids=body.ids))


@router.post("/delete", response=Count)
def delete_notifications(request: ApiRequest, body: Chosen) -> Count:
    """Remove notifications of yours; says how many there were."""
    return Count(count=actions.delete_notifications(request.auth, notification_ids=body.ids))
