"""What all pages of one webhook have in common: its head, its tabs, how its state is told."""

from typing import TYPE_CHECKING, Any

from opilio.web.lists.declared import Tab

if TYPE_CHECKING:
    from opilio.people.models import Webhook, WebhookDelivery

PATH = "/admin/webhooks"
_TONES = {"waiting": "warn", "sent": "good", "failed": "bad"}


def frame(row: "Webhook", here: str) -> dict[str, Any]:
    """The context of a page of a webhook."""
    tabs = tuple(
        Tab(label=label, path=f"{PATH}/{row.pk}{below}", here=below == here)
        for label, below in (("Details", ""), ("Messages", "/messages"))
    )
    word, tone = standing(row)
    return {"row": row, "kind": "webhook", "title": row.name, "tabs": tabs, "state": word, "state_tone": tone}


def standing(row: "Webhook") -> tuple[str, str]:
    """How a webhook is, in a word, and the tone of that."""
    if not row.enabled:
        return ("stopped", "bad") if row.stopped else ("off", "quiet")
    if row.failures:
        return "failing", "warn"
    return "on", "good"


def message_tone(row: "WebhookDelivery") -> str:
    """The tone of the state of a message."""
    return _TONES[row.state]
