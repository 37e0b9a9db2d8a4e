"""People who sign in by the page or call the API, and harvests that are looked after."""

import pytest

from tests.acceptance.api.conftest import Office
from tests.acceptance.pages.conftest import Visitor, administrator, enter, ready_roles, town, visitor
from tests.review_desk import ReviewDesk, at_home

__all__ = ["Visitor", "administrator", "enter", "ready_roles", "town", "visitor"]


@pytest.fixture
def home(settings, tmp_path):
    """The installation's home in a folder of its own."""
    return at_home(settings, tmp_path)


@pytest.fixture
def desk(town):
    """Makes harvests in the town of the pages."""
    return ReviewDesk(town)


@pytest.fixture
def office(db, settings):
    """Two agencies with callers of the API."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office()


@pytest.fixture
def yard(office):
    """Makes harvests in the office of the API."""
    return ReviewDesk(office.town)
