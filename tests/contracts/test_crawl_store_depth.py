"""Depth by shortest path: the same pages, depths and charges, whoever comes first, and compared with a plain search."""

import heapq
import random
import threading

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from opilio.crawl.frontier.batch import HostUpdate
from opilio.crawl.frontier.labels import Label, covers, merged
from opilio.crawl.plan import Scope, Seed, admissions
from opilio.kernel.capture import Hop
from tests.contracts.crawl_stores import KINDS, NOW, TTL, Worker, admitted, plan_for, step, stores_of, urls

pytestmark = pytest.mark.database

EXAMPLES = 15 if "postgres" in KINDS else 60
LINK, EMBED = Hop.LINK, Hop.EMBED


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


def node(number):
    return f"https://{'abc'[number % 3]}.example/{number}"


def reference(plan, site):
    """For every URL the smallest label, by Dijkstra's search from each seed on (URL, embed hops)."""
    best = {}
    for number, seed in enumerate(plan.seeds):
        start = (Label(0, number, 0), seed.url)
        waiting, done = [start], set()
        while waiting:
            label, url = heapq.heappop(waiting)
            if (url, label.hops) in done:
                continue
            done.add((url, label.hops))
            best[url] = min(best.get(url, label), label)
            for hop, target in site.get(url, ()):
                after = step(label, hop)
                if admitted(plan, after, target):
                    heapq.heappush(waiting, (after, target))
    return best


def recorded(store):
    return {page.url: Label(page.depth, page.seed, page.hops) for page in store.pages()}


def crawled(store, site, choices, workers):
    """Crawl with several workers that act in an order drawn by chance, and lose their leases now and then."""
    crew = [Worker(store, site, owner=f"crew {number}") for number in range(workers)]
    now = NOW
    for who, what, how_many in choices:
        worker = crew[who % workers]
        worker.now = now
        if what == 0:
            claim = worker.claim(want=how_many + 1)
            spare = dict(list(worker.leases.items())[: claim.surplus])
            store.release(worker.owner, spare)
            for bucket in spare:
                del worker.leases[bucket]
            worker.inflight = [entry for entry in worker.inflight if entry.bucket in worker.leases]
        elif what == 1:
            worker.take(max_hosts=how_many + 1, per_host=how_many + 1)
        elif what == 2:
            worker.inflight = [entry for entry in worker.inflight if entry.bucket in worker.leases]
            worker.commit(worker.inflight[: how_many + 1])
        else:
            now += TTL + 1  # everybody's time is over
    last = Worker(store, site, now=now + TTL + 1)
    last.run()
    return recorded(store)


edges = st.lists(st.tuples(st.integers(0, 8), st.sampled_from([LINK, EMBED]), st.integers(0, 8)), max_size=24)
seeds = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from([None, 0, 1, 2, 3]), st.sampled_from(["", "https://a", "https://b"])),
    min_size=1,
    max_size=3,
    unique_by=lambda seed: seed[0],
)
moves = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)), max_size=40)


def graph(links):
    site = {}
    for source, hop, target in links:
        site.setdefault(node(source), []).append((hop, node(target)))
    return site


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(links=edges, starts=seeds, choices=moves, embed_hops=st.integers(0, 2), workers=st.integers(1, 3))
@example(  # found first by the long way, and expanded; then by the short one
    links=[(0, LINK, 1), (1, LINK, 2), (2, LINK, 3), (3, LINK, 4), (0, LINK, 3)],
    starts=[(0, 2, "")],
    choices=[(0, 0, 3)],
    embed_hops=1,
    workers=1,
)
@example(  # a deeper seed goes on where the nearer one must stop
    links=[(0, LINK, 2), (1, LINK, 3), (3, LINK, 2), (2, LINK, 4), (4, LINK, 5)],
    starts=[(0, 1, ""), (1, None, "")],
    choices=[],
    embed_hops=0,
    workers=2,
)
def test_the_pages_do_not_depend_on_the_order_of_events(stores, links, starts, choices, embed_hops, workers):
    """Pages, depths and charges are those of a plain search, for any order of takes, commits and lost leases."""
    site = graph(links)
    plan = plan_for(
        *[Seed(url=node(number), depth=depth, root=root) for number, depth, root in starts],
        scope=Scope(max_embed_hops=embed_hops),
    )
    store = stores.create(plan)
    try:
        assert crawled(store, site, choices, workers) == reference(plan, site)
    finally:
        store.close()


def test_a_shorter_path_lowers_a_waiting_url(stores):
    """Its depth, its place in the order and its parent are those of the shorter way."""
    store = stores.create(plan_for(node(0)))
    site = {node(0): [(LINK, node(3)), (LINK, node(9))], node(3): [(LINK, node(6))], node(9): []}
    worker = Worker(store, site)
    worker.claim()
    worker.take()
    worker.commit()
    worker.take(per_host=1)
    worker.commit()
    assert store.story(node(6)).labels == (Label(2, 0, 0),)
    worker.site = {node(9): [(EMBED, node(6))]}
    (entry,) = worker.take(per_host=1).entries
    assert entry.url == node(9)
    assert worker.commit().shorter == 1
    story = store.story(node(6))
    assert (story.waiting.depth, story.waiting.hops, story.waiting.path) == (1, 1, "LE")
    assert story.parents[-1] == node(9)


def test_a_shorter_path_to_a_fetched_page_expands_it_without_fetching(stores):
    """An entry to expand comes before all others, even while the host rests, with the stored links."""
    store = stores.create(plan_for(Seed(url=node(0), depth=2)))
    site = {node(0): [(LINK, node(3)), (LINK, node(1))], node(3): [(LINK, node(6))], node(6): [(LINK, node(9))]}
    worker = Worker(store, site)
    worker.claim()
    for _ in range(3):
        worker.take(per_host=1, busy={host.id for host in store.hosts() if host.name == "b.example"})
        worker.commit()
    assert store.page(node(6)).depth == 2
    assert store.story(node(9)).labels == ()  # denied for its depth, so it is not known
    worker.site[node(1)] = [(EMBED, node(6))]
    worker.claim()
    worker.take()
    assert worker.commit().expand == 1
    rest = store.commit(worker.batch(hosts=tuple(_resting(store))))
    assert rest.fenced == frozenset()
    (entry,) = worker.take().entries
    assert entry.expand
    assert (entry.url, entry.label) == (node(6), Label(1, 0, 1))
    assert worker.commit().new == 1
    page = store.page(node(6))
    assert (page.depth, page.hops, page.tries) == (1, 1, 1)
    assert urls(store.waiting()) == [node(9)]


def _resting(store):
    return [HostUpdate(id=host.id, next_due=NOW + 1000) for host in store.hosts()]


def test_a_page_reached_by_several_seeds_is_charged_to_the_nearest(stores):
    """Fetched once; the smallest depth decides, and the order of the seeds where depths are equal."""
    plan = plan_for(Seed(url=node(0), depth=3), Seed(url=node(1), depth=5), Seed(url=node(2), depth=7))
    store = stores.create(plan)
    site = {
        node(2): [(LINK, node(5)), (LINK, node(6))],
        node(1): [(LINK, node(5)), (LINK, node(4))],
        node(4): [(LINK, node(6))],
        node(0): [(LINK, node(4))],
    }
    Worker(store, site).run()
    charged = {page.url: page.seed for page in store.pages()}
    assert charged == {node(0): 0, node(1): 1, node(2): 2, node(4): 0, node(5): 1, node(6): 2}


def test_two_seeds_may_be_one_url(stores):
    """It is fetched once, and its links are judged under both."""
    plan = plan_for(Seed(url=node(0), depth=0), Seed(url=node(0), depth=1))
    store = stores.create(plan)
    assert store.story(node(0)).labels == (Label(0, 0, 0), Label(0, 1, 0))
    Worker(store, {node(0): [(LINK, node(1))], node(1): [(LINK, node(2))]}).run()
    assert recorded(store) == {node(0): Label(0, 0, 0), node(1): Label(1, 1, 0)}


def test_a_page_stays_charged_where_seeds_have_page_limits(stores):
    """It used up the room of the seed it was fetched for; only its depth is lowered."""
    plan = plan_for(Seed(url=node(0), depth=9, max_pages=50), Seed(url=node(3), depth=9), Seed(url=node(1), depth=8))
    store = stores.create(plan)
    site = {node(3): [(LINK, node(6))], node(6): [(LINK, node(9))], node(1): [(EMBED, node(9))]}
    worker = Worker(store, site)
    worker.claim()
    busy = {host.id for host in store.hosts() if host.name == "b.example"}
    for _ in range(4):
        worker.take(per_host=1, busy=busy)
        worker.commit()
    assert store.page(node(9)).seed == 1
    worker.run()
    page = store.page(node(9))
    assert (page.depth, page.seed) == (0, 1)


def test_equal_seeds_share_their_paths():
    """Seeds that admit the same URLs at the same depths follow only the shortest way of all."""
    plan = plan_for(
        Seed(url="https://a.example/x/1", depth=2),
        Seed(url="https://a.example/x/2", depth=2),
        Seed(url="https://a.example/x/3", depth=3),
        Seed(url="https://b.example/", root="https://b.example/", depth=2),
    )
    assert admissions(plan) == (0, 0, 2, 3)


labels = st.builds(Label, st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))


@given(st.lists(labels, max_size=8))
def test_only_labels_that_none_covers_are_kept(given_labels):
    """Each label is covered by a kept one, no kept one covers another, and the order does not matter."""
    admission = (0, 0, 2, 2)
    kept = merged(given_labels, admission)
    assert all(any(covers(one, label, admission) for one in kept) for label in given_labels)
    assert not any(covers(one, other, admission) for one in kept for other in kept if one != other)
    shuffled = given_labels[:]
    random.Random(1).shuffle(shuffled)
    assert merged(shuffled, admission) == kept
    assert list(kept) == sorted(kept)


def test_workers_on_connections_of_their_own_find_the_same_pages(stores, random_number):
    """Four workers at once, each in a thread with its own connection: the pages of a plain search, each once."""
    chance = random.Random(random_number)
    links = [(chance.randrange(120), chance.choice([LINK, LINK, EMBED]), chance.randrange(120)) for _ in range(500)]
    site = graph(links)
    plan = plan_for(Seed(url=node(0), depth=4), Seed(url=node(7), depth=2), scope=Scope(max_embed_hops=1))
    store = stores.create(plan)
    crew = [Worker(stores.again(store), site) for _ in range(4)]
    failures = []

    def work(worker):
        try:
            for _ in range(120):
                claim = worker.claim(want=2)
                spare = dict(list(worker.leases.items())[: claim.surplus])
                worker.store.release(worker.owner, spare)
                worker.leases = {bucket: epoch for bucket, epoch in worker.leases.items() if bucket not in spare}
                worker.take(per_host=3)
                if worker.inflight:
                    worker.commit()
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(worker,)) for worker in crew]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    Worker(store, site, now=NOW + 2 * TTL).run()
    assert recorded(store) == reference(plan, site)
    assert len(urls(store.pages())) == len(set(urls(store.pages())))
    assert [page.id for page in store.pages()] == list(range(store.counts(NOW).pages))
