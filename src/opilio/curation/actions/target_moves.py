"""Move targets from state to state; what each move needs and does is in `targeting` and `workflow`."""

from collections.abc import Callable

from opilio.curation import targeting
from opilio.curation.kinds import TARGET
from opilio.curation.models import Target
from opilio.people.acting import Act, action
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege


@action("target.nominate", "Ask for the approval of a target.", privilege=Privilege.MODIFY_TARGET)
def nominate_target(act: Act, /, *, target_id: int) -> Target:
    """A task waits in the in-tray of those who approve targets."""
    return _moved(act, target_id, "nominate")


@action("target.approve", "Approve a target.", privilege=Privilege.APPROVE_TARGET)
def approve_target(act: Act, /, *, target_id: int) -> Target:
    """Each seed must rely on a permission, and none of those may be rejected; its schedules are planned."""
    return _moved(act, target_id, "approve")


@action("target.reject", "Reject a target for a reason.", privilege=Privilege.APPROVE_TARGET)
def reject_target(act: Act, /, *, target_id: int, reason_id: int | None, note: str = "") -> Target:
    """The reason comes from the agency's list and must be meant for targets."""
    return _moved(act, target_id, "reject", rejection_reason_id=reason_id, rejection_note=note.strip())


@action("target.cancel", "Cancel an approved target.", privilege=Privilege.CANCEL_TARGET)
def cancel_target(act: Act, /, *, target_id: int) -> Target:
    """What is planned for it is removed."""
    return _moved(act, target_id, "cancel")


@action("target.reinstate", "Take a target up again.", privilege=Privilege.REINSTATE_TARGET)
def reinstate_target(act: Act, /, *, target_id: int) -> Target:
    """A rejected, cancelled or completed one can be edited and nominated like a new one."""
    return _moved(act, target_id, "reinstate")


#: The moves that need nothing but the target, by verb.
PLAIN: dict[str, Callable[..., Target]] = {
    "nominate": nominate_target, "approve": approve_target, "cancel": cancel_target, "reinstate": reinstate_target,
}  # fmt: skip


def move_target(actor: Actor, *, target_id: int, verb: str, reason_id: int | None = None, note: str = "") -> Target:
    """The action of a verb, as faces call it that learnt the verb from `workflow.TARGETS`."""
    if verb == "reject":
        return reject_target(actor, target_id=target_id, reason_id=reason_id, note=note)
    return PLAIN[verb](actor, target_id=target_id)


def _moved(act: Act, target_id: int, verb: str, **changes: object) -> Target:
    target: Target = act.fetch(TARGET, target_id)
    targeting.moved(act, target, verb, **changes)
    return target
