"""What must hold of a takedown before it counts: it can be meant, its scope is the agency's, two people agree."""

from datetime import datetime

from opilio.curation.models import AbstractTarget, Harvest, Takedown, TakedownLevel, TakedownState
from opilio.curation.takedown_rules import EVERY_URL, rule_of
from opilio.kernel.access_checks import BadRule
from opilio.kernel.access_where import Reach
from opilio.people.errors import InvalidFields
from opilio.people.parameters import value


def checked(row: Takedown) -> None:
    """`InvalidFields` when the takedown cannot be meant."""
    faults: dict[str, list[str]] = {}
    if row.level not in TakedownLevel.values:
        faults["level"] = [f"Choose one of {', '.join(TakedownLevel.values)}."]
    if row.reach not in {reach.value for reach in Reach}:
        faults["reach"] = [f"Choose one of {', '.join(reach.value for reach in Reach)}."]
    for name in ("authority", "reason"):
        if not getattr(row, name).strip():
            faults[name] = ["Say it: a takedown must be accounted for."]
    if row.captured_from and row.captured_to and row.captured_from >= row.captured_to:
        faults["captured_to"] = ["It must lie after the beginning."]
    faults |= _scope_faults(row)
    if not faults:
        faults = _reach_faults(row)
    if faults:
        raise InvalidFields(faults, where="takedown")


def _scope_faults(row: Takedown) -> dict[str, list[str]]:
    faults: dict[str, list[str]] = {}
    if row.harvest_id is not None and not Harvest.objects.filter(pk=row.harvest_id, agency_id=row.agency_id).exists():
        faults["harvest"] = ["The agency has no such harvest."]
    targets = AbstractTarget.objects.filter(pk=row.target_id, agency_id=row.agency_id)
    if row.target_id is not None and not targets.exists():
        faults["target"] = ["The agency has no such target or group."]
    if row.reach == Reach.ALL and row.target_id is None and row.harvest_id is None:
        faults["reach"] = ["All URLs can be meant of one target or harvest only; name it."]
    return faults


def _reach_faults(row: Takedown) -> dict[str, list[str]]:
    if row.reach != Reach.ALL and row.value == EVERY_URL:
        return {"value": ["Name the URL, host, domain, beginning or pattern."]}
    row.pk = row.pk or 0
    try:
        rule_of(row)
    except BadRule as error:
        return {"value": [f"{error.what}. {error.remedy}"]}
    finally:
        row.pk = row.pk or None
    return {}


def first_state(level: str) -> TakedownState:
    """In which state a new takedown begins."""
    waits = level == TakedownLevel.DESTROY and bool(value("takedown_two_people"))
    return TakedownState.PROPOSED if waits else TakedownState.IN_FORCE


def made(
    *, agency_id: int, level: str, reach: str, value: str, authority: str, reason: str, reference: str = "",
    target_id: int | None = None, harvest_id: int | None = None, captured_from: datetime | None = None,
    captured_to: datetime | None = None,
) -> Takedown:  # fmt: skip
    """A takedown that is not kept yet, checked; also for previews."""
    row = Takedown(
        agency_id=agency_id, target_id=target_id, harvest_id=harvest_id, level=level, reach=reach,
        value=EVERY_URL if reach == Reach.ALL else value.strip(), authority=authority.strip(), reason=reason.strip(),
        reference=reference.strip(), captured_from=captured_from, captured_to=captured_to,
    )  # fmt: skip
    checked(row)
    return row
