"""Who may open the pages of deliveries, sessions, findings, centres and sources."""

from typing import Any

from opilio.people.privileges import Privilege
from opilio.tracker.models import Delivery, Source
from tests.people import Town
from tests.permissions import rules_deliveries
from tests.permissions.page_table import Page
from tests.permissions.table import Place

_READERS = (
    Privilege.VIEW_DELIVERIES, Privilege.MANAGE_DELIVERIES, Privilege.MANAGE_SOURCES, Privilege.RUN_SESSION,
)  # fmt: skip


def _place(town: Town, agency: Any) -> Place:
    return Place(town=town, agency=agency, user=None)


def _delivery(town: Town, agency: Any) -> int:
    code = "J" if agency == town.library else "H"
    return rules_deliveries.delivery_of(_place(town, agency), code)


def _centre(town: Town, agency: Any) -> int:
    _delivery(town, agency)
    return int(Delivery.objects.order_by("-id")[0].zip.centre_id or 0)


def _source(town: Town, agency: Any) -> int:
    _delivery(town, agency)
    return int(Source.objects.order_by("-id")[0].pk)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "deliveries": Page(opens_to=_READERS),
    "all-deliveries": Page(opens_to=_READERS),
    "delivery": Page(opens_to=_READERS, object_of=_delivery),
    "delivery-records": Page(opens_to=_READERS, object_of=_delivery),
    "delivery-sessions": Page(opens_to=_READERS),
    "delivery-findings": Page(opens_to=_READERS),
    "document-findings": Page(opens_to=_READERS),
    "file-findings": Page(opens_to=_READERS),
    "finding-kinds": Page(opens_to=_READERS),
    "centres": Page(opens_to=_READERS),
    "centre": Page(opens_to=_READERS, object_of=_centre),
    "centre-report": Page(opens_to=_READERS, object_of=_centre),
    "delivery-sources": Page(opens_to=_READERS),
    "delivery-source": Page(opens_to=_READERS, object_of=_source),
}
#: Addresses that need no row: forms whose actions have their own table, and what tests/acceptance/deliveries shows.
ELSEWHERE: set[str] = {
    "decide-delivery", "delivery-document", "delivery-session", "finding-kind", "delete-finding-kind", "new-centre",
    "new-delivery-source", "run-delivery-session", "try-delivery-source", "pin-host-key",
}  # fmt: skip
