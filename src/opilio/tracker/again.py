"""Another attempt at what is here already: somebody asked for it, or a record has come that it waited for."""

from opilio.deliveries.states import Phase, Status
from opilio.tracker import findings, standing
from opilio.tracker.intake import Desk
from opilio.tracker.models import Attempt, Delivery
from opilio.tracker.standing import Telling


def opened(desk: Desk, session: int) -> int:
    """Open an attempt for each delivery that is to be taken in once more from what is here; how many."""
    wanted = Delivery.objects.filter(
        retried=True, profile=desk.profile.name, phase_id__gt=Phase.UNPACK,
        status_id__in=(Status.FAILED, Status.CANCELLED),
    )  # fmt: skip
    number = 0
    for delivery in wanted.order_by("id"):
        before = whole(delivery)
        if before is not None and desk.files.has(desk.place(before), before.sha256):
            reopened(before, session, desk.telling("Taken in once more from what is here."))
            number += 1
    return number


def whole(delivery: Delivery) -> Attempt | None:
    """The last attempt of which all is here."""
    rows = Attempt.objects.filter(offering__delivery=delivery, received__isnull=False, dropped=False).exclude(folder="")
    return rows.select_related("offering__delivery").order_by("-id").first()


def reopened(before: Attempt, session: int | None, telling: Telling) -> Attempt:
    """A new attempt with what an earlier one fetched; what was found wrong then does not count any more."""
    fresh = Attempt(
        offering=before.offering, session=session, revision=before.revision, request=telling.at,
        received=before.received, downloaded_size_bytes=before.downloaded_size_bytes, mark=before.mark,
        sha256=before.sha256, md5=before.md5, folder=before.folder, again=True,
    )  # fmt: skip
    fresh.save()
    findings.retired(before.offering.delivery)
    Delivery.objects.filter(pk=before.offering.delivery_id).update(retried=False)
    standing.attempt_told(fresh, Phase.CHECKSUM, Status.DONE, telling)
    return fresh
