"""What the agent that assesses a result reads from the catalogue first: where it lies, limits, rules, the reference."""

from collections.abc import Mapping
from dataclasses import dataclass

from opilio.curation.indicators import Limit, limits_of
from opilio.curation.models import Harvest, HarvestChanges, Indicator, Result, ResultState, ReviewPolicy
from opilio.curation.reference_harvests import Reference, reference_of

_READY = (ResultState.UNASSESSED, ResultState.ENDORSED, ResultState.REJECTED)
_IN_A_ROW = 50  # harvests that are looked back at


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What an agency leaves to rules; without a row everything is off."""

    auto_endorse: bool = False
    auto_endorse_after: int = 3
    four_eyes: bool = False
    check_pages: int = 5
    sample_percent: int = 5
    delist_after: int = 2


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A result that is to be assessed."""

    result: int
    number: int
    harvest: int
    digest: str
    waiting: bool  # nobody has decided yet
    rules: Rules
    limits: Mapping[str, Limit]
    reference: Reference | None
    unchanged: int  # harvests in a row, this one among them


def subject_of(result_id: int) -> Subject | None:
    """None when there is nothing to assess: it is gone, not whole, imported without files, or its data was removed."""
    rows = Result.objects.select_related("harvest__abstract_target__reference_harvest")
    row = rows.filter(pk=result_id, state__in=_READY, imported=False, harvest__purged=False).first()
    if row is None:
        return None
    rules = rules_of(row.harvest.agency_id)
    return Subject(
        result=row.pk, number=row.number, harvest=row.harvest_id, digest=row.digest,
        waiting=row.state == ResultState.UNASSESSED, rules=rules,
        limits=limits_of(own_limits(row.harvest.agency_id), delist_after=rules.delist_after),
        reference=reference_of(row.harvest), unchanged=unchanged(row.harvest),
    )  # fmt: skip


def rules_of(agency_id: int) -> Rules:
    """The rules of an agency."""
    row = ReviewPolicy.objects.filter(agency_id=agency_id).first()
    if row is None:
        return Rules()
    return Rules(**{name: getattr(row, name) for name in Rules.__dataclass_fields__})


def own_limits(agency_id: int) -> dict[str, Limit]:
    """The limits that an agency set itself."""
    return {
        row.code: Limit(tolerance=row.tolerance, lower=row.lower, upper=row.upper, active=row.active)
        for row in Indicator.objects.filter(agency_id=agency_id)
    }


def unchanged(harvest: Harvest) -> int:
    """How many harvests of the target in a row, this one being the last, found nothing changed."""
    rows = HarvestChanges.objects.filter(
        harvest__abstract_target_id=harvest.abstract_target_id, harvest__scheduled_at__lte=harvest.scheduled_at
    ).order_by("-harvest__scheduled_at", "-harvest_id")
    count = 0
    for row in rows[:_IN_A_ROW]:
        if row.since_id is None or row.changed or row.new or row.gone or not (row.same or row.not_modified):
            break
        count += 1
    return count
