"""Figures of harvests and limits of the line (seed D §3.2.7)."""

import datetime
from typing import Any
from zoneinfo import ZoneInfo

from opilio.curation.bandwidth import Restriction, Weekday
from opilio.curation.models import BandwidthRestriction, Day, HarvestFigures
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.tables import Column, Table
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import CLOCK, DECIMAL, NUMBER

_MOST = 100_000_000  # kB/s
_MIDNIGHT = datetime.time()
_LAST = datetime.time(23, 59, 59)


def _restriction(taking: Taking, draft: Draft) -> None:
    values = draft.values
    values["end"] = _end(taking, draft)
    if not 0 <= values["limit"] <= _MOST:
        raise Refused(f"{values['limit']} is no limit between 0 and {_MOST:,} kB/s", column="BR_BANDWIDTH")
    if values["end"] != _MIDNIGHT and values["end"] <= values["start"]:
        raise Refused("it does not end after it begins", column="BR_END_TIME")
    wanted = _as_rule(values["day"], values["start"], values["end"])
    for number, other in _others(taking, draft).items():
        if number != draft.number and wanted.overlaps(other):
            raise Refused("it overlaps with another row", column="BR_START_TIME")
    taking.memory["restrictions"][draft.number] = wanted


def _end(taking: Taking, draft: Draft) -> datetime.time:
    """The first moment after it: over there the last second of a minute stands for the minute's end."""
    end: datetime.time = draft.values["end"]
    if end.second != _LAST.second:
        return end
    whole = (datetime.datetime.combine(datetime.date.min, end) + datetime.timedelta(seconds=1)).time()
    if whole != _MIDNIGHT:
        taking.note(draft, f"the last second of a minute became {whole:%H:%M:%S}", "BR_END_TIME")
    return whole


def _others(taking: Taking, draft: Draft) -> dict[int | None, Restriction]:
    """What must not be in force at the same time: rows of the dump by number, rows from before by ours, negative."""
    if "restrictions" not in taking.memory:
        taking.memory["restrictions"] = {}
    found: dict[int | None, Restriction] = dict(taking.memory["restrictions"])
    for row in BandwidthRestriction.objects.exclude(pk=draft.identifier or 0).exclude(created=taking.at):
        found[-row.pk] = _as_rule(row.day, row.start, row.end)
    return found


def _as_rule(day: int, start: datetime.time, end: datetime.time) -> Restriction:
    return Restriction(weekday=Weekday(day), start=start, end=end, limit=0)


def _written_end(row: BandwidthRestriction) -> str:
    return CLOCK.write(_LAST if row.end == _MIDNIGHT else row.end, _UTC)


def _figures(taking: Taking, draft: Draft) -> None:
    milliseconds = draft.values["elapsed"]
    draft.values["elapsed"] = milliseconds // 1_000
    if milliseconds % 1_000:
        taking.note(draft, f"{milliseconds} ms became whole seconds", "HS_ELAPSED_TIME")
    draft.values["updated_at"] = taking.at


def _milliseconds(row: Any) -> int:
    return int(row.elapsed) * 1_000


_UTC = ZoneInfo("UTC")
_DAYS = {name: one.value for one in Day for name in (one.name, one.name.lower(), one.label)}

BANDWIDTH_RESTRICTIONS = Table(
    name="BANDWIDTH_RESTRICTIONS", model=BandwidthRestriction, key="BR_OID", prepare=_restriction,
    rows=BandwidthRestriction.objects.all,
    columns=(
        Column(name="BR_BANDWIDTH", field="limit", kind=NUMBER, need=True),
        Column(name="BR_DAY", field="day", need=True, codes=_DAYS, show=lambda row: Day(row.day).name),
        Column(name="BR_END_TIME", field="end", kind=CLOCK, need=True, show=_written_end),
        Column(name="BR_START_TIME", field="start", kind=CLOCK, need=True),
    ),
)  # fmt: skip
#: Its number is that of its harvest: the seed gives it no other way to one.
HARVEST_STATUS = Table(
    name="HARVEST_STATUS", model=HarvestFigures, natural=("harvest_id",), prepare=_figures,
    rows=lambda: HarvestFigures.objects.filter(harvest__deleted=False),
    columns=(
        Column(name="HS_OID", field="harvest_id", ref="TARGET_INSTANCE", need=True),
        Column(name="HS_AVG_KB", field="average_kb", kind=DECIMAL, blank=0.0),
        Column(name="HS_AVG_URI", field="average_urls", kind=DECIMAL, blank=0.0),
        Column(name="HS_DATA_AMOUNT", field="data_amount", kind=NUMBER, blank=0),
        Column(name="HS_ELAPSED_TIME", field="elapsed", kind=NUMBER, blank=0, show=_milliseconds),
        Column(name="HS_JOB_NAME", field="job_name"), Column(name="HS_STATUS", field="status"),
        Column(name="HS_URLS_DOWN", field="urls_down", kind=NUMBER, blank=0),
        Column(name="HS_URLS_FAILED", field="urls_failed", kind=NUMBER, blank=0),
        Column(name="HS_ALERTS", field="alerts", kind=NUMBER, blank=0),
    ),
)  # fmt: skip
