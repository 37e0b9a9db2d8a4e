"""The one place that makes rows of results and moves them; callers give the `Act` under way and locked rows."""

from typing import Any

from opilio import __version__
from opilio.curation import harvest_log
from opilio.curation.models import Harvest, ModificationNote, PreservationEvent, Result, ResultState
from opilio.curation.result_workflow import RESULTS
from opilio.people.acting import Act

ORIGINAL = "What the crawl captured."


def original(act: Act, harvest: Harvest) -> Result:
    """The row of result 1 of a sealed harvest; nothing happens when there is one."""
    found: Result | None = Result.objects.filter(harvest=harvest, number=1).first()
    if found is not None:
        return found
    made = _made(act, harvest, 1, state=ResultState.INDEXING, provenance_note=ORIGINAL)
    preserved(act, harvest, 1, "capture", detail=ORIGINAL)
    return made


def begun(act: Act, parent: Result, *, state: ResultState, note: str, change: dict[str, Any]) -> Result:
    """The row of a result that is about to be derived from another. The harvest is locked, so its number is free."""
    harvest = parent.harvest
    return _made(
        act, harvest, next_number(harvest), state=state, provenance_note=note, derived_from=parent.number,
        change=change, made_by_id=act.actor.user,
    )  # fmt: skip


def next_number(harvest: Harvest) -> int:
    """A number that no result of the harvest ever had."""
    last = Result.everything.filter(harvest=harvest).order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1


def moved(act: Act, result: Result, verb: str, *, reason: str = "", **changes: Any) -> None:
    """Move a result by a verb of the machine, together with further changes of its columns."""
    move = RESULTS.move(verb, ResultState(result.state))
    state = {"state": move.target, "state_since": act.clock.now(), "reason": reason[:4_000]}
    act.update(result, {**changes, **state}, message=f"{move.label}: {reason}" if reason else move.label)
    told = f"result {result.number}: {move.label.lower()}"
    details = {"result": result.number, "move": verb}
    harvest_log.noted(act, result.harvest, "result", reason=f"{told}; {reason}" if reason else told, details=details)


def noted(result: Result, notes: list[str]) -> None:
    """Write the modification notes of a result, in their order, in place of what was there."""
    ModificationNote.objects.filter(result=result).delete()
    for position, note in enumerate(notes):
        ModificationNote(result=result, position=position, note=note[:32_000]).save()


def preserved(
    act: Act, harvest: Harvest, number: int, kind: str, *, outcome: str = "success", detail: str = ""
) -> None:
    """Write down an event of preservation."""
    PreservationEvent(
        harvest=harvest, result=number, kind=kind, at=act.clock.now(), outcome=outcome, detail=detail[:32_000],
        by=act.actor.username[:150], software=f"Opilio {__version__}",
    ).save()  # fmt: skip


def _made(act: Act, harvest: Harvest, number: int, **fields: Any) -> Result:
    now = act.clock.now()
    row = Result(harvest=harvest, number=number, position=number - 1, state_since=now, made_at=now, **fields)
    act.insert(row)
    harvest_log.noted(act, harvest, "result", reason=f"result {number} is made", details={"result": number})
    return row
