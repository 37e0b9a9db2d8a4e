"""Reviewers search a harvest while it runs: an agent puts its pages into the working index as they come."""

from opilio.kernel.access import Reader
from opilio.search.register import Register
from opilio.search.request import Request
from opilio.works.followed_crawls import register_file
from opilio.works.search_home import SearchHome
from tests.harvests import Yard
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

SITE = LargeSite(pages=2_000)
SLOW = {"manners": {"preset": "own-site", "delay": 0.3}, "scope": {"kind": "host"}}


def found(home, agency):
    """How many pages somebody who reviews for an agency finds."""
    if not home.followed.all() or not register_file(home.working_folder).exists():
        return 0
    asked = Request(query=f"url:{SITE.base.strip('/')}", collapse=False)
    return home.working().ask(asked, Reader(staff_of=frozenset({agency}))).total


def test_a_running_harvest_is_searched_by_its_agency(installation):
    """Pages are found while the harvest runs, by its agency only; when it has ended each is there once."""
    yard = Yard(installation=installation, settings=SLOW)
    home = SearchHome(installation.home / "index")
    with HttpServer() as server:
        (harvest,) = yard.plan(server.url(f"{SITE.base}/"), port=server.port)
        agency = str(yard.rows(f"SELECT agency_id FROM harvest WHERE id = {harvest}")[0][0])
        with yard.agent():
            yard.wait_for(harvest, "running")
            yard.until(lambda: found(home, agency), "nothing is found while it runs")
            assert yard.state(harvest) == "running", yard.logs()[-3000:]
            assert found(home, "another") == 0
            first = found(home, agency)
            yard.until(lambda: found(home, agency) > first, "what comes later is not found")
            assert yard.state(harvest) == "running", yard.logs()[-3000:]
            yard.order(harvest, "stop")
            yard.wait_for(harvest, "harvested")
            yard.until(lambda: yard.rows("SELECT state FROM result") == [(0,)], "its result is not ready for review")
    ((urls,),) = yard.rows("SELECT urls_down FROM harvest_figures")
    with Register(register_file(home.working_folder)) as register:
        listed = [entry.url for entry in register.entries()]
    assert len(listed) == len(set(listed))
    assert found(home, agency) == len(listed)
    assert 0 < len(listed) <= urls
