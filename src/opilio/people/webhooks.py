"""Messages to webhooks: written in the transaction of what they tell, so that none is lost and none tells a lie.

`announce` is called where something happens; an agent sends what it wrote (agents/webhooks.py) and notes here what
became of it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F, Q

from opilio.catalogue import identifiers
from opilio.jobs.payload import job
from opilio.jobs.queue import enqueue
from opilio.kernel.secret_box import SecretBox
from opilio.people.models import Agency, Delivery, Webhook, WebhookDelivery
from opilio.people.remembering import keep, once
from opilio.people.webhook_events import NAMES, page_of
from opilio.people.webhook_rules import AfterFailure

LONGEST_ANSWER = 4_000  # characters that are kept
_ATTEMPTS = 20  # of the job, where something else than the other side fails


@job(kind="people.send_webhook", max_attempts=_ATTEMPTS)
@dataclass(frozen=True, kw_only=True)
class SendWebhook:
    """Send one message to a webhook."""

    delivery: int


@dataclass(frozen=True, kw_only=True)
class News:
    """The row that an event is about, and what is told of it."""

    kind: str
    id: int
    name: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Tried:
    """What one try brought."""

    status: int | None = None  # None: there was no answer
    answer: str = ""
    error: str = ""  # empty: the other side took it
    milliseconds: int = 0


def announce(event: str, *, agency: int | None, news: Callable[[], News], now: datetime) -> int:
    """Tell every webhook that wants to hear it; within the caller's transaction. How many will be told.

    `news` is asked for only if there is somebody to tell.
    """
    if event not in NAMES:
        raise AssertionError(f"The event {event} is not in people/webhook_events.py.")
    hearers = [row for row in _hearers(agency) if event in row.events]
    if hearers:
        told = news()
        for row in hearers:
            write(row, event=event, agency=agency, news=told, now=now)
    return len(hearers)


def write(row: Webhook, *, event: str, agency: int | None, news: News, now: datetime) -> WebhookDelivery:
    """Write one message, and the job that sends it."""
    number = identifiers.take(WebhookDelivery.id_kind())
    body = {
        "id": str(number), "event": event, "at": now.isoformat(timespec="seconds"), "agency": _named(agency),
        "subject": _subject(news), "data": dict(news.data),
    }  # fmt: skip
    made = WebhookDelivery(
        id=number, webhook=row, event=event, subject_type=news.kind, subject_id=news.id, subject_name=news.name[:255],
        body=body, created=now, asked_at=now, next_at=now,
    )  # fmt: skip
    made.save(force_insert=True)
    hand_over(made.id, now)
    return made


def hand_over(delivery_id: int, now: datetime) -> None:
    """Have a message sent; a job that waits for it already is enough."""
    enqueue(SendWebhook(delivery=delivery_id), now=now, dedup_key=f"delivery-{delivery_id}")


def revive(now: datetime, *, silent_since: datetime, limit: int = 500) -> int:
    """Give messages that were due long ago, and that no job sends any more, another job; how many were due."""
    due = WebhookDelivery.objects.filter(state=Delivery.WAITING, next_at__lt=silent_since).order_by("next_at")
    found = list(due.values_list("id", flat=True)[:limit])
    for identifier in found:
        hand_over(identifier, now)
    return len(found)


def waiting(delivery_id: int) -> WebhookDelivery | None:
    """A message that is still to be sent, with its webhook."""
    rows = WebhookDelivery.objects.select_related("webhook", "webhook__agency")
    return rows.filter(id=delivery_id, state=Delivery.WAITING).first()


def note_sent(row: WebhookDelivery, tried: Tried, now: datetime) -> None:
    """The other side took it: the webhook is well again."""
    _note(row, tried, now, state=Delivery.SENT, next_at=None, ended_at=now)
    Webhook.everything.filter(id=row.webhook_id).update(failures=0, resting_until=None, troubled_at=None)


def note_failure(row: WebhookDelivery, tried: Tried, follows: AfterFailure, now: datetime) -> None:
    """A try failed; the webhook rests, and the message waits or is given up."""
    given_up = follows.next_at is None
    state = {"state": Delivery.FAILED, "ended_at": now} if given_up else {}
    _note(row, tried, now, next_at=follows.next_at, **state)
    Webhook.everything.filter(id=row.webhook_id).update(failures=F("failures") + 1, resting_until=follows.resting_until)


def give_up(row: WebhookDelivery, why: str, now: datetime) -> None:
    """Lay a message aside that was not tried now."""
    WebhookDelivery.objects.filter(id=row.id).update(
        state=Delivery.FAILED, error=why[:LONGEST_ANSWER], next_at=None, ended_at=now
    )


def sealed(webhook_id: int, secret: str) -> str:
    """A secret as it is stored with the webhook of this identifier."""
    return _box().seal(secret, place=_place(webhook_id))


def opened(row: Webhook) -> str:
    """The secret of a webhook, for signing and for nothing else."""
    return _box().open(row.secret, place=_place(row.id))


def _hearers(agency: int | None) -> list[Webhook]:
    return once(("webhooks", agency), lambda: _asked_hearers(agency))


def keep_hearers(agencies: Iterable[int]) -> None:
    """Ask for the webhooks together that `announce` will ask for agency by agency."""
    rows = list(Webhook.objects.filter(enabled=True).only("id", "events", "agency_id"))
    keep({("webhooks", agency): [row for row in rows if row.agency_id in (None, agency)] for agency in agencies})


def _asked_hearers(agency: int | None) -> list[Webhook]:
    everybody = Q(agency=None)
    reach = everybody if agency is None else everybody | Q(agency_id=agency)
    return list(Webhook.objects.filter(reach, enabled=True).only("id", "events"))


def _note(row: WebhookDelivery, tried: Tried, now: datetime, **changes: Any) -> None:
    WebhookDelivery.objects.filter(id=row.id).update(
        tries=row.tries + 1, status=tried.status, answer=tried.answer[:LONGEST_ANSWER],
        error=tried.error[:LONGEST_ANSWER], milliseconds=tried.milliseconds, tried_at=now, **changes,
    )  # fmt: skip


def _subject(news: News) -> dict[str, str]:
    link = settings.OPILIO.server_public_url.rstrip("/") + page_of(news.kind, news.id)
    return {"kind": news.kind, "id": str(news.id), "name": news.name, "link": link}


def _named(agency: int | None) -> dict[str, str] | None:
    found = Agency.everything.filter(id=agency or 0).values_list("name", flat=True).first()
    return None if agency is None else {"id": str(agency), "name": found or ""}


def _box() -> SecretBox:
    return SecretBox(settings.OPILIO.secrets_folder)


def _place(webhook_id: int) -> str:
    return f"webhook {webhook_id} secret"
