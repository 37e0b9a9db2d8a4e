"""What the agent that runs a harvest writes down: that it begins, goes on, obeys, ends or fails."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from opilio.curation import (
    harvest_jobs,
    harvest_log,
    line,
    result_tasks,
    results,
    rights_watch,
    targeting,
    trouble_notices,
)
from opilio.curation.models import Harvest, HarvestFigures, HarvestFile, HarvestOrder, HarvestState, Target
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify

_ENDED = (HarvestState.HARVESTED, HarvestState.ABORTED, HarvestState.REJECTED, HarvestState.ENDORSED,
          HarvestState.ARCHIVING, HarvestState.ARCHIVED, HarvestState.PATCHING)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class File:
    """A file that a crawl left."""

    name: str
    size: int
    digest: str
    compressed: bool


@action("harvest.begin", "An agent begins a harvest, or takes one over.")
def begin(act: Act, /, *, harvest_id: int, agent: str) -> Harvest | None:
    """The harvest, or None when it has ended already, or lost its right while it waited."""
    harvest = _locked(act, harvest_id)
    if harvest is None or harvest.state in (*_ENDED, HarvestState.SCHEDULED):
        return None
    if harvest.state == HarvestState.QUEUED:
        if rights_watch.put_back(act, harvest, agent):
            return None
        harvest_log.moved(act, harvest, "begin", agent=agent, started_at=act.clock.now(), agent_name=agent)
        line.divide(act)
        harvest.refresh_from_db()
    else:
        harvest_log.noted(act, harvest, "taken-over", agent=agent, details={"before": harvest.agent_name})
        act.update(harvest, {"agent_name": agent}, message="Another agent, or the same one again, goes on with it.")
    return harvest


@action("harvest.obey", "An agent carried out an order to a harvest.")
def obeyed(act: Act, /, *, order_id: int, agent: str, refused: str = "") -> None:
    """The state follows what the crawl does, not what was ordered."""
    order = HarvestOrder.objects.select_for_update().filter(pk=order_id, done_at=None).first()
    harvest = _locked(act, order.harvest_id) if order is not None else None
    if order is None or harvest is None:
        return
    HarvestOrder.objects.filter(pk=order_id).update(done_at=act.clock.now(), refused=refused[:4_000])
    if refused:
        harvest_log.noted(act, harvest, "refused", reason=refused, agent=agent, details={"what": order.what})
    elif order.what in ("pause", "resume", "stop"):
        reason = harvest.reason if harvest.held else f"{order.by} ordered it."
        harvest_log.moved(act, harvest, order.what, reason=reason, agent=agent)
    else:
        harvest_log.noted(act, harvest, "obeyed", agent=agent, details={"what": order.what, **order.arguments})


@action("harvest.finish", "The crawl of a harvest ended.")
def finish(act: Act, /, *, harvest_id: int, agent: str, reason: str) -> None:
    """From here on nothing is fetched any more; what was collected is sealed next."""
    harvest = _locked(act, harvest_id)
    if harvest is not None and harvest.state in (HarvestState.RUNNING, HarvestState.PAUSED):
        harvest_log.moved(act, harvest, "finish", reason=reason, agent=agent, ended_at=act.clock.now())


@action("harvest.keep", "What a harvest collected is sealed and ready for review.")
def keep(act: Act, /, *, harvest_id: int, agent: str, reason: str, files: Sequence[File]) -> None:
    """Files are listed, those who review find a task, the owner is told, the target may be complete."""
    harvest = _locked(act, harvest_id)
    if harvest is None or harvest.state in _ENDED:
        return
    if harvest.state != HarvestState.STOPPING:
        harvest_log.moved(act, harvest, "finish", agent=agent, ended_at=act.clock.now())
    HarvestFile.objects.filter(harvest=harvest).delete()
    HarvestFile.objects.bulk_create(
        HarvestFile(harvest=harvest, name=one.name, size=one.size, digest=one.digest, compressed=one.compressed)
        for one in files
    )
    harvest_log.moved(act, harvest, "keep", reason=reason, agent=agent)
    _ready_for_review(act, harvest)
    _settle(act, harvest)


@action("harvest.end_aborted", "A harvest was aborted, or cannot be done.")
def give_up(act: Act, /, *, harvest_id: int, agent: str, reason: str, ordered: bool) -> None:
    """Its owner is told why."""
    harvest = _locked(act, harvest_id)
    if harvest is None or harvest.state in _ENDED:
        return
    harvest_log.moved(
        act, harvest, "abort" if ordered else "fail", reason=reason, agent=agent, ended_at=act.clock.now()
    )
    _tell(act, harvest, "harvest-aborted", "was aborted", reason)
    _settle(act, harvest)


@action("harvest.ask_for_help", "An agent has others take part in a harvest.")
def ask_for_help(act: Act, /, *, harvest_id: int, agents: int) -> None:
    """Their jobs wait for whoever is free; asking again changes nothing."""
    harvest = _locked(act, harvest_id)
    if harvest is not None and harvest.state not in _ENDED:
        harvest_jobs.ask_for_help(harvest, agents, act.clock.now())


@action("harvest.trouble", "An attempt to run a harvest failed; it is tried again.")
def trouble(act: Act, /, *, harvest_id: int, agent: str, reason: str) -> None:
    """The state stays; the reason is shown, and told once however often it is met in a row."""
    harvest = _locked(act, harvest_id)
    if harvest is not None and harvest.state not in _ENDED and harvest.reason != reason[:4_000]:
        harvest_log.noted(act, harvest, "trouble", reason=reason, agent=agent)
        act.update(harvest, {"reason": reason[:4_000]})
        trouble_notices.tell(act, harvest, reason)


@action("harvest.without_pictures", "Screenshots that a harvest should have could not be taken.")
def without_pictures(act: Act, /, *, harvest_id: int, agent: str, reason: str) -> None:
    """Its log says which and why; what was collected does not depend on them."""
    harvest = _locked(act, harvest_id)
    if harvest is not None and harvest.state not in _ENDED:
        harvest_log.noted(act, harvest, "no-pictures", reason=reason, agent=agent)


def figures(harvest_id: int, values: dict[str, Any]) -> None:
    """Write down how a harvest goes; not audited, as it happens every two seconds."""
    HarvestFigures.objects.update_or_create(harvest_id=harvest_id, defaults=values)


def waiting_orders(harvest_id: int) -> list[tuple[int, str, dict[str, Any]]]:
    """Orders that were not carried out yet, oldest first."""
    rows = HarvestOrder.objects.filter(harvest_id=harvest_id, done_at=None).order_by("id")
    return list(rows.values_list("id", "what", "arguments"))


def _locked(act: Act, harvest_id: int) -> Harvest | None:
    act.require_that(act.actor.is_system, "run harvests", "Only agents do.")
    found: Harvest | None = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    return found


def _settle(act: Act, harvest: Harvest) -> None:
    """A target for which nothing is planned any more is complete."""
    target = Target.objects.select_for_update(of=("self",)).filter(pk=harvest.abstract_target_id).first()
    if target is not None:
        targeting.settled(act, target)


def _ready_for_review(act: Act, harvest: Harvest) -> None:
    results.original(act, harvest)
    result_tasks.ask_for_review(act, harvest)
    _tell(act, harvest, "harvest-complete", "is complete", "It waits for review.")


def _tell(act: Act, harvest: Harvest, kind: str, what: str, message: str) -> None:
    notify(
        [harvest.owner_id], kind=kind, category=Category.GENERAL, now=act.clock.now(), sender=act.actor.username,
        subject=f"The harvest of {harvest.abstract_target} {what}", message=message,
        resource=Resource(kind="harvest", id=harvest.pk),
    )  # fmt: skip
