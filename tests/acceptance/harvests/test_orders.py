"""Orders reach a running harvest, and its state follows what its crawl does."""

import pytest

from tests.harvests import Yard
from tests.servers.http_server import HttpServer

PAGES = 400


@pytest.fixture
def site(tmp_path):
    """A site that takes a while."""
    folder = tmp_path / "site"
    folder.mkdir()
    links = "".join(f"<a href='p{number}.html'>{number}</a>" for number in range(PAGES))
    (folder / "index.html").write_text(f"<title>Many</title>{links}")
    for number in range(PAGES):
        (folder / f"p{number}.html").write_text(f"<title>{number}</title>")
    with HttpServer(site=folder) as server:
        yield server


@pytest.fixture
def yard(installation):
    slow = {"manners": {"preset": "own-site", "delay": 0.1}, "scope": {"kind": "host"}}
    return Yard(installation=installation, settings=slow)


def asked(site):
    return len(site.log())


def test_pause_exclude_go_on_and_stop(yard, site):
    """Nothing is asked for in a pause, excluded pages never, and a stop keeps what was collected."""
    (harvest,) = yard.plan(site.url("/"), port=site.port)
    with yard.agent():
        yard.wait_for(harvest, "running")
        yard.until(lambda: asked(site) > 3)
        yard.order(harvest, "pause")
        yard.wait_for(harvest, "paused")
        quiet = asked(site)
        yard.act(
            "from opilio.curation.actions.harvest_orders import order_exclusion\n"
            f"order_exclusion(actor, harvest_id={harvest}, patterns=('p3[0-9][0-9]',))"
        )
        yard.until(lambda: yard.rows("SELECT count(*) FROM harvest_order WHERE done_at IS NULL") == [(0,)])
        assert asked(site) <= quiet + 1  # one request may have been under way
        yard.order(harvest, "resume")
        yard.wait_for(harvest, "running")
        yard.until(lambda: asked(site) > quiet + 3)
        yard.order(harvest, "stop")
        yard.wait_for(harvest, "harvested")
    names = yard.events(harvest)
    assert [name for name in names if name in ("begin", "pause", "resume", "stop", "keep")] == [
        "begin", "pause", "resume", "stop", "keep",
    ]  # fmt: skip
    assert not [line for line in site.log() if "/p3" in line.target and len(line.target) == len("/p300.html")]
    ((down,),) = yard.rows("SELECT urls_down FROM harvest_figures")
    assert 3 < down < PAGES
    assert yard.rows("SELECT count(*) FROM harvest_file") == [(1,)]


def test_abort_gives_up_what_was_collected(yard, site):
    """A harvest that runs is aborted by its agent, one that waits at once."""
    first, second = yard.plan(site.url("/?{number}"), port=site.port, count=2)
    with yard.agent(OPILIO_HARVEST_SLOTS="1"):
        yard.until(lambda: "running" in (yard.state(first), yard.state(second)))
        yard.until(lambda: "queued" in (yard.state(first), yard.state(second)))
        running, waiting = (first, second) if yard.state(first) == "running" else (second, first)
        yard.order(waiting, "abort")
        assert yard.state(waiting) == "aborted"
        yard.order(running, "abort")
        yard.wait_for(running, "aborted")
    assert yard.events(waiting) == ["queue", "abort"]
    assert yard.events(running)[-1] == "abort"
    assert sorted(yard.rows("SELECT state FROM job")) == [("cancelled",), ("done",)]


def test_an_agent_that_ends_gives_its_harvest_to_another(yard, site):
    """SIGTERM lets it leave in good order; the next agent goes on where it was."""
    (harvest,) = yard.plan(site.url("/"), port=site.port)
    with yard.agent():
        yard.wait_for(harvest, "running")
        yard.until(lambda: asked(site) > 5)
    assert yard.state(harvest) == "running"
    before = {line.target for line in site.log()}
    with yard.agent():
        yard.until(lambda: "taken-over" in yard.events(harvest))
        yard.until(lambda: asked(site) > len(before) + 3)
        yard.order(harvest, "stop")
        yard.wait_for(harvest, "harvested")
    pages = [line.target for line in site.log() if line.target.startswith("/p")]
    assert len(pages) == len(set(pages))
