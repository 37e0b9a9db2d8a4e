"""Which files of deliveries may go: their days are over, newer revisions are here, and nobody holds them.

Only files go. What was loaded, what was found and the digests of what came stay in the tables.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.deliveries.states import Phase, Status
from opilio.people.parameters import value
from opilio.tracker import quarantine
from opilio.tracker.models import Attempt, Delivery
from opilio.works.sharing.delivery_files import DeliveryFiles


@dataclass(frozen=True, kw_only=True)
class Keeping:
    """How long what stays; 0: for ever, all."""

    days: int
    revisions: int
    quarantine_days: int


@dataclass(frozen=True, kw_only=True)
class Due:
    """Files that may go, and why."""

    attempts: tuple[int, ...]  # that share the folder
    folder: str
    delivery: int
    file: str
    why: str


def in_force() -> Keeping:
    """As the parameters say."""
    return Keeping(
        days=int(value("delivery_keep_days")), revisions=int(value("delivery_keep_revisions")),
        quarantine_days=int(value("delivery_quarantine_days")),
    )  # fmt: skip


def due(keeping: Keeping, now: datetime) -> Iterator[Due]:
    """What may go, delivery by delivery; nothing of one that is held."""
    rows = Delivery.objects.filter(held=False, offerings__attempts__folder__gt="").distinct()
    for delivery in rows.select_related("zip").order_by("id").iterator(chunk_size=500):
        yield from _of_delivery(delivery, keeping, now)


def remove(files: DeliveryFiles, one: Due) -> int:
    """Remove the files, also those that machines share; how many bytes they had here. What is gone is no fault."""
    _drop(files, one)
    place = files.folder / one.folder
    if not place.is_dir():
        return 0
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    shutil.rmtree(place)
    return size


def _drop(files: DeliveryFiles, one: Due) -> None:
    """Of contents that no other attempt has kept."""
    kept = Attempt.objects.exclude(folder="").exclude(pk__in=one.attempts)
    for sha256 in set(Attempt.objects.filter(pk__in=one.attempts).exclude(sha256="").values_list("sha256", flat=True)):
        if not kept.filter(sha256=sha256).exists():
            files.drop(sha256)


def _of_delivery(delivery: Delivery, keeping: Keeping, now: datetime) -> Iterator[Due]:
    rows = Attempt.objects.filter(offering__delivery=delivery, received__isnull=False).exclude(folder="")
    by_folder: dict[str, list[Attempt]] = {}
    for row in rows.order_by("id"):
        by_folder.setdefault(row.folder, []).append(row)
    revisions = sorted({row.revision for found in by_folder.values() for row in found}, reverse=True)
    for folder, found in by_folder.items():
        newer = revisions.index(found[-1].revision)
        why = _why(found, newer, keeping, now)
        if why:
            yield Due(
                attempts=tuple(row.pk for row in found), folder=folder, delivery=delivery.pk,
                file=delivery.zip.file_name, why=why,
            )  # fmt: skip


def _why(found: list[Attempt], newer: int, keeping: Keeping, now: datetime) -> str:
    """Why the files that some attempts share may go; empty: they stay."""
    last = found[-1]
    if not _over(last):
        return ""
    received = max(row.received for row in found if row.received)
    if last.folder.startswith(f"{quarantine.FOLDER}/"):
        days = keeping.quarantine_days
        late = days and now - received >= timedelta(days=days)
        return f"It was in quarantine for {days} days." if late else ""
    if keeping.revisions and newer >= keeping.revisions:
        return f"{newer} newer revisions are here."
    late = keeping.days and now - received >= timedelta(days=keeping.days)
    return f"It came more than {keeping.days} days ago." if late else ""


def _over(attempt: Attempt) -> bool:
    """Whether no session needs its files: it was loaded, given up, cannot be unpacked, or is to come anew."""
    loaded = attempt.phase_id >= Phase.INTEGRITY and attempt.status_id == Status.DONE
    hopeless = attempt.phase_id == Phase.UNPACK and attempt.status_id == Status.FAILED
    return attempt.dropped or loaded or hopeless or attempt.status_id == Status.CANCELLED
