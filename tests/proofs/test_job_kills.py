"""Agents that are killed or stopped at any moment: every effect is committed once, none is missing.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses who is killed when.
"""

import random
import signal
import time
from pathlib import Path

import pytest

from tests.contracts.jobs_database import Database
from tests.contracts.jobs_processes import PATIENCE, Process, started, together

JOBS, KILLS, AGENTS = 200, 6, 3  # jobs and kills are multiplied by the scale
AGENT = {"OPILIO_AGENT_POLL_SECONDS": "0.02", "OPILIO_AGENT_LEASE_SECONDS": "1", "OPILIO_AGENT_SLOTS": "3"}

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


@pytest.fixture
def database(installation):
    return Database(installation=installation).prepare()


def finished(database):
    return database.rows("SELECT count(*) FROM job WHERE state = 'done'")[0][0]


def kill_now_and_then(database, chance, agents, start, *, jobs, kills):
    """Kill agents at random moments, each time some more jobs are done, and put new ones in their place."""
    for kill in range(kills):
        while finished(database) < (kill * jobs) // (kills + 1):
            time.sleep(0.01)
        time.sleep(chance.random() * 0.2)
        victim = agents.pop(chance.randrange(len(agents)))
        victim.signal(signal.SIGKILL)
        victim.close()
        agents.append(start())


def test_kill_loses_and_repeats_nothing(database, proof_scale, random_number, tmp_path, record_property):
    """After many kills, all jobs are done and each has written its effect exactly once."""
    jobs, kills, chance = JOBS * proof_scale, KILLS * proof_scale, random.Random(random_number)
    record_property("jobs", jobs)
    record_property("kills", kills)
    together(database, "enqueue", str(jobs), count=1, folder=tmp_path)

    def start():
        agent = Process(database, "agent", errors=tmp_path / "agents.log", **AGENT)
        agent.go()
        return agent

    agents = [start() for _ in range(AGENTS)]
    try:
        kill_now_and_then(database, chance, agents, start, jobs=jobs, kills=kills)
        end = time.monotonic() + PATIENCE
        while finished(database) < jobs and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        for agent in agents:
            agent.close()
    assert database.rows("SELECT state, count(*) FROM job GROUP BY state") == [("done", jobs)]
    assert database.rows("SELECT count(DISTINCT number), count(*) FROM effect") == [(jobs, jobs)]


def put_to_sleep(process, database):
    """Stop the process at a moment at which it holds no lock of the database."""
    stop(process)
    while not database.unlocked():
        process.signal(signal.SIGCONT)
        time.sleep(0.01)
        stop(process)


def stop(process):
    """Stop the process, and wait until each of its threads stands still: the signal only asks for it."""
    process.signal(signal.SIGSTOP)
    tasks = Path(f"/proc/{process.popen.pid}/task")
    while not all(_state(task) in "TtZ" for task in tasks.iterdir()):
        time.sleep(0.001)


def _state(task):
    """The letter of a thread's state."""
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:  # it has ended
        return "Z"


def test_stopped_past_its_lease(database, tmp_path):
    """An agent that sleeps past its lease finds its job done by another, and commits nothing."""
    gates = tmp_path / "gates"
    gates.mkdir()
    with started(database, "enqueue_gate", str(gates), folder=tmp_path) as process:
        process.begin()
        process.rest()
    with (
        started(database, "agent", folder=tmp_path, **AGENT) as sleeper,
        started(database, "agent", folder=tmp_path, **AGENT) as other,
    ):
        sleeper.begin()
        sleeper.expect("started 1")
        put_to_sleep(sleeper, database)
        other.begin()
        other.expect("started 2")
        (gates / str(other.popen.pid)).touch()
        other.expect("finished")
        (gates / str(sleeper.popen.pid)).touch()
        sleeper.signal(signal.SIGCONT)
        sleeper.expect("fenced")
        assert database.rows("SELECT pid FROM effect") == [(other.popen.pid,)]
        assert database.rows("SELECT state, epoch, attempts FROM job") == [("done", 2, 2)]
