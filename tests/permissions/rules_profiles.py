"""The table of who may do what with profiles, overrides and schedules."""

from typing import Any

from opilio.curation.actions import credentials, harvests, overrides, profiles, schedule_patterns, schedules
from opilio.curation.models import State
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.permissions.table import Place, Rule, agency_wide, owner_wide, system_wide

MONDAYS = "0 0 21 ? * MON *"


def _desk(place: Place) -> Desk:
    return Desk(place.town)


def _profile(place: Place, **fields: Any) -> Any:
    return _desk(place).profile(agency=place.agency, settings={"version": 1}, **fields)


def _target(place: Place, **fields: Any) -> Any:
    return _desk(place).target(agency=place.agency, owner=place.user, **fields)


def _schedule(place: Place) -> Any:
    return _desk(place).schedule(_target(place))


def _credential(place: Place) -> Any:
    return credentials.create_credential(
        place.town.system, holder_id=_target(place).pk, kind="basic", domain="www.site.example", username="reader",
        secret="secret",
    )  # fmt: skip


def _harvest(place: Place) -> Any:
    return harvests.plan_harvest(place.town.system, holder_id=_target(place, state=State.APPROVED).pk)


def _pattern(place: Place) -> Any:
    return schedule_patterns.create_schedule_pattern(place.town.system, name="Mondays", cron=MONDAYS)


RULES: dict[str, Rule] = {
    "profile.create": agency_wide(
        Privilege.MANAGE_PROFILES,
        lambda actor, place: profiles.create_profile(actor, agency_id=place.agency.id, name="Weekly", settings={}),
    ),
    "profile.update": agency_wide(
        Privilege.MANAGE_PROFILES,
        lambda actor, place: profiles.update_profile(actor, profile_id=_profile(place).id, version=1, name="Weekly"),
    ),
    "profile.copy": agency_wide(
        Privilege.MANAGE_PROFILES,
        lambda actor, place: profiles.copy_profile(actor, profile_id=_profile(place).id, name="Copy"),
    ),
    "profile.switch": agency_wide(
        Privilege.MANAGE_PROFILES,
        lambda actor, place: profiles.switch_profile(actor, profile_id=_profile(place).id, verb="deactivate"),
    ),
    "profile.set-default": agency_wide(
        Privilege.MANAGE_PROFILES,
        lambda actor, place: profiles.set_default_profile(actor, profile_id=_profile(place).id),
    ),
    "profile.transfer": agency_wide(
        Privilege.MANAGE_PROFILES,
        lambda actor, place: profiles.transfer_profile(
            actor, profile_id=_profile(place, name="One").id, into_id=_profile(place, name="Two").id
        ),
    ),
    "overrides.update": owner_wide(
        Privilege.MODIFY_TARGET,
        lambda actor, place: overrides.update_overrides(actor, holder_id=_target(place).pk, version=1, max_hops=3),
    ),
    "credential.create": owner_wide(
        Privilege.MODIFY_TARGET,
        lambda actor, place: credentials.create_credential(
            actor, holder_id=_target(place).pk, kind="basic", domain="www.site.example", username="a", secret="b"
        ),
    ),
    "credential.update": owner_wide(
        Privilege.MODIFY_TARGET,
        lambda actor, place: credentials.update_credential(
            actor, credential_id=_credential(place).id, version=1, secret="other"
        ),
    ),
    "schedule.create": owner_wide(
        Privilege.ADD_SCHEDULE_TO_TARGET,
        lambda actor, place: schedules.create_schedule(actor, holder_id=_target(place).pk, cron=MONDAYS),
    ),
    "schedule.update": owner_wide(
        Privilege.ADD_SCHEDULE_TO_TARGET,
        lambda actor, place: schedules.update_schedule(
            actor, schedule_id=_schedule(place).id, version=1, cron="0 0 22 ? * MON *"
        ),
    ),
    "schedule.pause": owner_wide(
        Privilege.ADD_SCHEDULE_TO_TARGET,
        lambda actor, place: schedules.pause_schedule(actor, schedule_id=_schedule(place).id, paused=True),
    ),
    "harvest.plan": owner_wide(
        Privilege.ADD_SCHEDULE_TO_TARGET,
        lambda actor, place: harvests.plan_harvest(actor, holder_id=_target(place, state=State.APPROVED).pk),
    ),
    "harvest.update": owner_wide(
        Privilege.MANAGE_TARGET_INSTANCES,
        lambda actor, place: harvests.update_harvest(actor, harvest_id=_harvest(place).id, version=1, priority=0),
    ),
    "schedule-pattern.create": system_wide(
        lambda actor, place: schedule_patterns.create_schedule_pattern(actor, name="Mondays", cron=MONDAYS)
    ),
    "schedule-pattern.update": system_wide(
        lambda actor, place: schedule_patterns.update_schedule_pattern(
            actor, pattern_id=_pattern(place).id, version=1, name="Weekly"
        )
    ),
}
