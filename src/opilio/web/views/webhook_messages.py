"""The messages to a webhook: the list, one of them with what was said and answered, and sending it again."""

import dataclasses
import json
from typing import TYPE_CHECKING

from django.contrib import messages as toasts
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.people.actions.webhooks import send_again
from opilio.people.queries import webhooks as queries
from opilio.people.webhook_events import EVENTS, TEST
from opilio.people.webhook_rules import MOST_TRIES
from opilio.web.links import path_of
from opilio.web.lists.cells import Badge, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Day, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.webhook_page import PATH, frame, message_tone

if TYPE_CHECKING:
    from opilio.people.models import WebhookDelivery

_STATES = [("waiting", "Waiting"), ("sent", "Sent"), ("failed", "Failed")]
_COLUMNS: "tuple[Column[WebhookDelivery], ...]" = (
    Column(name="event", label="Message", sort="event",
           cell=lambda row: Link(text=row.event, url=f"{PATH}/messages/{row.pk}", note=row.error[:200])),
    Column(name="subject", label="About", cell=lambda row: Link(
        text=row.subject_name, url=path_of(row.subject_type, row.subject_id))),
    Column(name="state", label="State", cell=lambda row: Badge(text=row.state, tone=message_tone(row))),
    Column(name="created", label="Happened", cell=lambda row: Moment(at=row.created), sort="created"),
    Column(name="tries", label="Tries", numeric=True, cell=lambda row: Number(number=row.tries)),
    Column(name="next", label="Next try", cell=lambda row: Moment(at=row.next_at)),
    Column(name="status", label="Answer", numeric=True, cell=lambda row: Text(text=str(row.status or "–"))),
    Column(name="time", label="ms", numeric=True, shown=False,
           cell=lambda row: Text(text=str(row.milliseconds if row.milliseconds is not None else "–"))),
    Column(name="error", label="Error", shown=False, cell=lambda row: Text(text=row.error)),
)  # fmt: skip
_FILTERS = (
    Words(columns=("subject_name", "error")),
    Choice(name="state", label="State", column="state", offered=lambda actor: _STATES),
    Choice(name="event", label="Event", column="event",
           offered=lambda actor: [(name, name) for name in (*(event.name for event in EVENTS), TEST)]),
    Day(name="from", label="From", column="created"),
    Day(name="to", label="To", column="created", until=True),
)  # fmt: skip
MESSAGES: "ListPage[WebhookDelivery]" = ListPage(
    name="webhook-messages", path=PATH, title="Messages", words=("message", "messages"),
    intro=f"What it was told, or is to be told. What is not taken is tried up to {MOST_TRIES} times within a day.",
    rows=lambda actor: queries.deliveries(actor, 0), columns=_COLUMNS, order=("-created", "-id"), filters=_FILTERS,
    empty=Empty(title="No message", icon="send", text="Nothing happened yet that it hears of; send one to try it."),
)  # fmt: skip


@section("webhooks")
def messages(request: PageRequest, webhook_id: int) -> HttpResponseBase:
    """All messages to a webhook, newest first."""
    row = queries.webhook(request.actor, webhook_id)
    page = dataclasses.replace(
        MESSAGES, path=f"{PATH}/{row.pk}/messages", title=f"{row.name}: messages", tabs=frame(row, "/messages")["tabs"],
        rows=lambda actor: queries.deliveries(actor, row.pk),
    )  # fmt: skip
    return show(request, page)


@section("webhooks")
@require_safe
def message(request: PageRequest, delivery_id: int) -> HttpResponse:
    """One message: what it says, and what was answered."""
    found = queries.delivery(request.actor, delivery_id)
    context = {
        **frame(queries.webhook(request.actor, found.webhook_id), "/messages"), "message": found,
        "body": json.dumps(found.body, indent=2, ensure_ascii=False), "message_tone": message_tone(found),
        "subject_path": path_of(found.subject_type, found.subject_id), "most": MOST_TRIES,
    }  # fmt: skip
    return render(request, "web/webhooks/message.html", context)


@section("webhooks")
@require_POST
def again(request: PageRequest, delivery_id: int) -> HttpResponse:
    """Send a message again."""
    found = queries.delivery(request.actor, delivery_id)
    send_again(request.actor, delivery_id=found.pk)
    toasts.success(request, "It is on its way again; reload this page to see what became of it.")
    return HttpResponseRedirect(f"{PATH}/messages/{found.pk}")
