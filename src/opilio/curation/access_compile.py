"""Compiles what permissions, targets, groups, harvests and takedowns say about access into rules of `kernel.access`.

docs/explanation/access.md says what becomes what. In doubt the rule closes: an access status that is not understood
lets in the agency's own people only, and captures of whose rules one cannot be made are hidden.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opilio.curation import access_harvests
from opilio.curation.access_about import About, flag_rules
from opilio.curation.access_permissions import permission_rules, says_of, where_of
from opilio.curation.access_rooms import Rooms, reading_rooms
from opilio.curation.facts import with_parts
from opilio.curation.models import Group, Permission, SeedPermission, Target
from opilio.curation.takedown_rules import takedown_rules
from opilio.kernel.access import UNOWNED
from opilio.kernel.access_rules import Rule, Says
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger

__all__ = ["Compiled", "compiled", "rules", "says_of", "where_of"]

_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """Everything that a file of rules holds."""

    rules: tuple[Rule, ...]
    rooms: Mapping[str, tuple[str, ...]]


def compiled() -> Compiled:
    """All rules in force, and the reading rooms that they name."""
    rooms = reading_rooms()
    unowned = Rule(id="unowned", says=Says.OPEN, agency=UNOWNED)
    return Compiled(rules=(unowned, *rules(rooms), *takedown_rules()), rooms=rooms.networks)


def rules(rooms: Rooms | None = None) -> Iterator[Rule]:
    """The rules of all targets, groups and harvests."""
    rooms = rooms or reading_rooms()
    linked = _Linked()
    for target in Target.everything.select_related("agency").order_by("id").iterator():
        yield from _of_target(target, linked, _of_row(target, rooms))
    for group in Group.everything.order_by("id").iterator():
        yield from flag_rules(group, _of_row(group, rooms))
    yield from access_harvests.unendorsed_rules(rooms)
    yield from access_harvests.display_rules(rooms)
    yield from access_harvests.group_rules(rooms)
    for one in access_harvests.combined():
        yield from _of_combined(one, linked, access_harvests.about(one.harvest, one.agency, rooms))


@dataclass(frozen=True)
class _Linked:
    """The permissions that targets rely on, read once."""

    numbers: dict[int, list[int]] = field(default_factory=dict)
    rows: dict[int, Permission] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = SeedPermission.objects.filter(seed__deleted=False).order_by("permission_id")
        for target, permission in found.values_list("seed__target_id", "permission_id").distinct():
            self.numbers.setdefault(target, []).append(permission)
        known = with_parts(Permission.objects.filter(links__isnull=False).distinct())
        self.rows.update({row.id: row for row in known})

    def of(self, *targets: int) -> list[Permission]:
        numbers = sorted({number for target in targets for number in self.numbers.get(target, ())})
        return [self.rows[number] for number in numbers if number in self.rows]


def _of_row(row: Target | Group, rooms: Rooms) -> About:
    return About(agency=row.agency_id, mark=str(row.id), target=str(row.id), rooms=rooms.of(row.agency_id))


def _of_target(target: Target, linked: _Linked, about: About) -> Iterator[Rule]:
    yield from flag_rules(target, about)
    yield from _of_permissions(linked.of(target.id), target.agency.time_zone, about)


def _of_combined(one: access_harvests.Combined, linked: _Linked, about: About) -> Iterator[Rule]:
    """What was harvested together keeps to the rules of every member."""
    zone = ""
    for target in Target.everything.select_related("agency").filter(pk__in=one.members).order_by("id"):
        yield from flag_rules(target, about, f":member-{target.id}")
        zone = target.agency.time_zone
    yield from _of_permissions(linked.of(*one.members), zone, about)


def _of_permissions(permissions: Iterable[Permission], zone: str, about: About) -> Iterator[Rule]:
    """A permission of which no rule can be made hides what relies on it, and is told in the log."""
    for row in permissions:
        try:
            yield from list(permission_rules(about, row, zone))
        except OpilioError as error:
            _log.error("access_rule_not_made", permission=row.id, error=str(error))
            yield about.rule(f"unclear:{row.id}", Says.HIDDEN)
