"""Targets, their seeds and excluded URLs that the asker may see, and what the asker may do with one."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, Subquery

from opilio.curation.models import (
    AbstractTarget,
    Approval,
    Credential,
    ExcludedUrl,
    GroupMember,
    Harvest,
    HarvestState,
    ObjectType,
    RejectionReason,
    Seed,
    State,
    Target,
)
from opilio.curation.sight import agencies, seen
from opilio.curation.workflow import TARGETS, Move
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agency_names, users_named, users_who
from opilio.people.queries.visible import one, visible

Choices = list[tuple[int, str]]
_MOST_GROUPS = 1_000  # that a filter offers


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A move that a person could make from the state of a target, and whether the asker may."""

    move: Move[State]
    allowed: bool


def targets(actor: Actor) -> QuerySet[Target]:
    """Targets of the agencies in which the asker works."""
    rows: QuerySet[Target] = Target.objects.filter(object_type=ObjectType.TARGET)
    return seen(rows.select_related("agency", "owner", "assigned_to", "profile"), actor)


def listed(actor: Actor) -> QuerySet[Target]:
    """The same as a list shows them: with their seeds, the one that stands for it first, and their groups."""
    found = Seed.objects.only("url", "target_id").order_by("target_id", "-primary", "position", "id")
    inside = seen(GroupMember.objects.select_related("parent"), actor, agency_path="parent__agency_id")
    return targets(actor).prefetch_related(Prefetch("seeds", queryset=found), Prefetch("memberships", queryset=inside))


def target(actor: Actor, identifier: int) -> Target:
    """One target with what its page shows, or `NotFound`."""
    rows = targets(actor).select_related("rejection_reason", "dublin_core", "overrides", "updated_by")
    return one(rows, "target", identifier)


def with_seed_like(rows: QuerySet[Any], word: str) -> QuerySet[Any]:
    """Of some targets, those with a seed whose URL contains a word."""
    return rows.filter(Exists(Seed.objects.filter(target=OuterRef("pk"), url__icontains=word)))


def in_group(rows: QuerySet[Any], group_id: int) -> QuerySet[Any]:
    """Of some targets, those that are members of a group."""
    return rows.filter(Exists(GroupMember.objects.filter(child=OuterRef("pk"), parent_id=group_id)))


def in_no_group(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Of some targets, those that are in no group."""
    return rows.exclude(Exists(GroupMember.objects.filter(child=OuterRef("pk"), parent__deleted=False)))


def seeds(actor: Actor) -> QuerySet[Seed]:
    """Seeds of the targets that the asker may see."""
    of_seen = seen(AbstractTarget.objects.filter(pk=OuterRef("target_id")), actor)  # no join: an index gives the order
    rows: QuerySet[Seed] = Seed.objects.filter(Exists(of_seen))
    return rows.select_related("credential").prefetch_related("target__agency")


def seeds_named(actor: Actor) -> QuerySet[Seed]:
    """The same by host, with `target_name` instead of the target."""
    name = AbstractTarget.everything.filter(pk=OuterRef("target_id")).order_by().values("name")[:1]
    return seeds(actor).prefetch_related(None).annotate(target_name=Subquery(name)).order_by("host", "id")


def seeds_of(row: Target) -> QuerySet[Seed]:
    """The seeds of a target that the asker may see, in their order."""
    rows: QuerySet[Seed] = Seed.objects.filter(target=row).select_related("credential")
    return rows.order_by("position", "id")


def seed(actor: Actor, identifier: int) -> Seed:
    """One seed, or `NotFound`."""
    return one(seeds(actor), "seed", identifier)


def excluded_urls(actor: Actor) -> QuerySet[ExcludedUrl]:
    """Pages that targets which the asker may see leave out."""
    rows: QuerySet[ExcludedUrl] = ExcludedUrl.objects.filter(target__deleted=False).select_related("target")
    return seen(rows, actor, agency_path="target__agency_id")


def approvals(row: Target) -> QuerySet[Approval]:
    """When a target was approved and by whom, newest first."""
    return Approval.objects.filter(target=row).select_related("by")


def planned(row: Target) -> QuerySet[Harvest]:
    """The harvests of a target that have not begun, soonest first."""
    rows: QuerySet[Harvest] = Harvest.objects.filter(abstract_target_id=row.pk, state=HarvestState.SCHEDULED)
    return rows.select_related("schedule", "owner").order_by("scheduled_at", "id")


def memberships(actor: Actor, row: Target) -> QuerySet[GroupMember]:
    """The groups that a target is in, of those that the asker may see."""
    rows = GroupMember.objects.filter(child_id=row.pk, parent__deleted=False).select_related("parent__agency", "by")
    return seen(rows, actor, agency_path="parent__agency_id")


def offers(actor: Actor, row: Target) -> list[Offer]:
    """What people can do from the target's state, each with whether the asker may."""
    subject = Subject(agency=row.agency_id, owner=row.owner_id)
    return [
        Offer(move=move, allowed=actor.may(move.privilege, subject))
        for move in TARGETS.by_people(State(row.state))
        if move.privilege is not None
    ]


def may(actor: Actor, privilege: Privilege, row: Target) -> bool:
    """Whether the asker's privilege reaches a target."""
    return actor.may(privilege, Subject(agency=row.agency_id, owner=row.owner_id))


def owner_choices(actor: Actor) -> Choices:
    """Who owns targets that the asker may see, by user name; looked up user by user, as targets are far more."""
    rows = AbstractTarget.objects.filter(object_type=ObjectType.TARGET, owner=OuterRef("pk"))
    return users_who(Exists(seen(rows, actor)))


def assigned_choices(actor: Actor) -> Choices:
    """To whom targets that the asker may see are assigned, by user name."""
    rows: QuerySet[Target] = Target.everything.exclude(assigned_to=None)
    return users_named(seen(rows, actor).order_by().values("assigned_to_id").distinct())


def group_choices(actor: Actor) -> Choices:
    """The groups that the asker may see, by name."""
    rows = AbstractTarget.objects.filter(object_type=ObjectType.GROUP).order_by("name", "id")
    return list(seen(rows, actor).values_list("id", "name")[:_MOST_GROUPS])


def agency_choices(actor: Actor) -> Choices:
    """The agencies whose targets the asker may see."""
    return agency_names(agencies(actor))


def credential_choices(row: Target) -> Choices:
    """What a seed of the target can show to a site that asks who is there."""
    if row.overrides_id is None:
        return []
    found = Credential.objects.filter(overrides_id=row.overrides_id)
    return [(credential.id, str(credential)) for credential in found]


def reasons(actor: Actor) -> QuerySet[RejectionReason]:
    """Reasons for rejections that the asker manages."""
    rows: QuerySet[RejectionReason] = RejectionReason.objects.select_related("agency")
    return visible(rows, actor, Privilege.MANAGE_REASONS, agency_path="agency_id")


def reason(actor: Actor, identifier: int) -> RejectionReason:
    """One reason, or `NotFound`."""
    return one(reasons(actor), "rejection reason", identifier)


def reasons_for(row: Target) -> Choices:
    """The reasons for which a target can be rejected."""
    found = RejectionReason.objects.filter(agency_id=row.agency_id, for_targets=True)
    return list(found.order_by("name").values_list("id", "name"))
