"""Crawls whose processes are killed at any moment: every page is recorded once, and hardly any is fetched twice.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses who is killed when.
"""

import bisect
import itertools
import random
import time
from collections import Counter

import pytest

from opilio.crawl.engine.settings import DEFAULTS
from tests.proofs.almanacs import Almanacs, require_once, require_sealed, require_sound_warcs
from tests.proofs.crawl_lives import CrawlLives

HOSTS = 8
SMALL = (3, 240)  # kills and pages in the ordinary run
STEP = (15, 1_000)  # times the scale under `make prove`
NOTICED = 2.0  # seconds; workers outlive their parent by a moment

pytestmark = [pytest.mark.database, pytest.mark.proof, pytest.mark.timeout(7_200)]


def lost_by(kills, server, urls):
    """How many requests each kill made vain: the page was asked for before it, and again after it."""
    times: dict[str, list[float]] = {}
    for entry in server.log():
        times.setdefault(f"http://{entry.host}:{server.port}{entry.target}", []).append(entry.at)
    pairs = [pair for url in urls for pair in itertools.pairwise(times[url])]
    return Counter(guilty([kill.at for kill in kills], *pair) for pair in pairs)


def guilty(moments, earlier, later):
    """Which kill comes between two requests; the server may notice the last ones of the dead a little later."""
    following = bisect.bisect_left(moments, earlier)
    if following < len(moments) and moments[following] < later:
        return following
    assert following, "a page was fetched twice before the first kill"
    assert earlier - moments[following - 1] < NOTICED, "a page was fetched twice without a kill in between"
    return following - 1


def test_kills_lose_and_repeat_nothing(server, address, proof_scale, random_number, tmp_path, record_property):
    """Workers and parents die; the set is whole, nothing is kept twice, and a kill costs a batch at most."""
    kills, pages = SMALL if proof_scale == 1 else (proof_scale * each for each in STEP)
    almanacs = Almanacs(server=server, hosts=HOSTS, pages=pages // HOSTS)
    urls, chance = almanacs.everything(), random.Random(random_number)
    crawl = CrawlLives(folder=tmp_path / "out", starts=almanacs.starts(), address=address, said=tmp_path / "said.txt")
    try:
        crawl.begin()
        for number in range(1, kills + 1):
            crawl.wait_for(number * len(urls) * 9 // (10 * (kills + 1)))  # a kill may lose lines of the log
            time.sleep(chance.random() * 0.3)  # the moment of the kill is the point
            crawl.kill(chance)
        crawl.end()
    finally:
        crawl.stop()
    lost = lost_by(crawl.kills, server, urls)
    for name, value in (("pages", len(urls)), ("kills", len(crawl.kills)), ("fetched again", lost.total()),
                        ("most for one worker killed", most(lost, crawl.kills))):  # fmt: skip
        record_property(name, value)
        print(name, value)
    require_once(tmp_path / "out", address, urls)
    require_sealed(tmp_path / "out", urls)
    require_sound_warcs(tmp_path / "out")
    assert most(lost, crawl.kills) <= DEFAULTS.batch + HOSTS  # and what was under way


def most(lost, kills):
    """The requests that were vain, for each worker that died: the most of any kill."""
    return max((-(-count // kills[number].victims) for number, count in lost.items()), default=0)
