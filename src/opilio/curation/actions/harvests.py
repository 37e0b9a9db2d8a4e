"""Plan a harvest by hand, and change planned ones."""

import datetime
from typing import Any

from opilio.curation import planning, targeting
from opilio.curation.actions.schedules import schedulable
from opilio.curation.harvest_tasks import decided
from opilio.curation.kinds import HARVEST
from opilio.curation.models import Harvest, HarvestState, Target
from opilio.curation.workflow import SCHEDULABLE
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

SOON = datetime.timedelta(minutes=5)  # from asking for a harvest to its beginning
FIELDS = ("scheduled_at", "priority", "owner_id", "allow_early_start")
_EDITABLE = (HarvestState.SCHEDULED, HarvestState.QUEUED)


@action("harvest.plan", "Plan one harvest of a target or group by hand.", privilege=Privilege.ADD_SCHEDULE_TO_TARGET)
def plan_harvest(act: Act, /, *, holder_id: int, at: datetime.datetime | None = None) -> Harvest:
    """In five minutes, or at the given time. The target must be approved, the group active."""
    holder = schedulable(act, holder_id)
    now = act.clock.now()
    if at is not None and at < now:
        raise InvalidFields({"at": ["This time is over; choose a coming one."]}, where=act.name)
    target = Target.objects.filter(pk=holder.pk).first()
    if target is not None and targeting.resumable(act, target):
        targeting.moved(act, target, "resume")
    elif holder.state not in SCHEDULABLE:
        label = holder.get_state_display().lower()
        raise Conflict(f"{holder.name} is {label}", where=act.name, remedy="Only what is approved is harvested.")
    return planning.plan_once(act, holder, at or now + SOON)


@action("harvest.update", "Change a harvest that has not begun.", privilege=Privilege.MANAGE_TARGET_INSTANCES)
def update_harvest(act: Act, /, *, harvest_id: int, version: int, **fields: Any) -> Harvest:
    """Its time, priority or owner; schedules leave it alone from now on."""
    row: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(Privilege.MANAGE_TARGET_INSTANCES, HARVEST.subject(row), f"change the harvest {row}")
    if row.state not in _EDITABLE:
        label = HarvestState(row.state).label.lower()
        raise Conflict(f"The harvest is {label}", where=act.name, remedy="Only harvests that wait can be changed.")
    changes = {name: value for name, value in fields.items() if name in FIELDS}
    moment = changes.get("scheduled_at", row.scheduled_at)
    if moment != row.scheduled_at and moment < act.clock.now():
        raise InvalidFields({"scheduled_at": ["This time is over; choose a coming one."]}, where=act.name)
    if row.held and moment != row.scheduled_at:
        changes |= {"held": False, "deferrals": 0}  # somebody decided: it is tried at the new time
        decided(row.pk)
    if any(getattr(row, name) != value for name, value in changes.items()):
        act.update(row, {**changes, "edited": True}, version=version, message="Changed by hand.")
    return row
