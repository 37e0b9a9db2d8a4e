"""Fetch what a result lacks into a new one, or give that up; and fetch one URL to stand for another."""

from collections.abc import Sequence

from opilio.curation import harvest_log, results
from opilio.curation.missing_urls import MOST_LINES, Wanted, web_url
from opilio.curation.models import (
    HarvestState,
    MissingFrom,
    MissingUrl,
    PatchState,
    Result,
    ResultState,
    Snapshot,
)
from opilio.curation.patch_jobs import patch_soon
from opilio.curation.patching import (
    NotPatchable,
    PatchWishes,
    checked_note,
    existing_of,
    require_derivable,
    require_rights,
)
from opilio.curation.result_locking import locked_result
from opilio.jobs import queue
from opilio.jobs.errors import NoSuchJob, NotInThatState
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_ENDORSE = Privilege.ENDORSE_HARVEST


@action("result.patch", "Fetch what a result lacks into a new result.", privilege=Privilege.ENDORSE_HARVEST)
def begin_patch(
    act: Act, /, *, result_id: int, note: str, missing_ids: Sequence[int] = (), existing: str = "if-failed",
    embeds: bool = True, version: int | None = None,
) -> Result:  # fmt: skip
    """The new result, for which an agent crawls these URLs, or all that wait on the list when none is named."""
    parent = _patchable(act, result_id, version)
    wishes = PatchWishes(existing=existing_of(existing, act.name), embeds=embeds)
    rows = MissingUrl.objects.select_for_update(of=("self",)).filter(
        harvest=parent.harvest_id, result=parent.number, state=PatchState.WAITING
    )  # fmt: skip
    chosen = list((rows.filter(pk__in=missing_ids) if missing_ids else rows).order_by("id")[: MOST_LINES + 1])
    if not chosen:
        raise InvalidFields({"missing_ids": ["No URL of the list waits; add some first."]}, where=act.name)
    if len(chosen) > MOST_LINES:
        words = f"At most {MOST_LINES:,} URLs go at a time; choose some of them."
        raise InvalidFields({"missing_ids": [words]}, where=act.name)
    return _begun(act, parent, chosen, wishes, checked_note(note, act.name))


@action("result.import_url", "Fetch a URL now and add it to a result.", privilege=Privilege.ENDORSE_HARVEST)
def import_url(
    act: Act, /, *, result_id: int, url: str, note: str, stands_for: str = "", existing: str = "replace",
    embeds: bool = False, version: int | None = None,
) -> Result:  # fmt: skip
    """The new result; what is fetched is kept under its own URL, or under that for which it stands."""
    parent = _patchable(act, result_id, version)
    wanted, place = Wanted(url=web_url(url)), web_url(stands_for, "stands_for") if stands_for.strip() else ""
    wishes = PatchWishes(
        existing=existing_of(existing, act.name), embeds=embeds, stands_for=place if place != wanted.url else ""
    )
    words = checked_note(note, act.name)
    return _begun(act, parent, [_on_the_list(act, parent, wanted)], wishes, words)


@action("result.end_patch", "Give up fetching what a result lacks.", privilege=Privilege.ENDORSE_HARVEST)
def end_patch(act: Act, /, *, result_id: int, reason: str = "") -> Result:
    """The new result is aborted, the URLs wait again; what was fetched is not kept."""
    row = locked_result(act, result_id, _ENDORSE, "give up")
    why = reason.strip()[:4_000] or f"{act.actor.username} gave it up."
    if row.state not in (ResultState.CRAWLING, ResultState.MODIFYING) or row.harvest.state != HarvestState.PATCHING:
        state = ResultState(row.state).label.lower()
        raise NotPatchable(f"It is {state}: there is no patch to give up", where=act.name, remedy="Look again.")
    if row.job is not None:
        _withdrawn(act, row.job)
    results.moved(act, row, "abort", reason=why)
    harvest_log.moved(act, row.harvest, "end-patch", reason=why)
    let_wait(row)
    return row


def let_wait(row: Result) -> None:
    """The URLs of a patch that came to nothing wait again."""
    taken = MissingUrl.objects.filter(harvest=row.harvest_id, patched_in=row.number, state=PatchState.TAKEN)
    taken.update(state=PatchState.WAITING, patched_in=None)


def _patchable(act: Act, result_id: int, version: int | None) -> Result:
    parent = locked_result(act, result_id, _ENDORSE, "add to", version=version)
    require_derivable(act, parent)
    if not Snapshot.objects.filter(harvest=parent.harvest_id, parts__key="plan").exists():
        remedy = "Import files instead; it was not harvested by this installation."
        raise NotPatchable("How the harvest was crawled is not known", where=act.name, remedy=remedy)
    require_rights(act, parent.harvest)
    return parent


def _begun(act: Act, parent: Result, chosen: Sequence[MissingUrl], wishes: PatchWishes, note: str) -> Result:
    row = results.begun(act, parent, state=ResultState.CRAWLING, note=note, change=wishes.document())
    for one in chosen:
        MissingUrl.objects.filter(pk=one.pk).update(state=PatchState.TAKEN, patched_in=row.number, outcome="")
    count = f"{len(chosen)} URLs" if len(chosen) > 1 else chosen[0].url[:2_000]
    harvest_log.moved(act, parent.harvest, "patch", reason=f"{count} for result {row.number}: {note}"[:4_000])
    patch_soon(row, act.clock.now())
    return row


def _on_the_list(act: Act, parent: Result, wanted: Wanted) -> MissingUrl:
    rows = MissingUrl.objects.select_for_update(of=("self",))
    known: MissingUrl | None = rows.filter(
        harvest=parent.harvest_id, result=parent.number, key=wanted.key
    ).first()  # fmt: skip
    if known is not None:
        return known
    made = MissingUrl(
        harvest_id=parent.harvest_id, result=parent.number, url=wanted.url, key=wanted.key,
        noticed=MissingFrom.REVIEWER,
    )  # fmt: skip
    return act.insert(made)


def _withdrawn(act: Act, job: int) -> None:
    """Take the job back if no agent has it; one that has it sees that the result is aborted."""
    try:
        queue.withdraw(job, by=act.actor.username, now=act.clock.now())
    except (NotInThatState, NoSuchJob):
        return
