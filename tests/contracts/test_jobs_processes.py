"""What the queue and the leases promise to processes that begin at the same moment."""

import pytest

from tests.contracts.jobs_database import Database
from tests.contracts.jobs_processes import together


@pytest.fixture
def database(installation):
    return Database(installation=installation).prepare()


def test_each_job_is_claimed_once(database, tmp_path):
    """Of many who claim at once, each job goes to exactly one."""
    together(database, "enqueue", "120", count=1, folder=tmp_path)
    printed = together(database, "claim", "3", count=4, folder=tmp_path)
    claimed = [job for lines in printed for line in lines for job in line.split()]
    assert len(claimed) == len(set(claimed)) == 120


def test_one_job_per_dedup_key(database, tmp_path):
    """Of many who enqueue the same at once, one makes the job and all learn its identifier."""
    printed = [lines[0].split() for lines in together(database, "enqueue_once", "k", count=4, folder=tmp_path)]
    assert len({job for job, _ in printed}) == 1
    assert sorted(fresh for _, fresh in printed) == ["False", "False", "False", "True"]
    assert database.rows("SELECT count(*) FROM job") == [(1,)]


def test_one_holder_of_a_lease(database, tmp_path):
    """Of many who want a lease at once, one gets it."""
    printed = together(database, "acquire", "sealer", count=4, folder=tmp_path)
    assert sorted(lines[0] for lines in printed) == ["1", "none", "none", "none"]
