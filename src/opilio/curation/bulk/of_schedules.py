"""Bulk work on schedules."""

from collections.abc import Mapping
from typing import Any

from opilio.curation.actions.schedules import pause_schedule, update_schedule
from opilio.curation.bulk import choosing
from opilio.curation.bulk.arguments import Argument, Control, zone
from opilio.curation.bulk.tables.of_schedules import rows
from opilio.curation.bulk.verbs import Noun, Step, Subject, Verb, each
from opilio.people import zones
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege

_PRIVILEGES = (Privilege.ADD_SCHEDULE_TO_TARGET, Privilege.MANAGE_GROUP_SCHEDULE)


def shift_zone(actor: Actor, given: Mapping[str, Any]) -> Step:
    """The same hours in another zone."""

    def step(subject: Subject) -> object:
        row = rows(actor).filter(pk=subject.row_id or 0).first()
        if row is None:
            raise NotFound(f"There is no schedule {subject.row_id} that you may see", remedy="Was it deleted?")
        return update_schedule(actor, schedule_id=row.pk, version=row.version, time_zone=given["time_zone"])

    return step


SCHEDULES = Noun(
    name="schedule", words=("schedule", "schedules"), path="/schedule", rows=rows,
    filters={
        "q": choosing.words("abstract_target__name", "cron"),
        "agency": choosing.named("agency", "abstract_target__agency__name"),
        "owner": choosing.named("owner", "owner__username"),
        "state": choosing.state("paused", {"paused": True, "going": False}),
    },
    verbs=(
        Verb(
            name="pause", label="Pause", done="paused", icon="circle-pause", privileges=_PRIVILEGES,
            warning="Nothing is planned by them until they go on; harvests that were changed by hand stay.",
            begin=each(pause_schedule, "schedule_id", paused=True),
        ),
        Verb(
            name="go-on", label="Go on", done="let go on", icon="circle-play", privileges=_PRIVILEGES,
            warning="Their harvests are planned again.", begin=each(pause_schedule, "schedule_id", paused=False),
        ),
        Verb(
            name="zone", label="Shift zone", done="shifted to the zone", icon="globe", privileges=_PRIVILEGES,
            warning="They keep their hours, in the other zone; what is planned follows.",
            arguments=(
                Argument(name="time_zone", label="Time zone", control=Control.CHOICE, read=zone,
                         options=lambda actor: [(name, name) for name in zones.names()]),
            ),
            begin=shift_zone,
        ),
        Verb(
            name="delete", label="Delete", done="deleted", icon="trash-2", danger=True, privileges=_PRIVILEGES,
            warning="What they planned is removed, unless somebody changed it by hand. They can be restored.",
            begin=each(delete_row, "row_id", kind_name="schedule"),
        ),
    ),
)  # fmt: skip
