"""Harvests whose agents are killed at random end once, in a true state, with every page once.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses who is killed when.
"""

import random
import time

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.curation.harvest_workflow import replayed
from opilio.works.run_harvest import HarvestFolder
from tests.harvests import Yard
from tests.servers.http_server import HttpServer

PAGES, HARVESTS, KILLS = 25, 4, 3  # harvests and kills are multiplied by the scale

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(PAGES):
        following = "".join(
            f"<a href='p{one}.html'>{one}</a>" for one in (2 * number + 1, 2 * number + 2) if one < PAGES
        )
        (folder / f"p{number}.html").write_text(f"<title>{number}</title>{following}")
    with HttpServer(site=folder) as server:
        yield server


class Happened:
    def __init__(self, name, source, target):
        self.name, self.source, self.target = name, source, target


def test_kills_leave_every_harvest_whole(installation, site, proof_scale, random_number, record_property):
    """Whoever is killed, whenever: each harvest is kept once, no page is lost or doubled, logs replay to the states."""
    chance, kills = random.Random(random_number), KILLS * proof_scale
    record_property("harvests", HARVESTS * proof_scale)
    record_property("kills", kills)
    yard = Yard(
        installation=installation,
        settings={"manners": {"preset": "own-site", "delay": 0.1}, "scope": {"kind": "host"}},
    )
    harvests = yard.plan(site.url("/p0.html?h={number}"), port=site.port, count=HARVESTS * proof_scale)
    for _ in range(kills):
        with yard.agent(OPILIO_HARVEST_SLOTS="2") as agent:
            yard.until(lambda: _done(yard) or _in_state(yard, "running"))
            time.sleep(chance.uniform(0.0, 2.0))
            agent.kill()
    with yard.agent(OPILIO_HARVEST_SLOTS="4"):
        yard.until(lambda: _done(yard), "a harvest did not end")
    for harvest in harvests:
        _whole(yard, harvest)


def _done(yard):
    return not yard.rows("SELECT 1 FROM harvest WHERE state NOT IN ('harvested', 'aborted')")


def _in_state(yard, state):
    return bool(yard.rows(f"SELECT 1 FROM harvest WHERE state = '{state}'"))


def _whole(yard, harvest):
    assert yard.state(harvest) == "harvested", yard.logs()[-4000:]
    events = [
        Happened(*row)
        for row in yard.rows(
            f"SELECT name, source, target FROM harvest_event WHERE harvest_id = {harvest} ORDER BY number"
        )
    ]
    assert replayed(events) == "harvested"
    assert [one.name for one in events].count("keep") == 1
    folder = HarvestFolder(path=yard.installation.home / "harvests" / str(harvest))
    assert folder.sealed()
    found = []
    for file in folder.files():
        with (folder.crawl.warcs / file.name).open("rb") as stream:
            records = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=False)
            found += [record.headers["WARC-Target-URI"].rpartition("/")[2].partition("?")[0] for record in records]
    pages = [name for name in found if name.startswith("p")]
    assert sorted(pages) == sorted({f"p{number}.html" for number in range(PAGES)})
