"""What archiving a harvest comes to in rows: the deposit, the state of the harvest, tasks and notices.

Callers give the `Act` under way and rows that they locked.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from opilio.curation import harvest_log, result_tasks, results
from opilio.curation.deposit_jobs import deposit_soon
from opilio.curation.deposit_questions import checked, questions
from opilio.curation.harvest_jobs import index_soon
from opilio.curation.models import (
    AbstractTarget,
    Deposit,
    Depository,
    DepositState,
    Group,
    Harvest,
    ObjectType,
    Result,
    ResultState,
    ReviewPolicy,
    Target,
)
from opilio.curation.result_marks import mark_soon
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields
from opilio.people.intray import Category, Resource, notify

OPEN = (DepositState.WAITING, DepositState.PACKING, DepositState.SENDING, DepositState.CHECKING)


class NoReferenceNumber(Conflict):
    """The agency archives only what has a reference number."""


class NothingEndorsed(Conflict):
    """The harvest has no endorsed result whose data is here."""


def endorsed(act: Act, harvest: Harvest) -> Result:
    """The result that is archived; `NothingEndorsed` when there is none, or its data is gone."""
    found: Result | None = Result.objects.filter(harvest=harvest, state=ResultState.ENDORSED).first()
    if found is None or harvest.purged or found.imported:
        why = "has no endorsed result" if found is None else "has no data here any more"
        raise NothingEndorsed(f"The harvest of {harvest} {why}", where=act.name, remedy="Endorse one of its results.")
    return found


def require_reference(act: Act, harvest: Harvest, reference: str) -> None:
    """Fill in a reference number where the target has none; `NoReferenceNumber` when its agency wants one."""
    target: AbstractTarget = harvest.abstract_target
    if reference and not target.reference:
        model = Group if target.object_type == ObjectType.GROUP else Target
        kept = model.objects.select_for_update(of=("self",)).get(pk=target.pk)
        act.update(kept, {"reference": reference}, message="Filled in when a harvest was archived.")
        target.reference = reference
    wanted = ReviewPolicy.objects.filter(agency_id=harvest.agency_id, reference_required=True).exists()
    if wanted and not target.reference:
        raise NoReferenceNumber(
            f"{target} has no reference number, and its agency archives nothing without one", where=act.name,
            remedy="Give the number of the target in your catalogue.",
        )  # fmt: skip


def answered(act: Act, depository: Depository, answers: Mapping[str, Any]) -> dict[str, str]:
    """The answers to the form of a depository; `InvalidFields` names what is wrong with them."""
    good, faults = checked(questions(depository.questions), answers)
    if faults:
        raise InvalidFields(faults, where=act.name)
    return good


def begun(act: Act, result: Result, depository: Depository, answers: dict[str, str]) -> Deposit:
    """The deposit of a result. One that failed at the same place is taken up again, so that key and package stay."""
    same = Deposit.objects.select_for_update(of=("self",)).filter(
        harvest=result.harvest, result=result.number, depository=depository, state=DepositState.FAILED
    )
    failed: Deposit | None = next((one for one in same.order_by("-id") if one.answers == answers), None)
    if failed is not None:
        changes = {"state": DepositState.WAITING, "ended_at": None, "failure": ""}
        act.update(failed, changes, message="Tried again.")
        return failed
    row = Deposit(
        harvest=result.harvest, result=result.number, depository=depository, answers=answers, by_id=act.actor.user,
        begun_at=act.clock.now(),
    )  # fmt: skip
    row.package = f"harvest-{result.harvest_id}-result-{result.number}-{secrets.token_hex(6)}"
    return act.insert(row)


def set_going(act: Act, deposit: Deposit) -> None:
    """The harvest is archiving from here on, and an agent does it."""
    reason = f"Result {deposit.result} goes to {deposit.depository}."
    harvest_log.moved(act, deposit.harvest, "archive", reason=reason)
    Deposit.objects.filter(pk=deposit.pk).update(job=deposit_soon(deposit, act.clock.now()))


def received(act: Act, deposit: Deposit, receipt: Mapping[str, Any]) -> None:
    """The depository has it, and what it has was read again: the harvest is archived."""
    now, harvest = act.clock.now(), deposit.harvest
    changes = {"state": DepositState.DONE, "ended_at": now, "receipt": dict(receipt), "failure": ""}
    act.update(deposit, changes, message=f"{deposit.depository} has it as {deposit.archive_id}.")
    reason = f"{deposit.depository} has result {deposit.result} as {deposit.archive_id}."
    harvest_log.moved(act, harvest, "archived", reason=reason, archive_id=deposit.archive_id, archived_at=now)
    results.preserved(act, harvest, deposit.result, "ingestion", detail=reason)
    _settled(act, deposit)
    result_tasks.archived(harvest)
    _follow(act, harvest)
    _tell(act, deposit, "archive-success", "was archived", reason)


def failed(act: Act, deposit: Deposit, why: str) -> None:
    """It did not come to that: the harvest is endorsed as before, and those concerned hear why."""
    now, harvest = act.clock.now(), deposit.harvest
    changes = {"state": DepositState.FAILED, "ended_at": now, "failure": why[:4_000]}
    act.update(deposit, changes, message="The deposit failed.")
    harvest_log.moved(act, harvest, "refused", reason=why[:4_000])
    results.preserved(act, harvest, deposit.result, "ingestion", outcome="failure", detail=why)
    _tell(act, deposit, "archive-failed", "could not be archived", why)


def _settled(act: Act, deposit: Deposit) -> None:
    """The files are marked as archived where they lie, and the working index lets go of them."""
    row = Result.objects.filter(harvest=deposit.harvest, number=deposit.result).first()
    if row is not None:
        mark_soon(row, act.clock.now())
    index_soon(deposit.harvest_id, act.clock.now())


def _follow(act: Act, harvest: Harvest) -> None:
    """Where a target says so, each archived harvest is the one that later ones are compared with."""
    target: Target | None = Target.objects.select_for_update(of=("self",)).filter(
        pk=harvest.abstract_target_id, follow_reference=True
    ).first()  # fmt: skip
    if target is not None:
        act.update(target, {"reference_harvest_id": harvest.pk}, message="Its archived harvest is the reference now.")


def _tell(act: Act, deposit: Deposit, kind: str, what: str, message: str) -> None:
    harvest = deposit.harvest
    people = {harvest.owner_id, deposit.by_id or harvest.owner_id}
    notify(
        people, kind=kind, category=Category.GENERAL, now=act.clock.now(),
        sender=act.actor.username, subject=f"The harvest of {harvest.abstract_target} {what}", message=message,
        resource=Resource(kind="harvest", id=harvest.pk),
    )  # fmt: skip
