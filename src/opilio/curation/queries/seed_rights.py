"""The rights of seeds, each in a sentence, and the permissions that a seed could be linked with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from opilio.curation.facts import facts
from opilio.curation.models import Linked, Permission, PermissionStatus, Seed, SeedPermission
from opilio.curation.permission_facts import PermissionFacts
from opilio.curation.rights import SeedFacts, may_collect

_MOST = 20


@dataclass(frozen=True, kw_only=True)
class Relied:
    """A permission that a seed relies on."""

    id: int
    name: str
    status: str
    linked: str  # how it came to the seed


@dataclass(frozen=True, kw_only=True)
class SeedRights:
    """Whether a seed may be collected on a day, and why."""

    allowed: bool
    sentence: str
    links: tuple[Relied, ...]


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A permission that a seed could be linked with."""

    id: int
    label: str


def rights_of_seeds(seeds: Sequence[Seed], on: date) -> dict[int, SeedRights]:
    """For each seed, its rights on a day."""
    links = list(
        SeedPermission.objects.filter(seed__in=[seed.id for seed in seeds], permission__deleted=False).order_by("id")
    )
    known = _known({link.permission_id for link in links})
    return {seed.id: _rights(seed, [link for link in links if link.seed_id == seed.id], known, on) for seed in seeds}


def quick_picks(agency_id: int) -> list[Candidate]:
    """The permissions that an agency offers beside seeds."""
    rows = Permission.objects.filter(agency_id=agency_id, quick_pick=True, authorisation__active=True)
    rows = rows.select_related("authorisation", "agent")
    return _candidates(rows.order_by("display_name", "id")[:200])


def permissions_like(agency_id: int, text: str) -> list[Candidate]:
    """The permissions of an agency whose authorisation's title or a URL pattern contains a text."""
    if not text.strip():
        return []
    found = Q(authorisation__title__icontains=text.strip()) | Q(patterns__pattern__icontains=text.strip())
    rows = Permission.objects.filter(found, agency_id=agency_id, authorisation__deleted=False).distinct()
    rows = rows.select_related("authorisation", "agent")
    return _candidates(rows.order_by("authorisation__title", "id")[:_MOST])


def _known(numbers: set[int]) -> dict[int, PermissionFacts]:
    return {each.id: each for each in facts(Permission.objects.filter(id__in=numbers))}


def _rights(
    seed: Seed, links: list[SeedPermission], known: dict[int, PermissionFacts], on: date
) -> SeedRights:  # fmt: skip
    relied = [known[link.permission_id] for link in links]
    verdict = may_collect(SeedFacts(url=seed.url, permissions=tuple(relied)), on)
    return SeedRights(
        allowed=verdict.allowed,
        sentence=_granted(relied, verdict.allowed_by) if verdict.allowed else " ".join(
            reason.sentence for reason in verdict.reasons
        ),
        links=tuple(_relied(known[link.permission_id], link) for link in links),
    )  # fmt: skip


def _granted(relied: Iterable[PermissionFacts], numbers: Sequence[int]) -> str:
    told = [
        f"“{each.name}” until {each.ends:%Y-%m-%d}" if each.ends else f"“{each.name}”, without end"
        for each in relied
        if each.id in numbers
    ]
    return f"It may be collected today by the permission {', and by '.join(told)}."


def _relied(permission: PermissionFacts, link: SeedPermission) -> Relied:
    return Relied(
        id=permission.id, name=permission.name, status=permission.status.word, linked=Linked(link.linked).label
    )  # fmt: skip


def _candidates(rows: Iterable[Permission]) -> list[Candidate]:
    return [
        Candidate(id=row.id, label=f"{row} · {row.authorisation.title} ({PermissionStatus(row.status).label})")
        for row in rows
    ]
