"""Harvest a target or group now, without a schedule."""

from opilio.curation import planning
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.harvest_plan import Network
from opilio.curation.kinds import GROUP, TARGET
from opilio.curation.models import Group, Harvest, ObjectType, State, Target
from opilio.curation.workflow import SCHEDULABLE
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege


@action("harvest.now", "Harvest a target or group now, without a schedule.",
        privilege=Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE)  # fmt: skip
def harvest_now(act: Act, /, *, holder_id: int, network: Network, agent: str = "") -> Harvest:
    """Planned and launched at once, or not at all; the rights are asked as at any other time."""
    holder = _holder(act, holder_id)
    kind = TARGET if holder.object_type == ObjectType.TARGET else GROUP
    act.require(Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE, kind.subject(holder), f"harvest {holder.name} now")
    if holder.state not in SCHEDULABLE:
        label = State(holder.state).label.lower()
        raise Conflict(
            f"{holder.name} is {label}, and only what is approved is harvested", where=act.name,
            remedy="Approve it first.",
        )  # fmt: skip
    made = planning.plan_once(act, holder, act.clock.now())
    return launch_harvest(act.actor, harvest_id=made.pk, network=network, agent=agent)


def _holder(act: Act, identifier: int) -> Target | Group:
    found: Target | Group | None = (
        Target.objects.filter(pk=identifier).first() or Group.objects.filter(pk=identifier).first()
    )
    if found is None:
        raise NotFound(f"There is no target or group {identifier}", where=act.name, remedy="Was it deleted?")
    return found
