"""Who may open the pages of profiles, overrides and schedules."""

from typing import Any

from opilio.curation.actions.credentials import create_credential
from opilio.curation.actions.harvests import plan_harvest
from opilio.curation.models import State
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.people import Town
from tests.permissions.page_table import Page

_PROFILES = (Privilege.VIEW_PROFILES, Privilege.MANAGE_PROFILES)
_COLLECT = (Privilege.MODIFY_TARGET, Privilege.ADD_SCHEDULE_TO_TARGET, Privilege.SYSTEM_REPORT_LEVEL_1)


def _profile(town: Town, agency: Any) -> int:
    return Desk(town).profile(agency=agency, settings={"version": 1}).id


def _target(town: Town, agency: Any) -> int:
    return Desk(town).target(agency=agency).pk


def _schedule(town: Town, agency: Any) -> int:
    return Desk(town).schedule(Desk(town).target(agency=agency)).id


def _harvest(town: Town, agency: Any) -> int:
    return plan_harvest(town.system, holder_id=Desk(town).target(agency=agency, state=State.APPROVED).pk).id


def _credential(town: Town, agency: Any) -> int:
    return create_credential(
        town.system, holder_id=_target(town, agency), kind="basic", domain="www.site.example", username="a", secret="b"
    ).id


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "profiles": Page(opens_to=_PROFILES),
    "profile": Page(opens_to=_PROFILES, object_of=_profile),
    "profile-versions": Page(opens_to=_PROFILES, object_of=_profile),
    "profile-export": Page(opens_to=_PROFILES, object_of=_profile),
    "profile-copy": Page(opens_to=_PROFILES, object_of=_profile),
    "profile-transfer": Page(opens_to=_PROFILES, object_of=_profile),
    "overrides": Page(opens_to=_COLLECT, object_of=_target),
    "credential-new": Page(opens_to=_COLLECT, object_of=_target),
    "credential": Page(opens_to=_COLLECT, object_of=_credential),
    "calendar": Page(opens_to=_COLLECT),
    "schedules": Page(opens_to=_COLLECT),
    "schedule": Page(opens_to=_COLLECT, object_of=_schedule),
    "schedules-of": Page(opens_to=_COLLECT, object_of=_target),
    "schedule-new": Page(opens_to=_COLLECT, object_of=_target),
    "harvest-once": Page(opens_to=_COLLECT, object_of=_target),
    "planned-harvests": Page(opens_to=_COLLECT),
    "planned-harvest": Page(opens_to=_COLLECT, object_of=_harvest),
    "schedule-patterns": Page(opens_to=(Privilege.CONFIGURE_PARAMETERS,)),
}
#: Addresses that need no row: forms whose actions have their own table, or open to the world.
ELSEWHERE: set[str] = {
    "profile-new", "profile-import", "profile-switch", "schedule-pause", "schedule-pattern-new", "schedule-pattern",
    "of-target",
}  # fmt: skip
