"""The table of who may do what with webhooks."""

from typing import Any

from opilio.people.actions import webhook_trouble, webhooks
from opilio.people.models import Delivery, WebhookDelivery
from opilio.people.privileges import Privilege
from tests.permissions.table import Place, Rule, agency_wide, open_to

_MANAGE = Privilege.MANAGE_WEBHOOKS
_URL = "https://hooks.example.org/opilio"


def _webhook(place: Place) -> Any:
    return webhooks.create_webhook(
        place.town.system, name="Notes", url=_URL, events=["task.created"], agency_id=place.agency.id
    )[0]


def _sent(place: Place) -> int:
    made = webhooks.try_webhook(place.town.system, webhook_id=_webhook(place).id)
    WebhookDelivery.objects.filter(id=made.id).update(state=Delivery.SENT)
    return int(made.id)


RULES: dict[str, Rule] = {
    "webhook.create": agency_wide(_MANAGE, lambda actor, place: webhooks.create_webhook(
        actor, name="Notes", url=_URL, events=["task.created"], agency_id=place.agency.id)),
    "webhook.update": agency_wide(_MANAGE, lambda actor, place: webhooks.update_webhook(
        actor, webhook_id=_webhook(place).id, version=1, name="Other")),
    "webhook.secret": agency_wide(_MANAGE, lambda actor, place: webhooks.renew_secret(
        actor, webhook_id=_webhook(place).id)),
    "webhook.try": agency_wide(_MANAGE, lambda actor, place: webhooks.try_webhook(
        actor, webhook_id=_webhook(place).id)),
    "webhook.send_again": agency_wide(_MANAGE, lambda actor, place: webhooks.send_again(
        actor, delivery_id=_sent(place))),
    "webhook.give_up": open_to(lambda actor, place: webhook_trouble.tell_given_up(
        actor, webhook_id=_webhook(place).id, event="task.created", why="."), ""),
    "webhook.stop": open_to(lambda actor, place: webhook_trouble.stop_webhook(
        actor, webhook_id=_webhook(place).id, why="."), ""),
}  # fmt: skip
