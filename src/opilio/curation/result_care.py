"""Finds harvests and results that nothing moves any more, so that review never waits for what is lost."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from opilio.curation.actions.results import adopt, ready
from opilio.curation.models import Harvest, HarvestEvent, HarvestState, Result, ResultState
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor

PATIENCE = timedelta(minutes=15)  # so long a result may wait for the working index
_MOST = 500  # in one turn

_log = logger(__name__)


def look_after(actor: Actor, *, should_stop: Callable[[], bool]) -> int:
    """Give rows to harvests without, and let results be reviewed that the index does not take; how many."""
    cared = 0
    for harvest in _without_row():
        cared += not should_stop() and _done(harvest, lambda one: adopt(actor, harvest_id=one))
    for harvest in _left_behind(actor.clock.now()):
        cared += not should_stop() and _done(harvest, lambda one: ready(actor, harvest_id=one))
    return cared


def _done(harvest: int, work: Callable[[int], bool]) -> bool:
    try:
        return work(harvest)
    except OpilioError as error:
        _log.warning("result_care_failed", harvest=harvest, error=str(error))
        return False


def _without_row() -> list[int]:
    rows = Harvest.objects.filter(state=HarvestState.HARVESTED, purged=False).exclude(results__number=1)
    kept = HarvestEvent.objects.filter(harvest_id=OuterRef("pk"), name="keep")  # not so what another catalogue had
    rows = rows.filter(Exists(kept))
    return list(rows.order_by("id").values_list("id", flat=True)[:_MOST])


def _left_behind(now: datetime) -> list[int]:
    rows = Result.objects.filter(
        state=ResultState.INDEXING, number=1, state_since__lt=now - PATIENCE, harvest__state=HarvestState.HARVESTED
    )
    return list(rows.order_by("id").values_list("harvest_id", flat=True)[:_MOST])
