"""One crawl shared by a thousand agents, on a simulated clock: who holds which buckets, who idles, what moves.

The leases are those of the product: a real crawl store, asked by `claim` and `release` as workers ask it. Fetching is a
model: a host gives a page a second to whoever holds its bucket, an agent fetches at most so many pages a second. Hosts
are even, or skewed: the n-th has 1/n of the pages of the first. Some agents fall without a word, some leave in good
order, some come later. OPILIO_TEST_BENCH_AGENTS is how many there are, OPILIO_TEST_BENCH_SECONDS how long it lasts.
"""

import os
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

from benchmarks import machine
from opilio.crawl.engine.settings import DEFAULTS
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.frontier.urls import BUCKETS, bucket_of
from opilio.crawl.frontier.values import found
from opilio.crawl.plan import CrawlPlan, Seed

AGENTS = int(os.environ.get("OPILIO_TEST_BENCH_AGENTS", "1000"))
SECONDS = int(os.environ.get("OPILIO_TEST_BENCH_SECONDS", "150"))
HOSTS = 20_000
LARGEST = 20_000  # pages of the largest host
CAPACITY = 50  # pages a second that one agent fetches
_ALL = 1_024  # as workers ask
_PORTION = 5_000


@dataclass
class Agent:
    """One worker: what it holds, and what it did."""

    name: str
    comes: float  # seconds from the beginning
    leases: dict[int, int] = field(default_factory=dict)
    asks: float = 0.0  # when it claims next
    gone: bool = False
    pages: int = 0
    idle: int = 0  # seconds without a page while some waited
    lived: int = 0


@dataclass
class Told:
    """What one run was like."""

    agents: int
    claims: int = 0
    claiming: float = 0.0  # CPU seconds
    moves: int = 0  # buckets that came from another agent
    unheld: int = 0  # bucket seconds with work that nobody held
    waiting: int = 0  # bucket seconds with work
    pages: int = 0
    settled: dict[str, float] = field(default_factory=dict)  # seconds until each bucket with work was held again


class Crawl:
    """The store, and the pages that each host still has."""

    def __init__(self, *, skewed: bool, hosts: int = HOSTS) -> None:
        self.store = MemoryStore(CrawlPlan(seeds=(Seed(url="http://seed.example/"),)))
        names = [f"h{number}.example" for number in range(hosts)]
        for start in range(0, hosts, _PORTION):
            part = names[start : start + _PORTION]
            self.store.insert([found(f"http://{name}/", Label(1, 0, 0)) for name in part])
        self.left: dict[int, dict[str, int]] = {}
        for number, name in enumerate(names, 1):
            self.left.setdefault(bucket_of(name), {})[name] = max(1, LARGEST // number) if skewed else LARGEST
        self.left.setdefault(bucket_of("seed.example"), {})["seed.example"] = 1

    def fetched(self, bucket: int, room: int) -> int:
        """What the hosts of a bucket give in one second."""
        hosts = self.left.get(bucket, {})
        given = list(hosts)[:room]
        for name in given:
            hosts[name] -= 1
            if not hosts[name]:
                del hosts[name]
                self._finish(name)
        if bucket in self.left and not hosts:
            del self.left[bucket]
        return len(given)

    def _finish(self, name: str) -> None:
        """Nothing of a host waits any more: claims see that its bucket has no work."""
        db = self.store._db
        done = "DELETE FROM {queue} WHERE host IN (SELECT id FROM {host} WHERE name = ?)"
        db.write(lambda: db.execute(done, (name,)))


class Simulation:
    """Agents that come, claim, fetch, share, fall and leave."""

    def __init__(self, crawl: Crawl, agents: list[Agent], events: dict[int, tuple[str, int]], seed: int = 1) -> None:
        self.crawl, self.agents, self.events = crawl, agents, events
        self.told = Told(agents=len(agents))
        self._owner: dict[int, str] = {}
        self._random = random.Random(seed)
        self._open: dict[str, int] = {}  # events after which some bucket was not held yet

    def run(self, seconds: int) -> Told:
        """Second by second."""
        for moment in range(seconds):
            if moment in self.events:
                self._happens(moment, *self.events[moment])
            here = [agent for agent in self.agents if not agent.gone and agent.comes <= moment]
            self._random.shuffle(here)
            for agent in here:
                while agent.asks <= moment:
                    self._claim(agent, float(agent.asks))
            self._fetch(here)
            self._watch(moment, here)
            if not self.crawl.left:
                break
        return self.told

    def _happens(self, moment: int, what: str, count: int) -> None:
        here = [agent for agent in self.agents if not agent.gone and agent.comes <= moment]
        for agent in self._random.sample(here, min(count, len(here) - 1)):
            agent.gone = True
            if what == "leave":
                self.crawl.store.evict(agent.name)  # as a worker does when it is told to stop
        self._open[f"{count} {what} at {moment} s"] = moment

    def _claim(self, agent: Agent, now: float) -> None:
        begun = time.process_time()
        made = self.crawl.store.claim(agent.name, 1e9 + now, DEFAULTS.ttl, _ALL)
        if made.surplus:
            spare = dict(sorted(made.leases.items())[: made.surplus])
            self.crawl.store.release(agent.name, spare)
        else:
            spare = {}
        self.told.claiming += time.process_time() - begun
        self.told.claims += 1
        agent.leases = {bucket: epoch for bucket, epoch in made.leases.items() if bucket not in spare}
        for bucket in agent.leases:
            before = self._owner.get(bucket)
            self.told.moves += before is not None and before != agent.name
            self._owner[bucket] = agent.name
        agent.asks = now + (DEFAULTS.claim_every if agent.leases else max(DEFAULTS.look_every, 1.0))

    def _fetch(self, here: list[Agent]) -> None:
        for agent in here:
            room = CAPACITY
            for bucket in sorted(agent.leases):
                room -= self.crawl.fetched(bucket, room)
            agent.pages += CAPACITY - room
            agent.lived += 1
            agent.idle += room == CAPACITY
            self.told.pages += CAPACITY - room

    def _watch(self, moment: int, here: list[Agent]) -> None:
        held = {bucket for agent in here for bucket in agent.leases}
        unheld = len(set(self.crawl.left) - held)
        self.told.waiting += len(self.crawl.left)
        self.told.unheld += unheld
        for name, since in list(self._open.items()):
            if not unheld:
                self.told.settled[name] = moment - since
                del self._open[name]


def fairness(values: list[int]) -> float:
    """Jain's index: 1 when all have the same, 1/n when one has all."""
    total, squares = sum(values), sum(value * value for value in values)
    return total * total / (len(values) * squares) if squares else 1.0


def measured(count: int, *, skewed: bool) -> tuple[Told, list[Agent]]:
    """So many agents within half a minute; later a tenth falls, a tenth leaves, and as many come."""
    late = count // 5
    agents = [Agent(name=f"agent {number}", comes=30 * number / count) for number in range(count)]
    agents += [Agent(name=f"late {number}", comes=SECONDS * 0.6) for number in range(late)]
    for agent in agents:
        agent.asks = agent.comes
    events = {40: ("fall", count // 10), int(SECONDS * 0.75): ("leave", count // 10)}
    simulation = Simulation(Crawl(skewed=skewed), agents, events)
    return simulation.run(SECONDS), agents


def main() -> None:
    """Runs with few and with all agents."""
    print(f"\n{machine.line()}\n\n### one crawl, many agents\n")
    print(f"{HOSTS:,} hosts in at most {BUCKETS:,} buckets, {SECONDS} simulated s, leases of {DEFAULTS.ttl:.0f} s")
    for skewed in (False, True):
        print(f"\n{'Skewed' if skewed else 'Even'} hosts\n\n{_HEAD}")
        stories = []
        for count in sorted({max(2, AGENTS // 100), max(4, AGENTS // 10), AGENTS}):
            told, agents = measured(count, skewed=skewed)
            print(_row(count, told, agents), flush=True)
            stories += _story(count, told, agents)
        print("", *stories, sep="\n")


_HEAD = """\
| agents | pages | pages/s of an agent | fair, buckets | idle | not held | moves | claims | CPU ms of a claim |
|---|---|---|---|---|---|---|---|---|"""


def _row(count: int, told: Told, agents: list[Agent]) -> str:
    stayed = _stayed(agents)
    idle = sum(agent.idle for agent in agents) / max(1, sum(agent.lived for agent in agents))
    each = statistics.fmean(agent.pages / agent.lived for agent in stayed)
    fair = fairness([len(agent.leases) for agent in stayed])
    cost = 1_000 * told.claiming / max(1, told.claims)
    return (
        f"| {count:,} | {told.pages:,} | {each:.1f} | {fair:.2f} | {idle:.0%} "
        f"| {told.unheld / max(1, told.waiting):.1%} | {told.moves:,} | {told.claims:,} | {cost:.2f} |"
    )


def _story(count: int, told: Told, agents: list[Agent]) -> list[str]:
    most = Counter(len(agent.leases) for agent in _stayed(agents))
    held = ", ".join(f"{number:,} have {size}" for size, number in sorted(most.items())[:8])
    lines = [f"- {count:,} agents, buckets at the end: {held}{' …' if len(most) > 8 else ''}"]
    return lines + [
        f"- {count:,} agents, {name}: every bucket with work was held again within {seconds:.0f} s"
        for name, seconds in told.settled.items()
    ]


def _stayed(agents: list[Agent]) -> list[Agent]:
    return [agent for agent in agents if not agent.gone and agent.lived]


if __name__ == "__main__":
    main()
