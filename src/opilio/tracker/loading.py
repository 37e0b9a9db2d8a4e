"""Loads documents, strictly one by one in the order of the profile: load, check, then commit or roll back."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from opilio.deliveries.commands import Ran, run
from opilio.deliveries.errors import BadDocument
from opilio.deliveries.integrity import Finding
from opilio.deliveries.profile import Level, order_of
from opilio.deliveries.records import records
from opilio.deliveries.states import Phase, Status
from opilio.tracker import findings, standing
from opilio.tracker.findings import Noted
from opilio.tracker.intake import Desk, documents
from opilio.tracker.models import Delivery, XmlDocument
from opilio.tracker.record_store import RecordStore, Taken


class _RolledBack(Exception):
    """Nothing of the document stays."""


def load_all(desk: Desk) -> tuple[int, int]:
    """Load valid documents; how many, and how many are not good."""
    waiting = sorted(
        desk.clerk.read(lambda: documents(desk, Phase.SCHEMA, Phase.INTEGRITY)), key=lambda row: _order(desk, row)
    )
    waiting = [row for row in waiting if (row.phase_id, row.status_id) >= (Phase.SCHEMA, Status.DONE)]
    bad = 0
    for row in waiting:
        if desk.stopped():
            break
        _file(desk, row)  # before a transaction waits for it
        bad += not (_by_command if desk.profile.sink else _by_store)(desk, row)
    return len(waiting), bad


def context_all(desk: Desk) -> tuple[int, int]:
    """Run the step that follows each document; how many, and for how many it did not go well."""
    command = desk.profile.hooks.context
    waiting = desk.clerk.read(lambda: documents(desk, Phase.INTEGRITY, Phase.CONTEXT))
    waiting = [row for row in waiting if (row.phase_id, row.status_id) >= (Phase.INTEGRITY, Status.DONE)]
    bad = 0
    for row in waiting if command else ():
        if desk.stopped() or command is None:
            break
        ran = run(command, _about(row), _file(desk, row))
        bad += not ran.good
        desk.clerk.write(partial(_ran, desk, row.pk, Phase.CONTEXT, ran))
    return len(waiting), bad


def _file(desk: Desk, row: XmlDocument) -> Path:
    return desk.document(row)


def _fresh(key: int) -> XmlDocument:
    return XmlDocument.objects.select_related("attempt__offering__delivery__todo").get(pk=key)


def _ran(desk: Desk, key: int, phase: Phase, ran: Ran) -> None:
    row = _fresh(key)
    if not ran.good:
        findings.of_document(row, [Noted(kind=f"{phase.name.lower()}-{ran.code}", message=ran.words, level="fatal")])
    standing.document_told(row, phase, Status.DONE if ran.good else Status.FAILED, desk.telling(ran.words))


def _order(desk: Desk, row: XmlDocument) -> tuple[Any, ...]:
    """Kinds as they depend on each other, then by the dates and increments of deliveries and documents."""
    zipped = row.attempt.offering.delivery.zip
    kinds = list(order_of(desk.profile))
    return (
        kinds.index(row.kind),
        str(zipped.created or ""),
        zipped.inc or 0,
        str(row.created or ""),
        row.inc or 0,
        row.pk,
    )


def _begun(desk: Desk, key: int) -> None:
    standing.document_told(_fresh(key), Phase.LOAD, Status.RUNNING, desk.telling())


def _by_command(desk: Desk, row: XmlDocument) -> bool:
    sink = desk.profile.sink
    assert sink is not None  # noqa: S101 - asked by the caller
    desk.clerk.write(partial(_begun, desk, row.pk))
    ran = run(sink, _about(row), _file(desk, row))
    desk.clerk.write(partial(_ran, desk, row.pk, Phase.INTEGRITY if ran.good else Phase.LOAD, ran))
    return ran.good


def _about(row: XmlDocument) -> dict[str, Any]:
    delivery = row.attempt.offering.delivery
    return {
        "delivery": delivery.zip.file_name, "action": delivery.todo.short_name, "document": row.fname,
        "kind": row.kind, "revision": row.attempt.revision,
    }  # fmt: skip


def _by_store(desk: Desk, row: XmlDocument) -> bool:
    """A document with a fatal finding leaves nothing behind; one with errors leaves out the records that have them."""
    return desk.clerk.write(partial(_stored, desk, row.pk))


def _stored(desk: Desk, key: int) -> bool:
    row = _fresh(key)
    standing.document_told(row, Phase.LOAD, Status.RUNNING, desk.telling())
    kind = next(one for one in desk.profile.documents if one.name == row.kind)
    action = row.attempt.offering.delivery.todo.short_name
    store = RecordStore(desk.profile, desk.clock.now())
    taken = Taken()
    try:
        with transaction.atomic():
            taken = store.take(row, action, records(_file(desk, row), kind))
            if taken.worst is Level.FATAL:
                raise _RolledBack
    except _RolledBack:
        taken.loaded, taken.arrived = 0, []
    except BadDocument as error:
        findings.of_document(row, [Noted(kind="records", message=str(error), level="fatal")])
        standing.document_told(row, Phase.LOAD, Status.FAILED, desk.telling(str(error)))
        return False
    XmlDocument.objects.filter(pk=row.pk).update(records=taken.loaded)
    standing.document_told(row, Phase.LOAD, Status.DONE, desk.telling())
    return _judged(desk, row, taken)


def _judged(desk: Desk, row: XmlDocument, taken: Taken) -> bool:
    findings.of_document(row, [_noted(one) for one in taken.findings])
    _wake(findings.retire_awaiting(taken.arrived))
    good = taken.worst in (None, Level.WARN)
    why = "" if good else f"{sum(one.level is not Level.WARN for one in taken.findings)} records or values are wrong."
    standing.document_told(row, Phase.INTEGRITY, Status.DONE if good else Status.FAILED, desk.telling(why))
    return good


def _noted(one: Finding) -> Noted:
    return Noted(
        kind=one.rule, message=f"{one.record} {one.key.replace(chr(31), '/')}: {one.message}", level=one.level.value,
        line=one.line, record=(one.record, one.key), awaits=one.awaits or ("", ""),
    )  # fmt: skip


def _wake(waiting: Sequence[int]) -> None:
    """Documents that waited for records which have come: their deliveries are taken in once more."""
    rows = XmlDocument.objects.filter(pk__in=list(waiting), phase_id=Phase.INTEGRITY, status_id=Status.FAILED)
    Delivery.objects.filter(offerings__attempts__documents__in=rows).update(retried=True)
