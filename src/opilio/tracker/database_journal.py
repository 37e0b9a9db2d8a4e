"""What a pull remembers, in the tables of the tracker: offerings, looks, attempts, what is here.

Downloaders call from their threads; the clerk writes.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Max

from opilio.deliveries.choice import Record
from opilio.deliveries.journal import Attempt as Tried
from opilio.deliveries.journal import Kept
from opilio.deliveries.offers import LookedAt, Offer
from opilio.deliveries.states import Phase, Standing, Status
from opilio.kernel.clock import Clock
from opilio.tracker import findings, standing
from opilio.tracker.clerk import Clerk
from opilio.tracker.models import (
    Attempt,
    Centre,
    Delivery,
    Offering,
    ProcessingType,
    Source,
    StandingChange,
    ZipFile,
)
from opilio.tracker.standing import Telling

_BETWEEN = 1.0  # seconds between two notes about how far a download came
_NONE = 0  # no row has it
Key = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Context:
    """For which session, profile and sources the journal is kept."""

    session: int
    profile: str
    by: str
    clock: Clock


class DatabaseJournal:
    """The journal of one session."""

    def __init__(self, clerk: Clerk, sources: Mapping[str, Source], context: Context) -> None:
        self._clerk, self._sources, self._context = clerk, sources, context
        self._deliveries: dict[Key, int] = {}
        self._running: dict[tuple[str, str, str], int] = {}
        self._told: dict[int, float] = {}
        self._lock = threading.Lock()

    def offered(self, found: Mapping[Key, Mapping[str, Offer]]) -> None:
        """Map files to sources, and judge their names, before anything is fetched."""
        items = sorted(found.items())
        for start in range(0, len(items), 200):
            portion = items[start : start + 200]
            self._clerk.write(partial(self._map_all, portion))
        self._clerk.write(lambda: self._mark_gone(found))

    def disagreed(self, found: Mapping[Key, Sequence[str]]) -> None:
        """A finding for each source that has another version; it retires when they agree again."""
        self._clerk.write(lambda: self._note_disagreement(found))

    def looked_at(self, source: str, path: str) -> LookedAt | None:
        row = self._clerk.read(
            lambda: Offering.objects.filter(source_id=self._sources[source].pk, path=path, looks__gt=0).first()
        )
        if row is None or row.looked_at is None:
            return None
        return LookedAt(mark=_mark(row.mark), times=row.looks, last=row.looked_at)

    def looks(self, source: str, found: Mapping[str, LookedAt]) -> None:
        def write() -> None:
            for path, look in found.items():
                Offering.objects.filter(source_id=self._sources[source].pk, path=path).update(
                    mark=list(look.mark), looks=look.times, looked_at=look.last
                )

        self._clerk.write(write)

    def attempts(self, action: str, name: str) -> Mapping[str, int]:
        rows = Offering.objects.filter(delivery_id=self._delivery(action, name), num_retries__gt=0)
        names = {row.pk: label for label, row in self._sources.items()}
        found = self._clerk.read(lambda: list(rows.values_list("source_id", "num_retries")))
        return {names[source]: number for source, number in found if source in names}

    def last_failure(self, action: str, name: str) -> datetime | None:
        rows = StandingChange.objects.filter(
            delivery_id=self._delivery(action, name), what="attempt", to_phase__lte=Phase.CHECKSUM,
            to_status=Status.FAILED,
        )  # fmt: skip
        return self._clerk.read(lambda: rows.order_by("-id").values_list("at", flat=True).first())

    def wanted(self, action: str, name: str) -> bool:
        key = self._delivery(action, name)
        return self._clerk.read(lambda: Delivery.objects.filter(pk=key, retried=True).exists())

    def given_up(self, action: str, name: str) -> bool:
        rows = Delivery.objects.filter(pk=self._delivery(action, name), status_id=Status.CANCELLED, retried=False)
        return self._clerk.read(rows.exists)

    def record(self, source: str) -> Record:
        values = dict(self._sources[source].record)
        last = values.pop("last_failure", "")
        return Record(**values, last_failure=datetime.fromisoformat(last) if last else None)

    def begun(self, source: str, offer: Offer, revision: int, at: datetime) -> None:
        """Open an attempt, or go on with one that a crash cut off."""
        key = (source, offer.action, offer.name)
        self._running[key] = self._clerk.write(lambda: self._open(source, offer, revision, at))

    def progressed(self, source: str, offer: Offer, size: int) -> None:
        attempt = self._running[source, offer.action, offer.name]
        now = self._context.clock.monotonic()
        if now - self._told.get(attempt, 0.0) >= _BETWEEN:
            self._told[attempt] = now
            self._clerk.write(lambda: Attempt.objects.filter(pk=attempt).update(downloaded_size_bytes=size))

    def tried(self, attempt: Tried) -> None:
        self._clerk.write(lambda: self._ended(attempt))

    def kept(self, action: str, name: str) -> Kept | None:
        row = self._clerk.read(lambda: self._last_kept(action, name))
        if row is None or row.received is None:
            return None
        fault = ""
        if row.phase_id == Phase.UNPACK and row.status_id == Status.FAILED:
            fault = row.offering.delivery.why or "It could not be unpacked."
        return Kept(
            action=action, name=name, revision=row.revision, source=str(row.offering.source_id), mark=_mark(row.mark),
            size=row.downloaded_size_bytes, sha256=row.sha256, md5=row.md5, at=row.received, fault=fault,
        )  # fmt: skip

    def next_revision(self, action: str, name: str) -> int:
        """Nothing that came before is ever written over."""
        return self._clerk.read(lambda: self._next_revision(action, name))

    def keep(self, kept: Kept) -> None:
        self._clerk.write(lambda: self._keep(kept))

    def _delivery(self, action: str, name: str) -> int:
        return self._deliveries.get((action, name), _NONE)

    def _telling(self, why: str = "") -> Telling:
        return Telling(at=self._context.clock.now(), by=self._context.by, why=why)

    def _map_all(self, portion: Sequence[tuple[Key, Mapping[str, Offer]]]) -> None:
        for key, offers in portion:
            self._map(key, offers)

    def _map(self, key: Key, offers: Mapping[str, Offer]) -> None:
        delivery = self._row(key[0], next(iter(offers.values())))
        self._deliveries[key] = delivery.pk
        for source, offer in offers.items():
            row, made = Offering.objects.get_or_create(
                delivery=delivery, source=self._sources[source], defaults={"path": offer.path[:1_000]}
            )
            if not made and (row.gone or row.path != offer.path):
                Offering.objects.filter(pk=row.pk).update(gone=False, path=offer.path[:1_000])
        self._judge(delivery, [offer for offer in offers.values() if offer.faults], any(
            not offer.faults for offer in offers.values()
        ))  # fmt: skip

    def _row(self, action: str, offer: Offer) -> Delivery:
        parsed = offer.parsed
        todo, _ = ProcessingType.objects.get_or_create(short_name=action)
        zipped, made = ZipFile.objects.get_or_create(file_name=offer.name[:255])
        centre = Centre.objects.filter(short_name=parsed.centre).first() if parsed and parsed.centre else None
        values = {
            "centre_id": centre.pk if centre else None, "created": parsed.on if parsed else None,
            "inc": parsed.number if parsed else None,
        }  # fmt: skip
        if made or any(getattr(zipped, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(zipped, name, value)
            zipped.save()
        delivery, _ = Delivery.objects.get_or_create(
            zip=zipped, todo=todo,
            defaults={"profile": self._context.profile, "first_seen": self._context.clock.now()},
        )  # fmt: skip
        return delivery

    def _judge(self, delivery: Delivery, faulty: Sequence[Offer], conforms: bool) -> None:
        was_refused = standing.of(delivery) == Standing(phase=Phase.NAME, status=Status.FAILED)
        if conforms:
            if was_refused:
                standing.judged_again(delivery, Phase.NAME, Status.DONE, self._telling("Its name conforms now."))
                findings.retired(delivery)
            else:
                standing.delivery_told(delivery, Phase.NAME, Status.DONE, self._telling())
            return
        why = " ".join(faulty[0].faults)
        findings.of_delivery(delivery, "name", why)
        standing.delivery_told(delivery, Phase.NAME, Status.FAILED, self._telling(why))

    def _mark_gone(self, found: Mapping[Key, Mapping[str, Offer]]) -> None:
        """What a source that answered no longer has is not asked for there."""
        listed = {source for offers in found.values() for source in offers}
        for source in listed:
            here = {self._deliveries[key] for key, offers in found.items() if source in offers}
            rows = Offering.objects.filter(source=self._sources[source], gone=False)
            gone = [row for row in rows.values_list("pk", "delivery_id") if row[1] not in here]
            for start in range(0, len(gone), 500):
                Offering.objects.filter(pk__in=[row[0] for row in gone[start : start + 500]]).update(gone=True)

    def _note_disagreement(self, found: Mapping[Key, Sequence[str]]) -> None:
        still = [self._delivery(*key) for key in found]
        findings.retired_of_kind(findings.MIRRORS, self._deliveries.values(), still)
        for key, names in found.items():
            delivery = Delivery.objects.get(pk=self._delivery(*key))
            for name in names:
                others = ", ".join(one for one in names if one != name)
                findings.of_delivery(delivery, findings.MIRRORS, f"What {name} has differs from what {others} has.")

    def _open(self, source: str, offer: Offer, revision: int, at: datetime) -> int:
        offering = Offering.objects.get(
            delivery_id=self._delivery(offer.action, offer.name), source=self._sources[source]
        )
        found = Attempt.objects.filter(
            offering=offering, received=None, status_id=Status.RUNNING, phase_id=Phase.DOWNLOAD, revision=revision
        ).first()
        if found is None:
            found = Attempt(offering=offering, request=at, revision=revision)
        found.session, found.mark = self._context.session, list(offer.entry.mark)
        found.save()
        standing.attempt_told(found, Phase.DOWNLOAD, Status.RUNNING, self._telling(f"Fetched from {source}."))
        return int(found.pk)

    def _ended(self, tried: Tried) -> None:
        row = Attempt.objects.select_related("offering__delivery").get(
            pk=self._running[tried.source, tried.action, tried.name]
        )
        came = {} if tried.error else {"downloaded_size_bytes": tried.size}  # else as far as it came
        Attempt.objects.filter(pk=row.pk).update(seconds=tried.seconds, **came)
        self._learn(tried)
        offering = Offering.objects.filter(pk=row.offering_id)
        if not tried.error:
            offering.update(num_retries=0)
            return
        offering.update(num_retries=min(row.offering.num_retries + 1, 32_000))
        findings.of_delivery(row.offering.delivery, "download", tried.error, row)
        standing.attempt_told(row, Phase.DOWNLOAD, Status.FAILED, self._telling(tried.error))

    def _learn(self, tried: Tried) -> None:
        """How the source did so far, as the choice between sources asks."""
        source = self._sources[tried.source]
        record = self.record(tried.source)
        if tried.error:
            record = replace(
                record, attempts=record.attempts + 1, failures=record.failures + 1,
                failed_in_a_row=record.failed_in_a_row + 1, last_failure=tried.at,
            )  # fmt: skip
        else:
            speed = tried.size / tried.seconds if tried.seconds > 0 else record.bytes_per_second
            record = replace(record, attempts=record.attempts + 1, failed_in_a_row=0, bytes_per_second=speed)
        source.record = {
            "attempts": record.attempts, "failures": record.failures, "failed_in_a_row": record.failed_in_a_row,
            "bytes_per_second": record.bytes_per_second,
            "last_failure": record.last_failure.isoformat() if record.last_failure else "",
        }  # fmt: skip
        Source.objects.filter(pk=source.pk).update(record=source.record)

    def _last_kept(self, action: str, name: str) -> Attempt | None:
        key = self._delivery(action, name)
        rows = Attempt.objects.filter(offering__delivery_id=key, received__isnull=False, dropped=False)
        if Delivery.objects.filter(pk=key, retried=True, phase_id__lte=Phase.UNPACK).exists():
            return None  # somebody wants it fetched once more
        return rows.select_related("offering__delivery").order_by("-id").first()

    def _next_revision(self, action: str, name: str) -> int:
        rows = Attempt.objects.filter(offering__delivery_id=self._delivery(action, name), received__isnull=False)
        last: int | None = rows.aggregate(last=Max("revision"))["last"]
        return (last or 0) + 1

    def _keep(self, kept: Kept) -> None:
        row = Attempt.objects.select_related("offering__delivery__zip").get(
            pk=self._running[kept.source, kept.action, kept.name]
        )
        row.received, row.sha256, row.md5 = kept.at, kept.sha256, kept.md5
        row.downloaded_size_bytes, row.mark = kept.size, list(kept.mark)
        row.folder = f"{kept.action}/{kept.name}/{kept.revision}"
        row.save()
        zipped = row.offering.delivery.zip
        zipped.size_bytes, zipped.content_md5, zipped.content_sha256 = kept.size, kept.md5, kept.sha256
        zipped.save()
        Delivery.objects.filter(pk=row.offering.delivery_id).update(retried=False)
        findings.retired(row.offering.delivery)
        standing.attempt_told(row, Phase.CHECKSUM, Status.DONE, self._telling("It came whole."))


def _mark(value: Sequence[Any]) -> tuple[int | None, str, str]:
    size, modified, tag = value
    return (None if size is None else int(size), str(modified), str(tag))


class LookingJournal(DatabaseJournal):
    """The journal of a session that only looks: it knows what was written before, and writes nothing."""

    def offered(self, found: Mapping[Key, Mapping[str, Offer]]) -> None:
        rows = Delivery.objects.filter(profile=self._context.profile).values_list(
            "todo__short_name", "zip__file_name", "pk"
        )
        known = self._clerk.read(lambda: {(action, name): key for action, name, key in rows})
        self._deliveries.update({key: known[key] for key in found if key in known})

    def disagreed(self, found: Mapping[Key, Sequence[str]]) -> None:
        """The account tells it."""

    def looks(self, source: str, found: Mapping[str, LookedAt]) -> None:
        """A look that only foresees does not count."""
