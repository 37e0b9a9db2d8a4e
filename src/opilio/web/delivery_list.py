"""The list of deliveries: its columns, filters and bulk actions."""

import datetime
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from opilio.deliveries.states import Phase, Status
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.tracker.actions import deliveries as actions
from opilio.tracker.queries import deliveries as query
from opilio.tracker.queries import sources
from opilio.tracker.queries.curtain import Curtain
from opilio.web.delivery_words import PATH, badge, status_word
from opilio.web.find_words import size
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Cell, Date, Link, Moment, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Day, Options, States, Words

if TYPE_CHECKING:
    from opilio.tracker.models import Delivery

LIST_PATH = f"{PATH}/all"
NOBODY = "none"  # value of the filter for deliveries without a known centre
_MANAGE = Privilege.MANAGE_DELIVERIES
_SHOWN = 160  # characters of a reason
_WHY = "Why?"


def _centre(row: "Delivery") -> Cell:
    return Text(text=row.zip.centre.short_name if row.zip.centre else "unknown", quiet=row.zip.centre is None)


def _marks(row: "Delivery") -> Cell:
    marks = (("held", row.held), ("tried again soon", row.retried))
    return Tags(texts=tuple(word for word, holds in marks if holds))


def _columns(curtain: Curtain) -> "tuple[Column[Delivery], ...]":
    def name(row: "Delivery") -> Cell:
        why = curtain.over(row.why)
        short = why if len(why) <= _SHOWN else f"{why[:_SHOWN]}…"
        return Link(text=row.zip.file_name, url=f"{PATH}/{row.pk}", note=short)

    return (
        Column(name="file", label="Delivery", sort="zip__file_name", cell=name),
        Column(name="action", label="Action", sort="todo__short_name", cell=lambda row: Text(text=row.todo.short_name)),
        Column(name="centre", label="Centre", sort="zip__centre__short_name", cell=_centre),
        Column(name="phase", label="Phase", sort="phase_id", cell=lambda row: Text(text=Phase(row.phase_id).title)),
        Column(name="status", label="Status", sort="status_id", cell=badge),
        Column(name="marks", label="Marks", cell=_marks),
        Column(name="seen", label="First seen", sort="first_seen", cell=lambda row: Moment(at=row.first_seen)),
        Column(name="changed", label="Last change", sort="last_update", cell=lambda row: Moment(at=row.last_update)),
        Column(name="size", label="Size", sort="zip__size_bytes", numeric=True, shown=False,
               cell=lambda row: Text(text=size(row.zip.size_bytes) if row.zip.size_bytes is not None else "")),
        Column(name="date", label="Date in its name", sort="zip__created", shown=False,
               cell=lambda row: Date(on=row.zip.created, never="")),
        Column(name="profile", label="Profile", shown=False, cell=lambda row: Text(text=row.profile)),
        Column(name="sha256", label="SHA-256", shown=False,
               cell=lambda row: Text(text=row.zip.content_sha256, code=True)),
        Column(name="why", label="Why", shown=False, cell=lambda row: Text(text=curtain.over(row.why))),
        Column(name="number", label="Number", sort="id", shown=False, cell=lambda row: Text(text=str(row.pk))),
    )  # fmt: skip


_BULK = (
    Bulk(name="retry", label="Retry", icon="rotate-ccw", done="tried again in the next session", privilege=_MANAGE,
         warning="What did not come whole is fetched again, the rest is taken in again from what is here.",
         run=lambda actor, row: actions.retry(actor, delivery_id=row.pk)),
    Bulk(name="revalidate", label="Take in again", icon="refresh-cw", done="taken in again in the next session",
         privilege=_MANAGE, warning="They are unpacked, validated and loaded anew from what is here.",
         run=lambda actor, row: actions.revalidate(actor, delivery_id=row.pk)),
    Bulk(name="requeue", label="Fetch again", icon="hard-drive-download", done="fetched again in the next session",
         privilege=_MANAGE, warning="What is here of them is not used any more.",
         run=lambda actor, row: actions.requeue(actor, delivery_id=row.pk)),
    Bulk(name="cancel", label="Give up", icon="ban", done="given up", privilege=_MANAGE, danger=True, asks=_WHY,
         warning="No session does anything with them, until somebody retries them.",
         run=lambda actor, row, reason: actions.cancel(actor, delivery_id=row.pk, reason=reason)),
    Bulk(name="hold", label="Hold", icon="lock", done="held", privilege=_MANAGE, asks=_WHY,
         warning="No rule of retention removes anything of them.",
         run=lambda actor, row, reason: actions.hold(actor, delivery_id=row.pk, held=True, reason=reason)),
    Bulk(name="release", label="Let go", icon="lock-open", done="let go", privilege=_MANAGE, asks=_WHY,
         warning="The rules of retention count for them again.",
         run=lambda actor, row, reason: actions.hold(actor, delivery_id=row.pk, held=False, reason=reason)),
)  # fmt: skip
_PHASES = {phase.name.lower(): (phase.title, Q(phase_id=phase)) for phase in Phase}
_STATUSES = {status_word(status): (status_word(status).capitalize(), Q(status_id=status)) for status in Status}
_MARKS = {"held": ("Held", Q(held=True)), "again": ("Tried again soon", Q(retried=True))}


class CentreChoice(Choice):
    """Deliveries of a centre, or of none that is known."""

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        if value == NOBODY:
            return rows.filter(**{f"{self.column}__isnull": True})
        return super().narrowed(rows, value, zone)


class KindChoice(Choice):
    """Deliveries in which there is a document of a kind."""

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        return query.with_kind(rows, value)


def centre_options(actor: Actor) -> Options:
    """Centres to choose from; whoever sees everything may also look for deliveries of nobody."""
    found = [(str(number), label) for number, label in sources.centre_choices(actor)]
    return [*found, (NOBODY, "No known centre")] if query.agencies(actor) is None and found else found


DELIVERIES: "ListPage[Delivery]" = ListPage(
    name="deliveries", path=LIST_PATH, title="All deliveries", words=("delivery", "deliveries"),
    rows=query.deliveries, intro="Every file that partners offered, each with its action, and where it stands.",
    columns=(), order=("-id",), bulk=_BULK,
    filters=(
        Words(columns=("zip__file_name", "why")),
        CentreChoice(name="centre", label="Centre", column="zip__centre_id", offered=centre_options),
        States(name="phase", label="Phase", states=_PHASES),
        States(name="status", label="Status", states=_STATUSES),
        Choice(name="action", label="Action", column="todo__short_name",
               offered=lambda actor: [(name, name) for name in sources.action_names()]),
        KindChoice(name="kind", label="With documents of", column="",
               offered=lambda actor: [(name, name) for name in sources.document_kinds(actor)]),
        States(name="mark", label="Mark", states=_MARKS),
        Day(name="from", label="First seen from", column="first_seen"),
        Day(name="until", label="First seen until", column="first_seen", until=True),
    ),
    empty=Empty(title="No delivery yet", icon="truck",
                text="Make a centre and a source, then run a session: what partners offer then stands here."),
)  # fmt: skip


def page_for(actor: Actor) -> "ListPage[Delivery]":
    """The list as one asker may read it."""
    return replace(DELIVERIES, columns=_columns(Curtain.of(actor)))
