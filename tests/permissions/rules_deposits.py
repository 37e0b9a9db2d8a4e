"""The table of who may do what with depositories and deposits."""

from typing import Any

from opilio.curation.actions import deposit_running, depositories, deposits
from opilio.curation.models import HarvestState, ResultState
from opilio.people.privileges import Privilege
from tests.permissions.table import Place, Rule, open_to, owner_wide, system_wide
from tests.review_desk import ReviewDesk

_ARCHIVE = Privilege.ARCHIVE_HARVEST
_STORE: dict[str, Any] = {"name": "Cellar", "kind": "directory", "place": "store:", "form": "ocfl"}


def _harvest(place: Place) -> int:
    desk = ReviewDesk(place.town)
    row = desk.ready(agency=place.agency, owner=place.user)
    made = desk.harvested(row, results=0, state=HarvestState.ENDORSED)
    desk.result(made, state=ResultState.ENDORSED)
    return int(made.pk)


def _deposit(place: Place) -> int:
    return int(deposits.archive_harvest(place.town.system, harvest_id=_harvest(place)).pk)


def _failed(place: Place) -> int:
    made = _deposit(place)
    deposits.give_up_deposit(place.town.system, deposit_id=made)
    return made


def _depository(place: Place) -> int:
    return int(depositories.create_depository(place.town.system, **_STORE).pk)


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "depository.create": system_wide(lambda actor, place: depositories.create_depository(actor, **_STORE)),
    "depository.update": system_wide(lambda actor, place: depositories.update_depository(
        actor, depository_id=_depository(place), version=1, name="Loft")),
    "harvest.archive": owner_wide(_ARCHIVE, lambda actor, place: deposits.archive_harvest(
        actor, harvest_id=_harvest(place))),
    "deposit.retry": owner_wide(_ARCHIVE, lambda actor, place: deposits.retry_deposit(
        actor, deposit_id=_failed(place))),
    "deposit.give_up": owner_wide(_ARCHIVE, lambda actor, place: deposits.give_up_deposit(
        actor, deposit_id=_deposit(place))),
    "deposit.begin": _by_agents(lambda actor, place: deposit_running.begin(actor, deposit_id=_deposit(place))),
    "deposit.packed": _by_agents(lambda actor, place: deposit_running.packed(
        actor, deposit_id=_deposit(place), size=1, digest="", needed=0)),
    "deposit.sent": _by_agents(lambda actor, place: deposit_running.sent(
        actor, deposit_id=_deposit(place), archive_id="1", answer={}, size=1, digest="")),
    "deposit.finish": _by_agents(lambda actor, place: deposit_running.finish(
        actor, deposit_id=_deposit(place), check={})),
    "deposit.fail": _by_agents(lambda actor, place: deposit_running.fail(
        actor, deposit_id=_deposit(place), reason=".")),
    "deposit.trouble": _by_agents(lambda actor, place: deposit_running.trouble(
        actor, deposit_id=_deposit(place), reason=".")),
    "deposit.end_lost": _by_agents(lambda actor, place: deposit_running.end_lost(actor)),
}  # fmt: skip
