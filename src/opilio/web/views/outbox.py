"""E-mail that was sent or waits."""

from typing import TYPE_CHECKING

from django.db.models import Q
from django.http.response import HttpResponseBase

from opilio.people.queries.records import outbox as messages_of
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Day, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.people.models import OutboxMessage

_STATES = {
    "waiting": ("Waiting", Q(sent_at=None, failed_at=None)),
    "sent": ("Sent", Q(sent_at__isnull=False)),
    "failed": ("Given up", Q(failed_at__isnull=False)),
}


def _state(row: "OutboxMessage") -> Cell:
    if row.sent_at:
        return Badge(text="sent", tone="good")
    return Badge(text="given up", tone="bad") if row.failed_at else Badge(text="waiting", tone="warn")


_COLUMNS: "tuple[Column[OutboxMessage], ...]" = (
    Column(name="subject", label="E-mail", cell=lambda row: Link(text=row.subject, note=row.last_error[:200])),
    Column(name="to", label="To", cell=lambda row: Text(text=row.to)),
    Column(name="state", label="State", cell=_state),
    Column(name="created", label="Written", cell=lambda row: Moment(at=row.created), sort="created"),
    Column(name="sent", label="Sent", cell=lambda row: Moment(at=row.sent_at)),
    Column(name="attempts", label="Attempts", cell=lambda row: Number(number=row.attempts), numeric=True),
    Column(name="error", label="Last error", cell=lambda row: Text(text=row.last_error), shown=False),
)
OUTBOX: "ListPage[OutboxMessage]" = ListPage(
    name="outbox", path="/admin/outbox", title="Outbox", words=("e-mail", "e-mails"), rows=messages_of,
    intro="E-mail is kept here until the mail server takes it. What it refuses for a while is tried again.",
    columns=_COLUMNS, order=("-created", "-id"),
    filters=(
        Words(columns=("to", "subject")), States(name="state", label="State", states=_STATES),
        Day(name="from", label="From", column="created"), Day(name="to", label="To", column="created", until=True),
    ),
    empty=Empty(title="No e-mail", text="Nobody asked to be told by e-mail yet; users choose so on their account page.",
                icon="mail"),
)  # fmt: skip


@section("outbox")
def outbox(request: PageRequest) -> HttpResponseBase:
    """All e-mail, newest first."""
    return show(request, OUTBOX)
