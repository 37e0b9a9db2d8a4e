"""The table of who may purge, have files read again, and take captures down."""

from typing import Any

from opilio.curation.actions import fixity, purge, takedown_running, takedowns
from opilio.curation.models import HarvestState, Takedown, TakedownState
from opilio.curation.takedown_proofs import Found
from opilio.people.privileges import Privilege
from opilio.works.fixity import Reading
from opilio.works.purge_harvest import Purged
from tests.permissions.table import Place, Rule, agency_wide, open_to, owner_wide
from tests.review_desk import ReviewDesk

_TAKE = Privilege.TAKEDOWN


def _harvest(place: Place, state: HarvestState = HarvestState.HARVESTED) -> int:
    desk = ReviewDesk(place.town)
    made = desk.harvested(desk.ready(agency=place.agency, owner=place.user), state=state)
    return int(made.pk)


def _old(place: Place) -> int:
    """A harvest whose days are over."""
    made = _harvest(place, HarvestState.REJECTED)
    place.town.clock.advance(40 * 86_400)
    return made


def _given(place: Place, **changes: Any) -> dict[str, Any]:
    return {
        "agency_id": place.agency.pk, "level": "hide", "reach": "host", "value": "example.org",
        "authority": "Court", "reason": "Order", **changes,
    }  # fmt: skip


def _takedown(place: Place, **changes: Any) -> int:
    return int(takedowns.order_takedown(place.town.system, **_given(place, **changes)).pk)


def _proposed(place: Place) -> int:
    """Proposed by somebody else than whoever acts."""
    number = _takedown(place, level="destroy")
    Takedown.objects.filter(pk=number).update(state=TakedownState.PROPOSED, ordered_by=place.town.user())
    return number


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "harvest.purge": agency_wide(Privilege.PURGE, lambda actor, place: purge.purge_harvest(
        actor, harvest_id=_old(place))),
    "harvest.purged": _by_agents(lambda actor, place: purge.purged(
        actor, harvest_id=_harvest(place), done=Purged(files=0, bytes=0, results={}))),
    "harvest.purge_refused": _by_agents(lambda actor, place: purge.purge_refused(
        actor, harvest_id=_harvest(place), reason="needed")),
    "fixity.order": owner_wide(Privilege.ARCHIVE_HARVEST, lambda actor, place: fixity.order_check(
        actor, harvest_id=_harvest(place))),
    "fixity.record": _by_agents(lambda actor, place: fixity.record_check(
        actor, harvest_id=_harvest(place), place="archive", begun_at=actor.clock.now(),
        reading=Reading(files=1, bytes=1))),
    "fixity.fail": _by_agents(lambda actor, place: fixity.fail_check(
        actor, harvest_id=_harvest(place), place="archive", begun_at=actor.clock.now(), failure="no")),
    "takedown.order": agency_wide(_TAKE, lambda actor, place: takedowns.order_takedown(actor, **_given(place))),
    "takedown.confirm": agency_wide(_TAKE, lambda actor, place: takedowns.confirm_takedown(
        actor, takedown_id=_proposed(place))),
    "takedown.lift": agency_wide(_TAKE, lambda actor, place: takedowns.lift_takedown(
        actor, takedown_id=_takedown(place), why="over")),
    "takedown.review": agency_wide(_TAKE, lambda actor, place: takedowns.review_takedown(
        actor, takedown_id=_takedown(place))),
    "takedown.prove": agency_wide(_TAKE, lambda actor, place: takedowns.prove_takedown(
        actor, takedown_id=_takedown(place), place="backups", what="gone")),
    "takedown.proved": _by_agents(lambda actor, place: takedown_running.proved(
        actor, takedown_id=_takedown(place), place="archive", done=True, what="gone")),
    "takedown.destroyed": _by_agents(lambda actor, place: takedown_running.destroyed(
        actor, takedown_id=1, harvest_id=_harvest(place), found=Found(records=1, resources=1))),
    "takedown.settle": _by_agents(lambda actor, place: takedown_running.settle(
        actor, takedown_id=_takedown(place))),
    "takedown.remind": _by_agents(lambda actor, place: takedown_running.remind(
        actor, takedown_id=_takedown(place))),
}  # fmt: skip
