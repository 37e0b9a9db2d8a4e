"""People, browsers, API callers and commands for schedules."""

import pytest

from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error, office, ready_roles
from tests.acceptance.pages.conftest import enter, town
from tests.curation import Desk
from tests.unit.cli.conftest import inline, quiet_logs

__all__ = ["enter", "error", "inline", "office", "quiet_logs", "ready_roles", "town"]

PLANNER = {
    Privilege.ADD_SCHEDULE_TO_TARGET: Scope.AGENCY, Privilege.MANAGE_GROUP_SCHEDULE: Scope.AGENCY,
    Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY, Privilege.CONFIGURE_PARAMETERS: Scope.NONE,
}  # fmt: skip


@pytest.fixture
def desk(town):
    """Rows in the town of the pages."""
    return Desk(town)


@pytest.fixture
def planner(enter):
    """A browser of somebody who plans harvests."""
    return enter("planner", privileges=PLANNER)


@pytest.fixture
def caller(office):
    """A program that plans harvests."""
    return office.caller(privileges=PLANNER)
