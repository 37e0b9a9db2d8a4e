"""What a killed agent was told counts for the one that takes over; a right that ended counts for both."""

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


def permission_of(yard, harvest):
    """The permission on which its only seed relies."""
    query = (
        "SELECT permission_id FROM seed_permission JOIN seed ON seed.id = seed_id "
        f"JOIN harvest ON abstract_target_id = target_id WHERE harvest.id = {harvest}"
    )
    return yard.rows(query)[0][0]


def decide(yard, harvest, verb):
    """Grant or refuse the permission of a harvest."""
    yard.act(
        f"from opilio.curation.actions.permissions import {verb}_permission\n"
        f"{verb}_permission(actor, permission_id={permission_of(yard, harvest)})"
    )


def told_to_stop(yard, harvest):
    """The last thing that its agent wrote down: that it stops."""
    yard.act(
        "from opilio.curation.actions import harvest_orders, harvest_running\n"
        f"order = harvest_orders.order_move(actor, harvest_id={harvest}, what='stop')\n"
        "harvest_running.obeyed(actor, order_id=order.pk, agent='gone')"
    )


def test_a_pause_and_a_stop_outlive_their_agent(installation, site):
    """Paused for want of a right, it stays so until the right is back; stopped, it is sealed and fetches no more."""
    slow = {"manners": {"preset": "own-site", "delay": 0.1}, "scope": {"kind": "host"}}
    yard = Yard(installation=installation, settings=slow)
    asking, stopped = yard.plan(site.url("/?{number}"), port=site.port, count=2)
    with yard.agent() as agent:
        yard.wait_for(asking, "running")
        yard.wait_for(stopped, "running")
        yard.until(lambda: len(site.log()) > 8)
        decide(yard, asking, "reject")
        yard.wait_for(asking, "paused")
        agent.kill()
    told_to_stop(yard, stopped)
    before = len(site.log())
    with yard.agent():
        yard.wait_for(stopped, "harvested")
        yard.until(lambda: "taken-over" in yard.events(asking))
        yard.until(lambda: yard.rows("SELECT count(*) FROM job WHERE state = 'running'") == [(1,)])
        assert len(site.log()) == before
        assert yard.rows(f"SELECT held FROM harvest WHERE id = {asking}")[0][0]
        decide(yard, asking, "approve")
        yard.wait_for(asking, "running")
        yard.until(lambda: len(site.log()) > before + 3)
        yard.order(asking, "stop")
        yard.wait_for(asking, "harvested")
    names = yard.events(asking)
    kept = ("begin", "rights-lost", "pause", "taken-over", "rights-back", "resume", "stop", "keep")
    assert tuple(name for name in names if name in kept) == kept
    assert "finish" not in yard.events(stopped)
