"""A town with a desk on which rows of curation are made."""

import pytest

from tests.curation import Desk
from tests.people import Town


@pytest.fixture
def town(db):
    """Two agencies."""
    return Town()


@pytest.fixture
def desk(town):
    """Makes rows of curation."""
    return Desk(town)
