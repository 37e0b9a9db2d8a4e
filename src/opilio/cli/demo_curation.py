"""Sample targets, groups, profiles and schedules for the demo, in every state. Doing it twice adds nothing."""

from dataclasses import dataclass

from opilio.cli import demo_rights
from opilio.cli.demo_data import ADMINISTRATOR, LIBRARY, actor_named
from opilio.cli.lookups import agency_named
from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.actions.group_members import add_members
from opilio.curation.actions.groups import create_group
from opilio.curation.actions.profiles import create_profile
from opilio.curation.actions.rejection_reasons import create_reason
from opilio.curation.actions.schedules import create_schedule
from opilio.curation.actions.seeds import add_seed
from opilio.curation.actions.target_moves import move_target
from opilio.curation.actions.targets import create_target
from opilio.curation.queries import targets as queries
from opilio.people.actor import Actor

_WEEKLY, _MONTHLY = "0 0 21 ? * MON *", "0 30 4 1 * ? *"


@dataclass(frozen=True, kw_only=True)
class _Site:
    """One target, and how far it came."""

    name: str
    seeds: tuple[str, ...]
    moves: tuple[str, ...] = ()
    cron: str = ""
    about: str = ""


_SITES = (
    _Site(name="Harbour news", seeds=("http://news.harbour.example/", "http://blog.harbour.example/"),
          moves=("nominate", "approve"), cron=_WEEKLY, about="News of the port, its ships and its people."),
    _Site(name="Tide Weekly", seeds=("http://weekly.example/",), moves=("nominate", "approve"), cron=_MONTHLY,
          about="The oldest paper of the coast."),
    _Site(name="Ferry timetables", seeds=("http://ferries.harbour.example/",), moves=("nominate",),
          about="Timetables of every ferry since 1998."),
    _Site(name="Fish market", seeds=("http://market.example/",), about="Prices of each morning."),
    _Site(name="Lighthouses of the coast", seeds=("http://lights.example/",), moves=("nominate", "reject"),
          about="Pictures and logs of twelve lighthouses."),
    _Site(name="Old pier", seeds=("http://pier.harbour.example/",), moves=("nominate", "approve", "cancel"),
          about="The pier was taken down."),
    _Site(name="Regatta", seeds=("http://regatta.harbour.example/",),
          moves=("nominate", "approve", "cancel", "reinstate"), about="Results of the yearly regatta."),
)  # fmt: skip
#: Who makes which move; all other moves are the archivist's.
_BY_CURATOR = frozenset({"nominate"})


def build(me: Actor) -> int:
    """How many targets there are in the end."""
    if not queries.targets(me).exists():
        _build(me)
    return int(queries.targets(me).count())


def _build(me: Actor) -> None:
    agency = agency_named(me, LIBRARY)
    administrator, archivist, curator = (actor_named(me, name) for name in (ADMINISTRATOR, "archivist", "curator"))
    create_profile(
        administrator, agency_id=agency.id, name="Gentle", description="For small servers.",
        settings={"scope": {"kind": "host"}, "manners": {"preset": "gentle"}},
    )  # fmt: skip
    reason = create_reason(administrator, agency_id=agency.id, name="No permission to be had")
    demo_rights.rights(archivist, administrator, agency.id)
    made = [_site(site, agency.id, archivist, curator, reason.id) for site in _SITES]
    _groups(archivist, agency.id, made)


def _site(site: _Site, agency_id: int, archivist: Actor, curator: Actor, reason_id: int) -> int:
    target = create_target(curator, name=site.name, agency_id=agency_id, description=site.about)
    for url in site.seeds:
        add_seed(curator, target_id=target.pk, url=url)
    save_dublin_core(
        curator, row_id=target.pk, version=None, title=site.name, description=site.about, publisher="The site itself"
    )
    for verb in site.moves:
        actor = curator if verb in _BY_CURATOR else archivist
        move_target(actor, target_id=target.pk, verb=verb, reason_id=reason_id if verb == "reject" else None)
    if site.cron:
        create_schedule(archivist, holder_id=target.pk, cron=site.cron)
    return int(target.pk)


def _groups(archivist: Actor, agency_id: int, targets: list[int]) -> None:
    life = create_group(
        archivist, agency_id=agency_id, name="Life at the harbour", group_type="Collection",
        description="What people do here, week by week.",
    )  # fmt: skip
    add_members(archivist, group_id=life.pk, member_ids=targets[:4])
    sport = create_group(archivist, agency_id=agency_id, name="On the water", group_type="Sub-Group", parent_id=life.pk)
    add_members(archivist, group_id=sport.pk, member_ids=targets[-1:])
