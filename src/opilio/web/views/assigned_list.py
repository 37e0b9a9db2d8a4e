"""The list of targets that the asker was asked to see to, with what is overdue."""

import datetime
from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.curation.queries.groups import assigned_targets
from opilio.curation.words import State, tone_of
from opilio.people.actor import Actor
from opilio.web.lists.cells import Badge, Button, Buttons, Cell, Link, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import States, Words
from opilio.web.views.intray_lists import ASSIGNED, tabs
from opilio.web.zones import zone_of

if TYPE_CHECKING:
    from opilio.curation.models import Target

_SOON = datetime.timedelta(days=3)


def assigned_page(actor: Actor) -> "ListPage[Target]":
    """Targets that the asker was asked to see to, the most urgent first."""
    today = actor.clock.now().astimezone(zone_of(actor)).date()
    columns: tuple[Column[Target], ...] = (
        Column(name="name", label="Target", sort="name",
               cell=lambda row: Link(text=row.name, url=f"/targets/{row.pk}", note=row.assigned_note)),
        Column(name="due", label="Due", sort="assigned_due", cell=lambda row: due_badge(row.assigned_due, today)),
        Column(name="state", label="State", sort="state",
               cell=lambda row: Badge(text=State(row.state).label.lower(), tone=tone_of(row.state))),
        Column(name="owner", label="Owner", cell=lambda row: Text(text=row.owner.username), sort="owner__username"),
        Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
        Column(name="buttons", label="", exported=False, cell=lambda row: Buttons(buttons=(
            Button(label="Done", url=f"/targets/{row.pk}/assignment/done", icon="check", tone="primary"),))),
    )  # fmt: skip
    states = {
        "overdue": ("Overdue", Q(assigned_due__lt=today)), "due": ("Not overdue", ~Q(assigned_due__lt=today)),
    }  # fmt: skip
    return ListPage(
        name="assigned", path=ASSIGNED, title="In-tray", words=("target", "targets"), columns=columns,
        intro="Targets that somebody asked you to see to. Say “Done” when you have: the owner is told.",
        rows=assigned_targets,
        order=("assigned_due", "name", "id"), tabs=tabs(actor, ASSIGNED),
        filters=(Words(columns=("name", "assigned_note")), States(name="state", label="Due", states=states)),
        empty=Empty(title="Nothing is assigned to you", text="Whoever wants you to see to a target assigns it to you.",
                    icon="check"),
    )  # fmt: skip


def due_badge(due: datetime.date | None, today: datetime.date) -> Cell:
    """The day until which something should be done, with how near it is."""
    if due is None:
        return Text(text="no day", quiet=True)
    if due < today:
        return Badge(text=f"{due.isoformat()} overdue", tone="bad")
    return Badge(text=due.isoformat(), tone="warn" if due - today <= _SOON else "quiet")
