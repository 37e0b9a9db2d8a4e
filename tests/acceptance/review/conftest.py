"""People who sign in by the page or call the API, and harvests that wait for review."""

import pytest

from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import Office, fault
from tests.acceptance.pages.conftest import Visitor, administrator, enter, ready_roles, town, visitor
from tests.review_desk import ReviewDesk

__all__ = ["Visitor", "administrator", "enter", "fault", "ready_roles", "town", "visitor"]
REVIEW = {Privilege.ENDORSE_HARVEST: Scope.AGENCY, Privilege.UNENDORSE_HARVEST: Scope.AGENCY}
MANAGE = {Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY, Privilege.ADD_SCHEDULE_TO_TARGET: Scope.AGENCY,
          Privilege.MANAGE_FLAGS: Scope.AGENCY}  # fmt: skip


@pytest.fixture
def desk(town):
    """Makes results in the town of the pages."""
    return ReviewDesk(town)


@pytest.fixture
def reviewer(enter):
    """Reviews and manages harvests of the library."""
    return enter("curator", privileges={**REVIEW, **MANAGE})


@pytest.fixture
def office(db, settings):
    """Two agencies with callers of the API."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office()


@pytest.fixture
def yard(office):
    """Makes results in the office of the API."""
    return ReviewDesk(office.town)
