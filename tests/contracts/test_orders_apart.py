"""Orders to a harvest at which several agents work, each with a disk of its own: all of them obey."""

import itertools
import re
import threading
from collections import Counter
from contextlib import ExitStack

import pytest

from tests.contracts.crawl_stores import KINDS
from tests.contracts.test_agents_apart import captured, machine
from tests.harvests import PATIENCE, Yard
from tests.proofs.almanacs import Almanacs
from tests.servers.http_server import HttpServer
from tests.servers.s3 import ACCESS_KEY, SECRET_KEY

pytestmark = [pytest.mark.database, pytest.mark.timeout(600)]
__test__ = "postgres" in KINDS
NAMES = ("barn", "byre", "shed")
HOSTS, PAGES = 6, 300
DELAY, SLOWER = 0.05, 0.25  # seconds
LINE = 40_000  # bytes in a second
BURST = 3.0  # seconds of the line that may come at once, at the beginning and when the workers are counted anew
_COUNTED = """
from opilio.curation.harvest_folders import folder_of
from opilio.works.sealed_crawl import SealedCrawl, results_of
sealed = SealedCrawl(results_of(folder_of({harvest}).crawl).result)
print(sum(page.counted for page in sealed.pages()))
sealed.close()
"""
LEFT_OUT = r"-\d*7\.html$"


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def almanacs(server):
    return Almanacs(server=server, hosts=HOSTS, pages=PAGES)


@pytest.fixture
def yard(make_installation, s3):
    installation = make_installation()
    bucket = s3.make_bucket(f"orders-{installation.home.parent.name[-30:].strip('_').replace('_', '-')}")
    installation.env.update(
        OPILIO_STORE=f"s3://{bucket}/opilio", OPILIO_S3_ENDPOINT=s3.url, OPILIO_S3_ACCESS_KEY=ACCESS_KEY,
        OPILIO_S3_SECRET_KEY=SECRET_KEY, OPILIO_CRAWL_DATABASE_URL=installation.database_url,
        OPILIO_HARVEST_CHECKPOINT_SECONDS="1", OPILIO_HARVEST_SLOTS="1",
    )  # fmt: skip
    return Yard(installation=installation)


class Team:
    """Agents that all serve hosts of one harvest."""

    def __init__(self, yard, almanacs, stack, **manners):
        self.yard, self.server = yard, almanacs.server
        yard.settings = {
            "manners": {"preset": "own-site", "delay": DELAY, **manners}, "scope": {"kind": "prefix"},
            "fetch": {"agents": len(NAMES)},
        }  # fmt: skip
        patterns = [f"http://h{host}.localhost:{self.server.port}/*" for host in range(HOSTS)]
        (self.harvest,) = yard.plan_targets([almanacs.starts()], patterns)
        for name in NAMES:
            home = machine(yard, name)
            stack.enter_context(yard.agent(OPILIO_HOME=str(home), OPILIO_AGENT_NAME=name))
        yard.until(
            lambda: len(self.at_work()) == len(NAMES), f"not all take part: {self.at_work()} {yard.logs()[-2000:]}"
        )

    def at_work(self):
        """Workers with hosts of their own, and how many buckets each has."""
        if not self.yard.rows("SELECT 1 FROM information_schema.tables WHERE table_schema = 'opilio_crawl'"):
            return {}
        rows = self.yard.rows("SELECT owner, count(*) FROM opilio_crawl.bucket WHERE owner IS NOT NULL GROUP BY 1")
        return Counter({owner.partition("-")[0]: number for owner, number in rows})

    def quiet(self):
        """Wait until nobody asks for anything; how many requests there were."""
        pause, seen = threading.Event(), -1
        for _ in range(PATIENCE):
            if (now := len(self.server.log())) == seen:
                return now
            seen = now
            pause.wait(1.5)
        raise AssertionError("it goes on")

    def act(self, what):
        """An order by its action."""
        self.yard.act(f"from opilio.curation.actions import harvest_orders\nharvest_orders.{what}")

    def obeyed(self):
        """Wait until all orders were carried out."""
        self.yard.until(lambda: not self.yard.rows("SELECT 1 FROM harvest_order WHERE done_at IS NULL"), "not obeyed")


@pytest.fixture
def team(yard, almanacs):
    with ExitStack() as stack:
        yield lambda **manners: Team(yard, almanacs, stack, **manners)


def test_all_agents_pause_and_go_on_by_what_was_ordered_meanwhile(yard, server, team):
    """A longer delay, an exclusion and a limit of pages hold for each of them; the limit is exact."""
    crew = team()
    yard.order(crew.harvest, "pause")
    yard.wait_for(crew.harvest, "paused")
    before = crew.quiet()
    limit = before + 100
    assert before < HOSTS * PAGES - 200, "it was over before it was paused"
    number = f"harvest_id={crew.harvest}"
    crew.act(f"order_delay(actor, {number}, seconds={SLOWER})")
    crew.act(f"order_exclusion(actor, {number}, patterns=({LEFT_OUT!r},))")
    crew.act(f"order_limits(actor, {number}, pages={limit})")
    crew.obeyed()
    assert len(server.log()) == before
    yard.order(crew.harvest, "resume")
    yard.wait_for(crew.harvest, "harvested")
    later = server.log()[before:]
    assert not [one.target for one in later if re.search(LEFT_OUT, one.target)]
    assert _shortest(later) >= SLOWER * 0.9
    pages, files = captured(yard, machine(yard, "front"), crew.harvest)
    kept = [url for url, _, outcome in pages if outcome in ("fetched", "duplicate")]
    assert len(kept) == len(set(kept))
    assert int(yard.act(_COUNTED.format(harvest=crew.harvest)).split()[-1]) == limit
    assert {file for _, file, _ in pages if file} == {name for name, _ in files}


def test_agents_divide_the_bandwidth_and_stop_with_what_they_have(yard, server, team):
    """Together they receive no more than the harvest may; whatever any of them asked for is in the result."""
    crew = team(bandwidth=LINE)
    begun = len(server.log())
    yard.until(lambda: len(server.log()) > begun + 60, "nothing comes")
    assert len(crew.at_work()) == len(NAMES)
    answered = [one for one in server.log() if one.answered is not None][begun:]
    first, last = min(one.at for one in answered), max(one.answered for one in answered)
    assert sum(one.sent for one in answered) <= LINE * (last - first + BURST)
    yard.order(crew.harvest, "stop")
    yard.wait_for(crew.harvest, "harvested")
    asked = [one for one in server.log() if not one.target.endswith("/robots.txt")]
    pages, files = captured(yard, machine(yard, "front"), crew.harvest)
    kept = {url for url, _, outcome in pages if outcome in ("fetched", "duplicate")}
    assert kept == {server.url(one.target, host=one.host) for one in asked}
    assert {file for _, file, _ in pages if file} == {name for name, _ in files}
    assert crew.quiet() == len(server.log())


def test_an_abort_ends_the_work_of_all(yard, server, almanacs, team):
    """No agent asks for anything any more, and no job of a helper is left."""
    crew = team()
    yard.order(crew.harvest, "abort")
    yard.wait_for(crew.harvest, "aborted")
    crew.quiet()
    left = "SELECT state FROM job WHERE kind = 'curation.help_harvest' AND state IN ('ready', 'running')"
    yard.until(lambda: not yard.rows(left), "helpers did not leave")
    assert len(server.log()) < len(almanacs.everything())


def _shortest(entries):
    """The shortest time between two requests to one host."""
    ordered = sorted(entries, key=lambda one: (one.host, one.at))
    return min(second.at - first.at for first, second in itertools.pairwise(ordered) if first.host == second.host)
