"""Who may open the pages of webhooks."""

from typing import Any

from opilio.people.actions.webhooks import create_webhook, try_webhook
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page

_MANAGERS = (Privilege.MANAGE_WEBHOOKS,)


def _webhook(town: Town, agency: Any) -> int:
    made, _ = create_webhook(
        town.system, name=f"Notes of {agency}", url="https://hooks.example.org/", events=["task.created"],
        agency_id=agency.id,
    )  # fmt: skip
    return int(made.id)


def _message(town: Town, agency: Any) -> int:
    return int(try_webhook(town.system, webhook_id=_webhook(town, agency)).id)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "webhooks": Page(opens_to=_MANAGERS),
    "new-webhook": Page(opens_to=_MANAGERS),
    "webhook": Page(opens_to=_MANAGERS, object_of=_webhook),
    "webhook-secret": Page(opens_to=_MANAGERS, object_of=_webhook),
    "webhook-messages": Page(opens_to=_MANAGERS, object_of=_webhook),
    "webhook-message": Page(opens_to=_MANAGERS, object_of=_message),
}
#: Addresses that need no row: forms whose actions have their own table.
ELSEWHERE: set[str] = {"try-webhook", "send-again"}
