"""How far an import that an agent does has come."""

import datetime

from django.db import transaction

from opilio.curation.models import ImportState, WctImport
from opilio.curation.wct.report import Report
from opilio.people.errors import NotFound


def one_import(import_id: int) -> WctImport:
    """The import of this number, locked."""
    row = WctImport.objects.select_for_update().filter(id=import_id).first()
    if row is None:
        raise NotFound(f"There is no import {import_id}", where="wct.import", remedy="Look at the list of imports.")
    return row


def begin(import_id: int) -> WctImport | None:
    """Note that an agent works on it; None when it was finished before, as after a crash in between."""
    with transaction.atomic():
        row = one_import(import_id)
        if row.state in (ImportState.DONE, ImportState.FAILED):
            return None
        row.state = ImportState.RUNNING
        row.save(update_fields=["state"])
    return row


def finish(import_id: int, report: Report | None, *, at: datetime.datetime, failure: str = "") -> None:
    """Note what became of it."""
    with transaction.atomic():
        row = one_import(import_id)
        row.state = ImportState.FAILED if failure else ImportState.DONE
        row.report = {**(report.as_json() if report is not None else {}), "failure": failure}
        row.finished_at = at
        row.save(update_fields=["state", "report", "finished_at"])
