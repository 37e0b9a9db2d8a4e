"""The list of all seeds."""

from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.curation.queries import targets
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Exact, States, Words

if TYPE_CHECKING:
    from opilio.curation.models import Seed

PATH = "/seeds"
_STATES = {
    "active": ("Active", Q(active=True)),
    "inactive": ("Inactive", Q(active=False)),
    "primary": ("Primary", Q(primary=True)),
    "unlinked": ("Without a permission", Q(links=None)),
}


def _limit(number: int | None) -> Cell:
    return Text(text="" if number is None else str(number))


_COLUMNS: "tuple[Column[Seed], ...]" = (
    Column(name="url", label="Seed", cell=lambda row: Link(text=row.url, url=f"{PATH}/{row.id}", note=row.target.name),
           sort="url"),
    Column(name="target", label="Target", cell=lambda row: Text(text=row.target.name), sort="target__name",
           shown=False),
    Column(name="host", label="Host", cell=lambda row: Text(text=row.host), sort="host"),
    Column(name="active", label="Active", sort="active",
           cell=lambda row: Badge(text="active", tone="good") if row.active else Badge(text="inactive", tone="quiet")),
    Column(name="primary", label="Primary", cell=lambda row: Text(text="yes" if row.primary else "no"), shown=False),
    Column(name="root", label="Root string", cell=lambda row: Text(text=row.root), shown=False),
    Column(name="depth_limit", label="Depth limit", cell=lambda row: _limit(row.depth_limit)),
    Column(name="page_limit", label="Page limit", cell=lambda row: _limit(row.page_limit)),
    Column(name="append", label="Append string", cell=lambda row: Text(text=row.append), shown=False),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.target.agency.name),
           sort="target__agency__name"),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
SEEDS: "ListPage[Seed]" = ListPage(
    name="seeds", path=PATH, title="Seeds", words=("seed", "seeds"), rows=targets.seeds, columns=_COLUMNS,
    intro="Where harvests start. A seed belongs to one target; open it to change it there.",
    order=("host", "id"),
    filters=(
        Words(columns=("url",)),
        Exact(name="host", label="Host", column="host"),
        States(name="state", label="State", states=_STATES),
        Choice(name="agency", label="Agency", column="target__agency_id",
               offered=lambda actor: [(str(number), name) for number, name in targets.agency_choices(actor)]),
    ),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MODIFY_TARGET,
             warning="Harvests no longer start there. The last seed of an approved target stays.",
             run=lambda actor, row: delete_row(actor, kind_name="seed", row_id=row.id)),
    ),
    empty=Empty(title="No seed yet", text="Seeds are added on the page of their target.", icon="sprout"),
)  # fmt: skip
