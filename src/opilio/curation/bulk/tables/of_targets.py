"""The table of targets, with their seeds and their description."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet

from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.actions.ownership import give_ownership
from opilio.curation.actions.seeds import add_seed
from opilio.curation.actions.target_moves import PLAIN
from opilio.curation.actions.targets import create_target, update_target
from opilio.curation.bulk.tables import columns as read
from opilio.curation.bulk.tables.columns import TableColumn
from opilio.curation.bulk.tables.lookups import Names
from opilio.curation.bulk.tables.table import Table, uses
from opilio.curation.models import AccessZone, Seed, State, Target
from opilio.curation.models.dublin_core import ELEMENTS
from opilio.curation.seed_urls import page_url
from opilio.curation.sight import seen
from opilio.curation.workflow import TARGETS, NoSuchMove
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

ZONES = {zone.label: zone for zone in AccessZone}
_STATES = {state.label: state for state in TARGETS.states}
_TEXTS = ("description", "profile_note", "display_note", "evaluation_note", "selection_note", "request_to_archivists")
_LINES = ("reference", "selection_type", "harvest_type")
_SWITCHES = ("display", "run_on_approval", "allow_early_start", "follow_reference", "prune_again")
_PLAIN = (*_LINES, *_TEXTS, *_SWITCHES, "access_zone", "embargo_days")
_DUBLIN_CORE = {f"dc_{name}": name for name in ELEMENTS}

COLUMNS = (
    TableColumn(name="agency", read=read.text(), required=True),
    TableColumn(name="name", read=read.text(), required=True),
    TableColumn(name="owner", read=read.name(150)),
    TableColumn(name="state", read=read.choice(_STATES), use=_STATES.__getitem__),
    *(TableColumn(name=name, read=read.text()) for name in _LINES),
    TableColumn(name="profile", read=read.name()),
    *(TableColumn(name=name, read=read.text(4_000)) for name in _TEXTS),
    TableColumn(name="access_zone", read=read.choice(ZONES), use=ZONES.__getitem__),
    TableColumn(name="embargo_days", read=read.number),
    *(TableColumn(name=name, read=read.flag) for name in _SWITCHES),
    TableColumn(name="seeds", read=read.lines(read.checked(page_url)), grows=True),
    *(TableColumn(name=name, read=read.text(4_000)) for name in _DUBLIN_CORE),
)


def rows(actor: Actor) -> QuerySet[Target]:
    """Targets that the asker may see, with what is written of them."""
    seeds = Prefetch("seeds", queryset=Seed.objects.order_by("position", "id"))
    found = Target.objects.select_related("agency", "owner", "profile", "dublin_core").prefetch_related(seeds)
    return seen(found, actor).order_by("agency__name", "name", "id")


def written(row: Target) -> dict[str, Any]:
    """A target as a row of the table."""
    core = row.dublin_core
    return {
        "agency": row.agency.name, "name": row.name, "owner": row.owner.username, "state": State(row.state).label,
        **{name: getattr(row, name) for name in (*_LINES, *_TEXTS, *_SWITCHES, "embargo_days")},
        "profile": row.profile.name if row.profile else "", "access_zone": AccessZone(row.access_zone).label,
        "seeds": [seed.url for seed in row.seeds.all() if not seed.deleted],
        **{column: getattr(core, name) if core else "" for column, name in _DUBLIN_CORE.items()},
    }  # fmt: skip


class TargetImporter:
    """Makes and changes targets as a table says."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._names = actor, Names()

    def check(self, values: Mapping[str, Any]) -> None:
        """Agency, owner and profile are known."""
        self._names.check(values)

    def find(self, values: Mapping[str, Any]) -> Target | None:
        """The target of this name in the agency."""
        agency = self._names.agency(values["agency"])
        return rows(self._actor).filter(agency_id=agency, name=values["name"]).first()

    def make(self, values: Mapping[str, Any]) -> object:
        """A pending target; then its description, its seeds, its owner and, last, its state."""
        agency = self._names.agency(values["agency"])
        owner = self._names.user(values["owner"]) if values.get("owner") else None
        profile = self._names.profile(agency, values["profile"]) if values.get("profile") else None
        target = create_target(
            self._actor, name=values["name"], agency_id=agency, profile_id=profile,
            owner_id=owner if self._actor.is_system else None, **uses(COLUMNS, values, *_PLAIN),
        )  # fmt: skip
        self._describe(target.id, values, [name for name in _DUBLIN_CORE if values.get(name)])
        for url in values.get("seeds") or ():
            add_seed(self._actor, target_id=target.id, url=url)
        if owner is not None and owner != target.owner_id:
            give_ownership(self._actor, kind_name="target", row_id=target.id, user_id=owner)
        self._move(target.id, State.PENDING, values)
        return target

    def change(self, row: Target, values: Mapping[str, Any], columns: Sequence[str]) -> object:
        """The columns that differ; seeds are added, none is taken away."""
        fields = uses(COLUMNS, values, *(name for name in _PLAIN if name in columns))
        if "profile" in columns:
            fields["profile_id"] = self._names.profile(row.agency_id, values["profile"])
        if fields:
            update_target(self._actor, target_id=row.id, version=None, **fields)
        self._describe(row.id, values, [name for name in _DUBLIN_CORE if name in columns])
        known = {seed.url for seed in row.seeds.all()}
        for url in values["seeds"] if "seeds" in columns else ():
            if url not in known:
                add_seed(self._actor, target_id=row.id, url=url)
        if "owner" in columns:
            owner = self._names.user(values["owner"])
            give_ownership(self._actor, kind_name="target", row_id=row.id, user_id=owner)
        if "state" in columns:
            self._move(row.id, State(row.state), values)
        return row

    def _describe(self, row_id: int, values: Mapping[str, Any], names: Sequence[str]) -> None:
        if names:
            elements = {_DUBLIN_CORE[name]: values[name] for name in names}
            save_dublin_core(self._actor, row_id=row_id, version=None, **elements)

    def _move(self, target_id: int, now: State, values: Mapping[str, Any]) -> None:
        wanted = _STATES.get(values.get("state") or "", now)
        if wanted == now:
            return
        verb = next((move.name for move in TARGETS.by_people(now) if move.target == wanted and move.name in PLAIN), "")
        if not verb:
            raise NoSuchMove(
                f"A target that is {now.label} cannot become {wanted.label} by an import", where="state",
                remedy="Leave the cell empty, and move it on its page.",
            )  # fmt: skip
        PLAIN[verb](self._actor, target_id=target_id)


TABLE = Table(
    noun="target", columns=COLUMNS, key=("agency", "name"), rows=rows, written=written, importer=TargetImporter,
    privileges=(Privilege.CREATE_TARGET, Privilege.MODIFY_TARGET),
)  # fmt: skip
