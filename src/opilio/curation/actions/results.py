"""What happens to results beside decisions: they come about, are noted upon, undone, and stood on by later harvests."""

from typing import Any

from opilio.curation import planning, result_jobs, result_undoing, results, targeting
from opilio.curation.actions.schedules import schedulable
from opilio.curation.assess_jobs import assess_soon
from opilio.curation.harvest_jobs import index_soon
from opilio.curation.kinds import GROUP, HARVEST, RESULT, TARGET
from opilio.curation.last_good import GOOD
from opilio.curation.models import (
    Harvest,
    HarvestEvent,
    HarvestState,
    ObjectType,
    Result,
    ResultState,
    Schedule,
    Target,
)
from opilio.curation.result_locking import locked_result
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege
from opilio.works.result_facts import ResultFacts

_ENDORSE = Privilege.ENDORSE_HARVEST
_LONGEST_NOTE = 32_000


class NoReference(Conflict):
    """The harvest cannot be what later ones are compared with."""


@action("result.adopt", "Give a harvest that waits for review the row of its first result.")
def adopt(act: Act, /, *, harvest_id: int) -> bool:
    """Whether it had none: one of an earlier version, or whose agent fell in between."""
    harvest = _by_system(act, harvest_id)
    if harvest is None or harvest.state != HarvestState.HARVESTED or harvest.purged:
        return False
    sealed_here = HarvestEvent.objects.filter(harvest=harvest, name="keep").exists()
    if not sealed_here or Result.objects.filter(harvest=harvest, number=1).exists():
        return False
    results.original(act, harvest)
    index_soon(harvest.pk, act.clock.now())
    return True


@action("result.ready", "A result can be searched and waits for a decision.")
def ready(act: Act, /, *, harvest_id: int, number: int = 1, facts: ResultFacts | None = None) -> bool:
    """Whether it was waiting for that; from now on it is assessed, and reviewed."""
    harvest = _by_system(act, harvest_id)
    row = _locked(harvest, number) if harvest is not None else None
    if row is None or row.state != ResultState.INDEXING:
        return False
    known: dict[str, Any] = (
        {"resources": facts.resources, "bytes": facts.bytes, "digest": facts.digest} if facts else {}
    )
    results.moved(act, row, "ready", **known)
    assess_soon(row.pk, act.clock.now())
    if row.number == 1:
        result_jobs.prune_again(act, row)
    return True


@action("result.note", "Say where a result came from, and why.", privilege=_ENDORSE)
def note_result(act: Act, /, *, result_id: int, note: str, version: int | None = None) -> Result:
    """The note goes with the result into the package."""
    row = locked_result(act, result_id, _ENDORSE, "change the note of")
    if len(note) > _LONGEST_NOTE:
        raise InvalidFields({"note": [f"At most {_LONGEST_NOTE:,} characters."]}, where=act.name)
    act.update(row, {"provenance_note": note.strip()}, version=version)
    return row


@action("result.undo", "Undo the newest derived result.", privilege=_ENDORSE)
def undo_result(act: Act, /, *, result_id: int, why: str, version: int | None = None) -> Result:
    """An agent removes its files; what it was derived from stays as it is, and so does a record of it."""
    row = locked_result(act, result_id, _ENDORSE, "undo", version=version)
    if not why.strip():
        raise InvalidFields({"why": ["Say why."]}, where=act.name)
    result_undoing.ask(act, row, why.strip()[:4_000])
    return row


@action("result.undone", "An agent removed the files of a result, or could not.")
def undone(act: Act, /, *, result_id: int, refused: str = "") -> None:
    """Nothing happens when that was written down before."""
    act.require_that(act.actor.is_system, "undo results", "Ask for it; an agent does it.")
    row: Result = act.fetch(RESULT, result_id)
    if not row.change.get(result_undoing.UNDO):
        return
    row.harvest = act.fetch(HARVEST, row.harvest_id)
    if refused:
        result_undoing.refused(act, row, refused)
    else:
        result_undoing.done(act, row)


@action("harvest.reference", "Let later harvests of the target be compared with this one, or with none.",
        privilege=_ENDORSE)  # fmt: skip
def set_reference(act: Act, /, *, harvest_id: int, reference: bool = True) -> Harvest:
    """Quality is measured against it."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(_ENDORSE, HARVEST.subject(harvest), f"choose the reference of {harvest.abstract_target}")
    if reference and harvest.state not in GOOD:
        label = HarvestState(harvest.state).label.lower()
        raise NoReference(
            f"A harvest that is {label} cannot be the reference", where=str(harvest),
            remedy="Choose one that was harvested and not rejected.",
        )  # fmt: skip
    kind = TARGET if harvest.abstract_target.object_type == ObjectType.TARGET else GROUP
    holder = act.fetch(kind, harvest.abstract_target_id)
    if reference or holder.reference_harvest_id == harvest.pk:
        act.update(holder, {"reference_harvest_id": harvest.pk if reference else None}, message="Reference harvest.")
    return harvest


@action("target.delist", "End the schedules of a target, as it need not be harvested any more.",
        privilege=Privilege.ADD_SCHEDULE_TO_TARGET)  # fmt: skip
def delist(act: Act, /, *, target_id: int, reason: str) -> Target:
    """What is planned for it is removed; what was collected stays. Schedules of groups that it is in go on."""
    schedulable(act, target_id)
    if not reason.strip():
        raise InvalidFields({"reason": ["Say why it need not be harvested any more."]}, where=act.name)
    target: Target = act.fetch(TARGET, target_id)
    now, words = act.clock.now(), f"Delisted: {reason.strip()[:4_000]}"
    lasting = Schedule.objects.select_for_update(of=("self",)).filter(abstract_target_id=target.pk)
    for schedule in lasting.exclude(end__lte=now):
        act.update(schedule, {"end": max(now, schedule.start)}, message=words)
    planning.unplan(act, target)
    act.record(target, message=words)
    targeting.settled(act, target)
    return target


def _by_system(act: Act, harvest_id: int) -> Harvest | None:
    act.require_that(act.actor.is_system, "look after results", "Only the installation itself does.")
    found: Harvest | None = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    return found


def _locked(harvest: Harvest, number: int) -> Result | None:
    rows = Result.objects.select_for_update(of=("self",)).filter(harvest=harvest, number=number)
    found: Result | None = rows.select_related("harvest").first()
    return found
