"""The rights of a target: what stands against approving and harvesting it, and what its permissions exclude.

Everything is read anew each time, so that later changes of permissions and exclusions count at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from opilio.curation.facts import facts
from opilio.curation.models import Permission, Seed, SeedPermission
from opilio.curation.pattern_expressions import expression
from opilio.curation.permission_facts import PermissionFacts, Standing, Term
from opilio.curation.rights import RunVerdict, SeedFacts, against_approval, may_run
from opilio.people.remembering import once


@dataclass(frozen=True, kw_only=True)
class Exclusion:
    """What a permission excludes from a harvest, as people wrote it and as the scope of a crawl takes it."""

    pattern: str
    expression: str  # RE2, over canonical URLs
    reason: str
    permission: int
    permission_name: str


def approval_problems(target_id: int) -> tuple[str, ...]:
    """Why a target cannot be approved, each a sentence; nothing when it can."""
    if once(("approvable", target_id), lambda: _plainly_approvable(target_id)):
        return ()
    return tuple(reason.sentence for reason in against_approval(seeds_of(target_id)))


def run_verdict(target_id: int, on: date) -> RunVerdict:
    """Whether its seeds may be collected on a day, by which permissions, and why not."""
    return may_run(seeds_of(target_id), on)


def run_problems(target_id: int, on: date) -> tuple[str, ...]:
    """Why a harvest of the target may not run on a day, each a sentence; nothing when it may."""
    return tuple(reason.sentence for reason in run_verdict(target_id, on).reasons)


def exclusions_of(target_id: int, on: date | None = None) -> tuple[Exclusion, ...]:
    """What the permissions of its seeds exclude; with a day, only by permissions that are in force then."""
    permissions = _named(_links(target_id))
    told = (each for each in permissions.values() if on is None or each.term(on) is Term.CURRENT)
    return tuple(
        Exclusion(
            pattern=str(exclusion.pattern), expression=expression(exclusion.pattern), reason=exclusion.reason,
            permission=permission.id, permission_name=permission.name,
        )
        for permission in told
        for exclusion in permission.exclusions
    )  # fmt: skip


def seeds_of(target_id: int) -> list[SeedFacts]:
    """The seeds at which harvests start, with the permissions they rely on."""
    found = _links(target_id)
    permissions = _named(found)
    seeds = Seed.objects.filter(target_id=target_id, active=True).order_by("position", "id").values_list("id", "url")
    links: dict[int, list[PermissionFacts]] = {}
    for seed, permission in found:
        if permission in permissions:
            links.setdefault(seed, []).append(permissions[permission])
    return [SeedFacts(url=url, permissions=tuple(links.get(seed, ()))) for seed, url in seeds]


def _plainly_approvable(target_id: int) -> bool:
    """By one short question, as most targets are: each seed relies on a permission, and none of those was refused."""
    return target_id in plainly_approvable([target_id])


def plainly_approvable(target_ids: Sequence[int]) -> set[int]:
    """The same of several targets at once: those that are."""
    asked = ("target_id", "id", "links__permission__status", "links__permission__deleted")
    rows: dict[int, list[tuple[int, int | None, bool | None]]] = {}
    for target, *row in Seed.objects.filter(target_id__in=target_ids, active=True).order_by().values_list(*asked):
        rows.setdefault(target, []).append((row[0], row[1], row[2]))
    return {target for target, found in rows.items() if _covered(found)}


def _covered(rows: Sequence[tuple[int, int | None, bool | None]]) -> bool:
    """Of seeds with the status of each permission, and whether that is deleted."""
    relied_on = {(seed, status) for seed, status, deleted in rows if deleted is False}
    covered = {seed for seed, _ in relied_on} == {seed for seed, *_ in rows}
    return covered and all(status != Standing.REJECTED for _, status in relied_on)


def _links(target_id: int) -> list[tuple[int, int]]:
    found = SeedPermission.objects.filter(seed__target_id=target_id, seed__deleted=False, seed__active=True)
    return list(found.order_by("id").values_list("seed_id", "permission_id"))


def _named(links: list[tuple[int, int]]) -> dict[int, PermissionFacts]:
    numbers = {permission for _, permission in links}
    return {each.id: each for each in facts(Permission.objects.filter(id__in=numbers).order_by("id"))}
