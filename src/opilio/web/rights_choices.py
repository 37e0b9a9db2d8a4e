"""What filters and forms about rights offer, as far as the asker may choose it."""

from opilio.curation.queries import permissions, rights
from opilio.curation.sight import agencies
from opilio.people.actor import Actor
from opilio.people.queries.homes import agency_names

_MOST = 500
_TONES = {0: "quiet", 1: "info", 2: "good", 3: "bad", 4: "info", 5: "warn"}


def agency_filter(actor: Actor) -> list[tuple[str, str]]:
    """The agencies in which the asker works, for filters."""
    return [(str(number), name) for number, name in agency_choices(actor)]


def agency_choices(actor: Actor) -> list[tuple[int, str]]:
    """The agencies in which the asker works."""
    return agency_names(agencies(actor))


def agent_choices(actor: Actor, *agency_ids: int) -> list[tuple[int, str]]:
    """The authorising agents of some agencies."""
    rows = rights.agents(actor).filter(agency_id__in=agency_ids).order_by("name", "id")
    several = len(agency_ids) > 1
    return [(row.id, f"{row.name} – {row.agency.name}" if several else row.name) for row in rows[:_MOST]]


def template_choices(actor: Actor, agency_id: int) -> list[tuple[int, str]]:
    """The texts by which an agency asks."""
    rows = rights.templates(actor).filter(agency_id=agency_id).order_by("name", "id")[:_MOST]
    return [(row.id, f"{row.name} ({row.get_kind_display().lower()})") for row in rows]


def transfer_choices(actor: Actor, permission_id: int, agency_id: int) -> list[tuple[int, str]]:
    """The other permissions of the agency that could receive seeds."""
    rows = permissions.permissions(actor).filter(agency_id=agency_id).exclude(id=permission_id).exclude(status=3)
    return [(row.id, f"{row} – {row.authorisation}") for row in rows.order_by("authorisation__title", "id")[:_MOST]]


def tone(standing: int) -> str:
    """The colour of a permission's standing."""
    return _TONES.get(standing, "quiet")
