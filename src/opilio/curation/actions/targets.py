"""Make, change and copy targets; deleting one is `row.delete`, moving one is in `target_moves`."""

from typing import Any

from opilio.curation import copying, profiling, targeting
from opilio.curation.kinds import TARGET
from opilio.curation.models import ObjectType, Profile, State, Target
from opilio.curation.sight import agencies
from opilio.people import constrained
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.privileges import Privilege, Subject

TEXTS = ("name", "description", "reference", "profile_note", "display_note", "display_change_reason",
         "evaluation_note", "selection_note", "selection_type", "harvest_type", "request_to_archivists")  # fmt: skip
SWITCHES = ("display", "run_on_approval", "allow_early_start", "follow_reference", "prune_again")
FIELDS = (*TEXTS, *SWITCHES, "access_zone", "embargo_days", "profile_id")
_LISTS = {"selection_type": "selection-type", "harvest_type": "harvest-type"}


@action("target.create", "Make a target.", privilege=Privilege.CREATE_TARGET)
def create_target(
    act: Act, /, *, name: str, agency_id: int, owner_id: int | None = None, profile_id: int | None = None, **fields: Any
) -> Target:
    """It is pending and belongs to whoever makes it; without a profile it starts with the agency's default."""
    owner = _owner(act, owner_id)
    act.require(Privilege.CREATE_TARGET, Subject(agency=agency_id, owner=owner), "make targets of this agency")
    values = _checked(act, fields, agency_id)
    if profile_id is not None:
        profile: Profile | None = _profile(act, profile_id, agency_id)
    else:
        profile = profiling.default_profile(agency_id)
    now = act.clock.now()
    return act.insert(
        Target(
            **{**values, "name": name.strip()}, object_type=ObjectType.TARGET, agency_id=agency_id, owner_id=owner,
            profile=profile, state=State.PENDING, state_since=now,
        )
    )  # fmt: skip


@action("target.update", "Change a target.", privilege=Privilege.MODIFY_TARGET)
def update_target(act: Act, /, *, target_id: int, version: int | None, **fields: Any) -> Target:
    """An approved one is decided upon again, unless whoever changes it may approve it."""
    target: Target = act.fetch(TARGET, target_id)
    act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), f"change the target {target.name}")
    values = _checked(act, fields, target.agency_id, kept=target)
    if act.update(target, values, version=version):
        targeting.touched(act, target)
    return target


@action("target.copy", "Make a pending copy of a target.", privilege=Privilege.CREATE_TARGET)
def copy_target(act: Act, /, *, target_id: int, name: str = "", owner_id: int | None = None) -> Target:
    """Seeds with their permissions, excluded URLs, description, profile and overrides come along; schedules do not."""
    source: Target = act.fetch(TARGET, target_id)
    owner = _owner(act, owner_id if owner_id is not None or act.actor.user is not None else source.owner_id)
    subject = Subject(agency=source.agency_id, owner=owner)
    act.require(Privilege.CREATE_TARGET, subject, f"copy the target {source.name}")
    reached = agencies(act.actor)
    if reached is not None and source.agency_id not in reached:
        raise NotFound(f"There is no target {target_id} that you may see", where=act.name, remedy="Was it deleted?")
    return copying.copied(act, source, name=name.strip(), owner_id=owner)


def _owner(act: Act, owner_id: int | None) -> int:
    """Whoever acts; only the operator of the installation makes targets for others."""
    if act.actor.user is not None:
        act.require_that(owner_id in (None, act.actor.user), "make targets for somebody else",
                         "Make it, then give it away under Ownership.")  # fmt: skip
        return act.actor.user
    if owner_id is None:
        raise InvalidFields({"owner": ["Say who owns it."]}, where=act.name)
    return owner_id


def _checked(act: Act, fields: dict[str, Any], agency_id: int, kept: Target | None = None) -> dict[str, Any]:
    values = {name: _plain(value) for name, value in fields.items() if name in FIELDS}
    for name, list_name in _LISTS.items():
        if name in values:
            constrained.check(list_name, name, values[name], kept=getattr(kept, name, ""))
    if values.get("profile_id") is not None and (kept is None or kept.profile_id != values["profile_id"]):
        _profile(act, values["profile_id"], agency_id)
    return values


def _plain(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _profile(act: Act, profile_id: int, agency_id: int) -> Profile:
    found: Profile | None = Profile.objects.filter(id=profile_id).first()
    if found is None:
        raise InvalidFields({"profile": ["There is no such profile; choose one of the list."]}, where=act.name)
    profiling.check_choice(act, found, agency_id)
    return found
