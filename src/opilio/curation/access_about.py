"""The captures that rules of access are about, of a target or of one harvest; and the rules of its flags."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from opilio.curation.models import AbstractTarget, AccessZone
from opilio.kernel.access_rules import MAX_DAYS, Rule, Says


@dataclass(frozen=True, kw_only=True)
class About:
    """Whose captures a rule is about, and from where its readers may look."""

    agency: int
    mark: str  # tells its rules from those of others
    target: str = ""
    harvest: str = ""
    rooms: frozenset[str] = frozenset()  # reading rooms of the agency, never none

    def rule(self, name: str, says: Says, **more: Any) -> Rule:
        """A rule about these captures."""
        return Rule(
            id=f"{name}:{self.mark}", says=says, agency=str(self.agency), target=self.target, harvest=self.harvest,
            **more,
        )  # fmt: skip

    def limited(self, name: str, says: Says, **more: Any) -> Rule:
        """A rule that lets in the reading rooms or the people of the agency, where it says so."""
        if says is Says.ROOMS:
            more["rooms"] = self.rooms
        if says is Says.PERSONS:
            more["agencies"] = frozenset({str(self.agency)})
        return self.rule(name, says, **more)


def flag_rules(row: AbstractTarget, about: About, name: str = "") -> Iterator[Rule]:
    """What the columns of a target or group say of the captures: display, zone, embargo."""
    if not row.display:
        yield about.rule(f"display{name}", Says.HIDDEN)
    if row.access_zone == AccessZone.ON_SITE:
        yield about.limited(f"zone{name}", Says.ROOMS)
    elif row.access_zone == AccessZone.RESTRICTED:
        yield about.limited(f"zone{name}", Says.PERSONS)
    if row.embargo_days:
        yield about.rule(f"embargo{name}", Says.EMBARGO, days=min(row.embargo_days, MAX_DAYS))


def restricts(row: AbstractTarget) -> bool:
    """Whether these columns keep anybody out."""
    return not row.display or row.access_zone != AccessZone.PUBLIC or bool(row.embargo_days)
