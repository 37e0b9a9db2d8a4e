"""People who sign in by the page or call the API, and harvests to work on."""

import pytest

from tests.acceptance.api.conftest import Office, fault
from tests.acceptance.pages.conftest import Visitor, administrator, enter, ready_roles, town, visitor
from tests.harvest_desk import HarvestDesk

__all__ = ["Visitor", "administrator", "enter", "fault", "ready_roles", "town", "visitor"]


@pytest.fixture
def desk(town):
    """Makes harvests in the town of the pages."""
    return HarvestDesk(town)


@pytest.fixture
def office(db, settings):
    """Two agencies with callers of the API."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office()


@pytest.fixture
def yard(office):
    """Makes harvests in the office of the API."""
    return HarvestDesk(office.town)
