"""Webhooks of a town, and an agent's hands that send what waits, for tests of whatever makes events."""

from dataclasses import replace
from datetime import timedelta

from opilio.agents import runners
from opilio.agents.context import RunContext
from opilio.agents.runners import RUNNERS
from opilio.jobs import claims
from opilio.people.actions.webhooks import create_webhook
from opilio.people.models import Webhook, WebhookDelivery
from opilio.people.webhook_events import EVENTS
from tests.people import Town

KIND = "people.send_webhook"
LEASE = timedelta(minutes=1)
EVERYTHING = tuple(event.name for event in EVENTS)
OUTSIDE = "https://hooks.example.org/opilio"


class PostOffice:
    """Makes webhooks in a town and sends messages as an agent would."""

    def __init__(self, town: Town, settings, *, clock=None) -> None:
        self.town = town
        self.clock = clock or town.clock
        settings.OPILIO = replace(settings.OPILIO, webhook_allow_private=("127.0.0.0/8",), webhook_timeout=20.0)

    def webhook(self, url=OUTSIDE, *, name="Notes", events=EVERYTHING, agency=None):
        """A webhook; its secret is kept in `secret`."""
        row, self.secret = create_webhook(
            self.town.system, name=name, url=url, events=events, agency_id=agency.id if agency else None
        )
        return row

    def take(self):
        """Claim what is due, as an agent."""
        due = claims.claim(owner="agent", limit=100, now=self.clock.now(), lease=LEASE, kinds=[KIND])
        return [RunContext(one, clock=self.clock, lease=LEASE) for one in due]

    def send(self):
        """Do every job that is due, once; how many there were."""
        due = self.take()
        for context in due:
            runners.run(RUNNERS, context)
            if not context.finished:
                claims.complete(context.claimed, now=self.clock.now())
        return len(due)

    def later(self, **time):
        """Let time pass, then send what is due."""
        self.clock.advance(timedelta(**time).total_seconds())
        return self.send()

    @staticmethod
    def told():
        """The events that messages were written of, oldest first."""
        return list(WebhookDelivery.objects.order_by("id").values_list("event", flat=True))

    @staticmethod
    def message(event=""):
        """The newest message, or the newest of an event."""
        rows = WebhookDelivery.objects.order_by("-id")
        return (rows.filter(event=event) if event else rows).first()

    @staticmethod
    def now(row):
        """The webhook as it is now."""
        return Webhook.everything.get(pk=row.pk)
