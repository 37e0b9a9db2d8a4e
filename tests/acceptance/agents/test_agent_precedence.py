"""An agent gives way to the pages of its machine: it and its session run with the niceness of the settings."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.contracts.jobs_database import Database
from tests.contracts.jobs_processes import PATIENCE

HERE = os.nice(0)


@contextmanager
def working(installation, folder, **settings):
    """An agent that leads a session, as `opilio serve` starts it, once it is at work."""
    database, log = Database(installation=installation).prepare(), folder / "agent.log"
    command = [sys.executable, "-m", "opilio", "agent"]
    env = {**installation.env, "OPILIO_AGENT_NAME": "kind", **settings}
    with log.open("wb") as stream:
        process = subprocess.Popen(command, env=env, stdout=stream, stderr=stream, start_new_session=True)
    try:
        end = time.monotonic() + PATIENCE
        while not database.rows("SELECT 1 FROM agent WHERE state = 'working'"):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _autogroup(process):
    path = Path(f"/proc/{process.pid}/autogroup")
    return int(path.read_text().split()[-1]) if path.exists() else None


@pytest.mark.parametrize(("settings", "wanted"), [({}, 10), ({"OPILIO_AGENT_NICE": "0"}, 0)])
def test_an_agent_gives_way_as_the_settings_say(installation, tmp_path, settings, wanted):
    """Ten unless somebody chose otherwise; an agent that was started with more keeps that."""
    with working(installation, tmp_path, **settings) as process:
        assert psutil.Process(process.pid).nice() == max(HERE, wanted)
        if wanted > HERE:
            assert _autogroup(process) in (wanted, None)
