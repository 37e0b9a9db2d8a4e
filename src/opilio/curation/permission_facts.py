"""What the matching engine and the decision about rights need to know of a permission; read from rows at the edge."""

from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from opilio.curation.patterns import UrlPattern
from opilio.curation.places import Place


class Standing(IntEnum):
    """How far a permission has come; the numbers are those of the Web Curator Tool."""

    PENDING = 0  # written down, not asked for yet
    REQUESTED = 1  # the authorising agent was asked
    APPROVED = 2  # granted
    REJECTED = 3  # refused

    @property
    def word(self) -> str:
        """As people read it."""
        return self.name.capitalize()


class Term(IntEnum):
    """Where a day lies in the life of a permission."""

    FUTURE = 4  # its start lies ahead
    CURRENT = 0
    EXPIRED = 5  # its end has passed


@dataclass(frozen=True, kw_only=True, slots=True)
class ExclusionFacts:
    """A pattern that a permission leaves out."""

    pattern: UrlPattern
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class PermissionFacts:
    """A permission with the patterns that it is about."""

    id: int
    name: str  # as people call it
    status: Standing
    agency: int  # to which it was granted
    starts: date  # the first day on which it holds
    ends: date | None = None  # the last one; None: without end
    authorisation: int
    authorisation_name: str = ""
    authorisation_active: bool = True
    patterns: tuple[UrlPattern, ...] = ()
    exclusions: tuple[ExclusionFacts, ...] = ()

    def term(self, today: date) -> Term:
        """Whether it holds on this day, does so later or did so once."""
        if today < self.starts:
            return Term.FUTURE
        return Term.EXPIRED if self.ends is not None and today > self.ends else Term.CURRENT

    def covering(self, place: Place) -> UrlPattern | None:
        """The first of its patterns that covers the URL."""
        return next((pattern for pattern in self.patterns if pattern.covers(place)), None)

    def excluding(self, place: Place) -> ExclusionFacts | None:
        """The first of its exclusions that covers the URL."""
        return next((exclusion for exclusion in self.exclusions if exclusion.pattern.covers(place)), None)
