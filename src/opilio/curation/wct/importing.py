"""Takes a whole dump over, table by table, in one transaction of the caller's; the report says what became of it."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef

from opilio.curation.models import PatternMapping, PermissionPattern, WctIdentity
from opilio.curation.pattern_reading import parse_pattern
from opilio.curation.wct import id_blocks, original_seeds, sip_parts
from opilio.curation.wct.all_tables import TABLES, columns_of
from opilio.curation.wct.coverage import tell_uncovered
from opilio.curation.wct.dump import Spool
from opilio.curation.wct.report import Done, Entry, Report, What
from opilio.curation.wct.taking import BATCH, Taking
from opilio.people.grants import mark_agency

_KNOWN = {table.name: {*columns_of(table), *table.aliases} for table in TABLES}
_OTHERS = (id_blocks.NAME, original_seeds.NAME, sip_parts.NAME)


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What is left to do after the rows: values that constrained lists should offer."""

    listed: dict[str, set[str]]


def take_over(
    spool: Spool, report: Report, *, zone: ZoneInfo, at: datetime.datetime, by: int | None,
    progress: Callable[[str, int], None] = lambda table, rows: None,
) -> Imported:  # fmt: skip
    """Take over all that there is a place for."""
    taking = Taking(spool=spool, report=report, zone=zone, at=at, by=by, progress=progress)
    _tell_foreign(spool, report)
    id_blocks.take(taking)
    for table in TABLES:
        if table.name == "AUTHORISING_AGENT":
            agencies = WctIdentity.objects.filter(table="AGENCY").values_list("oid", "row_id")
            taking.memory["agency places"] = {str(number): identifier for number, identifier in agencies}
        taking.take(table)
    original_seeds.take(taking)
    sip_parts.take(taking)
    _look_up_patterns()
    tell_uncovered(taking)
    for agency in WctIdentity.objects.filter(table="AGENCY").values_list("row_id", flat=True):
        mark_agency(agency)  # whoever holds a role that came along may do what it allows
    return Imported(listed=taking.listed)


def _tell_foreign(spool: Spool, report: Report) -> None:
    """Tell what cannot be read, and which tables and columns have no place here."""
    for bad in spool.bad:
        report.count(bad.table, Done.REFUSED)
        report.tell(Entry(what=What.ROW, table=bad.table, file=bad.file, line=bad.line, reason=bad.reason))
    for name, count in sorted(spool.counts.items()):
        if name in _KNOWN:
            _tell_columns(spool, name, report)
        elif name not in _OTHERS:
            reason = f"{count} rows: the data dictionary of version 1.4 knows no such table"
            report.tell(Entry(what=What.TABLE, table=name, reason=reason))


def _tell_columns(spool: Spool, name: str, report: Report) -> None:
    filled: dict[str, int] = {}
    for row in spool.rows(name):
        for column in row.cells.keys() - _KNOWN[name]:
            filled[column] = filled.get(column, 0) + (row.cells[column] is not None)
    for column, count in sorted(filled.items()):
        reason = f"{count} values: the data dictionary of version 1.4 knows no such column"
        report.tell(Entry(what=What.COLUMN, table=name, column=column, reason=reason))


def _look_up_patterns() -> None:
    """Make the look-up by domain for permissions whose rows of URL_PERMISSION_MAPPING were not in the dump."""
    mapped = PatternMapping.objects.filter(permission_id=OuterRef("permission_id"), pattern_id=OuterRef("pattern_id"))
    links = PermissionPattern.objects.filter(
        ~Exists(mapped), permission__deleted=False, pattern__deleted=False, permission__authorisation__active=True,
        permission__authorisation__deleted=False,
    ).select_related("pattern")  # fmt: skip
    while batch := list(links[:BATCH]):
        PatternMapping.objects.bulk_create(
            PatternMapping(
                permission_id=link.permission_id, pattern_id=link.pattern_id,
                domain=parse_pattern(link.pattern.pattern).domain,
            )
            for link in batch
        )  # fmt: skip
