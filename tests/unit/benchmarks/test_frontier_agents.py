"""The simulation of many agents on one crawl: real leases, on a clock that is told the time."""

from benchmarks.frontier_agents import Agent, Crawl, Simulation, fairness
from opilio.crawl.engine.settings import DEFAULTS


def _run(count, seconds, events=None, *, skewed=False):
    agents = [Agent(name=f"agent {number}", comes=0.0) for number in range(count)]
    crawl = Crawl(skewed=skewed, hosts=60)
    simulation = Simulation(crawl, agents, events or {})
    return simulation, simulation.run(seconds)


def test_fairness_is_one_when_all_have_the_same():
    assert fairness([3, 3, 3]) == 1.0
    assert fairness([9, 0, 0]) == 1 / 3


def test_all_buckets_are_held_each_by_one_agent():
    simulation, told = _run(4, 20)
    held = [bucket for agent in simulation.agents for bucket in agent.leases]
    assert sorted(held) == sorted(simulation.crawl.left)
    assert max(len(agent.leases) for agent in simulation.agents) <= -(-len(held) // 4)
    assert told.pages > 0


def test_buckets_of_agents_that_fell_are_held_again_when_their_leases_are_over():
    simulation, told = _run(4, int(DEFAULTS.ttl) + 30, {10: ("fall", 2)})
    assert DEFAULTS.ttl / 2 < told.settled["2 fall at 10 s"] <= DEFAULTS.ttl + 2
    held = {bucket for agent in simulation.agents if not agent.gone for bucket in agent.leases}
    assert held == set(simulation.crawl.left)


def test_agents_that_leave_give_their_buckets_back_at_once():
    _, told = _run(4, 40, {10: ("leave", 2)})
    assert told.settled["2 leave at 10 s"] <= DEFAULTS.claim_every + 1


def test_hosts_that_are_done_leave_no_work_behind():
    crawl = Crawl(skewed=True, hosts=60)
    bucket = next(iter(crawl.left))
    while bucket in crawl.left:
        assert crawl.fetched(bucket, 50)
    agent = Agent(name="late", comes=0.0)
    Simulation(crawl, [agent], {}).run(3)
    assert bucket not in agent.leases
    assert set(agent.leases) >= set(crawl.left)
