"""People, browsers, API callers and commands for groups."""

import pytest

from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error, office, ready_roles
from tests.acceptance.pages.conftest import enter, town
from tests.curation import Desk
from tests.unit.cli.conftest import inline, quiet_logs

__all__ = ["enter", "error", "inline", "office", "quiet_logs", "ready_roles", "town"]

CURATOR = {
    Privilege.CREATE_GROUP: Scope.AGENCY, Privilege.MANAGE_GROUP: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY,
    Privilege.ADD_TARGET_TO_GROUP: Scope.AGENCY, Privilege.GIVE_OWNERSHIP: Scope.AGENCY,
    Privilege.TAKE_OWNERSHIP: Scope.AGENCY, Privilege.VIEW_AUDIT: Scope.AGENCY,
}  # fmt: skip


@pytest.fixture
def desk(town):
    """Rows in the town of the pages."""
    return Desk(town)


@pytest.fixture
def curator(enter):
    """A browser of somebody who looks after groups."""
    return enter("curator", privileges=CURATOR)


@pytest.fixture
def caller(office):
    """A program that looks after groups."""
    return office.caller(privileges=CURATOR)
