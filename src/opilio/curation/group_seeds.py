"""Which seeds a combined harvest of a group starts with, and who is left out and why. Pure.

Only targets of the agency of the schedule's owner are collected. A sub-group is harvested by its own schedules, never
with the group above it; a group in a group counts on its own days.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from opilio.curation.group_rules import SUB_GROUP


@dataclass(frozen=True, kw_only=True)
class SeedFacts:
    """An active seed."""

    id: int
    url: str


@dataclass(frozen=True, kw_only=True)
class TargetFacts:
    """What the decision needs to know of a target."""

    id: int
    name: str
    agency: int
    agency_name: str
    approved: bool
    state: str  # as people read it
    problems: tuple[str, ...] = ()  # why its rights forbid a harvest now, each a sentence
    seeds: tuple[SeedFacts, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GroupFacts:
    """What the decision needs to know of a group in the group."""

    id: int
    name: str
    agency: int
    group_type: str
    counts: bool = True  # whether its days include the time of the harvest
    members: tuple["TargetFacts | GroupFacts", ...] = field(default=())


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A target or group that a combined harvest does not collect."""

    id: int
    name: str
    agency: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class ChosenSeed:
    """A seed of the harvest, and whose it is."""

    id: int
    url: str
    target: int
    target_name: str
    agency: int


@dataclass(frozen=True, kw_only=True)
class Combined:
    """What a combined harvest would start with."""

    seeds: tuple[ChosenSeed, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def runs(self) -> bool:
        """Whether anything remains to be collected."""
        return bool(self.seeds)


def combined(group: GroupFacts, *, agency: int) -> Combined:
    """The union of the seeds of all members, each target and each URL once."""
    seeds: dict[str, ChosenSeed] = {}
    left_out: list[LeftOut] = []
    for target in _targets(group, left_out, {group.id}):
        reason = _against(target, agency)
        if reason:
            left_out.append(_left_out(target, reason))
            continue
        for seed in target.seeds:
            seeds.setdefault(seed.url, _chosen(target, seed))
    return Combined(seeds=tuple(seeds.values()), left_out=tuple(left_out))


def _chosen(target: TargetFacts, seed: SeedFacts) -> ChosenSeed:
    return ChosenSeed(id=seed.id, url=seed.url, target=target.id, target_name=target.name, agency=target.agency)


def _left_out(member: TargetFacts | GroupFacts, reason: str) -> LeftOut:
    return LeftOut(id=member.id, name=member.name, agency=member.agency, reason=reason)


def _targets(group: GroupFacts, left_out: list[LeftOut], met: set[int]) -> Iterator[TargetFacts]:
    for member in group.members:
        if member.id in met:
            continue
        met.add(member.id)
        if isinstance(member, TargetFacts):
            yield member
        elif reason := _closed(member):
            left_out.append(_left_out(member, reason))
        else:
            yield from _targets(member, left_out, met)


def _closed(group: GroupFacts) -> str:
    if group.group_type == SUB_GROUP:
        return "It is a sub-group, which is harvested by its own schedules."
    return "" if group.counts else "Its days do not include the time of the harvest."


def _against(target: TargetFacts, agency: int) -> str:
    if target.agency != agency:
        return f"It belongs to {target.agency_name}, not to the agency of the schedule's owner."
    if not target.approved:
        return f"It is {target.state.lower()}, not approved."
    if target.problems:
        return " ".join(target.problems)
    return "" if target.seeds else "It has no active seed."
