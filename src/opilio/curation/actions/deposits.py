"""Archive endorsed harvests: hand their result to a depository, try that again, or give it up."""

from collections.abc import Mapping
from typing import Any

from opilio.curation import deposit_choice, deposit_takedowns, depositing
from opilio.curation.kinds import DEPOSIT, HARVEST
from opilio.curation.models import Deposit, DepositState, Harvest
from opilio.jobs import queue
from opilio.kernel.errors import Conflict
from opilio.people import audit
from opilio.people.acting import Act, action
from opilio.people.errors import NotFound, Stale
from opilio.people.privileges import Privilege

_ARCHIVE = Privilege.ARCHIVE_HARVEST


class DepositOver(Conflict):
    """The deposit is not in a state in which that can be done."""


@action("harvest.archive", "Hand the endorsed result of a harvest to a depository.", privilege=_ARCHIVE)
def archive_harvest(
    act: Act, /, *, harvest_id: int, depository_id: int | None = None, answers: Mapping[str, Any] | None = None,
    reference: str = "", version: int | None = None,
) -> Deposit:  # fmt: skip
    """An agent packs it, hands it over and reads it again; only then the harvest is archived."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(_ARCHIVE, HARVEST.subject(harvest), f"archive the harvest of {harvest.abstract_target}")
    if version is not None and version != harvest.version:
        raise Stale("Harvest", str(harvest), mine={}, theirs=audit.values(harvest), by=str(harvest.updated_by or ""))
    result = depositing.endorsed(act, harvest)
    result.harvest = harvest
    deposit_takedowns.require_nothing_to_destroy(act, harvest)
    depositing.require_reference(act, harvest, reference.strip()[:255])
    depository = deposit_choice.chosen(act, harvest.agency_id, depository_id)
    deposit = depositing.begun(act, result, depository, depositing.answered(act, depository, answers or {}))
    deposit.harvest = harvest
    depositing.set_going(act, deposit)
    return deposit


@action("deposit.retry", "Try a deposit again that failed.", privilege=_ARCHIVE)
def retry_deposit(act: Act, /, *, deposit_id: int) -> Deposit:
    """With the same key, so that what the depository may have by now is found there."""
    deposit = _locked(act, deposit_id, "try again")
    if deposit.state != DepositState.FAILED or not deposit.depository.active:
        raise _over(act, deposit, "Only deposits that failed are tried again, at depositories that are active.")
    result = depositing.endorsed(act, deposit.harvest)
    if result.number != deposit.result:
        raise _over(act, deposit, f"Result {result.number} is endorsed now; archive the harvest instead.")
    deposit_takedowns.require_nothing_to_destroy(act, deposit.harvest)
    again = depositing.begun(act, result, deposit.depository, dict(deposit.answers))
    again.harvest = deposit.harvest
    depositing.set_going(act, again)
    return again


@action("deposit.give_up", "Give a deposit up that is under way.", privilege=_ARCHIVE)
def give_up_deposit(act: Act, /, *, deposit_id: int, reason: str = "") -> Deposit:
    """The harvest is endorsed as before. What the depository has by then stays there, and is found by the next try."""
    deposit = _locked(act, deposit_id, "give up")
    if deposit.state not in depositing.OPEN:
        raise _over(act, deposit, "It is over already.")
    if queue.unfinished(deposit.job):
        queue.cancel(deposit.job or 0, by=act.actor.username, now=act.clock.now(), reason="the deposit was given up")
    words = reason.strip()[:1_000]
    depositing.failed(act, deposit, f"{act.actor.username} gave it up{': ' + words if words else '.'}")
    return deposit


def _locked(act: Act, deposit_id: int, what: str) -> Deposit:
    """The deposit with its harvest, which is locked first."""
    harvest_id = Deposit.objects.filter(pk=deposit_id).values_list("harvest_id", flat=True).first()
    if harvest_id is None:
        raise NotFound(f"There is no deposit {deposit_id}", where=act.name, remedy="`opilio deposit list` names all.")
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    deposit: Deposit = act.fetch(DEPOSIT, deposit_id)
    deposit.harvest = harvest
    act.require(_ARCHIVE, HARVEST.subject(harvest), f"{what} the {deposit}")
    return deposit


def _over(act: Act, deposit: Deposit, remedy: str) -> DepositOver:
    state = DepositState(deposit.state).label.lower()
    return DepositOver(f"The {deposit} is {state}", where=act.name, remedy=remedy)
