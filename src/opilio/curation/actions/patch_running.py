"""What the agent that patches a result writes down: that it begins, what it fetched, why it failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from opilio.curation import harvest_log, results
from opilio.curation.actions.patches import let_wait
from opilio.curation.models import Harvest, HarvestState, MissingUrl, PatchState, Result, ResultState
from opilio.curation.patch_jobs import patch_soon
from opilio.curation.patching import NotPatchable, PatchWishes, require_rights, wishes_of
from opilio.curation.result_jobs import make_soon
from opilio.jobs import queue
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify
from opilio.works.result_change import WantedChange

_LONGEST = 255  # characters of an outcome


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What became of a URL."""

    there: bool
    outcome: str


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A patch that is to be made."""

    harvest: int
    number: int
    wishes: PatchWishes
    urls: Sequence[tuple[str, bool]]  # each with whether a page asks for it as a part of itself


@action("patch.begin", "An agent begins a patch, or takes one over.")
def begin(act: Act, /, *, result_id: int) -> Begun | None:
    """What is to be fetched; None when it is over, or lost its right while it waited."""
    row = _locked(act, result_id)
    if row is None:
        return None
    try:
        require_rights(act, row.harvest)
    except NotPatchable as lost:
        _failed(act, row, lost.what)
        return None
    urls = _taken(row).order_by("id").values_list("url", "page")
    return Begun(
        harvest=row.harvest_id, number=row.number, wishes=wishes_of(row.change),
        urls=[(url, bool(page)) for url, page in urls],
    )  # fmt: skip


@action("patch.fetched", "What a result lacks was fetched; the result is made next.")
def fetched(act: Act, /, *, result_id: int, files: Sequence[str], outcomes: Mapping[str, Fetched]) -> None:
    """Each URL has its outcome; the WARC files go into the new result."""
    row = _locked(act, result_id)
    if row is None:
        return
    _write_outcomes(row, outcomes)
    change = WantedChange(add=tuple(files), existing=wishes_of(row.change).existing).document()
    results.moved(act, row, "modify", change={**row.change, **change})
    make_soon(row, act.clock.now())


@action("patch.fail", "A patch cannot be made.")
def fail(act: Act, /, *, result_id: int, reason: str, outcomes: Mapping[str, Fetched] | None = None) -> None:
    """The harvest waits for review again; whoever wanted the patch is told why."""
    row = _locked(act, result_id)
    if row is None:
        return
    if outcomes:
        _write_outcomes(row, outcomes)
    _failed(act, row, reason)


@action("patch.trouble", "An attempt at a patch failed; it is tried again.")
def trouble(act: Act, /, *, result_id: int, reason: str) -> None:
    """The state stays; the reason is shown."""
    row = _locked(act, result_id)
    if row is not None and row.reason != reason[:4_000]:
        act.update(row, {"reason": reason[:4_000]}, message="It is tried again.")


@action("patch.heal", "Give a patch that lost its job another one.")
def heal(act: Act, /, *, result_id: int) -> bool:
    """Whether it needed that."""
    row = _locked(act, result_id)
    if row is None or queue.unfinished(row.job):
        return False
    harvest_log.noted(act, row.harvest, "healed", reason=f"The patch for result {row.number} goes on.")
    patch_soon(row, act.clock.now())
    return True


def _locked(act: Act, result_id: int) -> Result | None:
    """The result with its harvest locked, while it is being crawled for."""
    act.require_that(act.actor.is_system, "patch results", "Only agents do.")
    found = Result.objects.filter(pk=result_id).values_list("harvest_id", flat=True).first()
    if found is None:
        return None
    harvest = Harvest.objects.select_for_update(of=("self",)).get(pk=found)
    row: Result | None = Result.objects.select_for_update(of=("self",)).filter(
        pk=result_id, state=ResultState.CRAWLING
    ).first()  # fmt: skip
    if row is not None:
        row.harvest = harvest
    return row


def _taken(row: Result) -> QuerySet[MissingUrl]:
    return MissingUrl.objects.filter(harvest=row.harvest_id, patched_in=row.number, state=PatchState.TAKEN)


def _write_outcomes(row: Result, outcomes: Mapping[str, Fetched]) -> None:
    for one in _taken(row).order_by("id"):
        found = outcomes.get(one.url, Fetched(there=False, outcome="It was not reached."))
        state = PatchState.FETCHED if found.there else PatchState.FAILED
        MissingUrl.objects.filter(pk=one.pk).update(
            state=state, outcome=found.outcome[:_LONGEST], patched_in=row.number if found.there else None
        )


def _failed(act: Act, row: Result, reason: str) -> None:
    results.preserved(act, row.harvest, row.number, "derivation", outcome="failure", detail=reason)
    results.moved(act, row, "fail", reason=reason)
    let_wait(row)
    if row.harvest.state == HarvestState.PATCHING:
        harvest_log.moved(act, row.harvest, "patched", reason=f"Result {row.number} failed: {reason}"[:4_000])
    notify(
        [row.made_by_id or row.harvest.owner_id], kind="result-failed", category=Category.GENERAL, now=act.clock.now(),
        sender=act.actor.username, subject=f"A patch of the harvest of {row.harvest.abstract_target} failed",
        message=reason, resource=Resource(kind="result", id=row.pk),
    )  # fmt: skip
