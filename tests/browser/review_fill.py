"""What the story of a review needs beside people. Runs in a process of the installation, after Django was set up."""

import json

from opilio.curation import planning
from opilio.curation.actions.profiles import create_profile
from opilio.kernel.clock import SYSTEM
from opilio.people.acting import Act, action
from opilio.people.actions.parameters import set_parameters
from opilio.people.actor import system
from opilio.people.privileges import Privilege, Scope
from tests.browser.review_story import CELLAR, MARSH, USERNAME
from tests.curation import Desk
from tests.people import Town

_HELD = (
    Privilege.MANAGE_TARGET_INSTANCES, Privilege.MODIFY_TARGET, Privilege.ENDORSE_HARVEST,
    Privilege.UNENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST, Privilege.TAKEDOWN, Privilege.PUBLISH_INDEX,
)  # fmt: skip
_SETTINGS = {"manners": {"preset": "own-site"}, "scope": {"kind": "host"}}
_OPEN = "Open (unrestricted) access"


def fill(base: str) -> None:
    """Two targets that all may read, one of them under embargo; their harvests are due, and publishing waits."""
    desk, boss = Desk(Town()), system()
    owner = desk.town.user(USERNAME, privileges=dict.fromkeys(_HELD, Scope.ALL), first_name="Curator")
    create_profile(desk.town.system, agency_id=desk.town.library.id, name="Gentle", settings=_SETTINGS)
    set_parameters(boss, texts={"publish_hours": "0"}, versions={"publish_hours": 1})
    rows = []
    for name, folder, embargo in ((MARSH, "marsh", None), (CELLAR, "cellar", 365)):
        row = desk.target(state=5, name=name, owner=owner, embargo_days=embargo)
        right = desk.permission(f"{base}*", access_status=_OPEN)
        desk.link(desk.seed(row, f"{base}{folder}/"), right)
        rows.append(row)
    print(json.dumps(dict(zip(("open", "kept-back"), _planned(boss, rows), strict=True))))


@action("test.plan_both", "Plan harvests.")
def _planned(act: Act, /, rows: list[object]) -> list[int]:
    act.require_that(True, "", "")
    return [int(planning.plan_once(act, row, SYSTEM.now()).pk) for row in rows]
