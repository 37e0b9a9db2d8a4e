"""What the story of a harvest needs beside people. Runs in a process of the installation, after Django was set up."""

import datetime
import json

from opilio.curation import planning
from opilio.curation.actions.profiles import create_profile
from opilio.kernel.clock import SYSTEM
from opilio.people.acting import Act, action
from opilio.people.actor import system
from opilio.people.privileges import Privilege, Scope
from tests.browser.harvest_story import USERNAME
from tests.curation import Desk
from tests.people import Town

_HELD = (
    Privilege.MANAGE_TARGET_INSTANCES, Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE, Privilege.MANAGE_WEB_HARVESTER,
    Privilege.MODIFY_TARGET,
)  # fmt: skip
_SETTINGS = {"manners": {"preset": "own-site", "delay": 0.1}, "scope": {"kind": "host"}}


def fill(seed: str, port: int) -> None:
    """A target that may be harvested, its harvest next month, and a curator."""
    desk = Desk(Town())
    privileges = dict.fromkeys(_HELD, Scope.ALL)
    owner = desk.town.user(USERNAME, privileges=privileges)
    create_profile(desk.town.system, agency_id=desk.town.library.id, name="Gentle", settings=_SETTINGS)
    row = desk.target(state=5, name="Tides of the harbour", owner=owner)
    desk.link(desk.seed(row, seed), desk.permission(f"http://127.0.0.1:{port}/*"))
    print(json.dumps(_planned(system(), row)))


@action("test.plan_one", "Plan a harvest.")
def _planned(act: Act, /, row: object) -> int:
    act.require_that(True, "", "")
    return int(planning.plan_once(act, row, SYSTEM.now() + datetime.timedelta(days=30)).pk)
