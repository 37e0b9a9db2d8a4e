"""What the agent that makes a result writes down: that its files are whole, that it is ready, or why it failed."""

from collections.abc import Sequence
from typing import Any

from opilio.curation import harvest_log, results
from opilio.curation.actions.harvest_running import File
from opilio.curation.assess_jobs import assess_soon
from opilio.curation.models import Harvest, HarvestFile, HarvestState, Result, ResultState
from opilio.curation.result_jobs import make_soon
from opilio.jobs import queue
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify

_OPEN = (HarvestState.HARVESTED, HarvestState.PATCHING)  # nobody decided about the harvest yet


@action("result.made", "The files of a derived result are whole.")
def made(act: Act, /, *, result_id: int, figures: dict[str, Any], notes: Sequence[str], files: Sequence[File]) -> bool:
    """Its notes, counts and files are listed; False when it is not being made any more."""
    row = _locked(act, result_id)
    if row is None or row.state != ResultState.MODIFYING:
        return row is not None and row.state == ResultState.INDEXING
    if row.harvest.state not in _OPEN:
        _failed(act, row, "The harvest was decided about meanwhile.")
        return False
    results.noted(row, list(notes))
    HarvestFile.objects.filter(harvest=row.harvest, result=row.number).delete()
    HarvestFile.objects.bulk_create(
        HarvestFile(harvest=row.harvest, result=row.number, name=one.name, size=one.size, digest=one.digest,
                    compressed=one.compressed)
        for one in files
    )  # fmt: skip
    told = "; ".join(notes)
    results.preserved(act, row.harvest, row.number, "deletion" if not files else "derivation", detail=told)
    results.moved(act, row, "made", **figures)
    return True


@action("result.derived", "A derived result is ready, and waits for a decision.")
def ready(act: Act, /, *, result_id: int) -> None:
    """It is assessed next; a harvest that was being patched waits for review again."""
    row = _locked(act, result_id)
    if row is None or row.state != ResultState.INDEXING:
        return
    if row.harvest.state not in _OPEN:
        _failed(act, row, "The harvest was decided about meanwhile.")
        return
    results.moved(act, row, "ready")
    _patched(act, row.harvest, f"Result {row.number} is ready.")
    assess_soon(row.pk, act.clock.now())


@action("result.fail", "A result cannot be made.")
def fail(act: Act, /, *, result_id: int, reason: str) -> None:
    """Whoever asked for it is told why."""
    row = _locked(act, result_id)
    if row is not None and row.state in (ResultState.MODIFYING, ResultState.INDEXING):
        _failed(act, row, reason)


@action("result.trouble", "An attempt to make a result failed; it is tried again.")
def trouble(act: Act, /, *, result_id: int, reason: str) -> None:
    """The state stays; the reason is shown."""
    row = _locked(act, result_id)
    if row is not None and row.state == ResultState.MODIFYING and row.reason != reason[:4_000]:
        act.update(row, {"reason": reason[:4_000]}, message="It is tried again.")


@action("result.heal", "Give a result that lost its job another one.")
def heal(act: Act, /, *, result_id: int) -> bool:
    """Whether it needed that."""
    row = _locked(act, result_id)
    if row is None or row.state != ResultState.MODIFYING or queue.unfinished(row.job):
        return False
    harvest_log.noted(act, row.harvest, "healed", reason=f"Result {row.number} is begun anew.")
    make_soon(row, act.clock.now())
    return True


def _locked(act: Act, result_id: int) -> Result | None:
    act.require_that(act.actor.is_system, "make results", "Only agents do.")
    found = Result.objects.filter(pk=result_id).values_list("harvest_id", flat=True).first()
    if found is None:
        return None
    Harvest.objects.select_for_update(of=("self",)).filter(pk=found).first()
    row: Result | None = (
        Result.objects.select_for_update(of=("self",)).select_related("harvest").filter(pk=result_id).first()
    )
    return row


def _failed(act: Act, row: Result, reason: str) -> None:
    results.preserved(act, row.harvest, row.number, "derivation", outcome="failure", detail=reason)
    results.moved(act, row, "fail", reason=reason)
    _patched(act, row.harvest, f"Result {row.number} failed: {reason}")
    notify(
        [row.made_by_id or row.harvest.owner_id], kind="result-failed", category=Category.GENERAL, now=act.clock.now(),
        sender=act.actor.username, subject=f"A result of the harvest of {row.harvest.abstract_target} failed",
        message=reason, resource=Resource(kind="result", id=row.pk),
    )  # fmt: skip


def _patched(act: Act, harvest: Harvest, reason: str) -> None:
    if harvest.state == HarvestState.PATCHING:
        harvest_log.moved(act, harvest, "patched", reason=reason)
