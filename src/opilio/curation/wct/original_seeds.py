"""TARGET_INSTANCE_ORIG_SEED: the seeds of a harvest as they were at its start, which our snapshots hold."""

import itertools
from collections.abc import Iterator

from opilio.curation import snapshots
from opilio.curation.models import Harvest, Snapshot, SnapshotPart
from opilio.curation.wct import identities
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.numbers import Originals
from opilio.curation.wct.report import Done, Entry, What
from opilio.curation.wct.rows import RawRow
from opilio.curation.wct.taking import BATCH, Taking
from opilio.curation.wct.values import NUMBER, TEXT

NAME = "TARGET_INSTANCE_ORIG_SEED"
COLUMNS = ("TIOS_TI_OID", "TIOS_SEED")
_SECTION = "seeds"


def take(taking: Taking) -> None:
    """Put the seeds of every row into the snapshot of its harvest."""
    rows = taking.spool.rows(NAME)
    for batch in iter(lambda: list(itertools.islice(rows, BATCH)), []):
        seeds: dict[int, list[tuple[RawRow, str]]] = {}
        for row in batch:
            try:
                number, url = _read(taking, row)
                seeds.setdefault(number, []).append((row, url))
            except Refused as error:
                _refuse(taking, row, error)
        _take_some(taking, seeds)


def written() -> Iterator[dict[str, str | None]]:
    """The rows of the table as ours are."""
    originals = Originals("TARGET_INSTANCE")
    parts = SnapshotPart.objects.filter(key=_SECTION, snapshot__harvest__deleted=False).select_related("snapshot")
    for part in parts.order_by("snapshot__harvest_id").iterator(chunk_size=BATCH):
        number = str(originals.of(part.snapshot.harvest_id))
        for url in snapshots.seed_urls(part.value):
            yield {"TIOS_TI_OID": number, "TIOS_SEED": url}


def _read(taking: Taking, row: RawRow) -> tuple[int, str]:
    found: dict[str, object] = {}
    for column, kind in zip(COLUMNS, (NUMBER, TEXT), strict=True):
        text = row.cells.get(column)
        if not text:
            raise Refused("it is empty", column=column)
        try:
            found[column] = kind.read(text, taking.zone)
        except ValueError as error:
            raise Refused(str(error), column=column) from error
    return int(str(found["TIOS_TI_OID"])), str(found["TIOS_SEED"])


def _take_some(taking: Taking, seeds: dict[int, list[tuple[RawRow, str]]]) -> None:
    known = identities.known("TARGET_INSTANCE", seeds)
    harvests = Harvest.everything.in_bulk([identity.row_id for identity in known.values()])
    for number, rows in seeds.items():
        harvest = harvests.get(known[number].row_id) if number in known else None
        if harvest is None:
            reason = f"there is no row {number} of TARGET_INSTANCE that was taken over"
            for row, _ in rows:
                _refuse(taking, row, Refused(reason, column="TIOS_TI_OID"))
        else:
            _freeze(taking, harvest, rows)


def _freeze(taking: Taking, harvest: Harvest, rows: list[tuple[RawRow, str]]) -> None:
    snapshot = Snapshot.objects.filter(harvest=harvest).first()
    parts = dict(snapshot.parts.values_list("key", "value")) if snapshot else {}
    here = snapshots.seed_urls(parts.get(_SECTION, "[]"))
    fresh = list(dict.fromkeys(url for _, url in rows if url not in set(here)))
    taking.report.count(NAME, Done.UNCHANGED, len(rows) - len(fresh))
    if fresh and snapshots.taken_here(parts):
        for row, url in rows:
            if url in fresh:
                _refuse(taking, row, Refused("the harvest was run here with other seeds", column="TIOS_SEED"))
        return
    if fresh:
        snapshots.keep_seeds(harvest, [*here, *fresh], at=harvest.started_at or harvest.scheduled_at)
        made: set[int] = taking.memory.setdefault("frozen", set())
        if snapshot is None:
            made.add(harvest.pk)
        taking.report.count(NAME, Done.MADE if harvest.pk in made else Done.CHANGED, len(fresh))


def _refuse(taking: Taking, row: RawRow, error: Refused) -> None:
    taking.report.count(NAME, Done.REFUSED)
    taking.report.tell(
        Entry(
            what=What.ROW, table=NAME, column=error.column, number=(row.cells.get("TIOS_TI_OID") or "")[:40],
            file=row.file, line=row.line, reason=error.what,
        )
    )  # fmt: skip
