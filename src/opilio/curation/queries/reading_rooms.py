"""Reading rooms that the asker manages."""

from django.db.models import QuerySet

from opilio.curation.models import ReadingRoom
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one, visible


def rooms(actor: Actor) -> QuerySet[ReadingRoom]:
    """The rooms of agencies that the asker manages."""
    rows: QuerySet[ReadingRoom] = ReadingRoom.objects.select_related("agency")
    return visible(rows, actor, Privilege.MANAGE_AGENCIES, agency_path="agency_id")


def room(actor: Actor, room_id: int) -> ReadingRoom:
    """One room by its identifier."""
    return one(rooms(actor), "reading room", room_id)
