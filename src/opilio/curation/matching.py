"""Which permissions a seed can be linked to, and why each one holds or does not.

The rules are those of docs/reference/url-patterns.md: a pattern covers the URL, the authorisation is active, the
permission belongs to the asking agency, has not expired and does not exclude the URL. Whether a seed may be collected
now is decided by `rights`, from the permissions that it is linked to.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from opilio.curation.pattern_index import PatternIndex
from opilio.curation.patterns import Part, UrlPattern
from opilio.curation.permission_facts import PermissionFacts, Standing, Term
from opilio.curation.places import Place, place_of

_ORDER = {part: rank for rank, part in enumerate((Part.PATH, Part.PORT, Part.SCHEME, Part.HOST))}


class Ground(StrEnum):
    """What is looked at."""

    PATTERN = "pattern"
    EXCLUSION = "exclusion"
    AUTHORISATION = "authorisation"
    AGENCY = "agency"
    STATUS = "status"
    DATES = "dates"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One thing that was looked at."""

    ground: Ground
    holds: bool
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What one permission says about a URL."""

    permission: PermissionFacts
    pattern: UrlPattern | None  # the one that covers the URL
    checks: tuple[Check, ...]
    matches: bool  # a seed with this URL is linked to it
    allows: bool  # and may be collected now

    @property
    def in_force(self) -> bool:
        """Whether the day lies within its dates."""
        return all(check.holds for check in self.checks if check.ground is Ground.DATES)

    @property
    def obstacles(self) -> tuple[Check, ...]:
        """What does not hold."""
        return tuple(check for check in self.checks if not check.holds)


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """Everything that the permissions say about a URL, those that allow it first."""

    url: str
    answers: tuple[Answer, ...]
    left_out: int = 0  # further candidates, none of which matches

    @property
    def matching(self) -> tuple[Answer, ...]:
        """The permissions to which a seed with this URL is linked."""
        return tuple(answer for answer in self.answers if answer.matches)

    @property
    def blocking(self) -> tuple[Answer, ...]:
        """Permissions that match and are in force, but are not approved: linked seeds are not collected."""
        in_force = (answer for answer in self.matching if answer.in_force)
        return tuple(answer for answer in in_force if not answer.allows)

    @property
    def allowed(self) -> bool:
        """Whether a seed that is linked to all permissions that match may be collected today."""
        return not self.blocking and any(answer.allows for answer in self.answers)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        if self.blocking:
            first = self.blocking[0].permission
            more = ", although another permits it" if any(answer.allows for answer in self.answers) else ""
            return f"Not allowed. “{first.name}” covers it and is {first.status.word}, not Approved{more}."
        if not self.answers:
            return "No URL pattern of any authorisation is about this host."
        best = self.answers[0]
        if best.allows:
            return f"Allowed by the permission “{best.permission.name}” through the pattern {best.pattern}."
        return f"Not allowed. “{best.permission.name}”: {'; '.join(check.sentence for check in best.obstacles)}."


def judge(permission: PermissionFacts, place: Place, *, agency: int, today: date) -> Answer:
    """What one permission says about a URL."""
    pattern = permission.covering(place)
    checks = (
        _pattern_check(permission, pattern, place),
        _exclusion_check(permission, place),
        _authorisation_check(permission),
        _agency_check(permission, agency),
        _status_check(permission),
        _dates_check(permission, today),
    )
    expired = permission.term(today) is Term.EXPIRED
    matches = not expired and all(check.holds for check in checks[:4])
    allows = matches and all(check.holds for check in checks[4:])
    return Answer(permission=permission, pattern=pattern, checks=checks, matches=matches, allows=allows)


def explain(
    url: str, candidates: Iterable[PermissionFacts], *, agency: int, today: date, most: int = 200
) -> Explanation:
    """Why a URL is allowed or not, by which permissions; at most so many of those that do not match are told."""
    place = place_of(url)
    answers = [judge(permission, place, agency=agency, today=today) for permission in candidates]
    answers.sort(key=_closeness)
    telling = max(most, sum(answer.matches for answer in answers))
    return Explanation(url=place.url, answers=tuple(answers[:telling]), left_out=max(0, len(answers) - telling))


class PermissionIndex:
    """Permissions, found by the URLs that they cover."""

    def __init__(self, permissions: Iterable[PermissionFacts] = ()) -> None:
        self._index: PatternIndex[PermissionFacts] = PatternIndex()
        for permission in permissions:
            for pattern in permission.patterns:
                self._index.add(pattern, permission)

    def __len__(self) -> int:
        return len(self._index)

    def matching(self, url: str, *, agency: int, today: date) -> tuple[Answer, ...]:
        """The permissions to which a seed with this URL is linked, by their number."""
        place = place_of(url)
        found = {permission.id: permission for _, permission in self._index.covering(place)}
        answers = (judge(found[key], place, agency=agency, today=today) for key in sorted(found))
        return tuple(answer for answer in answers if answer.matches)

    def explain(self, url: str, *, agency: int, today: date, most: int = 200) -> Explanation:
        """Why a URL is allowed or not, by all permissions with a pattern for its host or a domain above it."""
        place = place_of(url)
        found = {permission.id: permission for _, permission in self._index.candidates(place)}
        return explain(place.url, found.values(), agency=agency, today=today, most=most)


def _pattern_check(permission: PermissionFacts, pattern: UrlPattern | None, place: Place) -> Check:
    if pattern is not None:
        return Check(ground=Ground.PATTERN, holds=True, sentence=f"the pattern {pattern} covers it")
    misses = [(each, miss) for each in permission.patterns if (miss := each.miss(place)) is not None]
    if not misses:
        return Check(ground=Ground.PATTERN, holds=False, sentence="it has no URL pattern")
    nearest, miss = min(misses, key=lambda pair: _ORDER[pair[1].part])
    return Check(
        ground=Ground.PATTERN, holds=False, sentence=f"the pattern {nearest} does not cover it: {miss.sentence}"
    )


def _exclusion_check(permission: PermissionFacts, place: Place) -> Check:
    found = permission.excluding(place)
    if found is None:
        return Check(ground=Ground.EXCLUSION, holds=True, sentence="no exclusion is about it")
    reason = f" ({found.reason})" if found.reason else ""
    return Check(ground=Ground.EXCLUSION, holds=False, sentence=f"the permission excludes {found.pattern}{reason}")


def _authorisation_check(permission: PermissionFacts) -> Check:
    holds = permission.authorisation_active
    sentence = f"the authorisation “{permission.authorisation_name}” is {'active' if holds else 'disabled'}"
    return Check(ground=Ground.AUTHORISATION, holds=holds, sentence=sentence)


def _agency_check(permission: PermissionFacts, agency: int) -> Check:
    holds = permission.agency == agency
    sentence = "it was granted to this agency" if holds else "it was granted to another agency"
    return Check(ground=Ground.AGENCY, holds=holds, sentence=sentence)


def _status_check(permission: PermissionFacts) -> Check:
    holds = permission.status is Standing.APPROVED
    return Check(ground=Ground.STATUS, holds=holds, sentence=f"the permission is {permission.status.word}")


def _dates_check(permission: PermissionFacts, today: date) -> Check:
    term = permission.term(today)
    begins = f"{permission.starts:%Y-%m-%d}"
    if term is Term.FUTURE:
        return Check(ground=Ground.DATES, holds=False, sentence=f"it holds from {begins} only")
    if permission.ends is None:
        return Check(ground=Ground.DATES, holds=True, sentence=f"it holds since {begins}, without end")
    if term is Term.EXPIRED:
        return Check(ground=Ground.DATES, holds=False, sentence=f"it expired on {permission.ends:%Y-%m-%d}")
    return Check(ground=Ground.DATES, holds=True, sentence=f"it holds from {begins} to {permission.ends:%Y-%m-%d}")


def _closeness(answer: Answer) -> tuple[bool, bool, bool, int, int]:
    """Those that allow first, then those that match, cover, and fail in the fewest grounds."""
    return not answer.allows, not answer.matches, answer.pattern is None, len(answer.obstacles), answer.permission.id
