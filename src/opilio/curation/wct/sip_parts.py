"""SIP_PART_ELEMENT: parts of the package of a harvest, kept as they were at its start, as our snapshots are.

Parts that came from another catalogue stand in the snapshot under names of their own; ours are written as they are.
"""

import itertools
import json
from collections.abc import Iterator

from opilio.curation import snapshots
from opilio.curation.models import Harvest, SnapshotPart
from opilio.curation.wct import identities
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.numbers import Originals
from opilio.curation.wct.report import Done, Entry, What
from opilio.curation.wct.rows import RawRow
from opilio.curation.wct.taking import BATCH, Taking
from opilio.curation.wct.values import NUMBER, TEXT

NAME = "SIP_PART_ELEMENT"
COLUMNS = ("SPE_KEY", "SPE_TARGET_INSTANCE_OID", "SPE_VALUE")
_LONGEST_KEY = 64 - len(snapshots.FOREIGN)
_ELSEWHERE = ("seeds",)  # sections that have a table of their own


def take(taking: Taking) -> None:
    """Put the parts of every row into the snapshot of its harvest."""
    rows = taking.spool.rows(NAME)
    for batch in iter(lambda: list(itertools.islice(rows, BATCH)), []):
        parts: dict[int, list[tuple[RawRow, str, str]]] = {}
        for row in batch:
            try:
                number, key, value = _read(taking, row)
                parts.setdefault(number, []).append((row, key, value))
            except Refused as error:
                _refuse(taking, row, error)
        _take_some(taking, parts)


def written() -> Iterator[dict[str, str | None]]:
    """The rows of the table as ours are."""
    originals = Originals("TARGET_INSTANCE")
    rows = SnapshotPart.objects.filter(snapshot__harvest__deleted=False).exclude(key__in=_ELSEWHERE)
    for part in rows.select_related("snapshot").order_by("snapshot__harvest_id", "key").iterator(chunk_size=BATCH):
        foreign = part.key.startswith(snapshots.FOREIGN)
        yield {
            "SPE_KEY": part.key.removeprefix(snapshots.FOREIGN),
            "SPE_TARGET_INSTANCE_OID": str(originals.of(part.snapshot.harvest_id)),
            "SPE_VALUE": json.loads(part.value) if foreign else part.value,
        }


def _read(taking: Taking, row: RawRow) -> tuple[int, str, str]:
    found: dict[str, object] = {}
    for column, kind in zip(COLUMNS, (TEXT, NUMBER, TEXT), strict=True):
        text = row.cells.get(column)
        if not text and column != "SPE_VALUE":
            raise Refused("it is empty", column=column)
        try:
            found[column] = kind.read(text or "", taking.zone) if text else ""
        except ValueError as error:
            raise Refused(str(error), column=column) from error
    key = str(found["SPE_KEY"])
    if len(key) > _LONGEST_KEY:
        raise Refused(f"it has {len(key)} characters; here it has at most {_LONGEST_KEY}", column="SPE_KEY")
    return int(str(found["SPE_TARGET_INSTANCE_OID"])), key, str(found["SPE_VALUE"])


def _take_some(taking: Taking, parts: dict[int, list[tuple[RawRow, str, str]]]) -> None:
    known = identities.known("TARGET_INSTANCE", parts)
    harvests = Harvest.everything.in_bulk([identity.row_id for identity in known.values()])
    for number, rows in parts.items():
        harvest = harvests.get(known[number].row_id) if number in known else None
        if harvest is None:
            reason = f"there is no row {number} of TARGET_INSTANCE that was taken over"
            for row, _, _ in rows:
                _refuse(taking, row, Refused(reason, column="SPE_TARGET_INSTANCE_OID"))
        else:
            _keep(taking, harvest, rows)


def _keep(taking: Taking, harvest: Harvest, rows: list[tuple[RawRow, str, str]]) -> None:
    here = dict(SnapshotPart.objects.filter(snapshot__harvest=harvest).values_list("key", "value"))
    if snapshots.taken_here(here):
        for row, _, _ in rows:
            _refuse(taking, row, Refused("the harvest was run here, and has its own snapshot", column="SPE_KEY"))
        return
    wanted = {f"{snapshots.FOREIGN}{key}": snapshots.canonical(value) for _, key, value in rows}
    fresh = {key: value for key, value in wanted.items() if here.get(key) != value}
    changed = sum(key in here for key in fresh)
    taking.report.count(NAME, Done.UNCHANGED, len(rows) - len(fresh))
    taking.report.count(NAME, Done.CHANGED, changed)
    taking.report.count(NAME, Done.MADE, len(fresh) - changed)
    if fresh:
        snapshots.keep_foreign(harvest, fresh, at=harvest.started_at or harvest.scheduled_at)


def _refuse(taking: Taking, row: RawRow, error: Refused) -> None:
    taking.report.count(NAME, Done.REFUSED)
    number = (row.cells.get("SPE_TARGET_INSTANCE_OID") or "")[:40]
    taking.report.tell(
        Entry(
            what=What.ROW, table=NAME, column=error.column, number=number, file=row.file, line=row.line,
            reason=error.what,
        )
    )  # fmt: skip
