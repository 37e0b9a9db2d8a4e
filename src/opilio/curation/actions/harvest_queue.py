"""What the scheduler does with a harvest whose time came, and what a person does who does not want to wait."""

import datetime
from typing import Any

from opilio.curation import harvest_log, snapshots
from opilio.curation.harvest_facts import Considered, consider
from opilio.curation.harvest_jobs import RUN_KIND, hand_over
from opilio.curation.harvest_plan import Network, profile_of
from opilio.curation.harvest_tasks import HELD_TASK, decided
from opilio.curation.kinds import HARVEST
from opilio.curation.last_good import last_good
from opilio.curation.models import Harvest, HarvestState
from opilio.curation.profiling import locked_copy
from opilio.curation.run_guard import Verdict
from opilio.jobs import roster
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify, send_task
from opilio.people.parameters import value
from opilio.people.privileges import Privilege

DEFERRAL = datetime.timedelta(hours=24)


class MayNotRun(Conflict):
    """A harvest was wanted at once, and something stands against it."""


@action("harvest.consider", "Decide what becomes of a harvest whose time came.")
def consider_due(act: Act, /, *, harvest_id: int, network: Network) -> Verdict | None:
    """Queue it, leave it, put it off or hold it; None when somebody else did so meanwhile."""
    act.require_that(act.actor.is_system, "run the scheduler", "Only the installation itself does.")
    harvest = _locked(harvest_id)
    if harvest is None or harvest.state != HarvestState.SCHEDULED or harvest.held:
        return None
    if _overtaken(act, harvest):
        harvest_log.moved(act, harvest, "skip", reason="Its time passed while nothing ran; a later one is run.")
        return Verdict.DROP
    found = consider(harvest, now=act.clock.now(), network=network, paused=bool(value("harvest_queue_paused")))
    _APPLY[found.decided.verdict](act, harvest, found)
    return found.decided.verdict


@action("harvest.launch", "Harvest now, on any agent or on a chosen one.",
        privilege=Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE)  # fmt: skip
def launch_harvest(act: Act, /, *, harvest_id: int, network: Network, agent: str = "") -> Harvest:
    """The rights are asked as at its time; whatever stands against it is told."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    subject = HARVEST.subject(harvest)
    act.require(Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE, subject, f"launch the harvest of {harvest.abstract_target}")
    found = consider(harvest, now=act.clock.now(), network=network, paused=False)
    if found.decided.verdict is not Verdict.GO or found.plan is None:
        raise MayNotRun(
            f"The harvest of {harvest.abstract_target} may not run now: {found.decided.reason}", where=act.name,
            remedy="Mend that first; it is tried again at its time.",
        )  # fmt: skip
    frozen = _frozen(act, harvest, found)
    harvest_log.moved(
        act, harvest, "launch", reason=found.decided.reason, launched=True, held=False, wanted_agent=agent.strip(),
        **frozen,
    )  # fmt: skip
    decided(harvest.pk)
    _enqueue(act, harvest)
    return harvest


def _go(act: Act, harvest: Harvest, found: Considered) -> None:
    harvest_log.moved(act, harvest, "queue", reason=found.decided.reason, **_frozen(act, harvest, found))
    busy = not roster.free_slots(RUN_KIND)  # asked before its own job counts among those that wait
    _enqueue(act, harvest)
    if busy:
        _tell(
            act, harvest, "harvest-queued", "waits for a free agent", "All agents are busy; the next free one takes it."
        )


def _wait(act: Act, harvest: Harvest, found: Considered) -> None:
    if harvest.reason != found.decided.reason:
        act.update(harvest, {"reason": found.decided.reason})


def _defer(act: Act, harvest: Harvest, found: Considered) -> None:
    later = max(harvest.scheduled_at, act.clock.now()) + DEFERRAL
    harvest_log.noted(act, harvest, "deferred", reason=found.decided.reason, details={"until": later.isoformat()})
    changes = {"scheduled_at": later, "deferrals": harvest.deferrals + 1, "reason": found.decided.reason}
    act.update(harvest, changes, message="Put off by a day.")
    _tell(act, harvest, "harvest-deferred", "was put off by a day", found.decided.reason)


def _hold(act: Act, harvest: Harvest, found: Considered) -> None:
    harvest_log.noted(act, harvest, "held", reason=found.decided.reason)
    act.update(harvest, {"held": True, "reason": found.decided.reason}, message="Waits for a person.")
    send_task(
        act.actor, kind=HELD_TASK, subject=f"Decide about the harvest of {harvest.abstract_target}",
        message=f"{found.decided.reason} Mend that and launch it, give it another time, or delete it.",
        privilege=Privilege.MANAGE_TARGET_INSTANCES, agency=harvest.agency_id, resource=_resource(harvest),
    )  # fmt: skip
    _tell(act, harvest, "harvest-held", "waits for a decision", found.decided.reason)


def _drop(act: Act, harvest: Harvest, found: Considered) -> None:
    harvest_log.moved(act, harvest, "fail", reason=found.decided.reason)
    _tell(act, harvest, "harvest-aborted", "was given up", found.decided.reason)


_APPLY = {Verdict.GO: _go, Verdict.WAIT: _wait, Verdict.DEFER: _defer, Verdict.HOLD: _hold, Verdict.DROP: _drop}


def _frozen(act: Act, harvest: Harvest, found: Considered) -> dict[str, Any]:
    """Freeze the harvest; what it keeps of that: the locked copy of its profile, and the harvest that it goes by."""
    if found.plan is None:
        raise AssertionError("a harvest that may go has a plan")
    since = last_good(harvest) if found.plan.warc.revisits else None
    snapshots.take(act, harvest, found.plan, found.targets, snapshots.Grounds(rights=found.rights, since=since))
    profile = profile_of(harvest.abstract_target)
    return {"profile": locked_copy(act, profile) if profile is not None else None, "since": since}


def _enqueue(act: Act, harvest: Harvest) -> None:
    Harvest.objects.filter(pk=harvest.pk).update(job=hand_over(harvest, act.clock.now()))


def _locked(harvest_id: int) -> Harvest | None:
    found: Harvest | None = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    return found


def _overtaken(act: Act, harvest: Harvest) -> bool:
    """Whether a later harvest of the same schedule and target is due as well."""
    if harvest.schedule_id is None or harvest.edited:
        return False
    later = Harvest.objects.filter(
        schedule_id=harvest.schedule_id, abstract_target_id=harvest.abstract_target_id, state=HarvestState.SCHEDULED,
        scheduled_at__gt=harvest.scheduled_at, scheduled_at__lte=act.clock.now(),
    )  # fmt: skip
    return later.exists()


def _tell(act: Act, harvest: Harvest, kind: str, what: str, message: str) -> None:
    notify(
        [harvest.owner_id], kind=kind, category=Category.GENERAL, now=act.clock.now(), sender=act.actor.username,
        subject=f"The harvest of {harvest.abstract_target} {what}", message=message, resource=_resource(harvest),
    )  # fmt: skip


def _resource(harvest: Harvest) -> Resource:
    return Resource(kind="harvest", id=harvest.pk)
