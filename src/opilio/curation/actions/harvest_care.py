"""Heal harvests that lost their job, and flag those that stay too long in a state."""

from opilio.curation import harvest_log, rights_watch
from opilio.curation.harvest_jobs import hand_over
from opilio.curation.harvest_workflow import NEXT_STEP
from opilio.curation.models import Harvest, HarvestEvent, HarvestState
from opilio.jobs import queue
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify

RUN_BY_A_JOB = (HarvestState.QUEUED, HarvestState.RUNNING, HarvestState.PAUSED, HarvestState.STOPPING)
MOST_HEALINGS = 5


@action("harvest.heal", "Give a harvest that lost its job another one.")
def heal(act: Act, /, *, harvest_id: int) -> bool:
    """Whether it needed that; after too many times it is given up with the reason."""
    harvest = _locked(act, harvest_id)
    if harvest is None or harvest.state not in RUN_BY_A_JOB or queue.unfinished(harvest.job):
        return False
    reason = queue.last_error(harvest.job) or "Its job is gone."
    healed = HarvestEvent.objects.filter(harvest=harvest, name="healed").count()
    if healed >= MOST_HEALINGS:
        harvest_log.moved(act, harvest, "fail", reason=f"It was begun anew {healed} times in vain. {reason}")
        _tell(act, harvest, "harvest-aborted", "was given up", reason)
        return True
    harvest_log.noted(act, harvest, "healed", reason=reason)
    Harvest.objects.filter(pk=harvest.pk).update(job=hand_over(harvest, act.clock.now()))
    return True


@action("harvest.flag_late", "Flag a harvest that stays too long in a state.")
def flag_late(act: Act, /, *, harvest_id: int) -> bool:
    """Its owner is told once what to do."""
    harvest = _locked(act, harvest_id)
    now = act.clock.now()
    if harvest is None or harvest.expected_until is None or harvest.expected_until > now or harvest.flagged:
        return False
    state = HarvestState(harvest.state)
    reason = f"It has been {state.label.lower()} since {harvest.state_since:%Y-%m-%d %H:%M} UTC, longer than it should."
    harvest_log.noted(act, harvest, "late", reason=reason)
    act.update(harvest, {"flagged": True, "reason": reason}, message="Flagged, because it is late.")
    _tell(act, harvest, "harvest-late", "is late", f"{reason} Next: {NEXT_STEP[state]}")
    return True


@action("harvest.watch_rights", "Pause a harvest whose right ended, or let it go on when it is back.")
def watch_rights(act: Act, /, *, harvest_id: int) -> bool:
    """Whether it was told something."""
    act.require_that(act.actor.is_system, "look after harvests", "Only the installation itself does.")
    return rights_watch.look(act, harvest_id)


def _locked(act: Act, harvest_id: int) -> Harvest | None:
    act.require_that(act.actor.is_system, "look after harvests", "Only the installation itself does.")
    found: Harvest | None = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    return found


def _tell(act: Act, harvest: Harvest, kind: str, what: str, message: str) -> None:
    notify(
        [harvest.owner_id], kind=kind, category=Category.GENERAL, now=act.clock.now(), sender=act.actor.username,
        subject=f"The harvest of {harvest.abstract_target} {what}", message=message,
        resource=Resource(kind="harvest", id=harvest.pk),
    )  # fmt: skip
