"""Does the job SendWebhook: signs one message, hands it over, and notes what became of it.

A message whose webhook rests waits with it; what failed is tried again at the time that is written beside it, so that
neither restarts nor takings-over count as tries.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from opilio.agents.context import RunContext
from opilio.crawl.fetch.guard import Guard
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.people import webhook_post, webhook_rules, webhooks
from opilio.people.actions.webhook_trouble import stop_webhook, tell_given_up
from opilio.people.actor import system
from opilio.people.webhook_post import Way
from opilio.people.webhook_rules import AfterFailure
from opilio.people.webhook_signature import SIGNATURE, signature
from opilio.people.webhooks import SendWebhook, Tried

if TYPE_CHECKING:
    from opilio.people.models import WebhookDelivery

_log = logger(__name__)


def send_webhook(payload: SendWebhook, context: RunContext) -> None:
    """Send the message, put it off, or give it up; it counts as sent in the transaction that finishes the job."""
    row = webhooks.waiting(payload.delivery)
    if row is None:
        return
    now = context.clock.now()
    unsendable = _unsendable(row, now)
    if unsendable:
        _lay_aside(row, unsendable, context)
        return
    later = max((at for at in (row.next_at, row.webhook.resting_until) if at is not None), default=now)
    if later > now:
        context.put_off(later)
        return
    context.heartbeat()  # whoever lost the job does not send it
    tried = _tried(row, context)
    if tried.error:
        _failed(row, tried, context)
    else:
        with context.finishing():
            webhooks.note_sent(row, tried, context.clock.now())


def _unsendable(row: "WebhookDelivery", now: datetime) -> str:
    if row.webhook.deleted or not row.webhook.enabled:
        return "The webhook was switched off or deleted before the message was sent."
    if webhook_rules.too_old(row.asked_at, now):
        return "The webhook took no message for a day."
    return ""


def _tried(row: "WebhookDelivery", context: RunContext) -> Tried:
    known = settings.OPILIO
    body, at = webhook_post.as_bytes(row.body), int(context.clock.now().timestamp())
    try:
        way = Way(
            guard=Guard.allowing(known.webhook_allow_private), timeout=known.webhook_timeout,
            ca_file=known.webhook_ca_file,
        )  # fmt: skip
        headers = {
            "Content-Type": "application/json", "Opilio-Event": row.event, "Opilio-Message": str(row.id),
            SIGNATURE: signature(webhooks.opened(row.webhook), body, at=at),
        }  # fmt: skip
    except OpilioError as error:
        return Tried(error=f"It could not be signed or sent: {error}")
    return webhook_post.post(row.webhook.url, body, headers, way=way, clock=context.clock)


def _failed(row: "WebhookDelivery", tried: Tried, context: RunContext) -> None:
    now = context.clock.now()
    follows = webhook_rules.after_failure(
        tries=row.tries + 1, failures=row.webhook.failures + 1, asked_at=row.asked_at, now=now, status=tried.status
    )
    if follows.next_at is None:
        with context.finishing():
            _note(row, tried, follows, context)
    else:
        with transaction.atomic():
            _note(row, tried, follows, context)
            context.put_off(follows.next_at)


def _note(row: "WebhookDelivery", tried: Tried, follows: AfterFailure, context: RunContext) -> None:
    actor = system(name="webhooks", clock=context.clock)
    webhooks.note_failure(row, tried, follows, context.clock.now())
    _log.warning("webhook_failed", delivery=row.id, webhook=row.webhook.name, tries=row.tries + 1, error=tried.error)
    if follows.next_at is None:
        tell_given_up(actor, webhook_id=row.webhook_id, event=row.event, why=tried.error)
    if follows.stop:
        stop_webhook(actor, webhook_id=row.webhook_id, why=tried.error)


def _lay_aside(row: "WebhookDelivery", why: str, context: RunContext) -> None:
    with context.finishing():
        webhooks.give_up(row, why, context.clock.now())
        if row.webhook.enabled and not row.webhook.deleted:
            tell_given_up(system(name="webhooks", clock=context.clock), webhook_id=row.webhook_id, event=row.event,
                          why=why)  # fmt: skip
