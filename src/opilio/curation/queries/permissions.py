"""Permissions that the asker may see: their standing by the calendar, what hangs on them, and what they allow."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, Count, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from opilio.curation.days import day_in
from opilio.curation.facts import facts
from opilio.curation.linking import explained
from opilio.curation.matching import Explanation
from opilio.curation.models import (
    Channel,
    Communication,
    Invitation,
    PatternMapping,
    Permission,
    PermissionExclusion,
    PermissionPattern,
    PermissionStatus,
    Seed,
    SeedPermission,
    UrlPattern,
)
from opilio.curation.pattern_reading import parse_pattern
from opilio.curation.permission_facts import Standing, Term
from opilio.curation.places import domains_of
from opilio.curation.sight import agencies, seen
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.queries.visible import one

CHANNELS: list[tuple[str, str]] = [(str(value), str(label)) for value, label in Channel.choices]
FUTURE, EXPIRED = 4, 5
#: What the column `standing` means: the status, and what the calendar makes of an approved one.
STANDINGS: dict[int, str] = {
    **{int(value): str(label) for value, label in PermissionStatus.choices},
    FUTURE: "Approved (future)",
    EXPIRED: "Approved (expired)",
}
_MOST = 1_000


def permissions(actor: Actor) -> QuerySet[Permission]:
    """Permissions of the agencies that the asker works for, with their standing and the number of linked seeds."""
    rows: QuerySet[Permission] = Permission.objects.select_related("authorisation", "agent", "agency", "updated_by")
    today = today_of(actor)
    approved = {"status": PermissionStatus.APPROVED}
    return seen(rows, actor).annotate(
        standing=Case(
            When(**approved, start_date__gt=today, then=Value(FUTURE)),
            When(**approved, end_date__lt=today, then=Value(EXPIRED)),
            default=F("status"), output_field=IntegerField(),
        ),
        seed_count=Coalesce(
            Subquery(
                SeedPermission.objects.filter(permission=OuterRef("pk"), seed__deleted=False)
                .order_by().values("permission").annotate(number=Count("pk")).values("number")
            ),
            0,
        ),
    )  # fmt: skip


def standing_in(rows: QuerySet[Permission], standings: Sequence[int]) -> QuerySet[Permission]:
    """Of such rows, those that stand so."""
    return rows.filter(Q(("standing__in", list(standings))))


def permission(actor: Actor, identifier: int) -> Permission:
    """One permission with its patterns and exclusions, or `NotFound`."""
    rows = permissions(actor).prefetch_related(
        Prefetch("pattern_links", queryset=PermissionPattern.objects.select_related("pattern")),
        Prefetch("exclusions", queryset=PermissionExclusion.objects.order_by("position", "id")),
    )
    return one(rows, "permission", identifier)


def today_of(actor: Actor) -> date:
    """The day where the asker is."""
    return day_in(actor.clock.now(), actor.time_zone)


def of_authorisation(actor: Actor, authorisation_id: int) -> QuerySet[Permission]:
    """The permissions of one authorisation."""
    return permissions(actor).filter(authorisation_id=authorisation_id)


def of_agent(actor: Actor, agent_id: int) -> QuerySet[Permission]:
    """The permissions of one authorising agent, newest first."""
    return permissions(actor).filter(agent_id=agent_id).order_by("-start_date", "-id")


def quick_picks(actor: Actor, agency_id: int) -> QuerySet[Permission]:
    """The permissions that are offered beside seeds of the agency's targets."""
    picked = permissions(actor).filter(agency_id=agency_id, quick_pick=True, authorisation__active=True)
    return picked.filter(Q(end_date=None) | Q(end_date__gte=today_of(actor))).order_by("display_name", "id")


def expiring(actor: Actor, days: int) -> QuerySet[Permission]:
    """Approved permissions whose last day lies within so many days, soonest first."""
    today = today_of(actor)
    rows = permissions(actor).filter(status=PermissionStatus.APPROVED, end_date__gte=today)
    return rows.filter(end_date__lte=today + timedelta(days=days)).order_by("end_date", "id")


def communications(actor: Actor, permission_id: int) -> QuerySet[Communication]:
    """What was said about a permission, newest first."""
    permission(actor, permission_id)
    return Communication.objects.filter(permission_id=permission_id).select_related("by")


def communication(actor: Actor, identifier: int) -> Communication:
    """One thing that was said, as far as its permission may be seen; else `NotFound`."""
    rows = Communication.objects.filter(permission__in=permissions(actor).values("id"))
    return one(rows.select_related("permission"), "communication", identifier)


def open_forms(actor: Actor, permission_id: int) -> QuerySet[Invitation]:
    """The answer forms of a permission that are still open."""
    permission(actor, permission_id)
    rows = Invitation.objects.filter(permission_id=permission_id, used_at=None, revoked_at=None)
    return rows.filter(expires_at__gt=actor.clock.now())


def linked_seeds(actor: Actor, permission_id: int) -> QuerySet[Seed]:
    """The seeds that rely on a permission, with their targets; those of targets that the asker may see."""
    permission(actor, permission_id)
    rows = Seed.objects.filter(links__permission_id=permission_id, target__deleted=False).select_related("target")
    return seen(rows.order_by("url", "id"), actor, agency_path="target__agency_id")


def explain(actor: Actor, url: str, agency_id: int) -> Explanation:
    """Why a URL may be collected by an agency today or not."""
    reached = agencies(actor)
    if reached is not None and agency_id not in reached:
        raise NotFound(f"There is no agency {agency_id} that you may see", remedy="Choose one that you work for.")
    return explained(url, agency_id=agency_id, on=today_of(actor))


@dataclass(frozen=True, kw_only=True)
class Wider:
    """A permission that covers everything that another is about to ask for."""

    permission: int
    name: str
    pattern: str
    narrow: str
    status: str


def wider(actor: Actor, *, agency_id: int, patterns: Sequence[str], but: int | None = None) -> list[Wider]:
    """Permissions of the agency, in force or still to come, one of whose patterns covers all of another pattern."""
    narrow = [parse_pattern(text) for text in patterns]
    keys = {key for each in narrow for key in (*domains_of(each.host), "*")}
    found = PatternMapping.objects.filter(domain__in=keys, permission__agency_id=agency_id)
    rows = Permission.objects.filter(id__in=found.values("permission_id")).exclude(id=but or 0).order_by("id")
    today = today_of(actor)
    alive = [
        each for each in facts(seen(rows, actor)[:_MOST])
        if each.status is not Standing.REJECTED and each.term(today) is not Term.EXPIRED
    ]  # fmt: skip
    return [
        Wider(permission=each.id, name=each.name, pattern=str(pattern), narrow=str(one), status=each.status.word)
        for each in alive
        for one in narrow
        for pattern in each.patterns
        if pattern.contains(one) and not one.contains(pattern)
    ]


def pattern_choices(authorisation_id: int) -> list[tuple[int, str]]:
    """The patterns of an authorisation, as a form offers them."""
    rows: Any = UrlPattern.objects.filter(authorisation_id=authorisation_id).values_list("id", "pattern")
    return list(rows)
