"""The list of takedowns."""

from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.curation.queries import takedowns as queries
from opilio.curation.words import TakedownLevel, TakedownState
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Day, States, Words

if TYPE_CHECKING:
    from opilio.curation.models import Takedown

PATH = "/takedowns"
STATE_TONES = {
    TakedownState.PROPOSED: "warn", TakedownState.IN_FORCE: "bad", TakedownState.LIFTED: "quiet",
    TakedownState.DONE: "info",
}  # fmt: skip


def _what(row: "Takedown") -> Cell:
    short = row.value if len(row.value) <= 120 else f"{row.value[:120]}…"
    return Link(text=short, url=f"{PATH}/{row.pk}", note=f"{row.reach} · {row.reason[:120]}")


def _state(row: "Takedown") -> Cell:
    state = TakedownState(row.state)
    return Badge(text=state.label.lower(), tone=STATE_TONES[state])


_COLUMNS: "tuple[Column[Takedown], ...]" = (
    Column(name="value", label="What", cell=_what, sort="value"),
    Column(name="level", label="Level", sort="level", cell=lambda row: Text(text=TakedownLevel(row.level).label)),
    Column(name="state", label="State", cell=_state, sort="state"),
    Column(name="ordered", label="In force since", cell=lambda row: Moment(at=row.ordered_at), sort="ordered_at"),
    Column(name="review", label="Look again on", sort="review_on",
           cell=lambda row: Text(text=f"{row.review_on:%Y-%m-%d}" if row.review_on else "–")),
    Column(name="reference", label="Reference", cell=lambda row: Text(text=row.reference), sort="reference"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="by", label="Ordered by", sort="ordered_by__username", shown=False,
           cell=lambda row: Text(text=str(row.ordered_by or "system"))),
    Column(name="authority", label="Authority", cell=lambda row: Text(text=row.authority), shown=False),
)  # fmt: skip
TAKEDOWNS: "ListPage[Takedown]" = ListPage(
    name="takedowns", path=PATH, title="Takedowns", words=("takedown", "takedowns"), rows=queries.takedowns,
    intro="What readers must not see any more, by whose authority, and the proof that it is so everywhere.",
    columns=_COLUMNS, order=("-id",),
    filters=(
        Words(columns=("value", "reason", "reference", "authority")),
        States(name="state", label="State",
               states={state.value: (state.label, Q(state=state)) for state in TakedownState}),
        States(name="level", label="Level",
               states={level.value: (level.label, Q(level=level)) for level in TakedownLevel}),
        Choice(name="agency", label="Agency", column="agency_id",
               offered=lambda actor: [(str(number), name)
                                      for number, name in agencies_where(actor, Privilege.TAKEDOWN)]),
        Day(name="from", label="Ordered from", column="ordered_at"),
        Day(name="until", label="Ordered until", column="ordered_at", until=True),
    ),
    new=New(label="New takedown", path=f"{PATH}/new", privilege=Privilege.TAKEDOWN),
    empty=Empty(title="Nothing is taken down", icon="eye-off",
                text="When somebody with the right to demand it does, order a takedown here."),
)  # fmt: skip
