"""Harvests under way that may not be collected any more: they pause, and people are asked to decide.

A decision counts until something else stands against the harvest. What stands against one is in `frozen_rights`.
"""

from collections.abc import Sequence
from datetime import datetime

from opilio.curation import harvest_log
from opilio.curation.frozen_rights import problems_of
from opilio.curation.harvest_tasks import HELD_TASK, decided
from opilio.curation.models import Harvest, HarvestEvent, HarvestOrder, HarvestState
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, notify, send_task
from opilio.people.privileges import Privilege, Subject

WATCHED = (HarvestState.RUNNING, HarvestState.PAUSED)
BY = "rights"  # who orders what follows from rights
LOST, BACK, DECIDED = "rights-lost", "rights-back", "decided"  # events
_TURNS = ("pause", "resume")


class RightLost(Conflict):
    """A harvest whose right ended was told to go on, and nobody decided that it may."""


def undecided(harvest: Harvest, problems: Sequence[str]) -> tuple[str, ...]:
    """What of it nobody decided upon."""
    if not problems:
        return ()
    last = HarvestEvent.objects.filter(harvest=harvest, name=DECIDED).order_by("-number").first()
    accepted = last.details.get("problems", ()) if last is not None else ()
    return tuple(one for one in problems if one not in accepted)


def needing(now: datetime) -> list[int]:
    """Harvests under way whose right was lost, or is back."""
    rows = list(Harvest.objects.filter(state__in=WATCHED).select_related("agency").order_by("id"))
    problems = problems_of(rows, now)
    return [row.pk for row in rows if bool(undecided(row, problems[row.pk])) != row.held]


def look(act: Act, harvest_id: int) -> bool:
    """Let one harvest follow its rights; whether it was told something."""
    harvest = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id, state__in=WATCHED).first()
    if harvest is None:
        return False
    missing = undecided(harvest, problems_of([harvest], act.clock.now())[harvest.pk])
    if bool(missing) == harvest.held:
        return False
    if missing:
        _ask(act, harvest, missing)
    else:
        _go_on(act, harvest)
    return True


def look_at_all(act: Act) -> None:
    """Rights were changed: whatever runs follows them at once, in the same transaction."""
    for identifier in needing(act.clock.now()):
        look(act, identifier)


def accept(act: Act, harvest: Harvest, decision: str) -> None:
    """Before a held harvest goes on: nothing stands against it any more, or somebody who may decides that it may."""
    missing = undecided(harvest, problems_of([harvest], act.clock.now())[harvest.pk])
    if missing and not decision.strip():
        raise RightLost(
            f"The harvest of {harvest.abstract_target} lost its right: {' '.join(missing)}", where=act.name,
            remedy="Mend the permission, give a decision with its reason, or stop the harvest: what it has is kept.",
        )  # fmt: skip
    if missing:
        subject = Subject(agency=harvest.agency_id, owner=harvest.owner_id)
        act.require(Privilege.CONFIRM_PERMISSION, subject, "let a harvest go on without a right")
        details = {"problems": list(missing)}
        harvest_log.noted(act, harvest, DECIDED, reason=decision.strip(), details=details)
    act.update(harvest, {"held": False}, message=f"Decided: {decision.strip()}" if missing else "Its right is back.")
    decided(harvest.pk)


def put_back(act: Act, harvest: Harvest, agent: str) -> bool:
    """Whether a queued harvest lost its right while it waited; it is considered anew then."""
    missing = problems_of([harvest], act.clock.now())[harvest.pk]
    if missing:
        harvest_log.moved(act, harvest, "return", reason=" ".join(missing), agent=agent, job=None)
    return bool(missing)


def _ask(act: Act, harvest: Harvest, missing: Sequence[str]) -> None:
    reason = f"Its right ended: {' '.join(missing)}"[:4_000]
    harvest_log.noted(act, harvest, LOST, reason=reason, details={"problems": list(missing)})
    act.update(harvest, {"held": True, "reason": reason}, message="Waits for a person.")
    if harvest.state == HarvestState.RUNNING:
        _order(act, harvest, "pause")
    resource = Resource(kind="harvest", id=harvest.pk)
    send_task(
        act.actor, kind=HELD_TASK, subject=f"Decide about the harvest of {harvest.abstract_target}",
        message=f"{reason} It pauses. Mend the permission, let it go on with a decision, or stop it: what it has is "
        "kept.", privilege=Privilege.MANAGE_TARGET_INSTANCES, agency=harvest.agency_id, resource=resource,
    )  # fmt: skip
    notify(
        [harvest.owner_id], kind="harvest-right-lost", category=Category.GENERAL, now=act.clock.now(),
        sender=act.actor.username, subject=f"The harvest of {harvest.abstract_target} lost its right",
        message=f"{reason} It pauses until somebody decides.", resource=resource,
    )  # fmt: skip


def _go_on(act: Act, harvest: Harvest) -> None:
    harvest_log.noted(act, harvest, BACK, reason="Its rights hold again.")
    act.update(harvest, {"held": False, "reason": "Its rights hold again."}, message="Its right is back.")
    decided(harvest.pk)
    last = HarvestOrder.objects.filter(harvest=harvest, what__in=_TURNS).order_by("-id").first()
    if last is not None and (last.what, last.by) == ("pause", BY):
        _order(act, harvest, "resume")


def _order(act: Act, harvest: Harvest, what: str) -> None:
    HarvestOrder(harvest=harvest, what=what, arguments={}, by=BY, at=act.clock.now()).save()
    harvest_log.noted(act, harvest, "ordered", details={"what": what})
