"""Reads what a combined harvest of a group would start with, at a time and for the agency of a schedule's owner.

The groups are read level by level, the targets with their seeds and rights all at once.
"""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from opilio.curation import facts, group_rules, rights
from opilio.curation.group_seeds import Combined, GroupFacts, SeedFacts, TargetFacts, combined
from opilio.curation.models import Group, GroupMember, ObjectType, Permission, Seed, SeedPermission, State, Target
from opilio.curation.sight import agencies
from opilio.people.actor import Actor

_APPROVED = (State.APPROVED, State.COMPLETED)


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a harvest of a group would start with now, as far as the asker may see it."""

    found: Combined
    hidden: int  # targets and groups that the asker may not see


def preview(actor: Actor, group: Group) -> Preview:
    """The combined harvest that a schedule of the group's owner would make now."""
    whole = combined_harvest(group, agency_id=group.owner.agency_id, at=actor.clock.now())
    reached = agencies(actor)
    seeds = tuple(seed for seed in whole.seeds if reached is None or seed.agency in reached)
    left_out = tuple(one for one in whole.left_out if reached is None or one.agency in reached)
    named = {seed.target for seed in whole.seeds} | {one.id for one in whole.left_out}
    shown = {seed.target for seed in seeds} | {one.id for one in left_out}
    return Preview(found=Combined(seeds=seeds, left_out=left_out), hidden=len(named - shown))


def combined_harvest(group: Group, *, agency_id: int, at: datetime.datetime) -> Combined:
    """The seeds of a combined harvest, and who is left out."""
    return combined(_Reading(agency_id=agency_id, at=at).whole(group), agency=agency_id)


class _Reading:
    """What is in a group, however deep; groups that do not count are not opened."""

    def __init__(self, *, agency_id: int, at: datetime.datetime) -> None:
        self._agency = agency_id
        self._at = at
        self._groups: dict[int, Group] = {}
        self._inside: dict[int, list[int]] = {}  # opened group → members, by name
        self._targets: dict[int, TargetFacts] = {}

    def whole(self, top: Group) -> GroupFacts:
        """The group that is harvested: its schedules see to its days, and its own type does not matter."""
        self._groups[top.id] = top
        targets = self._opened([top.id])
        self._targets = {row.id: row for row in self._told(list(targets.values()))}
        return self._facts(top.id, frozenset())

    def _opened(self, edge: list[int]) -> dict[int, Target]:
        targets: dict[int, Target] = {}
        while edge:
            self._inside.update({identifier: [] for identifier in edge})
            below: set[int] = set()
            for link in _links(edge):
                child = link.child
                self._inside[link.parent_id].append(child.id)
                if child.object_type == ObjectType.TARGET:
                    targets[child.id] = child.target
                else:
                    self._groups.setdefault(child.id, child.group)
                    below.add(child.id)
            edge = [one for one in sorted(below) if one not in self._inside and self._open(self._groups[one])]
        return targets

    def _open(self, group: Group) -> bool:
        return self._counts(group) and group.group_type != group_rules.SUB_GROUP

    def _counts(self, group: Group) -> bool:
        return group_rules.holds(group.start_date, group.end_date, self._at, group.agency.time_zone)

    def _facts(self, identifier: int, path: frozenset[int]) -> GroupFacts:
        group, inner = self._groups[identifier], path | {identifier}
        members: list[TargetFacts | GroupFacts] = [
            self._targets[one] if one in self._targets else self._facts(one, inner)
            for one in self._inside.get(identifier, ())
            if one not in inner
        ]
        counts = not path or self._counts(group)
        return GroupFacts(
            id=group.id, name=group.name, agency=group.agency_id, group_type=group.group_type, counts=counts,
            members=tuple(members),
        )  # fmt: skip

    def _told(self, rows: list[Target]) -> Iterable[TargetFacts]:
        seeds: dict[int, list[Seed]] = {}
        for seed in Seed.objects.filter(target__in=rows, active=True).order_by("position", "id"):
            seeds.setdefault(seed.target_id, []).append(seed)
        asked = [row.id for row in rows if row.state in _APPROVED and row.agency_id == self._agency]
        problems = _problems({number: seeds[number] for number in asked if number in seeds}, self._at.date())
        for row in rows:
            yield TargetFacts(
                id=row.id, name=row.name, agency=row.agency_id, agency_name=row.agency.name,
                approved=row.state in _APPROVED, state=State(row.state).label, problems=problems.get(row.id, ()),
                seeds=tuple(SeedFacts(id=seed.id, url=seed.url) for seed in seeds.get(row.id, ())),
            )  # fmt: skip


def _links(parents: list[int]) -> Iterable[GroupMember]:
    rows = GroupMember.objects.filter(parent_id__in=parents, child__deleted=False)
    return rows.select_related("child__target__agency", "child__group__agency").order_by("child__name", "id")


def _problems(seeds: dict[int, list[Seed]], on: datetime.date) -> dict[int, tuple[str, ...]]:
    """By target, why its rights forbid a harvest on a day."""
    numbers = [seed.id for some in seeds.values() for seed in some]
    links: dict[int, list[int]] = {}
    for seed, permission in SeedPermission.objects.filter(seed_id__in=numbers).values_list("seed_id", "permission_id"):
        links.setdefault(seed, []).append(permission)
    wanted = {permission for some in links.values() for permission in some}
    known = {one.id: one for one in facts.facts(Permission.objects.filter(id__in=wanted))} if wanted else {}
    found = {}
    for target, some in seeds.items():
        told = [
            rights.SeedFacts(url=seed.url, permissions=tuple(known[p] for p in links.get(seed.id, ()) if p in known))
            for seed in some
        ]
        found[target] = tuple(reason.sentence for reason in rights.may_run(told, on).reasons)
    return found
