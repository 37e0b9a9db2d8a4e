"""Make and change schedule patterns: cron expressions with a name, offered to everybody."""

from typing import Any

from django.db.models import Max

from opilio.curation.cron.checks import too_often
from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.patterns import SHIPPED
from opilio.curation.kinds import SCHEDULE_PATTERN
from opilio.curation.models import SchedulePattern
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import SYSTEM_WIDE, Privilege

FIELDS = ("name", "cron")


@action("schedule-pattern.create", "Make a schedule pattern.", privilege=Privilege.CONFIGURE_PARAMETERS)
def create_schedule_pattern(act: Act, /, *, name: str, cron: str, number: int | None = None) -> SchedulePattern:
    """Without a number it gets the next free one."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "make schedule patterns")
    if number is not None and not 0 < number < 1_000_000:
        raise InvalidFields({"number": ["Write a number from 1 to 999999, or leave it empty."]}, where=act.name)
    last = SchedulePattern.everything.aggregate(last=Max("number"))["last"] or 0
    free = max(last, *SHIPPED) + 1
    made = SchedulePattern(number=number or free, name=name.strip(), cron=_checked(act, cron))
    return act.insert(made)


@action("schedule-pattern.update", "Change a schedule pattern.", privilege=Privilege.CONFIGURE_PARAMETERS)
def update_schedule_pattern(act: Act, /, *, pattern_id: int, version: int, **fields: Any) -> SchedulePattern:
    """Schedules that were made with it keep the expression that they have."""
    row: SchedulePattern = act.fetch(SCHEDULE_PATTERN, pattern_id)
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, f"change the schedule pattern {row.name}")
    changes = {name: str(value).strip() for name, value in fields.items() if name in FIELDS}
    if "cron" in changes:
        changes["cron"] = _checked(act, changes["cron"])
    act.update(row, changes, version=version)
    return row


def _checked(act: Act, cron: str) -> str:
    try:
        found = parse(cron)
        too_often(found)
    except BadCron as error:
        raise InvalidFields({"cron": [str(error)]}, where=act.name) from None
    return found.text
