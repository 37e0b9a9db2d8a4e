"""Two people who change groups at the same moment."""

import json

from opilio.curation.models import State
from tests.acceptance.groups.writers import ROUNDS


def test_two_writers_at_once_make_neither_a_circle_nor_a_false_status(installation):
    """One of those who nest groups into each other is refused; a status is what the later one leaves."""
    done = installation.python("from tests.acceptance.groups.writers import tell; tell()")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [nested for _, nested in told["circles"]] == [1] * ROUNDS
    assert ["contain itself" in fault for faults, _ in told["circles"] for fault in faults] == [True] * ROUNDS
    assert told["statuses"] == [[[], State.GROUP_ACTIVE]] * ROUNDS
