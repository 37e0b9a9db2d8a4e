"""What stands against a harvest that was frozen: its seeds, with the permissions that they rely on now.

An edit of the target changes nothing; a permission that was refused, has ended or was unlinked does.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from opilio.curation import facts
from opilio.curation.harvest_plan import day_of
from opilio.curation.models import Harvest, Permission, Seed, SeedPermission, SnapshotPart
from opilio.curation.permission_facts import PermissionFacts
from opilio.curation.rights import SeedFacts, may_run


@dataclass(frozen=True, kw_only=True)
class _Frozen:
    """A seed as it was when its harvest was queued."""

    id: int
    url: str
    permissions: tuple[int, ...]


def problems_of(harvests: Sequence[Harvest], now: datetime) -> dict[int, tuple[str, ...]]:
    """By harvest, what stands against it now, each a sentence; those without a snapshot have nothing against them."""
    seeds = _frozen(harvests)
    relied = _relied_on([seed for some in seeds.values() for seed in some])
    known = _known({number for some in relied.values() for number in some})
    found = {}
    for harvest in harvests:
        told = [_facts(seed, relied[seed.id], known) for seed in seeds.get(harvest.pk, ())]
        reasons = may_run(told, day_of(harvest, now)).reasons if told else ()
        found[harvest.pk] = tuple(reason.sentence for reason in reasons)
    return found


def _frozen(harvests: Sequence[Harvest]) -> dict[int, list[_Frozen]]:
    parts = SnapshotPart.objects.filter(snapshot__harvest__in=[one.pk for one in harvests], key="seeds")
    rows = parts.values_list("snapshot__harvest_id", "value")
    return {harvest: [_read(one) for one in json.loads(value)] for harvest, value in rows}


def _read(row: Mapping[str, object]) -> _Frozen:
    permissions = row["permissions"] if isinstance(row["permissions"], list) else []
    return _Frozen(id=int(str(row["id"])), url=str(row["url"]), permissions=tuple(int(one) for one in permissions))


def _relied_on(seeds: Iterable[_Frozen]) -> dict[int, list[int]]:
    """By seed, its permissions: those that it is linked to now; of a seed that is gone, those that it had."""
    rows = list(seeds)
    numbers = [seed.id for seed in rows]
    there = set(Seed.objects.filter(pk__in=numbers).values_list("pk", flat=True))
    found: dict[int, list[int]] = {seed.id: [] if seed.id in there else list(seed.permissions) for seed in rows}
    links = SeedPermission.objects.filter(seed_id__in=there).order_by("id")
    for seed, permission in links.values_list("seed_id", "permission_id"):
        found[seed].append(permission)
    return found


def _known(numbers: set[int]) -> dict[int, PermissionFacts]:
    rows = Permission.objects.filter(pk__in=numbers).order_by("id")
    return {one.id: one for one in facts.facts(rows)} if numbers else {}


def _facts(seed: _Frozen, relied: Sequence[int], known: Mapping[int, PermissionFacts]) -> SeedFacts:
    return SeedFacts(url=seed.url, permissions=tuple(known[one] for one in relied if one in known))
