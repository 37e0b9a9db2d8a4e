"""The rules of access: what a rule says, about which captures, and for how long.

docs/reference/access-rules.md describes them. A rule that cannot be meant is refused here, so that `access.decide`
never has to guess.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from opilio.kernel.access_checks import MAX_ID, BadRule, member, names, require_order, require_text, require_whole
from opilio.kernel.access_where import EVERYWHERE, Where
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import parse

MAX_TEXT = 8_000  # characters of a statement or a reason
MAX_SEATS = 1_000_000
MAX_DAYS = 366 * 500  # of an embargo


class Says(StrEnum):
    """What a rule says; each more restrictive than the one before."""

    OPEN = "open"  # everybody may see it
    SEATS = "limited-readers"  # so many readers at once
    ROOMS = "restricted-by-location"  # in reading rooms
    PERSONS = "restricted-by-person"  # named persons, roles or agencies
    EMBARGO = "embargoed"  # nobody yet
    HIDDEN = "not-displayed"  # a target, group or harvest whose display flag is off
    EXCLUDED = "excluded"  # a permission excludes the URL
    TAKEN_HIDE = "takedown-hide"  # only staff of its agency, as if it had never been captured
    TAKEN_BLOCK = "takedown-block"  # nobody; a page says so
    TAKEN_DESTROY = "takedown-destroy"  # nobody, for ever: the bytes are to be removed

    @property
    def takedown(self) -> bool:
        """Whether no other rule can lift it."""
        return self.value.startswith("takedown-")

    @property
    def grants(self) -> bool:
        """Whether it lets some readers in, where everything else is closed."""
        return self in _GRANTING

    @property
    def silent(self) -> bool:
        """Whether readers are not even told that there is a capture."""
        return self in _SILENT

    @property
    def rank(self) -> int:
        """How restrictive it is."""
        return _ORDER[self]


_GRANTING = frozenset({Says.OPEN, Says.SEATS, Says.ROOMS, Says.PERSONS})
_SILENT = frozenset({Says.HIDDEN, Says.EXCLUDED, Says.TAKEN_HIDE})
_ORDER = {says: rank for rank, says in enumerate(Says)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """What a reader is told beside a capture, from the permission behind it."""

    text: str = ""  # the copyright statement
    link: str = ""  # where it stands in full
    requirements: str = ""  # special requirements

    def __post_init__(self) -> None:
        for name in ("text", "link", "requirements"):
            require_text(getattr(self, name), f"the {name} of a statement", MAX_TEXT)
        if self.link and _scheme(self.link) not in ("http", "https"):
            raise BadRule("the link of a statement is no web address", where=self.link[:80], remedy="Give a URL.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One rule. Where it names an agency, target or harvest, it is about their captures only."""

    id: str
    says: Says
    where: Where = EVERYWHERE
    agency: str = ""
    target: str = ""
    harvest: str = ""
    captured_from: datetime | None = None  # captures from then on
    captured_to: datetime | None = None  # captures before that time
    starts: datetime | None = None  # in force from then on
    ends: datetime | None = None  # in force before that time: the open-access date of a restriction
    days: int | None = None  # for an embargo: so many days from the capture
    rooms: frozenset[str] = frozenset()  # names of reading rooms; empty: any
    users: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    agencies: frozenset[str] = frozenset()  # whose people may see it
    seats: int = 0  # readers at once
    overrides: bool = False  # sets aside less specific rules, other than takedowns
    reason: str = ""  # a sentence for readers, in place of ours
    statement: Statement | None = None

    def __post_init__(self) -> None:
        require_text(self.id, "the id of a rule", MAX_ID)
        if not self.id.strip():
            raise BadRule("a rule has no id", remedy="Give each rule an id of its own.")
        try:
            self._check()
        except BadRule as error:
            raise BadRule(error.what, where=f"rule {self.id}", remedy=error.remedy) from None

    def due(self, captured: datetime) -> tuple[datetime | None, datetime | None]:
        """When the rule begins and ceases to be in force for a capture."""
        if self.days is None:
            return self.starts, self.ends
        try:
            after = captured + timedelta(days=self.days)
        except OverflowError:
            return self.starts, None
        return self.starts, after if self.ends is None else max(after, self.ends)

    def _check(self) -> None:
        object.__setattr__(self, "says", member(Says, self.says, "kind of rule"))
        for name in ("agency", "target", "harvest"):
            require_text(getattr(self, name), f"the {name}", MAX_ID)
        require_text(self.reason, "the reason", MAX_TEXT)
        for name in ("rooms", "users", "roles", "agencies"):
            object.__setattr__(self, name, names(getattr(self, name), name))
        if not isinstance(self.overrides, bool) or not isinstance(self.where, Where):
            raise BadRule("a field of the rule has the wrong type", remedy="Give what docs/reference describes.")
        require_order("captured", self.captured_from, self.captured_to)
        require_order("in force", self.starts, self.ends)
        self._check_fields()

    def _check_fields(self) -> None:
        """Fields that mean nothing for this kind of rule are mistakes, and mistakes here show what should be hidden."""
        require_whole(self.seats, "seats", MAX_SEATS)
        if (self.seats > 0) is not (self.says is Says.SEATS):
            raise BadRule("seats belong to “limited-readers”, which needs one at least", remedy="Correct the number.")
        if self.rooms and self.says is not Says.ROOMS:
            raise BadRule("reading rooms belong to “restricted-by-location”", remedy="Leave them out.")
        if (self.users or self.roles or self.agencies) and self.says is not Says.PERSONS:
            raise BadRule("users, roles and agencies belong to “restricted-by-person”", remedy="Leave them out.")
        if self.days is not None:
            require_whole(self.days, "days", MAX_DAYS)
            if self.says is not Says.EMBARGO:
                raise BadRule("days belong to “embargoed”", remedy="Leave them out.")
        if self.overrides and self.says.takedown:
            raise BadRule("a takedown stands above all other rules anyway", remedy="Leave `overrides` out.")
        if self.says is Says.TAKEN_DESTROY and self.ends is not None:
            raise BadRule("what was destroyed stays so", remedy="Leave the end out.")


def _scheme(link: str) -> str:
    """The scheme of an address; empty when it is none."""
    try:
        return parse(link).scheme
    except BadUrl:
        return ""
