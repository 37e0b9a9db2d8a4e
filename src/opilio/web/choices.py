"""What filters and forms offer, as far as the asker may choose it."""

from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries import people


def agency_filter(actor: Actor) -> list[tuple[str, str]]:
    """The agencies that the asker sees, for filters."""
    return [(str(number), name) for number, name in _agencies(actor)]


def agencies_for(actor: Actor, privilege: Privilege) -> list[tuple[int, str]]:
    """The agencies in which the asker holds a privilege, for forms."""
    return [(number, name) for number, name in _agencies(actor) if actor.may(privilege, Subject(agency=number))]


def role_choices(actor: Actor) -> list[tuple[int, str]]:
    """The roles that the asker sees, with their agencies."""
    found = people.roles(actor).order_by("agency__name", "name").values_list("id", "name", "agency__name")
    return [(number, f"{name} – {agency}") for number, name, agency in found]


def _agencies(actor: Actor) -> list[tuple[int, str]]:
    return list(people.agencies(actor).order_by("name").values_list("id", "name"))
