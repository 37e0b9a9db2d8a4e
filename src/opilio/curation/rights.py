"""Whether a target may be approved, and whether a seed may be collected now, by which permission, and why not.

The rules of the Web Curator Tool, with one more: a seed that a permission in force excludes is not collected.
Pure: the permissions that the seeds are linked to are given (docs/reference/rights.md).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from opilio.curation.permission_facts import PermissionFacts, Standing, Term
from opilio.curation.places import Place, place_of

_A_DAY = timedelta(days=1)


class Obstacle(StrEnum):
    """Why something may not be done."""

    NO_SEEDS = "no-seeds"  # the target has none
    NO_LINK = "no-link"  # a seed is linked to no permission
    REJECTED = "rejected"  # a linked permission was refused
    NOT_APPROVED = "not-approved"  # a linked permission in force is not approved
    NOT_IN_FORCE = "not-in-force"  # every linked permission has expired or begins later
    EXCLUDED = "excluded"  # a linked permission in force excludes the seed


@dataclass(frozen=True, kw_only=True, slots=True)
class SeedFacts:
    """A seed and the permissions that it is linked to."""

    url: str
    permissions: tuple[PermissionFacts, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """One obstacle, with the seed and the permission behind it."""

    obstacle: Obstacle
    sentence: str
    seed: str = ""
    permission: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SeedVerdict:
    """Whether one seed may be collected now."""

    seed: str
    allowed_by: tuple[int, ...] = ()  # permissions; empty when it is not allowed
    reasons: tuple[Reason, ...] = ()  # why not
    until: date | None = None  # the day on which the answer may change by the calendar alone

    @property
    def allowed(self) -> bool:
        """Whether nothing stands against it."""
        return not self.reasons


@dataclass(frozen=True, kw_only=True, slots=True)
class RunVerdict:
    """Whether a harvest with these seeds may run now; one blocked seed blocks the whole."""

    seeds: tuple[SeedVerdict, ...]

    @property
    def allowed(self) -> bool:
        """Whether there are seeds and every one of them may be collected."""
        return bool(self.seeds) and all(seed.allowed for seed in self.seeds)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Everything that stands against it."""
        if not self.seeds:
            return (_no_seeds(),)
        return tuple(reason for seed in self.seeds for reason in seed.reasons)


def against_approval(seeds: Sequence[SeedFacts]) -> tuple[Reason, ...]:
    """What stands against approving a target; nothing when it may be approved.

    Permissions that are pending, requested or expired do not: they only keep its harvests from running.
    """
    if not seeds:
        return (_no_seeds(),)
    return tuple(reason for seed in seeds for reason in _against_seed(seed))


def may_collect(seed: SeedFacts, today: date) -> SeedVerdict:
    """Whether a seed may be collected now. Permissions that are not in force on this day are ignored."""
    place = place_of(seed.url)
    in_force = [permission for permission in seed.permissions if permission.term(today) is Term.CURRENT]
    reasons = tuple(_against_run(seed, in_force, place))
    allowed_by = () if reasons else tuple(permission.id for permission in in_force)
    return SeedVerdict(
        seed=place.url, allowed_by=allowed_by, reasons=reasons, until=_next_change(seed.permissions, today)
    )


def may_run(seeds: Iterable[SeedFacts], today: date) -> RunVerdict:
    """Whether a harvest that starts at these seeds may run now."""
    return RunVerdict(seeds=tuple(may_collect(seed, today) for seed in seeds))


def _no_seeds() -> Reason:
    return Reason(obstacle=Obstacle.NO_SEEDS, sentence="The target has no active seed; add one, or switch one on.")


def _no_link(seed: SeedFacts) -> Reason:
    sentence = f"{seed.url} is linked to no permission; link it to one, or ask for one."
    return Reason(obstacle=Obstacle.NO_LINK, sentence=sentence, seed=seed.url)


def _against_seed(seed: SeedFacts) -> list[Reason]:
    if not seed.permissions:
        return [_no_link(seed)]
    return [
        _about(seed, permission, Obstacle.REJECTED, "was rejected; remove the link or the seed")
        for permission in seed.permissions
        if permission.status is Standing.REJECTED
    ]


def _against_run(seed: SeedFacts, in_force: Sequence[PermissionFacts], place: Place) -> Iterable[Reason]:
    if not seed.permissions:
        yield _no_link(seed)
    elif not in_force:
        sentence = f"None of the permissions of {seed.url} is in force now; extend one, or link another."
        yield Reason(obstacle=Obstacle.NOT_IN_FORCE, sentence=sentence, seed=seed.url)
    for permission in in_force:
        if permission.status is not Standing.APPROVED:
            rejected = permission.status is Standing.REJECTED
            obstacle = Obstacle.REJECTED if rejected else Obstacle.NOT_APPROVED
            yield _about(seed, permission, obstacle, f"is {permission.status.word}, not Approved")
        elif (exclusion := permission.excluding(place)) is not None:
            yield _about(seed, permission, Obstacle.EXCLUDED, f"excludes {exclusion.pattern}")


def _about(seed: SeedFacts, permission: PermissionFacts, obstacle: Obstacle, what: str) -> Reason:
    sentence = f"The permission “{permission.name}”, to which {seed.url} is linked, {what}."
    return Reason(obstacle=obstacle, sentence=sentence, seed=seed.url, permission=permission.id)


def _next_change(permissions: Iterable[PermissionFacts], today: date) -> date | None:
    """The next day on which a permission begins or no longer holds: until then only people can change the answer."""
    days = [permission.starts for permission in permissions]
    days += [permission.ends + _A_DAY for permission in permissions if permission.ends and permission.ends < date.max]
    return min((day for day in days if day > today), default=None)
