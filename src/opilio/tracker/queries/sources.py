"""Sources: what can be chosen for them, and whether one answers."""

from typing import TYPE_CHECKING

from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.privileges import Privilege
from opilio.tracker import profiles
from opilio.tracker.kinds import SOURCE
from opilio.tracker.models import ProcessingType, Protocol, ResourceState, Source
from opilio.tracker.queries.deliveries import centres, source

if TYPE_CHECKING:
    from opilio.tracker.trying import Tried

_PATIENCE = 20.0  # seconds that somebody waits for a trial


def may_manage(actor: Actor, row: Source) -> bool:
    """Whether the asker may change a source, and try it."""
    return actor.may(Privilege.MANAGE_SOURCES, SOURCE.subject(row))


def probe(actor: Actor, source_id: int) -> "Tried":
    """Sign in to a source and list its folders; nothing is fetched."""
    from opilio.tracker import trying  # noqa: PLC0415 - it reads the libraries of all protocols, which few need

    row = source(actor, source_id)
    if not may_manage(actor, row):
        raise NotAllowed(
            f"{actor.username} may not try the source {row}", where="source",
            remedy=f"It needs the privilege {Privilege.MANAGE_SOURCES}, reaching the agency of the centre.",
        )  # fmt: skip
    return trying.tried(row, limit=min(_PATIENCE, float(row.timeout)))


def protocol_choices() -> list[tuple[str, str]]:
    """Names and words of protocols."""
    return [(row.short_name, f"{row.short_name}: {row.description}") for row in Protocol.objects.order_by("id")]


def state_choices() -> list[tuple[str, str]]:
    """Names and words of the states of sources."""
    return [(row.short_name, f"{row.short_name}: {row.description}") for row in ResourceState.objects.order_by("id")]


def centre_choices(actor: Actor, *privileges: Privilege) -> list[tuple[int, str]]:
    """Centres to choose from: those the asker sees, or on which the asker holds one of the privileges."""
    rows = centres(actor)
    if privileges and not actor.is_system and not any(actor.grants.everywhere(one) for one in privileges):
        reached = frozenset[int]().union(*(actor.grants.agencies(one) for one in privileges))
        rows = rows.filter(agency_id__in=sorted(reached))
    return [(row.pk, f"{row.short_name} – {row.full_name}") for row in rows]


def action_names() -> list[str]:
    """What can be asked for with a delivery: add, edit, delete, and what profiles name beside."""
    return list(ProcessingType.objects.order_by("id").values_list("short_name", flat=True))


def profile_names(actor: Actor) -> list[str]:
    """The profiles by which the centres that the asker may see deliver."""
    return sorted(set(centres(actor).order_by().values_list("profile", flat=True)))


def document_kinds(actor: Actor) -> list[str]:
    """The kinds of document that these profiles know."""
    found = {kind.name: None for name in profile_names(actor) for kind in profiles.named(name).documents}
    return list(found)


def known_profiles() -> list[str]:
    """The profiles that a centre can be given: those of Opilio and those of this installation."""
    return profiles.known()
