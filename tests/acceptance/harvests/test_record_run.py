"""Queue and resources of a real harvest: while it runs, after another agent took it over, and once it is sealed."""

import re

import pytest

from opilio.works.harvest_records import all_resources, all_waiting
from opilio.works.record_filters import Wanted, wanted
from opilio.works.run_harvest import HarvestFolder
from tests.harvests import Yard
from tests.servers.http_server import HttpServer

PAGES = 300


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


def asked(site):
    return [line.target for line in site.log() if line.target.startswith("/p")]


def moved(folder):
    """The priorities of the pages that were moved, as far as they wait."""
    return {one.priority for one in all_waiting(folder, Wanted()) if re.search("/p2[5-9][0-9]", one.url)}


def test_what_was_moved_ahead_comes_first(installation, site):
    """The order is obeyed, survives the death of its agent, and every page is told before and after the seal."""
    slow = {"manners": {"preset": "own-site", "delay": 0.15}, "scope": {"kind": "host"}}
    yard = Yard(installation=installation, settings=slow)
    (harvest,) = yard.plan(site.url("/"), port=site.port)
    folder = HarvestFolder(path=installation.home / "harvests" / str(harvest))
    with yard.agent() as first:
        yard.wait_for(harvest, "running")
        yard.until(lambda: len(asked(site)) > 3)
        yard.act(
            "from opilio.curation.actions.harvest_orders import order_priority\n"
            f"order_priority(actor, harvest_id={harvest}, priority=-9, patterns=('p2[5-9][0-9]',))"
        )
        yard.until(lambda: yard.rows("SELECT count(*) FROM harvest_order WHERE done_at IS NULL") == [(0,)])
        yard.until(lambda: -9 in moved(folder))
        before = len(asked(site))
        yard.until(lambda: len(asked(site)) > before + 4)
        first.kill()
        first.wait()
    later = asked(site)[before + 1 :]
    assert all("/p2" in path and path >= "/p250" for path in later), later
    assert moved(folder) == {-9}
    known = {one.url for one in all_resources(folder, Wanted())}
    with yard.agent():
        yard.until(lambda: len(asked(site)) > before + len(later) + 3)
        assert known <= {one.url for one in all_resources(folder, Wanted())}
        yard.order(harvest, "stop")
        yard.wait_for(harvest, "harvested")
    fetched = list(all_resources(folder, wanted(status="2xx")))
    assert known <= {one.url for one in fetched}
    assert len({one.url for one in fetched}) == len(fetched)
    assert all(one.file.endswith(".warc.gz") and one.length and one.compressed for one in fetched)
    assert list(all_waiting(folder, Wanted())) == []
    assert len(fetched) + len(list(all_resources(folder, wanted(outcome="over-limit")))) == PAGES + 1
