"""Import from the Web Curator Tool: ask for one, do it, put the uploaded dump away."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from django.db import transaction

from opilio.curation.models import ImportState, WctImport
from opilio.curation.wct import uploads
from opilio.curation.wct.dump import ENCODINGS, opened
from opilio.curation.wct.importing import take_over
from opilio.curation.wct.report import Report
from opilio.curation.wct.runs import one_import
from opilio.jobs.payload import job
from opilio.jobs.queue import enqueue
from opilio.kernel.errors import Conflict
from opilio.people import audit, zones
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.foreign_tables import ListEntry
from opilio.people.privileges import SYSTEM_WIDE, Privilege

_LONGEST_VALUE = 255


@job(kind="curation.import_wct", max_attempts=3)
@dataclass(frozen=True, kw_only=True)
class ImportWct:
    """The import that is to be done."""

    import_id: int


@action("wct.import", "Take over the rows of a dump of the Web Curator Tool.", privilege=Privilege.CONFIGURE_PARAMETERS)
def import_dump(
    act: Act, /, *, path: Path, dry_run: bool = False, time_zone: str = "UTC", encoding: str = "utf-8",
    report_file: Path | None = None, progress: Callable[[str, int], None] = lambda table, rows: None,
) -> Report:  # fmt: skip
    """What became of every row. All of it is one change: a failure leaves nothing behind, a dry run neither."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "import from the Web Curator Tool")
    zone = ZoneInfo(zones.check(time_zone) or "UTC")
    report = Report(dry_run=dry_run)
    with opened(path, encoding=encoding) as spool:
        if report_file is not None:
            report.write_to(report_file)
        try:
            done = take_over(spool, report, zone=zone, at=act.clock.now(), by=act.actor.user, progress=progress)
        finally:
            report.close()
    _offer(act, done.listed)
    _tell(act, path.name, report)
    if dry_run:
        transaction.set_rollback(True)
    return report


@action("wct.ask", "Have a dump in the folder of imports imported.", privilege=Privilege.CONFIGURE_PARAMETERS)
def ask(act: Act, /, *, file: str, dry_run: bool, time_zone: str = "UTC", encoding: str = "utf-8") -> WctImport:
    """The import that waits for an agent."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "import from the Web Curator Tool")
    zones.check(time_zone)
    if encoding not in ENCODINGS:
        raise InvalidFields({"encoding": [f"Choose one of {', '.join(ENCODINGS)}."]})
    made = WctImport(
        name=file[:255], path=uploads.named(file).name, dry_run=dry_run, time_zone=time_zone or "UTC",
        encoding=encoding, asked_by_id=act.actor.user, asked_at=act.clock.now(),
    )  # fmt: skip
    made.save(force_insert=True)
    enqueue(ImportWct(import_id=made.id), now=act.clock.now())
    _audit(act, made, "Asked for a dry run." if dry_run else "Asked for an import.")
    return made


@action("wct.discard", "Remove a dump from the folder of imports.", privilege=Privilege.CONFIGURE_PARAMETERS)
def discard(act: Act, /, *, import_id: int) -> None:
    """What was imported stays, and so does the report; the dump with its personal data goes."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "remove an uploaded dump")
    row = one_import(import_id)
    if not row.path:
        return
    waiting = WctImport.objects.filter(path=row.path, state__in=(ImportState.WAITING, ImportState.RUNNING))
    if waiting.exists():
        raise Conflict("an import of this dump is not finished", where=row.name, remedy="Wait until it is.")
    name = row.path
    WctImport.objects.filter(path=name).update(path="")
    _audit(act, row, "Removed the dump.")
    transaction.on_commit(lambda: uploads.remove(name))


def _offer(act: Act, listed: dict[str, set[str]]) -> None:
    """Let constrained lists offer the values that rows came with."""
    for name, values in sorted(listed.items()):
        here = set(ListEntry._base_manager.filter(list_name=name).values_list("value", flat=True))
        for position, value in enumerate(sorted(values - here), start=len(here)):
            text = value[:_LONGEST_VALUE]
            act.insert(ListEntry(list_name=name, value=text, label=text, position=position), message="Came along.")


def _tell(act: Act, name: str, report: Report) -> None:
    """One audit entry for each table: the rows themselves carry their history along."""
    for table, counts in report.counts.items():
        words = ", ".join(f"{count} {word}" for word, count in counts.items())
        audit.write(
            act.actor, action=act.name, subject_type="wct-table", subject_name=table, message=f"{name}: {words}.",
            after=dict(counts),
        )  # fmt: skip


def _audit(act: Act, row: WctImport, message: str) -> None:
    audit.write(
        act.actor, action=act.name, subject_type="wct-import", subject_id=row.id, subject_name=row.name,
        message=message,
    )  # fmt: skip
