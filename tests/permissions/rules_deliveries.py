"""The table of who may do what with centres, sources and deliveries."""

from pathlib import Path
from typing import Any

from opilio.deliveries.states import Phase, Status
from opilio.people.privileges import Privilege
from opilio.tracker.actions import centres, deliveries, dump, finding_kinds, retention, sessions, sources
from opilio.tracker.models import Attempt, Centre, Delivery, FindingKind, Offering, ProcessingType, Source, ZipFile
from opilio.works.sharing.delivery_files import DeliveryFiles
from tests.permissions.table import AGENCY, ALL, Place, Rule, agency_wide, open_to

_SOURCES = Privilege.MANAGE_SOURCES
_DELIVERIES = Privilege.MANAGE_DELIVERIES
_NAMED = {"full_name": "A centre", "email": "centre@example.org"}


def _centre(place: Place, code: str = "J") -> Centre:
    return centres.create_centre(place.town.system, agency_id=place.agency.id, short_name=code, **_NAMED)


def _source(place: Place, code: str = "J") -> Source:
    return sources.create_source(
        place.town.system, centre_id=_centre(place, code).pk, protocol="folder", name="main", base_path="/srv/partner"
    )


def _delivery(place: Place, status: Status = Status.FAILED) -> int:
    return delivery_of(place, "J", status)


def delivery_of(place: Place, code: str, status: Status = Status.FAILED) -> int:
    """A delivery of a new centre that was fetched and stands at its schemas."""
    source, now = _source(place, code), place.town.clock.now()
    zipped = ZipFile.objects.create(file_name=f"{code}.2024-02-29.1.impc.zip", centre=source.centre)
    delivery = Delivery.objects.create(
        zip=zipped, todo=ProcessingType.objects.get(short_name="add"), profile="impc", first_seen=now,
        phase_id=Phase.SCHEMA, status_id=status,
    )  # fmt: skip
    offering = Offering.objects.create(delivery=delivery, source=source)
    Attempt.objects.create(
        offering=offering, request=now, received=now, folder="add/J/1", phase_id=Phase.SCHEMA, status_id=status
    )
    return int(delivery.pk)


def _sources(call: Any) -> Rule:
    return agency_wide(_SOURCES, call)


def _deliveries(call: Any) -> Rule:
    return agency_wide(_DELIVERIES, call)


def _shared(call: Any) -> Rule:
    """What all centres share: only a reach over everything will do."""
    return Rule(privilege=_SOURCES, call=call, reach={ALL: "own", AGENCY: "", None: ""}, objects="own")


def _kind() -> int:
    return int(FindingKind.objects.create(short_name="old").pk)


RULES: dict[str, Rule] = {
    "centre.create": _sources(lambda actor, place: centres.create_centre(
        actor, agency_id=place.agency.id, short_name="J", **_NAMED)),
    "centre.update": _sources(lambda actor, place: centres.update_centre(
        actor, centre_id=_centre(place).pk, version=1, phone="1")),
    "source.create": _sources(lambda actor, place: sources.create_source(
        actor, centre_id=_centre(place).pk, protocol="https", name="main", hostname="files.example.org")),
    "source.update": _sources(lambda actor, place: sources.update_source(
        actor, source_id=_source(place).pk, version=1, state="maintenance")),
    "finding_kind.describe": _shared(lambda actor, place: finding_kinds.describe_kind(
        actor, kind_id=_kind(), description="What it means.")),
    "finding_kind.delete": _shared(lambda actor, place: finding_kinds.delete_kind(actor, kind_id=_kind())),
    "session.start": Rule(
        privilege=Privilege.RUN_SESSION, call=lambda actor, place: sessions.start_session(actor),
        reach={ALL: "own", AGENCY: "own", None: ""}, objects="own",
    ),
    "delivery.expire": open_to(lambda actor, place: retention.expire(
        actor, files=DeliveryFiles(folder=Path("/nonexistent"))), ""),
    "tracker.import": open_to(lambda actor, place: dump.import_tables(
        actor, folder=Path("/nonexistent"), agency_id=place.agency.id), ""),
    "delivery.retry": _deliveries(lambda actor, place: deliveries.retry(actor, delivery_id=_delivery(place))),
    "delivery.revalidate": _deliveries(lambda actor, place: deliveries.revalidate(
        actor, delivery_id=_delivery(place))),
    "delivery.requeue": _deliveries(lambda actor, place: deliveries.requeue(actor, delivery_id=_delivery(place))),
    "delivery.cancel": _deliveries(lambda actor, place: deliveries.cancel(
        actor, delivery_id=_delivery(place, Status.DONE), reason="Not wanted.")),
    "delivery.undo": _deliveries(lambda actor, place: deliveries.undo(
        actor, delivery_id=_delivery(place), reason="Wrong.")),
    "delivery.hold": _deliveries(lambda actor, place: deliveries.hold(
        actor, delivery_id=_delivery(place), held=True, reason="A case.")),
}  # fmt: skip
