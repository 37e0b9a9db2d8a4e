"""Webhooks and the messages to them, as far as the asker manages them."""

from django.db.models import Count, Q, QuerySet

from opilio.people.actor import Actor
from opilio.people.models import Delivery, Webhook, WebhookDelivery
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one, visible


def webhooks(actor: Actor) -> QuerySet[Webhook]:
    """The webhooks that the asker manages, each with its numbers of messages that wait and that failed."""
    rows = Webhook.objects.select_related("agency", "updated_by").annotate(
        waiting=Count("deliveries", filter=Q(deliveries__state=Delivery.WAITING)),
        failed=Count("deliveries", filter=Q(deliveries__state=Delivery.FAILED)),
    )
    return visible(rows, actor, Privilege.MANAGE_WEBHOOKS, agency_path="agency_id")


def webhook(actor: Actor, identifier: int) -> Webhook:
    """One of them, or `NotFound`."""
    return one(webhooks(actor), "webhook", identifier)


def deliveries(actor: Actor, webhook_id: int) -> QuerySet[WebhookDelivery]:
    """The messages to a webhook that the asker manages, newest first."""
    webhook(actor, webhook_id)
    return WebhookDelivery.objects.select_related("webhook").filter(webhook_id=webhook_id)


def delivery(actor: Actor, identifier: int) -> WebhookDelivery:
    """One message to a webhook that the asker manages, or `NotFound`."""
    rows = WebhookDelivery.objects.select_related("webhook").filter(webhook__deleted=False)
    mine = visible(rows, actor, Privilege.MANAGE_WEBHOOKS, agency_path="webhook__agency_id")
    return one(mine, "message", identifier)
