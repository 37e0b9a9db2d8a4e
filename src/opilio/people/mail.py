"""E-mail: written to the outbox in the transaction that causes it; the job that sends it survives a restart."""

import datetime
import uuid
from dataclasses import asdict, dataclass
from typing import Any

from opilio.jobs.payload import job
from opilio.jobs.queue import enqueue
from opilio.people.models import OutboxMessage

_ATTEMPTS = 20


@job(kind="people.send_mail", max_attempts=_ATTEMPTS)
@dataclass(frozen=True, kw_only=True)
class SendMail:
    """Send one message of the outbox."""

    message: int  # identifier in the outbox


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """What a letter to somebody outside says beyond its address."""

    outside: bool = True  # carries no link to the in-tray, which the reader has not
    sender: str = ""  # in whose name; empty: the installation's
    reply_to: str = ""
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    secret: str = ""  # a part of the body that is forgotten once it was sent


INSIDE = Envelope(outside=False)


@dataclass(frozen=True, kw_only=True)
class Letter:
    """An e-mail as the sender needs it."""

    id: int
    to: str
    subject: str
    body: str
    message_id: str
    envelope: Envelope = INSIDE


def post(*, to: str, subject: str, body: str, now: datetime.datetime, envelope: Envelope = INSIDE) -> OutboxMessage:
    """Put an e-mail into the outbox; within the caller's transaction."""
    message = OutboxMessage(
        to=to, subject=" ".join(subject.split())[:255], body=body, created=now,
        message_id=f"<{uuid.uuid4().hex}@opilio>", envelope={} if envelope == INSIDE else asdict(envelope),
    )  # fmt: skip
    message.save()
    enqueue(SendMail(message=message.id), now=now)
    return message


def letter(message_id: int) -> Letter | None:
    """What is to be sent; None when it was sent, or given up, already."""
    row = OutboxMessage.objects.filter(id=message_id, sent_at=None, failed_at=None).first()
    if row is None:
        return None
    return Letter(
        id=row.id, to=row.to, subject=row.subject, body=row.body, message_id=row.message_id,
        envelope=_envelope(row.envelope),
    )  # fmt: skip


def mark_sent(message_id: int, now: datetime.datetime) -> None:
    """Note that the server took it; in the transaction that finishes the job."""
    row = OutboxMessage.objects.filter(id=message_id, sent_at=None).first()
    if row is None:
        return
    row.sent_at, row.last_error = now, ""
    secret = row.envelope.get("secret")
    if secret:
        row.body, row.envelope = row.body.replace(secret, "…"), {**row.envelope, "secret": ""}
    row.save(update_fields=["sent_at", "last_error", "body", "envelope"])


def note_failure(message_id: int, error: str, *, final: bool, now: datetime.datetime) -> None:
    """Note why it could not be sent; `final` when trying again is no use."""
    row = OutboxMessage.objects.filter(id=message_id).first()
    if row is not None:
        row.attempts, row.last_error = row.attempts + 1, error[:2_000]
        row.failed_at = now if final else None
        row.save(update_fields=["attempts", "last_error", "failed_at"])


def _envelope(stored: dict[str, Any]) -> Envelope:
    if not stored:
        return INSIDE
    return Envelope(**{**stored, "cc": tuple(stored.get("cc", ())), "bcc": tuple(stored.get("bcc", ()))})
