"""Takedowns and packages: what is to be destroyed is not handed over, and what is kept from readers is told along."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q, QuerySet

from opilio.archive.mets.values import Withheld
from opilio.curation.models import Harvest, Takedown, TakedownLevel, TakedownState
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act

_WAITING = (TakedownState.PROPOSED, TakedownState.IN_FORCE)
_COUNTING = (*_WAITING, TakedownState.DONE)


class TakedownWaits(Conflict):
    """Something of the harvest is to be destroyed, and is not yet."""


def require_nothing_to_destroy(act: Act, harvest: Harvest) -> None:
    """`TakedownWaits` as long as a takedown that destroys may reach the harvest and is not done."""
    found = _reaching(harvest).filter(level=TakedownLevel.DESTROY, state__in=_WAITING).first()
    if found is not None:
        raise TakedownWaits(
            f"Takedown {found.pk} is to destroy captures that this harvest may hold", where=act.name,
            remedy="Let it be done or lifted first; then archive the harvest.",
        )  # fmt: skip


def withheld(harvest: Harvest, until: datetime) -> Iterator[Withheld]:
    """What readers must not see of a harvest, as whoever keeps its package must know."""
    for row in _reaching(harvest).filter(state__in=_COUNTING, ordered_at__lte=until).order_by("id"):
        yield Withheld(
            level=row.level, reach=row.reach, value=row.value, authority=row.authority, reason=row.reason,
            reference=row.reference, ordered_at=row.ordered_at, captured_from=row.captured_from,
            captured_to=row.captured_to,
        )  # fmt: skip


def _reaching(harvest: Harvest) -> QuerySet[Takedown]:
    rows: QuerySet[Takedown] = Takedown.objects.filter(agency_id=harvest.agency_id)
    return rows.filter(
        Q(harvest=None) | Q(harvest=harvest), Q(target=None) | Q(target_id=harvest.abstract_target_id)
    )  # fmt: skip
