"""What follows when a result is endorsed, rejected, or its endorsement taken back: results, harvest, tasks, marks.

Callers give the `Act` under way, and rows that `result_locking` locked.
"""

from typing import Any

from opilio.curation import harvest_log, result_tasks, results
from opilio.curation.harvest_jobs import index_soon
from opilio.curation.harvest_workflow import HARVESTS
from opilio.curation.models import Harvest, HarvestState, RejectionReason, Result, ResultState, ReviewPolicy
from opilio.curation.result_evidence import evidence
from opilio.curation.result_marks import mark_soon
from opilio.curation.result_workflow import RESULTS
from opilio.curation.webhook_news import result_endorsed
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields

_OPEN = (ResultState.UNASSESSED, ResultState.INDEXING)
_MADE_NOW = (ResultState.CRAWLING, ResultState.MODIFYING)
_OVER = (ResultState.REJECTED, ResultState.ABORTED)
_IN_REVIEW = (HarvestState.HARVESTED, HarvestState.PATCHING)


class SecondPersonNeeded(Conflict):
    """The agency wants two people to agree to an endorsement."""


class StillMade(Conflict):
    """A result of the harvest is being made, or undone."""


def endorse(act: Act, result: Result, *, note: str) -> None:
    """Endorse it, or propose that where two people must agree."""
    RESULTS.move("endorse", ResultState(result.state))
    _refuse_unfinished(act, result)
    if needs_second(act, result):
        _propose(act, result, note)
    else:
        _endorse(act, result, note)


def needs_second(act: Act, result: Result) -> bool:
    """Whether this endorsement is the first of two; the same person cannot give both."""
    if not ReviewPolicy.objects.filter(agency_id=result.harvest.agency_id, four_eyes=True).exists():
        return False
    if act.actor.user is None:
        raise SecondPersonNeeded(
            "The agency wants two people to agree to an endorsement", where=str(result),
            remedy="Let a person endorse it.",
        )  # fmt: skip
    if result.seconded_by_id == act.actor.user:
        raise SecondPersonNeeded(
            f"{act.actor.username} proposed this endorsement already", where=str(result),
            remedy="Another person must agree; ask somebody who may endorse.",
        )  # fmt: skip
    return result.seconded_by_id is None


def reject(act: Act, result: Result, *, reason_id: int | None, note: str) -> None:
    """Reject it for a reason; the harvest follows when none of its results is left."""
    reason = _checked_reason(act, result.harvest, reason_id)
    RESULTS.move("reject", ResultState(result.state))
    if result.harvest.state not in _IN_REVIEW:
        HARVESTS.move("reject", HarvestState(result.harvest.state))  # tells that it is decided, or runs
    results.moved(
        act, result, "reject", reason=f"{reason.name}. {note}".strip() if note else reason.name,
        rejection_reason_id=reason.pk, seconded_by_id=None, **_decided(act),
    )  # fmt: skip
    results.preserved(act, result.harvest, result.number, "appraisal", detail=f"Rejected: {reason.name}. {note}")
    settle(act, result.harvest, reason.name)


def settle(act: Act, harvest: Harvest, reason: str) -> None:
    """A harvest that waits for review and has no result left is rejected."""
    left = Result.objects.filter(harvest=harvest).exclude(state__in=_OVER)
    if harvest.state != HarvestState.HARVESTED or left.exists():
        return
    harvest_log.moved(act, harvest, "reject", reason=reason, archived_at=act.clock.now())
    result_tasks.reviewed(harvest)
    result_tasks.tell_owner(act, harvest, "harvest-rejected", "was rejected", f"{reason} Its data is removed later.")
    index_soon(harvest.pk, act.clock.now())


def unendorse(act: Act, result: Result, *, note: str) -> None:
    """Open the decision again: only those that were passed over come back, what was rejected before stays so."""
    harvest = result.harvest
    results.moved(
        act, result, "unendorse", reason=note, decided_at=None, decided_by_id=None, seconded_by_id=None
    )  # fmt: skip
    for other in passed_over(harvest):
        results.moved(act, other, "take-up", reason=f"The endorsement of result {result.number} was taken back.")
    results.preserved(act, harvest, result.number, "appraisal", detail=f"The endorsement was taken back. {note}")
    harvest_log.moved(act, harvest, "unendorse", reason=note)
    result_tasks.archived(harvest)
    result_tasks.ask_for_review(act, harvest)
    mark_soon(result, act.clock.now())
    index_soon(harvest.pk, act.clock.now())


def passed_over(harvest: Harvest) -> list[Result]:
    """Results that nobody rejected for a reason: another one was endorsed."""
    rows = Result.objects.select_for_update(of=("self",)).filter(
        harvest=harvest, state=ResultState.REJECTED, rejection_reason=None, decided_at=None
    )
    return list(rows.order_by("number"))


def _endorse(act: Act, result: Result, note: str) -> None:
    harvest, grounds = result.harvest, evidence(result)
    for other in Result.objects.select_for_update(of=("self",)).filter(harvest=harvest, state__in=_OPEN):
        if other.pk != result.pk:
            results.moved(act, other, "pass-over", reason=f"Result {result.number} was endorsed.", seconded_by_id=None)
    results.moved(act, result, "endorse", reason=note, **_decided(act))
    act.record(result, message="What the endorsement stood on.", after={"evidence": grounds})
    results.preserved(act, harvest, result.number, "appraisal", detail=_told(note, grounds))
    harvest_log.moved(act, harvest, "endorse", reason=note)
    result_endorsed(act, result, note)
    result_tasks.reviewed(harvest)
    result_tasks.ask_for_archiving(act, harvest)
    result_tasks.tell_owner(act, harvest, "harvest-endorsed", "was endorsed", f"With result {result.number}. {note}")
    mark_soon(result, act.clock.now())
    index_soon(harvest.pk, act.clock.now())


def _propose(act: Act, result: Result, note: str) -> None:
    words = f"Proposed for endorsement. {note}".strip()
    act.update(result, {"seconded_by_id": act.actor.user, "reason": words[:4_000]}, message=words)
    act.record(result, message="What the proposal stood on.", after={"evidence": evidence(result)})
    details = {"result": result.number}
    harvest_log.noted(act, result.harvest, "proposed", reason=note, details=details)
    result_tasks.ask_for_second(act, result.harvest)


def _refuse_unfinished(act: Act, result: Result) -> None:
    """While a result is made or undone, what is endorsed could not stay as it is."""
    made = Result.objects.filter(harvest=result.harvest, state__in=_MADE_NOW).order_by("number").first()
    if made is not None:
        raise StillMade(
            f"Result {made.number} of the harvest is still being made", where=act.name,
            remedy="Wait until it is there, or give it up.",
        )  # fmt: skip
    if result.change.get("undo"):
        raise StillMade(f"{result} is being undone", where=act.name, remedy="Choose another result.")


def _checked_reason(act: Act, harvest: Harvest, reason_id: int | None) -> RejectionReason:
    found: RejectionReason | None = RejectionReason.objects.filter(
        pk=reason_id or 0, agency_id=harvest.agency_id
    ).first()
    if found is None:
        raise InvalidFields({"reason": ["Choose a reason of the harvest's agency."]}, where=act.name)
    if not found.for_harvests:
        words = f"“{found.name}” is no reason to reject harvests; choose another."
        raise InvalidFields({"reason": [words]}, where=act.name)
    return found


def _decided(act: Act) -> dict[str, Any]:
    return {"decided_at": act.clock.now(), "decided_by_id": act.actor.user}


def _told(note: str, grounds: dict[str, Any]) -> str:
    advice = f"Recommended: {grounds['advice']}. " if grounds.get("advice") else "It was not assessed. "
    return f"Endorsed. {advice}{note}".strip()
