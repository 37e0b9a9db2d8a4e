"""People of a small institution, made through the actions that the product uses."""

import pytest

from tests.people import Town


@pytest.fixture
def town(db):
    """Two agencies with users, made by the system."""
    return Town()
