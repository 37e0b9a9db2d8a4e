"""What agents write down about takedowns: proofs, the end of a destruction, and that one is due for review."""

from collections.abc import Mapping
from typing import Any

from opilio.curation import harvest_log
from opilio.curation.days import day_in
from opilio.curation.kinds import HARVEST, TAKEDOWN
from opilio.curation.models import Harvest, HarvestEvent, HarvestFile, Result, Takedown, TakedownProof, TakedownState
from opilio.curation.results import preserved
from opilio.curation.takedown_proofs import Found, open_places
from opilio.curation.takedown_tasks import REVIEW, ask
from opilio.people.acting import Act, action

_AGENTS = "Only agents do; order a takedown instead."


@action("takedown.proved", "Write down what was destroyed at one place, and what was found there afterwards.")
def proved(
    act: Act, /, *, takedown_id: int, place: str, done: bool, what: str, details: Mapping[str, Any] | None = None
) -> None:
    """Nothing is written when the newest proof of the place says the same."""
    act.require_that(act.actor.is_system, "prove takedowns", _AGENTS)
    row: Takedown = act.fetch(TAKEDOWN, takedown_id)
    last = TakedownProof.objects.filter(takedown=row, place=place).order_by("-id").first()
    if last is None or (last.done, last.what) != (done, what[:4_000]):
        TakedownProof(
            takedown=row, at=act.clock.now(), place=place, done=done, what=what[:4_000], details=dict(details or {})
        ).save()


@action("takedown.destroyed", "Write down in a harvest that captures of it were destroyed.")
def destroyed(act: Act, /, *, takedown_id: int, harvest_id: int, found: Found) -> None:
    """Digests of files and results follow; the events of preservation tell it for ever."""
    act.require_that(act.actor.is_system, "destroy captures", _AGENTS)
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    told = f"Takedown {takedown_id} destroyed {found.records} records and {found.resources} resources."
    if HarvestEvent.objects.filter(harvest=harvest, name="destroyed", reason=told).exists():
        return
    for name, digest in found.warcs.items():
        HarvestFile.objects.filter(harvest=harvest, name=name).update(digest=f"sha256:{digest}")
    for number, digest in found.results.items():
        Result.objects.filter(harvest=harvest, number=number).update(digest=digest)
        preserved(act, harvest, number, "deletion", detail=told)
    harvest_log.noted(act, harvest, "destroyed", reason=told)
    act.record(harvest, message=told)


@action("takedown.settle", "End a destruction once nothing of it is left anywhere.")
def settle(act: Act, /, *, takedown_id: int) -> bool:
    """Whether it is done; the places that are open are in its proofs."""
    act.require_that(act.actor.is_system, "end destructions", _AGENTS)
    row: Takedown = act.fetch(TAKEDOWN, takedown_id)
    if row.state != TakedownState.IN_FORCE or open_places(row):
        return False
    act.update(row, {"state": TakedownState.DONE}, message="Nothing of it is left at any place.")
    return True


@action("takedown.remind", "Ask people to look at a takedown again whose day has come.")
def remind(act: Act, /, *, takedown_id: int) -> bool:
    """Once, until somebody did."""
    act.require_that(act.actor.is_system, "remind of takedowns", _AGENTS)
    row: Takedown = act.fetch(TAKEDOWN, takedown_id)
    if row.review_on is None or row.review_on > day_in(act.clock.now(), row.agency.time_zone):
        return False
    return ask(act, row, REVIEW, "Look at a takedown again")
