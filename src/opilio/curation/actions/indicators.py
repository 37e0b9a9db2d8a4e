"""Set and change the limits of an agency for what is measured of results; deleting one is `row.delete`."""

import math
from typing import Any

from opilio.curation.indicators import BY_CODE
from opilio.curation.kinds import INDICATOR
from opilio.curation.models import Indicator
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Subject

_MOST = 1e15
_LIMITS = ("tolerance", "lower", "upper")
_MANAGE = Privilege.MANAGE_INDICATORS


@action("indicator.create", "Set an agency's limits for an indicator.", privilege=_MANAGE)
def create_indicator(
    act: Act, /, *, agency_id: int, code: str, tolerance: float | None = None, lower: float | None = None,
    upper: float | None = None, active: bool = True,
) -> Indicator:  # fmt: skip
    """They replace the usual ones as a whole; a limit that is left out is none."""
    act.require(_MANAGE, Subject(agency=agency_id), "set limits of this agency")
    if code not in BY_CODE:
        words = f"{code[:64]!r} is no indicator; there are {', '.join(BY_CODE)}."
        raise InvalidFields({"code": [words]}, where=act.name)
    limits = {"tolerance": tolerance, "lower": lower, "upper": upper}
    _check(act, limits)
    return act.insert(Indicator(agency_id=agency_id, code=code, active=active, **limits))


@action("indicator.update", "Change an agency's limits for an indicator.", privilege=_MANAGE)
def update_indicator(act: Act, /, *, indicator_id: int, version: int, changes: dict[str, Any]) -> Indicator:
    """Only `tolerance`, `lower`, `upper` (None: no limit) and `active`; results are judged by them from now on."""
    row: Indicator = act.fetch(INDICATOR, indicator_id)
    act.require(_MANAGE, INDICATOR.subject(row), f"change the limits for {row.code}")
    known = {name: value for name, value in changes.items() if name in (*_LIMITS, "active")}
    _check(act, {name: known.get(name, getattr(row, name)) for name in _LIMITS})
    act.update(row, known, version=version)
    return row


def _check(act: Act, limits: dict[str, float | None]) -> None:
    faults: dict[str, list[str]] = {}
    for name, value in limits.items():
        if value is not None and not (math.isfinite(value) and 0 <= value <= _MOST):
            faults[name] = [f"Write a number from 0 to {_MOST:,.0f}, or leave it empty."]
    lower, upper = limits["lower"], limits["upper"]
    if not faults and lower is not None and upper is not None and lower > upper:
        faults["upper"] = ["It must not be less than the lower limit."]
    if faults:
        raise InvalidFields(faults, where=act.name)
