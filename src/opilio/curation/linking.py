"""Links seeds with permissions: finds those that match, adds, removes and moves links within the action under way."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from opilio.curation.days import day_in
from opilio.curation.facts import facts
from opilio.curation.matching import Answer, Explanation, explain, judge
from opilio.curation.models import Linked, PatternMapping, Permission, Seed, SeedPermission
from opilio.curation.permission_facts import PermissionFacts
from opilio.curation.places import Place, place_of
from opilio.curation.wct_matching import WctPermission, wct_matching
from opilio.kernel.errors import InvalidInput
from opilio.people.acting import Act
from opilio.people.errors import NotFound
from opilio.people.parameters import value

_MOST_CANDIDATES = 2_000


class WrongAgency(InvalidInput):
    """A seed cannot rely on a permission that was granted to another agency."""


@dataclass(frozen=True, kw_only=True)
class Match:
    """A permission that a seed with some URL can be linked to, and why."""

    permission: int
    name: str
    authorisation: str
    pattern: str
    reason: str
    allows: bool  # whether the seed may be collected by it today


def matching(url: str, *, agency_id: int, on: date) -> tuple[Match, ...]:
    """The permissions to which a seed of the agency with this URL is linked of itself."""
    place = place_of(url)
    candidates = facts(_candidates(place, agency_id))
    if value("wct_matching"):
        return _as_wct(candidates, url, agency_id, on)
    answers = (judge(each, place, agency=agency_id, today=on) for each in candidates)
    return tuple(_match(answer) for answer in answers if answer.matches)


def explained(url: str, *, agency_id: int, on: date) -> Explanation:
    """Why the URL is allowed or not, by every permission of the agency with a pattern for its host or above it."""
    place = place_of(url)
    return explain(url, facts(_near(place, agency_id)[:_MOST_CANDIDATES]), agency=agency_id, today=on)


def explained_as_wct(url: str, *, agency_id: int, on: date) -> list[str]:
    """The names of the permissions that the Web Curator Tool 1.4 would have linked a seed with this URL to."""
    return [match.name for match in _as_wct(facts(_candidates(place_of(url), agency_id)), url, agency_id, on)]


def link(act: Act, seed: Seed, permission_id: int, linked: Linked) -> SeedPermission:
    """Let a seed rely on a permission; once is enough."""
    permission = _permission(act, permission_id)
    if permission.agency_id != seed.target.agency_id:
        raise WrongAgency(
            f"The permission {permission} was granted to another agency than that of {seed.target}", where=seed.url,
            remedy="Choose a permission of the agency that owns the target.",
        )  # fmt: skip
    made, new = SeedPermission.objects.get_or_create(
        seed=seed, permission=permission,
        defaults={"linked": linked, "at": act.clock.now(), "by_id": act.actor.user},
    )  # fmt: skip
    if new:
        act.record(seed, message=f"Linked with the permission {permission}.", after={"permission_id": permission_id})
    return made


def unlink(act: Act, seed: Seed, permission_id: int) -> bool:
    """Let a seed rely on a permission no longer; whether it did."""
    gone = SeedPermission.objects.filter(seed=seed, permission_id=permission_id).delete()[0]
    if gone:
        act.record(seed, message="Unlinked from a permission.", before={"permission_id": permission_id})
    return bool(gone)


def auto_link(act: Act, seed: Seed) -> int:
    """Link a seed with every permission that matches its URL; how many it relies on by that."""
    agency = seed.target.agency
    found = matching(seed.url, agency_id=agency.id, on=day_in(act.clock.now(), agency.time_zone))
    for match in found:
        link(act, seed, match.permission, Linked.AUTO)
    return len(found)


def _permission(act: Act, permission_id: int) -> Permission:
    row: Permission | None = Permission.objects.filter(id=permission_id).first()
    if row is None:
        raise NotFound(f"There is no permission {permission_id}", where=act.name, remedy="Was it deleted?")
    return row


def _candidates(place: Place, agency_id: int) -> QuerySet[Permission]:
    """By the look-up: permissions of active authorisations only."""
    found = PatternMapping.objects.filter(domain__in=place.keys, permission__agency_id=agency_id)
    rows: QuerySet[Permission] = Permission.objects.filter(id__in=found.values("permission_id")).order_by("id")
    return rows


def _near(place: Place, agency_id: int) -> QuerySet[Permission]:
    """Whatever has something to do with the host, active or not, so that an explanation can tell of it."""
    mapped = _candidates(place, agency_id)
    ends = [f"://{'*.' if star else ''}{host}" for host in place.keys for star in (False, True)]
    unmapped = Permission.objects.filter(agency_id=agency_id, authorisation__active=False)
    named = Q()
    for end in ends:
        named |= Q(patterns__pattern__contains=f"{end}/") | Q(patterns__pattern__contains=f"{end}:")
    rows: QuerySet[Permission] = Permission.objects.filter(
        Q(id__in=mapped.values("id")) | Q(id__in=unmapped.filter(named).values("id"))
    ).order_by("id")
    return rows


def _match(answer: Answer) -> Match:
    return Match(
        permission=answer.permission.id,
        name=answer.permission.name,
        authorisation=answer.permission.authorisation_name,
        pattern=str(answer.pattern or ""),
        reason="; ".join(check.sentence for check in answer.checks),
        allows=answer.allows,
    )


def _as_wct(candidates: Iterable[PermissionFacts], url: str, agency_id: int, on: date) -> tuple[Match, ...]:
    """As the Web Curator Tool would have linked it, for installations that move over."""
    known = {each.id: each for each in candidates}
    old = [
        WctPermission(
            id=each.id, patterns=tuple(map(str, each.patterns)), agency=each.agency, ends=each.ends,
            authorisation_active=each.authorisation_active,
        )
        for each in known.values()
    ]  # fmt: skip
    place = place_of(url)
    found = wct_matching(old, url, agency=agency_id, today=on)
    return tuple(_match(judge(known[each.id], place, agency=agency_id, today=on)) for each in found)
