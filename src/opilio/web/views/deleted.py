"""The page of deleted rows: by kind, each can be restored."""

from typing import TYPE_CHECKING

from django.http.response import HttpResponseBase

from opilio.people.actions.rows import restore_row
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.kinds import Kind, kind_named, kinds
from opilio.people.queries.records import rows_of
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Button, Buttons, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, Tab
from opilio.web.lists.filters import Day
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.catalogue.curated import Curated

PATH = "/admin/deleted"


@section("deleted")
def deleted(request: PageRequest, kind_name: str = "") -> HttpResponseBase:
    """Deleted rows of one kind; without a kind, of the first that the asker may restore."""
    offered = restorable(request.actor)
    kind = kind_named(kind_name) if kind_name else offered[0]
    if kind not in offered:
        raise NotAllowed(
            f"{request.actor.username} may not restore {kind.plural.lower()}", where=request.path,
            remedy=f"It needs the privilege {' or '.join(kind.privileges)}; ask an administrator.",
        )  # fmt: skip
    return show(request, deleted_page(kind, offered))


def restorable(actor: Actor) -> list[Kind]:
    """The kinds of which the asker may restore rows: by privilege, or because they may be the asker's own."""
    return [kind for kind in kinds() if any(map(actor.holds, kind.privileges)) or kind.owner_path]


def deleted_page(kind: Kind, offered: list[Kind]) -> "ListPage[Curated]":
    """The list of one kind."""
    columns: tuple[Column[Curated], ...] = (
        Column(name="name", label=kind.label, cell=lambda row: Text(text=str(row))),
        Column(name="id", label="Number", cell=lambda row: Text(text=str(row.id)), shown=False),
        Column(name="at", label="Deleted", cell=lambda row: Moment(at=row.updated), sort="updated"),
        Column(name="by", label="By", cell=lambda row: Text(text=str(row.updated_by or "system"), quiet=True)),
        Column(name="restore", label="", cell=lambda row: _button(kind, row), exported=False),
    )
    return ListPage(
        name=f"deleted-{kind.name}", path=f"{PATH}/{kind.name}", title="Deleted", columns=columns,
        words=(kind.label.lower(), kind.plural.lower()), order=("-updated", "-id"),
        rows=lambda actor: rows_of(actor, kind, deleted=True),
        intro="What was deleted stays here and can be restored, with all that belongs to it.",
        filters=(
            Day(name="from", label="From", column="updated"),
            Day(name="to", label="To", column="updated", until=True),
        ),
        bulk=(
            Bulk(
                name="restore", label="Restore", icon="undo-2", done="restored",
                warning="They appear again wherever they stood.",
                run=lambda actor, row: restore_row(actor, kind_name=kind.name, row_id=row.id),
            ),
        ),
        tabs=tuple(Tab(label=one.plural, path=f"{PATH}/{one.name}", here=one == kind) for one in offered),
        empty=Empty(
            title=f"No deleted {kind.plural.lower()}", text="What somebody deletes can be restored from here.",
            icon="trash-2",
        ),
    )  # fmt: skip


def _button(kind: Kind, row: "Curated") -> Buttons:
    restore = Button(label="Restore", url=f"/rows/{kind.name}/{row.id}/restore", icon="undo-2", tone="primary")
    return Buttons(buttons=(restore,))
