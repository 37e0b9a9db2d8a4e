"""What a server sends to harvests that share a line is what the line gives them, after each new division."""

import pytest

from tests.harvests import Yard
from tests.servers.counted import CountedServer

LINE = 200  # kB/s
WINDOW = 3.0  # seconds of a measurement; longer at larger scales
WINDOWS = 4  # that are measured at most
SETTLED = 2.0  # seconds until what was saved up under an earlier division is used

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]

_RESTRICT = """
import datetime
from opilio.curation.actions.bandwidth import create_restriction
for day in range(7):
    create_restriction(actor, day=day, start=datetime.time(0), end=datetime.time(0), limit={line})
"""
_SHARE = """
from opilio.curation.actions.harvest_orders import set_bandwidth
set_bandwidth(actor, harvest_id={harvest}, percent={percent})
"""


@pytest.fixture
def site():
    with CountedServer() as server:
        yield server


def divided(yard, wanted):
    """Wait until running harvests were told these shares, and what was saved before is used."""
    query = "SELECT id, allocated_bandwidth FROM harvest WHERE state = 'running'"
    yard.until(lambda: dict(yard.rows(query)) == wanted, f"the line is not divided as {wanted}")
    yard.until(lambda: yard.rows("SELECT count(*) FROM harvest_order WHERE done_at IS NULL") == [(0,)])


def test_two_harvests_keep_to_their_shares(installation, site, proof_scale, record_property):
    """Half each; three quarters and one after a share was given by hand; everything for the last one. Within 10 %."""
    yard = Yard(installation=installation)
    yard.act(_RESTRICT.format(line=LINE))
    first, second = yard.plan(site.url("{number}"), port=site.port, count=2)
    window = WINDOW * min(proof_scale, 5)
    with yard.agent(OPILIO_HARVEST_SLOTS="2"):
        yard.wait_for(first, "running")
        yard.wait_for(second, "running")
        for shares in ((LINE // 2, LINE // 2), (LINE * 3 // 4, LINE // 4)):
            if shares[0] != shares[1]:
                yard.act(_SHARE.format(harvest=first, percent=75))
            divided(yard, {first: shares[0], second: shares[1]})
            measured(site, ("0", "1"), shares, window, record_property)
        if proof_scale == 1:
            return  # the last one alone is measured at full counts
        yard.order(second, "stop")
        yard.wait_for(second, "harvested")
        divided(yard, {first: LINE})
        measured(site, ("0",), (LINE,), window, record_property)
        yard.order(first, "stop")
        yard.wait_for(first, "harvested")


def measured(site, names, shares, window, record_property):
    """What is sent to each is its share, give or take a tenth.

    An agent that a busy machine kept waiting makes up for it in the next seconds: then a further window is measured.
    """
    tried = []
    while len(tried) < WINDOWS:
        site.rates(*names, seconds=SETTLED)
        rates = [rate / 1_000 for rate in site.rates(*names, seconds=window)]
        tried.append(rates)
        if all(0.9 * share <= rate <= 1.1 * share for rate, share in zip(rates, shares, strict=True)):
            record_property("/".join(map(str, shares)), "/".join(f"{rate:.0f} kB/s" for rate in rates))
            return
    raise AssertionError((tried, shares))
