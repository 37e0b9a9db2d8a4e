"""The one place that changes the state of a target, with all that follows: tasks, plans, groups, who is told.

Which moves there are stands in `workflow.TARGETS`; here each is guarded, done and told. Callers give the `Act` under
way, so that everything stays in one audited transaction.
"""

import datetime
from typing import Any

from django.db.models import Q

from opilio.curation import grouping, planning, rights_of, webhook_news
from opilio.curation.models import Approval, Harvest, HarvestState, RejectionReason, Schedule, State, Target
from opilio.curation.workflow import SCHEDULABLE, TARGETS, Move
from opilio.kernel.errors import Conflict
from opilio.people import gathering
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields
from opilio.people.intray import Category, Resource, close_tasks, notify, send_task
from opilio.people.privileges import Privilege, Subject

APPROVE_TASK = "approve-target"
RUN_AFTER = datetime.timedelta(minutes=1)  # from approval to the harvest that was asked for with it
_ACTIVE = (HarvestState.SCHEDULED, HarvestState.QUEUED, HarvestState.RUNNING, HarvestState.PAUSED,
           HarvestState.STOPPING)  # fmt: skip
_TOLD = frozenset({"approve", "reject", "cancel", "reinstate", "return"})  # moves of which the owner hears


class NotApprovable(Conflict):
    """The target lacks something without which it cannot be approved."""

    def __init__(self, target: Target, problems: tuple[str, ...]) -> None:
        super().__init__(
            f"{target.name} cannot be approved: {' '.join(problems)}", where=f"target {target.name}",
            remedy="Mend this on its page, under Seeds; then approve it.",
        )  # fmt: skip
        self.problems = problems


def subject_of(target: Target) -> Subject:
    """Whose a target is."""
    return Subject(agency=target.agency_id, owner=target.owner_id)


def moved(act: Act, target: Target, verb: str, **changes: Any) -> None:
    """Move a target by a verb of the machine, together with further changes of its columns."""
    _require(act, target, verb)
    move = TARGETS.move(verb, State(target.state))
    if verb == "approve":
        _check_approvable(target)
        changes = {**changes, **_selected(act, target)}
    if verb == "reject":
        _check_reason(act, target, changes.get("rejection_reason_id"))
    now = act.clock.now()
    message = f"{move.label}: {target.name} is {move.target.label.lower()} now."
    act.update(target, {**changes, "state": move.target, "state_since": now}, message=message)
    _follow(act, target, move)


def touched(act: Act, target: Target) -> bool:
    """After an edit by somebody who may not approve it, an approved target is decided upon again."""
    if target.state != State.APPROVED or act.actor.may(Privilege.APPROVE_TARGET, subject_of(target)):
        return False
    moved(act, target, "return")
    return True


def resumable(act: Act, target: Target) -> bool:
    """Whether a completed target may go on at once, because whoever asks could reinstate and approve it."""
    subject = subject_of(target)
    return target.state == State.COMPLETED and all(
        act.actor.may(privilege, subject) for privilege in (Privilege.APPROVE_TARGET, Privilege.REINSTATE_TARGET)
    )


def settled(act: Act, target: Target) -> bool:
    """An approved target of which nothing is planned or under way, and whose schedules are over, is completed.

    To be called after a harvest ended, or a change removed what was planned; `act` must have asked for its own.
    """
    if target.state != State.APPROVED or _goes_on(act, target):
        return False
    moved(act, target, "complete")
    return True


def _goes_on(act: Act, target: Target) -> bool:
    lasting = Q(end=None) | Q(end__gt=act.clock.now())
    active = Harvest.objects.filter(abstract_target_id=target.pk, state__in=_ACTIVE)
    return active.exists() or Schedule.objects.filter(lasting, abstract_target_id=target.pk).exists()


def _require(act: Act, target: Target, verb: str) -> None:
    """The privilege of the verb, whatever the state: who may not is told so before the state is."""
    needed = {move.privilege for move in TARGETS.moves if move.name == verb} - {None}
    for privilege in needed:
        if privilege is not None:
            act.require(privilege, subject_of(target), f"{verb} the target {target.name}")


def _check_approvable(target: Target) -> None:
    problems = rights_of.approval_problems(target.pk)
    if problems:
        raise NotApprovable(target, problems)


def _check_reason(act: Act, target: Target, reason_id: int | None) -> None:
    found = RejectionReason.objects.filter(pk=reason_id or 0, agency_id=target.agency_id).first()
    if found is None:
        raise InvalidFields({"reason": ["Choose a reason of the target's agency."]}, where=act.name)
    if not found.for_targets:
        raise InvalidFields({"reason": [f"“{found.name}” is no reason to reject targets; choose another."]},
                            where=act.name)  # fmt: skip


def _selected(act: Act, target: Target) -> dict[str, Any]:
    """What the first approval sets; a rejection of earlier is over."""
    first = {} if target.selection_date else {"selection_date": act.clock.now()}
    return {**first, "rejection_reason_id": None, "rejection_note": ""}


def _follow(act: Act, target: Target, move: Move[State]) -> None:
    resource = Resource(kind="target", id=target.pk)
    close_tasks(kind=APPROVE_TASK, resource=resource)
    if move.target == State.NOMINATED:
        _ask_for_approval(act, target, resource)
    if move.name == "approve":
        gathering.add(Approval(target=target, at=act.clock.now(), by_id=act.actor.user))
    planned = _plan(act, target, move)
    grouping.recompute_parents(act, target.pk, planned=planned)
    webhook_news.target_moved(act, target, move.name)
    if move.name in _TOLD:
        _tell_owner(act, target, move, resource)


def _plan(act: Act, target: Target, move: Move[State]) -> bool:
    """Whether all schedules that concern it were planned anew."""
    if move.name == "complete":
        return False
    if move.target in SCHEDULABLE:
        planning.replan(act, target)
    elif move.source in SCHEDULABLE:
        planning.unplan(act, target)
    if move.name == "approve" and target.run_on_approval:
        planning.plan_once(act, target, act.clock.now() + RUN_AFTER)
    return move.target in SCHEDULABLE


def _ask_for_approval(act: Act, target: Target, resource: Resource) -> None:
    send_task(
        act.actor, kind=APPROVE_TASK, subject=f"Approve target {target.name}", privilege=Privilege.APPROVE_TARGET,
        message=f"{act.actor.username} nominated it. Look at its seeds and their rights, then approve or reject it.",
        agency=target.agency_id, resource=resource,
    )  # fmt: skip


def _tell_owner(act: Act, target: Target, move: Move[State], resource: Resource) -> None:
    if target.owner_id != act.actor.user:
        notify(
            [target.owner_id], kind="target-state", category=Category.GENERAL, sender=act.actor.username,
            subject=f"{target.name} is {move.target.label.lower()}", resource=resource, now=act.clock.now(),
            message=f"{act.actor.username}: {move.label.lower()}. {move.sentence}",
        )  # fmt: skip
