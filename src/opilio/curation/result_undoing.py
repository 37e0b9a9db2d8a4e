"""Undoing a derived result: asked for here, done by a job where its files lie, then written down."""

from dataclasses import dataclass
from datetime import datetime

from opilio.curation import result_deciding, results
from opilio.curation.models import HarvestState, Result, ResultState
from opilio.curation.result_workflow import RESULTS
from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, notify

UNDO = "undo"  # in Result.change, while it is under way


class NotUndoable(Conflict):
    """The result must stay."""


@job(kind="curation.undo_result", max_attempts=10)
@dataclass(frozen=True, kw_only=True)
class UndoResult:
    """Remove the files of a derived result; a record of it stays."""

    result: int


@dataclass(frozen=True, kw_only=True)
class Undoing:
    """What is to be undone."""

    harvest: int
    number: int
    why: str
    by: str


def ask(act: Act, row: Result, why: str) -> None:
    """Have it undone; until that is done it cannot be endorsed."""
    RESULTS.move("undo", ResultState(row.state))
    _require_undoable(row)
    asked = {"why": why, "by": act.actor.username, "user": act.actor.user}
    job_id = _undo_soon(row.pk, act.clock.now())
    act.update(row, {"change": {**row.change, UNDO: asked}, "job": job_id}, message=f"Undo: {why}")


def under_way(result_id: int) -> Undoing | None:
    """What the job has to do; None when it is done, or nobody wants it any more."""
    row = Result.objects.filter(pk=result_id).first()
    asked = row.change.get(UNDO) if row is not None else None
    if row is None or not asked:
        return None
    return Undoing(harvest=row.harvest_id, number=row.number, why=str(asked["why"]), by=str(asked["by"]))


def done(act: Act, row: Result) -> None:
    """Its files are gone."""
    why = str(row.change[UNDO]["why"])
    results.moved(act, row, "undo", reason=why, change=_settled(row), job=None)
    results.preserved(act, row.harvest, row.number, "deletion", detail=f"The derived result was undone. {why}")
    result_deciding.settle(act, row.harvest, "Every result was rejected or undone.")


def refused(act: Act, row: Result, reason: str) -> None:
    """It stays; whoever asked is told why."""
    user = row.change[UNDO].get("user")
    words = f"It could not be undone. {reason}"
    act.update(row, {"change": _settled(row), "job": None, "reason": words[:4_000]}, message=words[:4_000])
    notify(
        [user] if user else [], kind="result-kept", category=Category.GENERAL, sender=act.actor.username,
        subject=f"The {row} could not be undone", message=reason, now=act.clock.now(),
        resource=Resource(kind="result", id=row.pk),
    )  # fmt: skip


def _settled(row: Result) -> dict[str, object]:
    return {name: value for name, value in row.change.items() if name != UNDO}


def _require_undoable(row: Result) -> None:
    where = str(row)
    if row.number == 1:
        raise NotUndoable("Result 1 is what the crawl captured", where=where, remedy="Reject it instead.")
    if row.imported or row.harvest.purged:
        raise NotUndoable("The result has no files here", where=where, remedy="Reject it instead.")
    if row.harvest.state != HarvestState.HARVESTED:
        label = HarvestState(row.harvest.state).label.lower()
        remedy = "Results are undone while their harvest waits for review."
        raise NotUndoable(f"The harvest is {label}", where=where, remedy=remedy)
    if row.change.get(UNDO):
        raise NotUndoable("It is being undone already", where=where, remedy="Wait for the agent that does it.")
    later = Result.objects.filter(harvest=row.harvest, number__gt=row.number).exclude(state=ResultState.ABORTED)
    newest = later.order_by("-number").first()
    if newest is not None:
        remedy = f"Undo result {newest.number} first."
        raise NotUndoable(f"Result {row.number} is not the newest one", where=where, remedy=remedy)


def _undo_soon(result_id: int, now: datetime) -> int:
    return queue.enqueue(UndoResult(result=result_id), now=now, dedup_key=str(result_id)).id
