"""Which profiles somebody may choose: those of the agency, active, up to the level that a role allows."""

from django.db.models import QuerySet

from opilio.curation.models import Profile, ProfileStatus
from opilio.people.acting import Act
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_LEVELS = (
    (3, Privilege.SET_HARVEST_PROFILE_LV3),
    (2, Privilege.SET_HARVEST_PROFILE_LV2),
    (1, Privilege.SET_HARVEST_PROFILE_LV1),
)


def highest_level(actor: Actor, agency_id: int) -> int:
    """The highest level of profiles that the actor may choose in an agency; 0: none."""
    if actor.is_system:
        return 3
    for level, privilege in _LEVELS:
        if actor.grants.everywhere(privilege) or agency_id in actor.grants.owned_agencies(privilege):
            return level
    return 0


def choosable(actor: Actor, agency_id: int) -> QuerySet[Profile]:
    """The profiles that the actor may give to targets and groups of an agency."""
    rows: QuerySet[Profile] = Profile.objects.filter(agency_id=agency_id, status=ProfileStatus.ACTIVE)
    return rows.filter(level__lte=highest_level(actor, agency_id))


def check_choice(act: Act, profile: Profile | None, agency_id: int) -> None:
    """Go on only if the profile may be chosen by whoever acts; None, the default of the agency, always may."""
    if profile is None:
        return
    if profile.agency_id != agency_id or profile.deleted:
        raise InvalidFields({"profile": ["This profile belongs to another agency; choose one of the target's own."]})
    check_active(profile, "profile")
    level = highest_level(act.actor, agency_id)
    act.require_that(
        profile.level <= level,
        f"choose the profile {profile.name}, which has level {profile.level}",
        f"It needs the privilege SET_HARVEST_PROFILE_LV{profile.level}; choose another, or ask an administrator.",
    )


def check_active(profile: Profile, field: str) -> None:
    """Only active profiles are chosen anew."""
    if profile.status != ProfileStatus.ACTIVE:
        label = ProfileStatus(profile.status).label.lower()
        raise InvalidFields({field: [f"The profile {profile.name} is {label}; choose an active one."]})


def default_profile(agency_id: int) -> Profile | None:
    """The profile with which new targets of an agency start."""
    found: Profile | None = Profile.objects.filter(agency_id=agency_id, is_default=True).first()
    return found


def locked_copy(act: Act, profile: Profile) -> Profile:
    """The copy of a profile's present settings that a harvest runs with; one for each version, shared by harvests."""
    latest = profile.versions.order_by("-number").values_list("number", flat=True).first() or profile.version
    known: Profile | None = Profile.objects.filter(original=profile, original_version=latest).first()
    if known is not None:
        return known
    made = Profile(
        agency_id=profile.agency_id, name=profile.name, description=profile.description, level=profile.level,
        settings=profile.settings, foreign_document=profile.foreign_document, status=ProfileStatus.LOCKED,
        original=profile, original_version=latest,
    )  # fmt: skip
    return act.insert(made, message=f"Locked copy of version {latest}.")
