"""Takedowns as rules of `kernel.access`: what is in force, what is proposed, what was destroyed.

A destruction that still waits for a second person blocks already, so that readers do not see what is in dispute.
"""

from collections.abc import Iterator

from opilio.curation.models import Takedown, TakedownLevel, TakedownState
from opilio.kernel.access_rules import Rule, Says
from opilio.kernel.access_where import Reach, Where

EVERY_URL = "*"  # what a takedown of all URLs has for a value

_SAYS = {
    TakedownLevel.HIDE: Says.TAKEN_HIDE,
    TakedownLevel.BLOCK: Says.TAKEN_BLOCK,
    TakedownLevel.DESTROY: Says.TAKEN_DESTROY,
}
_COUNTING = (TakedownState.PROPOSED, TakedownState.IN_FORCE, TakedownState.DONE)


def takedown_rules() -> Iterator[Rule]:
    """The rules of every takedown that counts, in the order of their ids."""
    for row in Takedown.objects.filter(state__in=_COUNTING).order_by("id").iterator():
        yield rule_of(row)


def rule_of(row: Takedown) -> Rule:
    """One takedown as a rule; staff of the agency still see what is hidden only."""
    return Rule(
        id=f"takedown:{row.pk}", says=_says(row), where=where_of(row.reach, row.value), agency=str(row.agency_id),
        target=str(row.target_id or ""), harvest=str(row.harvest_id or ""),
        captured_from=row.captured_from, captured_to=row.captured_to,
    )  # fmt: skip


def where_of(reach: str, value: str) -> Where:
    """The URLs that a takedown names; raises BadRule where they cannot be meant."""
    return Where() if reach == Reach.ALL else Where(reach=Reach(reach), value=value)


def _says(row: Takedown) -> Says:
    if row.state == TakedownState.PROPOSED and row.level == TakedownLevel.DESTROY:
        return Says.TAKEN_BLOCK
    return _SAYS[TakedownLevel(row.level)]
