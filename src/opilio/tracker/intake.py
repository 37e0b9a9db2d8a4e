"""Takes in what came: unpacks it, judges the names of its documents, validates them.

Each step asks the tables what is left to do, so that it is right after every crash, and does nothing twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from opilio.deliveries.errors import BadArchive
from opilio.deliveries.profile import DeliveryProfile
from opilio.deliveries.pulling import Place
from opilio.deliveries.schemas import XmlFault
from opilio.deliveries.states import Phase, Status
from opilio.deliveries.unpack import Document, Unpacked
from opilio.deliveries.validating import Task, validated
from opilio.kernel.clock import Clock
from opilio.tracker import findings, quarantine, standing
from opilio.tracker.clerk import Clerk
from opilio.tracker.findings import Noted
from opilio.tracker.models import Attempt, Centre, XmlDocument
from opilio.tracker.standing import Telling
from opilio.works.sharing.delivery_files import DeliveryFiles

_OPEN = (Status.PENDING, Status.RUNNING, Status.DONE)


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What all steps of a session share."""

    clerk: Clerk
    profile: DeliveryProfile
    centres: frozenset[str]
    files: DeliveryFiles
    clock: Clock
    by: str
    stopped: Callable[[], bool]

    def telling(self, why: str = "") -> Telling:
        """Who says something now."""
        return Telling(at=self.clock.now(), by=self.by, why=why)

    def place(self, attempt: Attempt) -> Place:
        """Where what came lies."""
        return Place(folder=self.files.folder / attempt.folder)

    def document(self, row: XmlDocument) -> Path:
        """Where a document lies, brought here if it was not."""
        attempt = row.attempt
        return self.files.document(
            self.place(attempt), attempt.sha256, row.number, row.content_sha256, lambda: self.profile.archive
        )


def unpack_all(desk: Desk) -> tuple[int, int]:
    """Unpack what came and is not unpacked yet; how many, and how many could not be."""
    waiting = desk.clerk.read(lambda: _attempts(desk, Phase.CHECKSUM, Phase.UNPACK))
    bad = 0
    for attempt in waiting:
        if desk.stopped():
            break
        bad += not _unpack(desk, attempt)
    return len(waiting), bad


def _attempts(desk: Desk, first: Phase, last: Phase) -> list[Attempt]:
    """Latest attempts that are whole here and stand between two phases, not failed; in the order they came."""
    rows = Attempt.objects.filter(
        received__isnull=False, dropped=False, phase_id__gte=first, phase_id__lte=last, status_id__in=_OPEN,
        offering__delivery__profile=desk.profile.name,
    ).exclude(phase_id=last, status_id=Status.DONE).exclude(folder="")  # fmt: skip
    return list(rows.select_related("offering__delivery__zip", "offering__delivery__todo").order_by("id"))


def _unpack(desk: Desk, attempt: Attempt) -> bool:
    place = quarantine.found(desk.files.folder, attempt)
    desk.clerk.write(lambda: standing.attempt_told(attempt, Phase.UNPACK, Status.RUNNING, desk.telling()))
    try:
        found = desk.files.unpack(place, attempt.sha256, desk.profile.archive)
    except BadArchive as error:
        quarantine.put_away(desk.files.folder, attempt)
        desk.clerk.write(partial(_broken, desk, attempt, error.kind, str(error)))
        return False
    desk.clerk.write(lambda: _documents(desk, attempt, found))
    return True


def _broken(desk: Desk, attempt: Attempt, kind: str, fault: str) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(folder=quarantine.name_of(attempt))
    findings.of_delivery(attempt.offering.delivery, f"unpack-{kind}", fault, attempt)
    standing.attempt_told(attempt, Phase.UNPACK, Status.FAILED, desk.telling(fault))


def _documents(desk: Desk, attempt: Attempt, found: Unpacked) -> None:
    attempt.documents.all().delete()  # of a step that a crash cut off
    wanted = [one for one in found.documents if desk.profile.is_document(one.name)]
    for one in found.left_out:
        findings.of_delivery(attempt.offering.delivery, "left-out", f"{one.name[:500]}: {one.why}", attempt)
    if not wanted:
        findings.of_delivery(attempt.offering.delivery, "empty", "There is no document in it.", attempt)
        standing.attempt_told(attempt, Phase.UNPACK, Status.FAILED, desk.telling("There is no document in it."))
        return
    rows = [_document(desk, attempt, one) for one in wanted]
    standing.attempt_told(attempt, Phase.UNPACK, Status.DONE, desk.telling())
    for row, faults in rows:
        why = " ".join(faults)
        if faults:
            findings.of_document(row, [Noted(kind="document-name", message=fault, level="fatal") for fault in faults])
        standing.document_told(row, Phase.DOCUMENT_NAME, Status.FAILED if faults else Status.DONE, desk.telling(why))


def _document(desk: Desk, attempt: Attempt, one: Document) -> tuple[XmlDocument, Sequence[str]]:
    kind, faults = desk.profile.kind_of(one.name, desk.centres)
    parsed = kind.names.rule.judge(one.name, desk.centres).parsed if kind else None
    centre = Centre.objects.filter(short_name=parsed.centre).first() if parsed and parsed.centre else None
    row = XmlDocument(
        attempt=attempt, number=one.number, fname=one.name[:255], kind=kind.name if kind else "", centre=centre,
        created=parsed.on if parsed else None, inc=parsed.number if parsed else None, size_bytes=one.size,
        content_md5=one.md5, content_sha256=one.sha256, phase_id=Phase.UNPACK, status_id=Status.DONE,
    )  # fmt: skip
    row.save()
    return row, faults


def validate_all(desk: Desk, validators: int) -> tuple[int, int]:
    """Validate documents whose names conform; how many, and how many are not valid."""
    waiting = desk.clerk.read(lambda: documents(desk, Phase.DOCUMENT_NAME, Phase.SCHEMA))
    kinds = {kind.name: kind for kind in desk.profile.documents}
    tasks = [
        Task(number=row.pk, path=desk.document(row),
             schema=desk.profile.schema_of(kinds[row.kind]))
        for row in waiting
    ]  # fmt: skip
    rows, bad = {row.pk: row for row in waiting}, 0
    for one in validated(tasks, processes=validators, stopped=desk.stopped) if tasks else ():
        bad += bool(one.faults)
        desk.clerk.write(partial(_validated, desk, rows[one.number], one.faults))
    return len(waiting), bad


def documents(desk: Desk, first: Phase, last: Phase) -> list[XmlDocument]:
    """Documents of latest attempts that stand between two phases, not failed."""
    rows = XmlDocument.objects.filter(
        phase_id__gte=first, phase_id__lte=last, status_id__in=_OPEN,
        attempt__offering__delivery__profile=desk.profile.name,
    ).exclude(phase_id=last, status_id=Status.DONE)  # fmt: skip
    return list(
        rows.select_related("attempt__offering__delivery__zip", "attempt__offering__delivery__todo").order_by("id")
    )


def _validated(desk: Desk, row: XmlDocument, faults: Sequence[XmlFault]) -> None:
    row = XmlDocument.objects.select_related("attempt__offering__delivery").get(pk=row.pk)
    if not faults:
        standing.document_told(row, Phase.SCHEMA, Status.DONE, desk.telling())
        return
    findings.of_document(
        row, [Noted(kind=one.kind, message=one.message, level="fatal", line=one.line, column=one.column)
              for one in faults],
    )  # fmt: skip
    standing.document_told(row, Phase.SCHEMA, Status.FAILED, desk.telling(faults[0].message))
