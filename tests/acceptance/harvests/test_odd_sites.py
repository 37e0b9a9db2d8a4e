"""Harvests of which nothing can be collected: a server that does not answer, a site behind a login wall."""

from tests.harvests import Yard
from tests.servers.http_server import HttpServer


def test_nothing_answers_or_everything_is_closed(installation):
    """Each ends by itself in a true state, with what it met in its figures, and waits for review like any other."""
    quick = {"manners": {"preset": "own-site", "tries": 1}, "scope": {"kind": "host"}}
    yard = Yard(installation=installation, settings=quick)
    with HttpServer() as site:
        seeds = f"http://127.0.0.{{number}}:{site.port}/login/basic"  # only 127.0.0.1 listens
        _, closed, silent = yard.plan(seeds, port=site.port, count=3)
        with yard.agent(OPILIO_HARVEST_SLOTS="3"):
            for harvest in (closed, silent):
                yard.wait_for(harvest, "harvested", "aborted")
    for harvest in (closed, silent):
        assert yard.state(harvest) == "harvested", yard.logs()[-3000:]
        assert yard.events(harvest)[:4] == ["queue", "begin", "finish", "keep"]
        query = f"SELECT urls_down, urls_failed FROM harvest_figures WHERE harvest_id = {harvest}"
        assert yard.rows(query) == [(0, 1)]
