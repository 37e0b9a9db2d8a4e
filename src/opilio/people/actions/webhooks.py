"""Make and change webhooks, try them, send messages again; and switch off those that nobody answers."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from opilio.catalogue import identifiers
from opilio.crawl.fetch.guard import Guard
from opilio.kernel import urls
from opilio.kernel.errors import BadUrl, Conflict, InvalidInput
from opilio.people import webhooks
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.intray import Resource, close_tasks
from opilio.people.kinds import WEBHOOK
from opilio.people.models import Agency, Delivery, Webhook, WebhookDelivery
from opilio.people.privileges import Privilege, Subject
from opilio.people.webhook_events import EVENTS, NAMES, TEST
from opilio.people.webhook_signature import fresh_secret
from opilio.people.webhooks import News

FIELDS = ("name", "url", "events", "enabled")
STOPPED_TASK = "webhook-stopped"
_MANAGE = Privilege.MANAGE_WEBHOOKS


@action("webhook.create", "Make a webhook.", privilege=_MANAGE)
def create_webhook(
    act: Act, /, *, name: str, url: str, events: Sequence[str], agency_id: int | None = None, enabled: bool = True
) -> tuple[Webhook, str]:
    """The webhook and its secret, which is shown this once; without an agency it hears the events of all."""
    act.require(_MANAGE, Subject(agency=agency_id), "make a webhook there")
    if agency_id is not None and not Agency.objects.filter(id=agency_id).exists():
        raise InvalidFields({"agency": [f"There is no agency {agency_id}."]}, where=act.name)
    number, secret = identifiers.take(Webhook.id_kind()), fresh_secret()
    row = Webhook(
        id=number, name=name.strip(), url=_address(act, url), events=_events(act, events), agency_id=agency_id,
        enabled=enabled, secret=webhooks.sealed(number, secret),
    )  # fmt: skip
    return act.insert(row), secret


@action("webhook.update", "Change a webhook.", privilege=_MANAGE)
def update_webhook(act: Act, /, *, webhook_id: int, version: int, **fields: Any) -> Webhook:
    """What is named; switched on again, it begins afresh, and the task about it is done."""
    row = _row(act, webhook_id, "change")
    changes = {name: value for name, value in fields.items() if name in FIELDS}
    if "name" in changes:
        changes["name"] = changes["name"].strip()
    if "url" in changes:
        changes["url"] = _address(act, changes["url"])
    if "events" in changes:
        changes["events"] = _events(act, changes["events"])
    begins = changes.get("enabled", row.enabled) and not row.enabled
    if begins:
        changes |= {"failures": 0, "resting_until": None, "troubled_at": None, "stopped": ""}
    act.update(row, changes, version=version)
    if begins:
        close_tasks(kind=STOPPED_TASK, resource=resource(row.id))
    return row


@action("webhook.secret", "Give a webhook a new secret.", privilege=_MANAGE)
def renew_secret(act: Act, /, *, webhook_id: int) -> tuple[Webhook, str]:
    """The old one counts no more, also for messages that wait."""
    row, secret = _row(act, webhook_id, "renew the secret of"), fresh_secret()
    act.update(row, {"secret": webhooks.sealed(row.id, secret)}, message="Gave it a new secret.")
    return row, secret


@action("webhook.try", "Send a message that only tries a webhook.", privilege=_MANAGE)
def try_webhook(act: Act, /, *, webhook_id: int) -> WebhookDelivery:
    """It is sent at once, whatever events the webhook hears."""
    row, now = _row(act, webhook_id, "try"), act.clock.now()
    if not row.enabled:
        raise Conflict(
            f"The webhook {row.name} is switched off", where=act.name, remedy="Switch it on, then try it again."
        )
    Webhook.objects.filter(id=row.id).update(resting_until=None)
    news = News(kind=WEBHOOK.name, id=row.id, name=row.name)
    made = webhooks.write(row, event=TEST, agency=row.agency_id, news=news, now=now)
    act.record(row, message="Sent a message to try it.")
    return made


@action("webhook.send_again", "Send a message to a webhook again.", privilege=_MANAGE)
def send_again(act: Act, /, *, delivery_id: int) -> WebhookDelivery:
    """The same message with the same identifier, so that whoever had it knows it."""
    found = WebhookDelivery.objects.select_for_update(of=("self",)).filter(id=delivery_id).first()
    if found is None:
        raise NotFound(f"There is no message {delivery_id}", where=act.name, remedy="It may have been forgotten.")
    row, now = _row(act, found.webhook_id, "send messages again to"), act.clock.now()
    if found.state == Delivery.WAITING or not row.enabled:
        why = "waits to be sent already" if found.state == Delivery.WAITING else "belongs to a webhook that is off"
        raise Conflict(f"Message {found.id} {why}", where=act.name, remedy="Wait for it, or switch the webhook on.")
    WebhookDelivery.objects.filter(id=found.id).update(
        state=Delivery.WAITING, tries=0, asked_at=now, next_at=now, ended_at=None, error=""
    )
    Webhook.objects.filter(id=row.id).update(resting_until=None)
    webhooks.hand_over(found.id, now)
    act.record(row, message=f"Sent message {found.id} ({found.event}) again.")
    found.refresh_from_db()
    return found


def resource(webhook_id: int) -> Resource:
    """The webhook, as tasks and notifications name it."""
    return Resource(kind=WEBHOOK.name, id=webhook_id)


def _row(act: Act, webhook_id: int, verb: str) -> Webhook:
    row: Webhook = act.fetch(WEBHOOK, webhook_id)
    act.require(_MANAGE, WEBHOOK.subject(row), f"{verb} the webhook {row.name}")
    return row


def _events(act: Act, events: Sequence[str]) -> list[str]:
    unknown = sorted({str(name)[:64] for name in events} - NAMES)
    if unknown:
        raise InvalidFields({"events": [f"There is no event {name!r}." for name in unknown[:5]]}, where=act.name)
    if not events:
        raise InvalidFields({"events": ["Choose at least one event."]}, where=act.name)
    return [event.name for event in EVENTS if event.name in events]


def _address(act: Act, url: str) -> str:
    """An address that can be sent to, in WHATWG form; one that is private by its spelling is refused here already."""
    try:
        parts = urls.parse(url.strip())
    except BadUrl as error:
        raise InvalidFields({"url": [str(error)]}, where=act.name) from error
    faults = []
    if not parts.fetchable or not parts.host:
        faults.append("Write an address that begins with https:// or http://.")
    if parts.username or parts.password or parts.fragment:
        faults.append("Leave out user names, passwords and what follows #; messages are signed instead.")
    refusal = _refusal(parts.host)
    if refusal:
        faults.append(f"{refusal}; the setting webhook_allow_private says which private networks may be reached.")
    if faults:
        raise InvalidFields({"url": faults}, where=act.name)
    return parts.href


def _refusal(host: str) -> str:
    guard = Guard.allowing(settings.OPILIO.webhook_allow_private)
    try:
        return guard.refusal(host.removeprefix("[").removesuffix("]")) or ""
    except InvalidInput:
        return ""  # a name; its address is looked at when it is connected to
