"""The background work of derived results: payload classes, how a result is handed to the agents, and the rule by which
what was pruned from the last archived harvest is pruned again.

A payload names the row only. What shall be changed stands in `Result.change`, as `works.result_change` reads it.
"""

from dataclasses import dataclass
from datetime import datetime

from opilio.curation import harvest_log, results
from opilio.curation.models import Harvest, HarvestState, Result, ResultState, ReviewPolicy
from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.jobs.states import Priority
from opilio.people.acting import Act
from opilio.works.result_change import WantedChange, change_of
from opilio.works.result_picks import MOST_PICKS, Pick

_MOST_ATTEMPTS = 20  # an agent that is killed uses one up
_LONGEST_CHAIN = 1_000  # results derived from one another


@job(kind="curation.make_result", max_attempts=_MOST_ATTEMPTS)
@dataclass(frozen=True, kw_only=True)
class MakeResult:
    """Derive a result as its row says, or finish what was begun."""

    result: int


@job(kind="curation.make_tree", max_attempts=5)
@dataclass(frozen=True, kw_only=True)
class MakeTree:
    """Count the hosts and folders of a result, so that its tree opens at once."""

    result: int


@job(kind="curation.compare_results", max_attempts=5)
@dataclass(frozen=True, kw_only=True)
class CompareResults:
    """Compare two large results, so that their differences can be looked at."""

    before: int
    after: int


def compare_soon(before_id: int, after_id: int, now: datetime) -> None:
    """Have two results compared where their files lie."""
    queue.enqueue(
        CompareResults(before=before_id, after=after_id), now=now, priority=Priority.LOW,
        dedup_key=f"{before_id} {after_id}",
    )  # fmt: skip


def make_soon(result: Result, now: datetime) -> int:
    """Have a result made that is Modifying; the identifier of the job. There is never more than one."""
    made = queue.enqueue(MakeResult(result=result.pk), now=now, dedup_key=str(result.pk))
    Result.objects.filter(pk=result.pk).update(job=made.id)
    return made.id


def tree_soon(result_id: int, now: datetime) -> None:
    """Have the tree of a result made where its files lie."""
    queue.enqueue(MakeTree(result=result_id), now=now, priority=Priority.LOW, dedup_key=str(result_id))


def begun(act: Act, parent: Result, change: WantedChange, note: str) -> Result:
    """Begin a result that is derived from another by leaving resources out or adding WARC files.

    The caller asked whether that is allowed, and locked the harvest.
    """
    row = results.begun(act, parent, state=ResultState.MODIFYING, note=note, change=change.document())
    make_soon(row, act.clock.now())
    return row


def prune_again(act: Act, result: Result) -> Result | None:
    """Called when result 1 of a harvest is ready: its tree is made, and what a rule prunes again is pruned.

    The rule is the target's, or its agency's; None when neither says so, or nothing was pruned before.
    """
    tree_soon(result.pk, act.clock.now())
    harvest = result.harvest
    if harvest.state != HarvestState.HARVESTED or not _ruled(harvest):
        return None
    earlier = _last_archived(harvest)
    picks = _pruned_from(earlier) if earlier is not None else ()
    if earlier is None or not picks or Result.objects.filter(harvest=harvest, change__again=earlier.pk).exists():
        return None
    note = f"By rule: without what was pruned from harvest {earlier.pk}, which was archived."
    harvest_log.noted(act, harvest, "prune-again", reason=note, details={"harvest": earlier.pk})
    return begun(act, result, WantedChange(remove=picks, again=earlier.pk), note)


def _ruled(harvest: Harvest) -> bool:
    if harvest.abstract_target.prune_again:
        return True
    return ReviewPolicy.objects.filter(agency_id=harvest.agency_id, auto_prune=True).exists()


def _last_archived(harvest: Harvest) -> Harvest | None:
    rows = Harvest.objects.filter(abstract_target_id=harvest.abstract_target_id, state=HarvestState.ARCHIVED)
    found: Harvest | None = rows.exclude(pk=harvest.pk).order_by("-started_at", "-id").first()
    return found


def _pruned_from(harvest: Harvest) -> tuple[Pick, ...]:
    """What was left out on the way to the result that was endorsed."""
    rows = {row.number: row for row in Result.objects.filter(harvest=harvest)}
    row = next((each for each in rows.values() if each.state == ResultState.ENDORSED), None)
    picks: dict[Pick, None] = {}
    for _ in range(_LONGEST_CHAIN):
        if row is None:
            break
        picks |= dict.fromkeys(change_of(row.change).remove)
        row = rows.get(row.derived_from) if row.derived_from is not None else None
    return tuple(picks)[:MOST_PICKS]
