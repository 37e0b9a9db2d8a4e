"""An upgrade while agents work: older and newer programs on one database, and what each of them refuses."""

import json
import subprocess
import sys
import time

import pytest

from opilio import __version__
from tests.contracts.jobs_database import ROOT, Database
from tests.contracts.jobs_processes import PATIENCE, started
from tests.upgrade.next_version import VERSION, make_next_version

QUICK = {"OPILIO_AGENT_POLL_SECONDS": "0.05", "OPILIO_AGENT_LEASE_SECONDS": "2"}


@pytest.fixture
def newer(installation, tmp_path):
    """The same installation, used by programs of the next version."""
    return make_next_version(tmp_path / "next").beside(installation)


def opilio(newer, *arguments):
    """Run a command of the next version."""
    command = [sys.executable, "-m", "opilio", *arguments]
    env = {**newer.env, **QUICK}
    return subprocess.run(command, env=env, cwd=ROOT / "tests", capture_output=True, text=True, timeout=PATIENCE)


def migrated(newer, *options):
    """What the next version's `opilio db migrate` did."""
    done = opilio(newer, "db", "migrate", *options, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def until(database, query, wanted):
    """Wait until the database answers so."""
    end = time.monotonic() + PATIENCE
    while (rows := database.rows(query)) != wanted:
        assert time.monotonic() < end, f"{rows} instead of {wanted}"
        time.sleep(0.02)


def test_agents_work_on_while_the_database_is_upgraded(installation, newer, tmp_path):
    """Jobs go on through both halves; each version refuses what it cannot work with, and says what to do."""
    database = Database(installation=installation).prepare()
    (tmp_path / "new").mkdir()
    with started(database, "desk", folder=tmp_path) as desk:
        desk.begin()
        with started(database, "agent", folder=tmp_path, **QUICK, OPILIO_AGENT_NAME="older") as older:
            older.begin()
            _ask(desk, "enqueue", "200")
            until(database, "SELECT min(number) FROM effect", [(0,)])

            refused = opilio(newer, "agent", "--name", "early")
            assert refused.returncode != 0
            assert "jobs.0090_note" in refused.stderr
            assert "opilio db migrate" in refused.stderr

            done = migrated(newer, "--before")
            assert done["applied"] == ["jobs.0090_note"]
            assert done["postponed"] == ["jobs.0091_after_fill_note", "jobs.0092_after_need_note"]
            until(database, "SELECT count(*) FROM effect", [(200,)])

            _ask(desk, "enqueue", "20")  # the older version makes jobs, and runs them, with the new column there
            until(database, "SELECT count(*) FROM effect", [(220,)])
            assert older.popen.poll() is None

            both = Database(installation=newer)
            with started(both, "agent", folder=tmp_path / "new", **QUICK, OPILIO_AGENT_NAME="newer") as agent:
                agent.begin()
                until(database, "SELECT count(*) FROM agent WHERE state = 'working'", [(2,)])
                _ask(desk, "enqueue", "50")
                until(database, "SELECT count(*) FROM effect", [(270,)])

                refused = opilio(newer, "db", "migrate", "--after")
                assert refused.returncode != 0
                assert f"older ({__version__})" in refused.stderr
                assert "--before" in refused.stderr

                database.write(f"UPDATE agent SET version = '{VERSION}'")  # somebody forgets that it is the older one
                done = migrated(newer, "--after")
                assert done["applied"] == ["jobs.0091_after_fill_note", "jobs.0092_after_need_note"]
                assert done["postponed"] == []
                assert older.rest() == ["left: newer-database"]  # by itself, in good order
                assert '"agent_outdated"' in older.errors()
                assert agent.popen.poll() is None

    assert database.rows("SELECT state, count(*) FROM job GROUP BY state") == [("done", 270)]
    assert ("older", "stopped") in database.rows("SELECT name, state FROM agent")
    assert database.rows("SELECT count(*) FROM effect") == [(270,)]
    late = installation.run("agent", "--name", "late")
    assert late.returncode != 0
    assert "made by a newer Opilio" in late.stderr
    assert "jobs.0091_after_fill_note" in late.stderr
    assert "Install that version" in late.stderr


def _ask(desk, *words):
    desk.write(" ".join(words))
    while (line := desk.line()) != "done":
        assert line is not None, desk.errors()
