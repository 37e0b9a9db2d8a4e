"""What people decide about deliveries: try again, take in again, cancel, take back, hold."""

from opilio.deliveries.states import Phase, Status
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.privileges import Privilege
from opilio.tracker import again, record_store, standing
from opilio.tracker.belonging import subject_of
from opilio.tracker.errors import NotInThisStanding
from opilio.tracker.models import Attempt, Delivery, XmlDocument
from opilio.tracker.standing import Telling

_LONGEST = 4_000


@action("delivery.retry", "Try a delivery again that failed.", privilege=Privilege.MANAGE_DELIVERIES)
def retry(act: Act, /, *, delivery_id: int) -> Delivery:
    """In the next session: fetched again if it did not come whole, else taken in again from what is here."""
    row = _fetched(act, delivery_id, "retry")
    if row.status_id not in (Status.FAILED, Status.CANCELLED) or row.phase_id == Phase.NAME:
        raise _refused(row, "It did not fail, or its name is wrong", "Only what failed after its name can be retried.")
    return _wanted(act, row, "It is tried again in the next session.")


@action("delivery.revalidate", "Take a delivery in again from what is here.", privilege=Privilege.MANAGE_DELIVERIES)
def revalidate(act: Act, /, *, delivery_id: int) -> Delivery:
    """As after a change of schemas or rules: documents are validated, loaded and judged as a new attempt."""
    row = _fetched(act, delivery_id, "revalidate")
    if again.whole(row) is None or row.status_id == Status.CANCELLED:
        raise _refused(row, "Nothing of it is here", "Requeue it, so that it is fetched again.")
    _again(act, row, "Taken in again, as somebody asked.")
    return row


@action("delivery.requeue", "Fetch a delivery again.", privilege=Privilege.MANAGE_DELIVERIES)
def requeue(act: Act, /, *, delivery_id: int) -> Delivery:
    """What is here of it is not used any more; it comes again with the next session."""
    row = _fetched(act, delivery_id, "requeue")
    if row.phase_id == Phase.NAME:
        raise _refused(row, "Its name does not conform", "Ask its centre to name it rightly.")
    Attempt.objects.filter(offering__delivery=row).update(dropped=True)
    return _wanted(act, row, "It is fetched again in the next session.")


@action("delivery.cancel", "Give a delivery up, for a reason.", privilege=Privilege.MANAGE_DELIVERIES)
def cancel(act: Act, /, *, delivery_id: int, reason: str) -> Delivery:
    """It stays as it is: no session does anything with it, until somebody retries it."""
    row = _fetched(act, delivery_id, "cancel")
    if not reason.strip():
        raise InvalidFields({"reason": ["Say why."]}, where=act.name)
    if row.status_id in (Status.FAILED, Status.CANCELLED):
        raise _refused(row, "It is over already", "Only what goes on can be given up.")
    telling = _telling(act, reason)
    attempt = Attempt.objects.filter(offering__delivery=row).order_by("-id").first()
    if attempt is None:
        standing.delivery_told(row, Phase(row.phase_id), Status.CANCELLED, telling)
    else:
        for document in attempt.documents.exclude(status_id=Status.FAILED):
            standing.document_told(document, Phase(document.phase_id), Status.CANCELLED, telling)
        standing.attempt_told(attempt, Phase(attempt.phase_id), Status.CANCELLED, telling)
    act.record(row, message=reason[:_LONGEST])
    row.refresh_from_db()
    return row


@action("delivery.undo", "Take back what a delivery brought.", privilege=Privilege.MANAGE_DELIVERIES)
def undo(act: Act, /, *, delivery_id: int, reason: str) -> int:
    """Records go back to the versions before; those that later deliveries changed stay. How many went back."""
    row = _fetched(act, delivery_id, "take back")
    if not reason.strip():
        raise InvalidFields({"reason": ["Say why."]}, where=act.name)
    documents = XmlDocument.objects.filter(attempt__offering__delivery=row).order_by("-id")
    changed = sum(record_store.undone(document) for document in documents)
    act.record(row, message=f"{changed} records were taken back: {reason}"[:_LONGEST])
    return changed


@action("delivery.hold", "Keep a delivery from being removed, or let go of it.", privilege=Privilege.MANAGE_DELIVERIES)
def hold(act: Act, /, *, delivery_id: int, held: bool, reason: str) -> Delivery:
    """A legal hold: no rule of retention removes anything of it."""
    row = _fetched(act, delivery_id, "hold")
    if not reason.strip():
        raise InvalidFields({"reason": ["Say why."]}, where=act.name)
    Delivery.objects.filter(pk=row.pk).update(held=held)
    act.record(row, message=f"{'Held' if held else 'Let go'}: {reason}"[:_LONGEST])
    row.refresh_from_db()
    return row


def _fetched(act: Act, delivery_id: int, verb: str) -> Delivery:
    row = Delivery.objects.select_for_update(of=("self",)).select_related("zip__centre", "todo")
    found = row.filter(pk=delivery_id).first()
    if found is None:
        raise NotFound(
            f"There is no delivery {delivery_id}", where=act.name, remedy="`opilio delivery status` lists them."
        )
    act.require(Privilege.MANAGE_DELIVERIES, subject_of(found), f"{verb} the delivery {found.zip.file_name}")
    return found


def _wanted(act: Act, row: Delivery, message: str) -> Delivery:
    Delivery.objects.filter(pk=row.pk).update(retried=True)
    act.record(row, message=message)
    row.refresh_from_db()
    return row


def _again(act: Act, row: Delivery, why: str) -> None:
    before = again.whole(row)
    if before is not None:
        again.reopened(before, None, _telling(act, why))
    act.record(row, message=why)


def _telling(act: Act, why: str) -> Telling:
    return Telling(at=act.clock.now(), by=act.actor.username, why=why.strip()[:_LONGEST])


def _refused(row: Delivery, what: str, remedy: str) -> NotInThisStanding:
    return NotInThisStanding(what, where=str(row), remedy=remedy)
