"""A real agent in a process of its own: runs jobs, ends in good order, obeys, survives."""

import json
import signal
import time

import pytest

from tests.contracts.jobs_database import Database
from tests.contracts.jobs_processes import PATIENCE, started

QUICK = {"OPILIO_AGENT_POLL_SECONDS": "0.05", "OPILIO_AGENT_LEASE_SECONDS": "2", "OPILIO_AGENT_NAME": "harvester"}


@pytest.fixture
def database(installation):
    return Database(installation=installation).prepare()


@pytest.fixture
def desk(database, tmp_path):
    """Another process of the installation, which does what people want."""
    with started(database, "desk", folder=tmp_path) as process:
        yield process


@pytest.fixture
def agent(database, desk, tmp_path):
    """An agent that is at work."""
    with started(database, "agent", folder=tmp_path, **QUICK, OPILIO_TEST_DRAIN="0.2") as process:
        desk.begin()
        process.begin()
        until(database, "SELECT state FROM agent", [("working",)])
        yield process


@pytest.fixture
def ask(desk):
    """Has the desk do something: `ask("enqueue_one", "patient")`; returns what it said."""

    def ask(*words):
        desk.write(" ".join(words))
        said = []
        while (line := desk.line()) != "done":
            assert line is not None, desk.errors()
            said.append(line)
        return said

    return ask


def until(database, query, wanted):
    """Wait until the database answers so."""
    end = time.monotonic() + PATIENCE
    while (rows := database.rows(query)) != wanted:
        assert time.monotonic() < end, f"{rows} instead of {wanted}"
        time.sleep(0.02)


def test_runs_what_is_enqueued(agent, ask, database):
    """Jobs are run, each once, and shown as done; the agent is on the roster and signs off."""
    ask("enqueue", "5")
    until(database, "SELECT state, count(*) FROM job GROUP BY state", [("done", 5)])
    assert database.rows("SELECT count(DISTINCT number), count(*) FROM effect") == [(5, 5)]
    assert database.rows("SELECT name, state, slots FROM agent") == [("harvester", "working", 2)]
    agent.signal(signal.SIGTERM)
    assert agent.rest() == ["left"]
    assert database.rows("SELECT state FROM agent") == [("stopped",)]


def test_failure_is_logged_and_kept(agent, ask, database):
    """A runner that raises does not harm the agent: the job is laid aside, the log names it, the next one runs."""
    (job_id,) = ask("enqueue_one", "broken")
    until(database, "SELECT state FROM job", [("dead",)])
    assert database.rows("SELECT last_error FROM job") == [("ValueError: cannot � be done",)]
    ask("enqueue", "1")
    until(database, "SELECT count(*) FROM effect", [(1,)])
    failures = [line for line in agent.errors().splitlines() if '"job_failed"' in line]
    assert [json.loads(line)["job"] for line in failures] == [int(job_id)]


def test_drains_on_sigterm(agent, ask, database):
    """A runner that stops when it is told to gives its job back, without the loss of an attempt."""
    ask("enqueue_one", "patient")
    agent.expect("started 1")
    agent.signal(signal.SIGTERM)
    assert agent.rest() == ["left"]
    assert database.rows("SELECT state, attempts, owner, progress FROM job") == [("ready", 0, "", "waiting")]


def test_does_not_wait_for_ever(agent, ask, database):
    """A runner that does not stop is left behind when the time to drain is over, and its job given back."""
    ask("enqueue_one", "stubborn")
    agent.expect("started 1")
    agent.signal(signal.SIGTERM)
    assert agent.rest() == ["left"]
    assert database.rows("SELECT state, attempts FROM job") == [("ready", 0)]


def test_lease_is_renewed(agent, ask, database):
    """A job may take longer than its lease: the heartbeat keeps it."""
    ask("enqueue_one", "patient")
    agent.expect("started 1")
    (first,) = database.rows("SELECT lease_until FROM job")
    until(database, f"SELECT count(*) FROM job WHERE lease_until > '{first[0]}'", [(1,)])
    assert database.rows("SELECT epoch, state FROM job") == [(1, "running")]


def test_obeys_commands(agent, ask, database):
    """A paused agent takes nothing, a resumed one does; a stopped job is cancelled; a drained agent leaves."""
    ask("order", "agent", "pause")
    until(database, "SELECT state FROM agent", [("paused",)])
    ask("enqueue_one", "patient")
    assert database.rows("SELECT state FROM job") == [("ready",)]
    ask("order", "agent", "resume")
    agent.expect("started 1")
    ask("order", "job", "stop")
    until(database, "SELECT state FROM job", [("cancelled",)])
    ask("order", "agent", "drain")
    assert agent.rest() == ["left"]
    assert database.rows("SELECT count(*) FROM command WHERE done IS NULL") == [(0,)]


def test_cancelled_job_is_told(agent, ask, database):
    """The runner of a job that is cancelled is told to stop, and the agent goes on."""
    ask("enqueue_one", "patient")
    agent.expect("started 1")
    ask("cancel")
    ask("enqueue_one", "patient")
    ask("enqueue_one", "patient")
    agent.expect("started 1")
    agent.expect("started 1")  # both slots are free again
    assert database.rows("SELECT state, count(*) FROM job GROUP BY state ORDER BY state") == [
        ("cancelled", 1),
        ("running", 2),
    ]


@pytest.mark.only_on("postgres")
def test_survives_a_lost_database(agent, ask, database):
    """When the database server ends all connections, the agent waits and goes on."""
    ask("enqueue_one", "patient")
    agent.expect("started 1")
    assert database.cut_off() > 0
    ask("enqueue", "3")
    until(database, "SELECT count(*) FROM effect", [(3,)])
    assert database.rows("SELECT epoch, state FROM job WHERE kind = 'test.patient'") == [(1, "running")]
    assert "database_lost" in agent.errors()
