"""Curators at their desk: people who sign in by the page, and rows to work on."""

import pytest

from tests.acceptance.pages.conftest import Visitor, administrator, enter, ready_roles, town, visitor
from tests.curation import Desk

__all__ = ["Visitor", "administrator", "enter", "ready_roles", "town", "visitor"]


@pytest.fixture
def desk(town):
    """Makes rows of curation."""
    return Desk(town)
