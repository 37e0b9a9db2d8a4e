"""The one place that changes the state of a harvest: an event is written, and the state column follows it.

Callers give the `Act` under way and a row that they locked, so that events have no gap and everything is audited.
"""

from collections.abc import Mapping
from typing import Any

from opilio.curation import webhook_news
from opilio.curation.harvest_tasks import decided
from opilio.curation.harvest_workflow import EXPECTED, HARVESTS
from opilio.curation.models import Harvest, HarvestEvent, HarvestOrder, HarvestState
from opilio.people.acting import Act

_OVER = (HarvestState.STOPPING, HarvestState.HARVESTED, HarvestState.ABORTED)


def noted(
    act: Act,
    harvest: Harvest,
    name: str,
    *,
    reason: str = "",
    agent: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Something happened that leaves the state as it is."""
    state = HarvestState(harvest.state)
    _write(act, harvest, name, source=state, target=state, reason=reason, agent=agent, details=details)
    webhook_news.harvest_happened(act, harvest, webhook_news.HARVEST_HAPPENINGS.get(name), reason=reason)


def moved(act: Act, harvest: Harvest, verb: str, *, reason: str = "", agent: str = "", **changes: Any) -> None:
    """Move a harvest by a verb of the machine, together with further changes of its columns."""
    move, now = HARVESTS.move(verb, HarvestState(harvest.state)), act.clock.now()
    _write(act, harvest, verb, source=move.source, target=move.target, reason=reason, agent=agent)
    lasting = EXPECTED.get(move.target)
    state = {
        "state": move.target, "state_since": now, "reason": reason,
        "expected_until": now + lasting if lasting else None,
    }  # fmt: skip
    if move.target in (HarvestState.HARVESTED, HarvestState.ABORTED):
        waiting = HarvestOrder.objects.filter(harvest=harvest, done_at=None)
        waiting.update(done_at=now, refused="The harvest ended before it could be carried out.")
    if harvest.held and move.target in _OVER:
        changes |= {"held": False}  # nobody need decide any more
        decided(harvest.pk)
    act.update(harvest, {**changes, **state}, message=f"{move.label}: {reason}" if reason else move.label)
    webhook_news.harvest_happened(act, harvest, webhook_news.HARVEST_MOVES.get(verb), reason=reason)


def _write(
    act: Act, harvest: Harvest, name: str, *, source: str, target: HarvestState, reason: str, agent: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    last = HarvestEvent.objects.filter(harvest_id=harvest.pk).order_by("-number").values_list("number", flat=True)
    HarvestEvent(
        harvest_id=harvest.pk, number=(last.first() or 0) + 1, at=act.clock.now(), name=name, source=source,
        target=target, reason=reason[:4_000], by=act.actor.username[:150], agent=agent[:160],
        details=dict(details or {}),
    ).save()  # fmt: skip
