"""What an agency leaves to rules when results are reviewed: one policy per agency, made when it is first set."""

from typing import Any

from opilio.curation.models import ReviewPolicy
from opilio.people import audit
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound, Stale
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agency_names

#: Numbers of a policy, each with the most that it may be.
NUMBERS = {"auto_endorse_after": 1_000, "check_pages": 50, "sample_percent": 100, "delist_after": 100}
SWITCHES = ("four_eyes", "auto_endorse", "auto_prune", "reference_required")
_MANAGE = Privilege.MANAGE_INDICATORS


@action("review_policy.set", "Say what an agency leaves to rules.", privilege=_MANAGE)
def set_policy(act: Act, /, *, agency_id: int, version: int, changes: dict[str, Any]) -> ReviewPolicy:
    """What is not named stays; version 0 means that there was no policy yet. What is judged already stays judged."""
    act.require(_MANAGE, Subject(agency=agency_id), "say what this agency leaves to rules")
    if not agency_names(frozenset({agency_id})):
        raise NotFound(f"There is no agency {agency_id}", where=act.name, remedy="Was it deleted?")
    known = {name: value for name, value in changes.items() if name in (*NUMBERS, *SWITCHES)}
    _check(act, known)
    row: ReviewPolicy | None = ReviewPolicy.objects.select_for_update(of=("self",)).filter(agency_id=agency_id).first()
    if row is None:
        return act.insert(ReviewPolicy(agency_id=agency_id, **known))
    if version == 0:
        raise Stale("Review policy", str(row), mine=known, theirs=audit.values(row), by=str(row.updated_by or ""))
    act.update(row, known, version=version)
    return row


def _check(act: Act, values: dict[str, Any]) -> None:
    faults = {}
    for name, most in NUMBERS.items():
        value = values.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            faults[name] = [f"Write a whole number from 0 to {most:,}."]
    for name in SWITCHES:
        if not isinstance(values.get(name, False), bool):
            faults[name] = ["Say yes or no."]
    if faults:
        raise InvalidFields(faults, where=act.name)
