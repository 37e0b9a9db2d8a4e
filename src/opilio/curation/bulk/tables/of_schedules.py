"""The table of schedules."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from opilio.curation.actions.schedules import create_schedule, pause_schedule, update_schedule
from opilio.curation.bulk.tables import columns as read
from opilio.curation.bulk.tables.columns import TableColumn
from opilio.curation.bulk.tables.lookups import Names
from opilio.curation.bulk.tables.table import Table, uses
from opilio.curation.models import AbstractTarget, ObjectType, Schedule
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_KINDS = {kind.label: kind for kind in ObjectType}
_PLAIN = ("cron", "pattern", "time_zone", "start", "end")


def _moment(value: str) -> datetime.datetime | None:
    return datetime.datetime.fromisoformat(value) if value else None


def _expression(text: str) -> str:
    return " ".join(text.split())


COLUMNS = (
    TableColumn(name="id", read=read.identifier),
    TableColumn(name="agency", read=read.text(), required=True),
    TableColumn(name="kind", read=read.choice(_KINDS), use=_KINDS.__getitem__),
    TableColumn(name="name", read=read.text(), required=True),
    TableColumn(name="cron", read=read.checked(_expression, 255), required=True),
    TableColumn(name="pattern", read=read.number),
    TableColumn(name="time_zone", read=read.name(64)),
    TableColumn(name="start", read=read.moment, use=_moment),
    TableColumn(name="end", read=read.moment, use=_moment),
    TableColumn(name="paused", read=read.flag),
)


def rows(actor: Actor) -> QuerySet[Schedule]:
    """Schedules of targets and groups that the asker may see."""
    found = Schedule.objects.filter(abstract_target__deleted=False).select_related("abstract_target__agency")
    return seen(found, actor, agency_path="abstract_target__agency_id").order_by(
        "abstract_target__agency__name", "abstract_target__name", "abstract_target_id", "id"
    )


def written(row: Schedule) -> dict[str, Any]:
    """A schedule as a row of the table."""
    holder = row.abstract_target
    return {
        "id": str(row.id), "agency": holder.agency.name, "kind": ObjectType(holder.object_type).label,
        "name": holder.name, "cron": row.cron, "pattern": row.pattern, "time_zone": row.time_zone,
        "start": read.written(row.start), "end": read.written(row.end), "paused": row.paused,
    }  # fmt: skip


class ScheduleImporter:
    """Adds and changes schedules as a table says."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._names = actor, Names()

    def check(self, values: Mapping[str, Any]) -> None:
        """The agency is known."""
        self._names.agency(values["agency"])

    def find(self, values: Mapping[str, Any]) -> Schedule | None:
        """The schedule of this number; without a number, a new one is meant."""
        if not values.get("id"):
            return None
        row = rows(self._actor).filter(id=int(values["id"])).first()
        if row is None:
            raise InvalidFields({"id": [f"There is no schedule {values['id']} that you may see; leave the cell empty "
                                        "to make one."]})  # fmt: skip
        if row.abstract_target.pk != self._holder(values).pk:
            raise InvalidFields({"id": [f"Schedule {row.pk} belongs to {row.abstract_target.name}; it cannot move."]})
        return row

    def make(self, values: Mapping[str, Any]) -> object:
        """A schedule; what it plans follows at once."""
        fields = {name: value for name, value in uses(COLUMNS, values, *_PLAIN, "paused").items() if value is not None}
        return create_schedule(self._actor, holder_id=self._holder(values).pk, **fields)

    def change(self, row: Schedule, values: Mapping[str, Any], columns: Sequence[str]) -> object:
        """The columns that differ."""
        fields = uses(COLUMNS, values, *(name for name in _PLAIN if name in columns))
        if fields:
            update_schedule(self._actor, schedule_id=row.pk, version=row.version, **fields)
        if "paused" in columns:
            pause_schedule(self._actor, schedule_id=row.pk, paused=values["paused"])
        return row

    def _holder(self, values: Mapping[str, Any]) -> AbstractTarget:
        kind = _KINDS[values.get("kind") or ObjectType.TARGET.label]
        agency = self._names.agency(values["agency"])
        rows = AbstractTarget.objects.filter(object_type=kind, agency_id=agency, name=values["name"])
        found: AbstractTarget | None = seen(rows, self._actor).first()
        if found is None:
            raise InvalidFields({"name": [f"The agency has no {kind.label.lower()} {values['name'][:60]!r}."]})
        return found


TABLE = Table(
    noun="schedule", columns=COLUMNS, key=("name", "cron"), rows=rows, written=written, importer=ScheduleImporter,
    privileges=(Privilege.ADD_SCHEDULE_TO_TARGET, Privilege.MANAGE_GROUP_SCHEDULE),
)  # fmt: skip
