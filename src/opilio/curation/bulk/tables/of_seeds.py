"""The table of seeds."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from opilio.curation.actions.seeds import add_seed, update_seed
from opilio.curation.bulk.tables import columns as read
from opilio.curation.bulk.tables.columns import TableColumn
from opilio.curation.bulk.tables.lookups import Names
from opilio.curation.bulk.tables.table import Table, uses
from opilio.curation.models import Seed, Target
from opilio.curation.seed_urls import append_string, page_url, root_string
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_FIELDS = ("primary", "active", "root", "depth_limit", "page_limit", "append", "position")

COLUMNS = (
    TableColumn(name="agency", read=read.text(), required=True),
    TableColumn(name="target", read=read.text(), required=True),
    TableColumn(name="url", read=read.checked(page_url), required=True),
    TableColumn(name="primary", read=read.flag),
    TableColumn(name="active", read=read.flag),
    TableColumn(name="root", read=read.checked(root_string)),
    TableColumn(name="depth_limit", read=read.number),
    TableColumn(name="page_limit", read=read.number),
    TableColumn(name="append", read=read.checked(append_string, 1_024)),
    TableColumn(name="position", read=read.number),
)


def rows(actor: Actor) -> QuerySet[Seed]:
    """Seeds of targets that the asker may see."""
    found = Seed.objects.filter(target__deleted=False).select_related("target__agency")
    return seen(found, actor, agency_path="target__agency_id").order_by(
        "target__agency__name", "target__name", "target_id", "position", "id"
    )


def written(row: Seed) -> dict[str, Any]:
    """A seed as a row of the table."""
    return {
        "agency": row.target.agency.name, "target": row.target.name, "url": row.url,
        **{name: getattr(row, name) for name in _FIELDS},
    }  # fmt: skip


class SeedImporter:
    """Adds and changes seeds as a table says."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._names = actor, Names()
        self._targets: dict[tuple[int, str], int] = {}

    def check(self, values: Mapping[str, Any]) -> None:
        """The agency is known; the target may come with another table before this one is run."""
        self._names.agency(values["agency"])

    def find(self, values: Mapping[str, Any]) -> Seed | None:
        """The seed of this URL in the target."""
        return rows(self._actor).filter(target_id=self._target(values), url=values["url"]).first()

    def make(self, values: Mapping[str, Any]) -> object:
        """A seed, linked with every permission that matches it."""
        fields = uses(COLUMNS, values, *_FIELDS)
        return add_seed(self._actor, target_id=self._target(values), url=values["url"], **fields)

    def change(self, row: Seed, values: Mapping[str, Any], columns: Sequence[str]) -> object:
        """The columns that differ."""
        fields = uses(COLUMNS, values, *(name for name in _FIELDS if name in columns))
        return update_seed(self._actor, seed_id=row.id, version=row.version, **fields)

    def _target(self, values: Mapping[str, Any]) -> int:
        key = (self._names.agency(values["agency"]), values["target"])
        if key not in self._targets:
            found = seen(Target.objects.filter(agency_id=key[0], name=key[1]), self._actor).first()
            if found is None:
                raise InvalidFields({"target": [f"The agency has no target {key[1][:60]!r}."]})
            self._targets[key] = found.id
        return self._targets[key]


TABLE = Table(
    noun="seed", columns=COLUMNS, key=("target", "url"), rows=rows, written=written, importer=SeedImporter,
    privileges=(Privilege.MODIFY_TARGET,),
)  # fmt: skip
