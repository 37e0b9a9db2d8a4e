"""What the agent that does a deposit writes down: that it packs, sends, checks, ends or fails."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from opilio.curation import depositing
from opilio.curation.models import Deposit, DepositState, Harvest, HarvestState
from opilio.jobs import queue
from opilio.people.acting import Act, action

_KEPT = timedelta(days=7)  # what was packed for a deposit that failed


@action("deposit.begin", "An agent begins a deposit, or takes one over.")
def begin(act: Act, /, *, deposit_id: int) -> Deposit | None:
    """The deposit, or None when it is over or was given up."""
    deposit = _locked(act, deposit_id)
    if deposit is not None and deposit.state == DepositState.WAITING:
        act.update(deposit, {"state": DepositState.PACKING})
    return deposit


@action("deposit.packed", "The package of a deposit is whole.")
def packed(act: Act, /, *, deposit_id: int, size: int, digest: str, needed: int) -> None:
    """From here on it is handed over."""
    deposit = _locked(act, deposit_id)
    if deposit is not None:
        receipt = {**deposit.receipt, "needed": needed}
        changes = {"state": DepositState.SENDING, "size": size, "digest": digest[:160], "receipt": receipt}
        act.update(deposit, changes)


@action("deposit.sent", "The depository says that it has a package.")
def sent(act: Act, /, *, deposit_id: int, archive_id: str, answer: Mapping[str, Any], size: int, digest: str) -> None:
    """What it answered is kept; next it is read again."""
    deposit = _locked(act, deposit_id)
    if deposit is not None:
        receipt = {**deposit.receipt, "answer": dict(answer)}
        changes = {"state": DepositState.CHECKING, "archive_id": archive_id[:255], "receipt": receipt,
                   "size": size, "digest": digest[:160]}  # fmt: skip
        act.update(deposit, changes)


@action("deposit.finish", "What a depository has was read again: the harvest is archived.")
def finish(act: Act, /, *, deposit_id: int, check: Mapping[str, Any]) -> None:
    """The receipt is proven."""
    deposit = _locked(act, deposit_id)
    if deposit is not None:
        told = {**check, "ok": True, "at": act.clock.now().isoformat(timespec="seconds")}
        depositing.received(act, deposit, {**deposit.receipt, "check": told})


@action("deposit.fail", "A deposit cannot be done.")
def fail(act: Act, /, *, deposit_id: int, reason: str) -> None:
    """The harvest is endorsed as before."""
    deposit = _locked(act, deposit_id)
    if deposit is not None:
        depositing.failed(act, deposit, reason)


@action("deposit.trouble", "An attempt at a deposit failed; it is tried again.")
def trouble(act: Act, /, *, deposit_id: int, reason: str) -> None:
    """The state stays; the reason is shown."""
    deposit = _locked(act, deposit_id)
    if deposit is not None and deposit.failure != reason[:4_000]:
        act.update(deposit, {"failure": reason[:4_000]})


@action("deposit.end_lost", "End deposits that no job does any more.")
def end_lost(act: Act, /) -> int:
    """Their harvests are endorsed as before; how many there were."""
    act.require_that(act.actor.is_system, "do deposits", "Only agents do.")
    rows = Deposit.objects.filter(state__in=depositing.OPEN).exclude(job=None)
    jobs = dict(rows.values_list("pk", "job"))
    running = queue.unfinished_among(jobs.values())
    lost = [_locked(act, pk) for pk, job in jobs.items() if job not in running]
    for deposit in filter(None, lost):
        depositing.failed(act, deposit, f"No agent brought it to an end. {queue.last_error(deposit.job)}".strip())
    return len(lost)


def is_open(deposit_id: int, now: datetime) -> bool:
    """Whether a deposit is under way, or failed lately and may be tried again; what is packed for it is kept."""
    lately = Q(state=DepositState.FAILED, ended_at__gte=now - _KEPT)
    return Deposit.objects.filter(Q(state__in=depositing.OPEN) | lately, pk=deposit_id).exists()


def _locked(act: Act, deposit_id: int) -> Deposit | None:
    """The deposit with its harvest, which is locked first; None when it is over."""
    act.require_that(act.actor.is_system, "do deposits", "Only agents do.")
    harvest_id = Deposit.objects.filter(pk=deposit_id).values_list("harvest_id", flat=True).first()
    harvest = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    rows = Deposit.objects.select_for_update(of=("self",)).select_related("depository", "by")
    deposit: Deposit | None = rows.filter(pk=deposit_id, state__in=depositing.OPEN).first()
    if harvest is None or deposit is None or harvest.state != HarvestState.ARCHIVING:
        return None
    deposit.harvest = harvest
    return deposit
