"""Ask a user to see to a target until a day; say that it is done, or that it need not be done."""

import datetime

from opilio.curation import lengths, ownership
from opilio.curation.kinds import TARGET
from opilio.curation.models import Target
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege

_NOBODY = {"assigned_to": None, "assigned_due": None, "assigned_note": ""}


class NotAssigned(Conflict):
    """Nobody was asked to see to the target."""


@action("assignment.give", "Ask a user to see to a target.", privilege=Privilege.MODIFY_TARGET)
def assign_target(
    act: Act, /, *, target_id: int, user_id: int, due: datetime.date | None = None, note: str = ""
) -> Target:
    """The user finds it in the in-tray; whoever was asked before is told that it is somebody else's now."""
    target = _target(act, target_id, "assign")
    user = ownership.eligible(act, "user", user_id, target.agency_id)
    former = target.assigned_to_id
    if act.update(target, {"assigned_to": user, "assigned_due": due, "assigned_note": note.strip()}):
        lengths.check(target, act.name)
        ownership.tell_assigned(act, target, user.id, due, note.strip())
        if former is not None and former != user.id:
            ownership.tell_settled(act, target, former, f"{user} sees to it now")
    return target


@action("assignment.withdraw", "Say that nobody need see to a target.", privilege=Privilege.MODIFY_TARGET)
def withdraw_assignment(act: Act, /, *, target_id: int) -> Target:
    """Whoever was asked is told."""
    target = _target(act, target_id, "withdraw the assignment of")
    user = _assigned(act, target)
    ownership.tell_settled(act, target, user, "you need not see to it any more")
    act.update(target, _NOBODY, message="The assignment was withdrawn.")
    return target


@action("assignment.done", "Say that one has seen to a target.")
def complete_assignment(act: Act, /, *, target_id: int) -> Target:
    """Only whoever was asked may; the owner is told."""
    target: Target = act.fetch(TARGET, target_id)
    asked = act.actor.is_system or (act.actor.user is not None and target.assigned_to_id == act.actor.user)
    act.require_that(asked, f"say that the target {target.name} was seen to", "Only whoever it is assigned to may.")
    _assigned(act, target)
    ownership.tell_settled(act, target, target.owner_id, "seen to")
    act.update(target, _NOBODY, message="The assignment is done.")
    return target


def _target(act: Act, target_id: int, verb: str) -> Target:
    target: Target = act.fetch(TARGET, target_id)
    act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), f"{verb} the target {target.name}")
    return target


def _assigned(act: Act, target: Target) -> int:
    user: int | None = target.assigned_to_id
    if user is None:
        raise NotAssigned(
            f"The target {target.name} is assigned to nobody", where=act.name, remedy="Assign it to a user first."
        )
    return user
