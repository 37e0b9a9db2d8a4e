"""Make, change, copy, switch and transfer profiles; every set of settings that was saved is kept."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from opilio.curation import profiling
from opilio.curation.kinds import PROFILE
from opilio.curation.models import AbstractTarget, Profile, ProfileStatus, ProfileVersion
from opilio.curation.profile_settings import BadProfile, from_plain, to_plain
from opilio.curation.workflow import PROFILES
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Subject

FIELDS = ("name", "description", "level")
_MOST_NAMED = 50


@action("profile.create", "Make a profile, or import one.", privilege=Privilege.MANAGE_PROFILES)
def create_profile(
    act: Act, /, *, agency_id: int, name: str, settings: Mapping[str, Any], description: str = "", level: int = 1,
    foreign_document: str = "",
) -> Profile:  # fmt: skip
    """The first profile of an agency becomes its default."""
    act.require(Privilege.MANAGE_PROFILES, Subject(agency=agency_id), "make profiles in that agency")
    first = not Profile.objects.filter(agency_id=agency_id, original=None).exists()
    made = Profile(
        agency_id=agency_id, name=name.strip(), description=description.strip(), level=level, is_default=first,
        settings=checked(settings), foreign_document=foreign_document,
    )  # fmt: skip
    act.insert(made)
    _keep(act, made)
    return made


@action("profile.update", "Change a profile; the version before is kept.", privilege=Privilege.MANAGE_PROFILES)
def update_profile(
    act: Act, /, *, profile_id: int, version: int, settings: Mapping[str, Any] | None = None, **fields: Any
) -> Profile:
    """Targets that use the profile follow at their next harvest; harvests that ran keep the copy they ran with."""
    profile = _own(act, profile_id, "change")
    changes = {name: _clean(value) for name, value in fields.items() if name in FIELDS}
    if settings is not None:
        changes["settings"] = checked(settings)
    before = profile.settings
    if act.update(profile, changes, version=version) and profile.settings != before:
        _keep(act, profile)
    return profile


@action("profile.copy", "Make a profile like another one.", privilege=Privilege.MANAGE_PROFILES)
def copy_profile(act: Act, /, *, profile_id: int, name: str) -> Profile:
    """The copy is active, belongs to the same agency, and is used by nothing yet."""
    source = _own(act, profile_id, "copy", locked=True)
    made = Profile(
        agency_id=source.agency_id, name=name.strip(), description=source.description, level=source.level,
        settings=source.settings, foreign_document=source.foreign_document,
    )  # fmt: skip
    act.insert(made, message=f"Copied from {source.name}.")
    _keep(act, made)
    return made


@action("profile.switch", "Activate or deactivate a profile.", privilege=Privilege.MANAGE_PROFILES)
def switch_profile(act: Act, /, *, profile_id: int, verb: str) -> Profile:
    """`activate` or `deactivate`; the default of an agency stays active."""
    profile = _own(act, profile_id, "switch", locked=True)
    move = PROFILES.move(verb, ProfileStatus(profile.status))
    if profile.is_default and move.target != ProfileStatus.ACTIVE:
        raise Conflict(
            f"{profile.name} is the default of its agency", where=act.name, remedy="Make another one the default first."
        )
    act.update(profile, {"status": move.target}, message=move.sentence)
    return profile


@action("profile.set-default", "Make a profile the default of its agency.", privilege=Privilege.MANAGE_PROFILES)
def set_default_profile(act: Act, /, *, profile_id: int) -> Profile:
    """New targets and groups of the agency start with it."""
    profile = _own(act, profile_id, "make the default of")
    if profile.status != ProfileStatus.ACTIVE:
        raise Conflict(f"{profile.name} is not active", where=act.name, remedy="Activate it first.")
    for former in Profile.objects.select_for_update().filter(agency_id=profile.agency_id, is_default=True):
        if former.pk != profile.pk:
            act.update(former, {"is_default": False}, message=f"{profile.name} is the default now.")
    act.update(profile, {"is_default": True})
    return profile


@action(
    "profile.transfer", "Give all targets and groups of a profile another one.", privilege=Privilege.MANAGE_PROFILES
)
def transfer_profile(act: Act, /, *, profile_id: int, into_id: int) -> int:
    """How many targets and groups follow another profile of the same agency from now on."""
    source = _own(act, profile_id, "transfer the targets of", locked=True)
    into = _own(act, into_id, "transfer targets to")
    if into.pk == source.pk:
        raise InvalidFields({"into": ["Choose another profile than the one they have."]}, where=act.name)
    if into.agency_id != source.agency_id:
        raise InvalidFields({"into": ["Choose a profile of the same agency."]}, where=act.name)
    profiling.check_active(into, "into")
    rows = AbstractTarget.objects.select_for_update().filter(profile=source)
    names = list(rows.order_by("name").values_list("name", flat=True))
    now = act.clock.now()
    rows.update(profile=into, updated=now, updated_by_id=act.actor.user, version=F("version") + 1)
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        message = f"{len(names)} targets and groups moved to {into.name}: {', '.join(names[:_MOST_NAMED])}{more}."
        act.record(source, message=message, before={"profile_id": source.pk}, after={"profile_id": into.pk})
    return len(names)


def checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings in full; `InvalidFields` with a message for each field that is wrong."""
    try:
        return to_plain(from_plain(settings))
    except BadProfile as error:
        raise InvalidFields({place: [told] for place, told in error.messages.items()}, where="profile") from error


def _own(act: Act, profile_id: int, verb: str, *, locked: bool = False) -> Profile:
    """The profile, if the actor manages profiles of its agency; locked copies only where they may be touched."""
    profile: Profile = act.fetch(PROFILE, profile_id)
    act.require(Privilege.MANAGE_PROFILES, PROFILE.subject(profile), f"{verb} the profile {profile.name}")
    if profile.status == ProfileStatus.LOCKED and not locked:
        raise Conflict(
            f"{profile.name} is the locked copy that a harvest ran with", where=act.name,
            remedy="Change the original, or make a copy.",
        )  # fmt: skip
    return profile


def _keep(act: Act, profile: Profile) -> None:
    ProfileVersion(
        profile=profile, number=profile.version, settings=profile.settings, at=act.clock.now(), by_id=act.actor.user
    ).save()


def _clean(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value
