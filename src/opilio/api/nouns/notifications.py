"""Notifications of the asker: list, mark as read, delete; and announcements to users of an agency."""

import datetime

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.tasks import ResourceAnswer, resource_of
from opilio.api.paging import MOST, Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Count
from opilio.people.actions import intray as actions
from opilio.people.privileges import Privilege
from opilio.people.queries import intray, people

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


class AnnouncementNew(Body):
    """Something that users of an agency should know."""

    subject: str = Field(min_length=1, max_length=255, examples=["The archive rests on Friday"])
    message: str = Field("", max_length=10_000)
    agency: Identifier
    users: list[Identifier] | None = Field(None, max_length=MOST, description="Some of its users; left out: all.")


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


@router.post("", response={201: Count})
def send_announcement(request: ApiRequest, body: AnnouncementNew) -> Count:
    """Tell users of an agency something; says how many heard it.

    Needs MANAGE_USERS in that agency.
    """
    need(request.auth, "send announcements", Privilege.MANAGE_USERS)
    people.agency(request.auth, body.agency)
    heard = actions.announce(
        request.auth, agency_id=body.agency, users=body.users, subject=body.subject, message=body.message
    )
    return Count(count=heard)


@router.post("/read", response=Count)
def read_notifications(request: ApiRequest, body: Chosen) -> Count:
    """Mark notifications of yours as read; says how many were unread."""
    return Count(count=actions.read_notifications(request.auth, notification_ids=body.ids))


@router.post("/delete", response=Count)
def delete_notifications(request: ApiRequest, body: Chosen) -> Count:
    """Remove notifications of yours; says how many there were."""
    return Count(count=actions.delete_notifications(request.auth, notification_ids=body.ids))
