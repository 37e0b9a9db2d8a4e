"""A harvest from its time to what waits for review, with a real agent and a real site."""

import pytest

from tests.harvests import Yard
from tests.servers.http_server import HttpServer


@pytest.fixture
def site(tmp_path):
    """A site of three pages."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Owls</title><a href='a.html'>a</a><a href='b.html'>b</a>")
    (folder / "a.html").write_text("<title>A</title>a")
    (folder / "b.html").write_text("<title>B</title>b")
    with HttpServer(site=folder) as server:
        yield server


def test_a_due_harvest_is_crawled_and_waits_for_review(installation, site):
    """Scheduled, queued, running, stopping, harvested: each told by an event, with files and a task."""
    yard = Yard(installation=installation)
    (harvest,) = yard.plan(site.url("/"), port=site.port)
    with yard.agent():
        yard.until(lambda: yard.state(harvest) in ("harvested", "aborted"), "no end")
        assert yard.state(harvest) == "harvested", yard.logs()[-3000:]
        yard.until(lambda: yard.rows("SELECT state FROM result") == [(0,)], "its result is not ready for review")
    assert yard.events(harvest)[:5] == ["queue", "begin", "finish", "keep", "result"]
    ((resources, captured),) = yard.rows("SELECT resources, bytes FROM result")
    assert (resources, captured > 0) == (3, True)
    ((name, size),) = yard.rows("SELECT name, size FROM harvest_file")
    assert name.endswith(".warc.gz")
    assert size == (installation.home / "harvests" / str(harvest) / "warcs" / name).stat().st_size
    assert yard.rows("SELECT kind FROM task") == [("endorse-harvest",)]
    ((urls, failed),) = yard.rows("SELECT urls_down, urls_failed FROM harvest_figures")
    assert (urls, failed) == (3, 0)
