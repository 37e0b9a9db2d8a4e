"""The presets of politeness, as the server sees them."""

import itertools

import pytest

from opilio.crawl.manners import PRESETS
from opilio.crawl.plan import Preset
from tests.sites.hurried_clock import HURRIED, HurriedClock

SPEED = 40
LEAST = {Preset.GENTLE: 9, Preset.NORMAL: 3, Preset.BRISK: 1}


@pytest.mark.parametrize("preset", LEAST)
def test_a_preset_keeps_its_delay(sites, preset):
    """Between all requests, of the crawl's own clock; the gentler, the longer."""
    host = f"preset-{preset.value}"
    starts = [f"{host}/page?number={number}" for number in range(4)]
    crawled = sites.crawl(*starts, settings=HURRIED, clock=HurriedClock(SPEED), manners={"preset": preset})
    assert crawled.fetched == set(starts)
    times = [entry.at for entry in sites.asked(host)]
    assert len(times) == 5
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) * SPEED >= LEAST[preset] * 0.95


def test_gentle_is_slower_than_normal_and_normal_than_brisk():
    """In every value that counts."""
    gentle, normal, brisk = (PRESETS[preset] for preset in LEAST)
    for slow, quick in ((gentle, normal), (normal, brisk)):
        assert slow.delay > quick.delay
        assert slow.factor > quick.factor
        assert slow.crawl_delay_cap > quick.crawl_delay_cap
        assert slow.host_bandwidth < quick.host_bandwidth
