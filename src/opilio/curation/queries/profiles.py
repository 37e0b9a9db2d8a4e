"""Profiles with their versions, and the overrides and credentials of targets and groups, as the asker may see them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from opilio.curation.models import (
    AbstractTarget,
    Credential,
    ObjectType,
    OverridePattern,
    Overrides,
    PatternUse,
    Profile,
    ProfileVersion,
)
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one, within

_READERS = (Privilege.VIEW_PROFILES, Privilege.MANAGE_PROFILES)
_MOST_VERSIONS = 500


def profiles(actor: Actor) -> QuerySet[Profile]:
    """Profiles of agencies in which the asker may see them, without locked copies, with the number of their users."""
    used = AbstractTarget.objects.filter(profile=OuterRef("pk")).order_by().values("profile")
    rows = Profile.objects.filter(original=None).select_related("agency", "updated_by")
    counted = rows.annotate(use_count=Coalesce(Subquery(used.annotate(number=Count("pk")).values("number")), 0))
    return within(counted, actor, *_READERS, agency_path="agency_id")


def profile(actor: Actor, identifier: int) -> Profile:
    """One profile, or `NotFound`."""
    return one(profiles(actor), "profile", identifier)


def versions(actor: Actor, identifier: int) -> list[ProfileVersion]:
    """The versions of a profile, newest first."""
    rows = ProfileVersion.objects.filter(profile=profile(actor, identifier)).select_related("by")
    return list(rows.order_by("-number")[:_MOST_VERSIONS])


def profile_version(actor: Actor, identifier: int, number: int) -> ProfileVersion:
    """One version of a profile, or `NotFound`."""
    rows = ProfileVersion.objects.filter(profile=profile(actor, identifier), number=number).select_related("by")
    return one(rows, f"version {number} of profile", rows.values_list("pk", flat=True).first() or 0)


def siblings(actor: Actor, row: Profile) -> list[tuple[int, str]]:
    """The other profiles of the same agency that can be chosen."""
    others = profiles(actor).filter(agency_id=row.agency_id, status=1).exclude(pk=row.pk)
    return list(others.order_by("name").values_list("pk", "name"))


@dataclass(frozen=True, kw_only=True)
class ShownCredential:
    """A credential without its secret."""

    id: int
    kind: str
    domain: str
    username: str
    realm: str
    login_url: str
    method: str
    username_field: str
    password_field: str
    header_name: str
    has_secret: bool
    version: int


@dataclass(frozen=True, kw_only=True)
class ShownOverrides:
    """The overrides of a target or group; every switch is off where there are none."""

    holder: AbstractTarget
    row: Overrides
    exclusions: tuple[str, ...]
    inclusions: tuple[str, ...]
    credentials: tuple[ShownCredential, ...]
    may_change: bool


def holders(actor: Actor) -> QuerySet[AbstractTarget]:
    """Targets and groups that the asker may see."""
    rows = AbstractTarget.objects.select_related("overrides__updated_by", "agency", "owner", "profile")
    return seen(rows, actor)


def holder(actor: Actor, identifier: int) -> AbstractTarget:
    """One target or group, or `NotFound`."""
    return one(holders(actor), "target or group", identifier)


def overrides_of(actor: Actor, holder_id: int) -> ShownOverrides:
    """The overrides of a target or group that the asker may see."""
    row = holder(actor, holder_id)
    own = row.overrides or Overrides()
    patterns = list(OverridePattern.objects.filter(overrides=own)) if row.overrides else []
    group = row.object_type == ObjectType.GROUP
    privilege = Privilege.MANAGE_GROUP_OVERRIDES if group else Privilege.MODIFY_TARGET
    return ShownOverrides(
        holder=row, row=own, exclusions=_of(patterns, PatternUse.EXCLUDE),
        inclusions=_of(patterns, PatternUse.INCLUDE), credentials=_credentials(own) if row.overrides else (),
        may_change=actor.may(privilege, Subject(agency=row.agency_id, owner=row.owner_id)),
    )  # fmt: skip


def credential(actor: Actor, identifier: int) -> tuple[ShownCredential, AbstractTarget]:
    """One credential without its secret, and whose it is; or `NotFound`."""
    mine = holders(actor).values("overrides")
    row = one(Credential.objects.filter(overrides__in=mine), "credential", identifier)
    return _shown(row), holders(actor).get(overrides_id=row.overrides_id)


def _of(patterns: list[OverridePattern], use: PatternUse) -> tuple[str, ...]:
    return tuple(row.expression for row in patterns if row.use == use)


def _credentials(row: Overrides) -> tuple[ShownCredential, ...]:
    return tuple(_shown(one) for one in Credential.objects.filter(overrides=row))


def _shown(row: Any) -> ShownCredential:
    names = [name for name in ShownCredential.__dataclass_fields__ if name != "has_secret"]
    return ShownCredential(**{name: getattr(row, name) for name in names}, has_secret=bool(row.secret))
