"""Streams of the real server: many viewers, one database connection, and an end that nobody has to wait for."""

import json
import time

import pytest

from tests.contracts.jobs_database import Database
from tests.viewers import PATIENCE, filled, next_event, serving

VIEWERS = 12
_SHEET = """
from opilio.curation.actions import harvest_live
from opilio.kernel.clock import SYSTEM
harvest_live.write_sheet({harvest}, at=SYSTEM.now(), sheet='{{"rates": {{"urls": 7.5, "bytes": 1}}}}')
"""


@pytest.fixture
def pages(installation):
    """The server, its installation, and a harvest that runs."""
    harvest = filled(installation)
    with serving(installation) as running:
        yield running, installation, harvest


def _connections(running, installation):
    """How many connections to the catalogue the server holds."""
    if not installation.database_url:
        files = [one.path for one in running.worker().open_files()]  # SQLite closes the main file late, its log at once
        return sum(path.endswith("catalogue.db-wal") for path in files)
    asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    return Database(installation=installation).rows(asked)[0][0]


def _hung_up(running, installation, harvest):
    """Viewers who came and left; after the last one nothing is asked any more, and no connection is left."""
    for _ in range(3):
        next_event(running.watch(harvest))
    _settles(running, installation, 1)
    running.close()
    _settles(running, installation, 0)


def _settles(running, installation, wanted):
    """Until the server holds so many connections; those of requests that were just answered may still be closing."""
    end = time.monotonic() + PATIENCE
    while _connections(running, installation) != wanted:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_many_viewers_share_one_connection_and_end_with_the_server(pages):
    """Each sees the state and what changes; SIGTERM ends all streams and the server, which is not killed for it."""
    running, installation, harvest = pages
    _hung_up(running, installation, harvest)
    streams = [running.watch(harvest) for _ in range(VIEWERS)]
    for stream in streams:
        assert json.loads(next_event(stream)["data"])["state"] == "running"
    _settles(running, installation, 1)
    assert installation.python(_SHEET.format(harvest=harvest)).returncode == 0
    for stream in streams:
        event = next_event(stream)
        assert event["event"] == "sheet"
        assert "7.5 URLs/s" in json.loads(event["data"])["parts"]["now"]
    running.process.terminate()
    for stream in streams:
        assert next_event(stream) == {}
    assert running.process.wait(PATIENCE) == 0
    assert "refused to gracefully stop" not in (installation.home / "pages.log").read_text()
