"""Set what the line may carry at which time of the week, and divide it between running harvests."""

import datetime

from opilio.curation import line
from opilio.curation.bandwidth import Restriction, Weekday
from opilio.curation.kinds import BANDWIDTH_RESTRICTION
from opilio.curation.models import BandwidthRestriction, Day
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import SYSTEM_WIDE, Privilege

MOST = 100_000_000  # kB/s


@action("bandwidth.create", "Limit the line at some time of the week.", privilege=Privilege.MANAGE_WEB_HARVESTER)
def create_restriction(
    act: Act, /, *, day: int, start: datetime.time, end: datetime.time, limit: int, allow_early_start: bool = False
) -> BandwidthRestriction:
    """Once there is one, nothing is harvested outside all of them."""
    act.require(Privilege.MANAGE_WEB_HARVESTER, SYSTEM_WIDE, "limit the line")
    _check(act, None, day, start, end, limit)
    return act.insert(
        BandwidthRestriction(day=day, start=start, end=end, limit=limit, allow_early_start=allow_early_start)
    )


@action("bandwidth.update", "Change a limit of the line.", privilege=Privilege.MANAGE_WEB_HARVESTER)
def update_restriction(
    act: Act, /, *, restriction_id: int, version: int, day: int, start: datetime.time, end: datetime.time, limit: int,
    allow_early_start: bool,
) -> BandwidthRestriction:  # fmt: skip
    """Running harvests keep to it within seconds."""
    act.require(Privilege.MANAGE_WEB_HARVESTER, SYSTEM_WIDE, "limit the line")
    row: BandwidthRestriction = act.fetch(BANDWIDTH_RESTRICTION, restriction_id)
    _check(act, row.pk, day, start, end, limit)
    changes = {"day": day, "start": start, "end": end, "limit": limit, "allow_early_start": allow_early_start}
    act.update(row, changes, version=version)
    return row


@action("bandwidth.divide", "Divide the line between running harvests.")
def divide_line(act: Act) -> int:
    """How many harvests were told something."""
    return line.divide(act)


def _check(act: Act, own: int | None, day: int, start: datetime.time, end: datetime.time, limit: int) -> None:
    wrong: dict[str, list[str]] = {}
    if day not in Day.values:
        wrong["day"] = ["Choose a day from Monday (0) to Sunday (6)."]
    if end != datetime.time() and end <= start:
        wrong["end"] = ["The end is not after the start; a night across midnight takes two rows."]
    if not 0 <= limit <= MOST:
        wrong["limit"] = [f"Give kB/s from 0 to {MOST:,}."]
    if wrong:
        raise InvalidFields(wrong, where=act.name)
    wanted = Restriction(weekday=Weekday(day), start=start, end=end, limit=limit)
    for row in BandwidthRestriction.objects.exclude(pk=own or 0):
        if wanted.overlaps(Restriction(weekday=Weekday(row.day), start=row.start, end=row.end, limit=row.limit)):
            raise InvalidFields({"start": [f"It overlaps with {row}."]}, where=act.name)
