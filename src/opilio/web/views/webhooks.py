"""Webhooks: the list, a new one, one of them, its secret, a message that tries it."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST

from opilio.people.actions.rows import delete_row
from opilio.people.actions.webhooks import create_webhook, renew_secret, try_webhook, update_webhook
from opilio.people.actor import Actor
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.people.queries import webhooks as queries
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.forms.webhooks import NewWebhookForm, WebhookForm
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.webhook_page import PATH, frame, standing

if TYPE_CHECKING:
    from opilio.people.models import Webhook

_MANAGE = Privilege.MANAGE_WEBHOOKS
_FIELDS = ("name", "url", "events", "enabled")
_STATES = {
    "on": ("On", Q(enabled=True)),
    "failing": ("Failing", Q(enabled=True, failures__gt=0)),
    "off": ("Off", Q(enabled=False)),
}


def _state(row: "Webhook") -> Cell:
    word, tone = standing(row)
    return Badge(text=word, tone=tone)


_COLUMNS: "tuple[Column[Webhook], ...]" = (
    Column(name="name", label="Webhook", sort="name",
           cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.pk}", note=row.url[:200])),
    Column(name="state", label="State", cell=_state),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name if row.agency else "all")),
    Column(name="events", label="Events", cell=lambda row: Tags(texts=tuple(row.events))),
    Column(name="waiting", label="Waiting", numeric=True, cell=lambda row: Number(number=row.waiting)),  # type: ignore[attr-defined]  # counted by the query
    Column(name="failed", label="Failed", numeric=True, cell=lambda row: Number(number=row.failed)),  # type: ignore[attr-defined]  # as above
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
WEBHOOKS: "ListPage[Webhook]" = ListPage(
    name="webhooks", path=PATH, title="Webhooks", words=("webhook", "webhooks"), rows=queries.webhooks,
    intro="Addresses of other programs that are told, in signed messages, what happens here.",
    columns=_COLUMNS, order=("name", "id"),
    filters=(Words(columns=("name", "url")), States(name="state", label="State", states=_STATES)),
    new=New(label="New webhook", path=f"{PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="Messages that wait are given up. Deleted webhooks can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="webhook", row_id=row.pk)),
    ),
    empty=Empty(title="No webhook yet", icon="webhook",
                text="Make one, and another program hears of harvests, permissions and tasks as they happen."),
)  # fmt: skip


@section("webhooks")
def webhooks(request: PageRequest) -> HttpResponseBase:
    """The webhooks that the asker manages."""
    return show(request, WEBHOOKS)


@section("webhooks")
def new_webhook(request: PageRequest) -> HttpResponse:
    """Make a webhook; its secret is shown once, on the answer itself."""
    made: list[tuple[Webhook, str]] = []

    def save(data: dict[str, Any]) -> str:
        made.append(create_webhook(request.actor, agency_id=data.pop("agency"), **data))
        return PATH

    form = NewWebhookForm(
        request, agencies=agencies_where(request.actor, _MANAGE), everywhere=_everywhere(request.actor),
        initial={"agency": request.actor.agency, "enabled": True},
    )  # fmt: skip
    page = FormPage(title="New webhook", back=PATH, button="Make webhook")
    shown = answer(request, form, page, save=save)
    return _secret_shown(request, *made[0]) if made else shown


@section("webhooks")
def webhook(request: PageRequest, webhook_id: int) -> HttpResponse:
    """One webhook."""
    row = queries.webhook(request.actor, webhook_id)
    values = {name: getattr(row, name) for name in _FIELDS}

    def save(data: dict[str, Any]) -> str:
        update_webhook(request.actor, webhook_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    page = FormPage(title=row.name, back=PATH, template="web/webhooks/webhook.html", context=frame(row, ""))
    form = WebhookForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("webhooks")
@require_http_methods(["GET", "HEAD", "POST"])
def secret(request: PageRequest, webhook_id: int) -> HttpResponse:
    """Ask, then give a webhook a new secret, which is shown once."""
    row = queries.webhook(request.actor, webhook_id)
    if request.method == "POST":
        return _secret_shown(request, *renew_secret(request.actor, webhook_id=row.pk))
    return render(request, "web/webhooks/renew.html", frame(row, "-"))


@section("webhooks")
@require_POST
def attempt(request: PageRequest, webhook_id: int) -> HttpResponse:
    """Send a message that only tries the webhook."""
    row = queries.webhook(request.actor, webhook_id)
    made = try_webhook(request.actor, webhook_id=row.pk)
    messages.success(request, "A message is on its way; reload this page to see what became of it.")
    return HttpResponseRedirect(f"{PATH}/messages/{made.pk}")


def _secret_shown(request: PageRequest, row: "Webhook", text: str) -> HttpResponse:
    response = render(request, "web/webhooks/secret.html", {**frame(row, "-"), "secret": text})
    add_never_cache_headers(response)
    return response


def _everywhere(actor: Actor) -> bool:
    return actor.may(_MANAGE, SYSTEM_WIDE)
