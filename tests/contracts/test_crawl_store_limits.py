"""What every crawl store promises about limits: the number of pages is exact, whoever crawls and however it ends."""

import threading

import pytest

from opilio.crawl.frontier.batch import Requeued
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Limits, Seed
from opilio.kernel.capture import Hop
from tests.contracts.crawl_stores import KINDS, NOW, TTL, Worker, plan_for, stores_of, urls

pytestmark = pytest.mark.database

HOSTS = [f"h{number}.example" for number in range(8)]
SITE = {
    "https://a.example/": [(Hop.LINK, f"https://{host}/{number}") for number in range(20) for host in HOSTS],
}


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


def limited(stores, **limits):
    return stores.create(plan_for("https://a.example/", limits=Limits(**limits)))


@pytest.mark.parametrize("most", [1, 2, 50, 160])
def test_the_number_of_pages_is_exact(stores, most):
    """The crawl ends with exactly that many, and says why."""
    store = limited(stores, pages=most)
    assert Worker(store, SITE).run(per_host=3).reached == "pages"
    assert store.counts(NOW).counted == most


@pytest.mark.parametrize("most", [None, 0])
def test_no_limit(stores, most):
    """None and 0 both mean that there is none."""
    store = limited(stores, pages=most)
    assert Worker(store, SITE).run().reached == ""
    assert store.counts(NOW).counted == 161


def test_several_workers_never_exceed_the_limit(stores):
    """What one has in flight, another cannot take; in the end the number is exact."""
    store = limited(stores, pages=20)
    first = Worker(store, SITE)
    first.claim()
    first.take()
    first.commit()
    first.claim(want=4)
    store.release(first.owner, dict(list(first.leases.items())[4:]))
    second = Worker(store, SITE)
    second.claim()
    first.claim(want=0)
    taken = first.take(per_host=4), second.take(per_host=20)
    assert sum(len(each.entries) for each in taken) == 19
    first.commit()
    second.commit()
    assert store.counts(NOW).counted == 20
    assert second.take().reached == "pages"


def test_room_that_was_not_used_comes_back(stores):
    """A page that is gone, or that is tried again later, does not count; its room goes to another."""
    store = limited(stores, pages=5)
    worker = Worker(store, SITE)
    worker.claim()
    worker.take()
    worker.commit()
    worker.claim()
    entries = worker.take(max_hosts=4, per_host=1).entries
    assert len(entries) == 4
    gone = tuple(worker.result(entry, outcome=Outcome.GONE, status=404) for entry in entries[:2])
    later = tuple(Requeued(entry=entry, not_before=NOW + 1e6) for entry in entries[2:])
    store.commit(worker.batch(pages=gone, requeued=later))
    worker.inflight = []
    assert worker.run().reached == "pages"
    assert store.counts(NOW).counted == 5


def test_the_room_of_a_dead_worker_comes_back(stores):
    """Whoever takes its buckets over can use what it had reserved."""
    store = limited(stores, pages=10)
    dead = Worker(store, SITE)
    dead.claim()
    dead.take()
    dead.commit()
    dead.claim()
    assert len(dead.take().entries) == 9
    heir = Worker(store, SITE, now=NOW + TTL + 1)
    assert heir.run().reached == "pages"
    assert store.counts(NOW).counted == 10
    assert dead.commit().fenced
    assert store.counts(NOW).counted == 10


def test_embeds_come_along_with_the_last_page(stores):
    """They are not pages: with the limit reached they are still fetched, and nothing else is."""
    store = stores.create(plan_for("https://a.example/", limits=Limits(pages=1)))
    site = {"https://a.example/": [(Hop.LINK, "https://a.example/2"), (Hop.EMBED, "https://a.example/logo.png")]}
    assert Worker(store, site).run().reached == "pages"
    assert set(urls(store.pages())) == {"https://a.example/", "https://a.example/logo.png"}
    assert store.counts(NOW).counted == 1


def test_page_limits_of_seeds_are_exact(stores):
    """Each seed has its own; a seed without one goes on."""
    plan = plan_for(
        Seed(url="https://a.example/", max_pages=7),
        Seed(url="https://b.example/", max_pages=3),
        Seed(url="https://c.example/"),
    )
    site = {
        f"https://{name}.example/": [(Hop.LINK, f"https://{name}.example/{number}") for number in range(20)]
        for name in "abc"
    }
    store = stores.create(plan)
    Worker(store, site).run(per_host=2)
    assert store.counts(NOW).seeds == {0: 7, 1: 3, 2: 21}


def test_limits_per_host(stores):
    """Pages and bytes of a host; the other hosts go on."""
    store = limited(stores, pages_per_host=5)
    assert Worker(store, SITE).run(per_host=3).due is None
    assert {host.name: host.pages for host in store.hosts()} == {"a.example": 1, **dict.fromkeys(HOSTS, 5)}
    store = limited(stores, bytes_per_host=3_500)
    Worker(store, SITE).run(per_host=1)
    assert {host.name: host.bytes for host in store.hosts()} == {"a.example": 1000, **dict.fromkeys(HOSTS, 4000)}


def test_limits_of_bytes_and_seconds_end_the_crawl(stores):
    """They are overrun by what is in flight at most."""
    store = limited(stores, bytes=30_000)
    assert Worker(store, SITE).run(max_hosts=2, per_host=1).reached == "bytes"
    assert 30_000 <= store.counts(NOW).bytes <= 32_000
    store = limited(stores, seconds=30)
    worker = Worker(store, SITE)
    for _ in range(16):
        worker.claim()
        worker.now += 2
    assert worker.take().reached == "seconds"


@pytest.mark.parametrize("most", [37, 100])
def test_the_limit_is_exact_with_workers_at_once(stores, most):
    """Four workers, each in a thread with its own connection: exactly so many pages."""
    store = limited(stores, pages=most)
    starter = Worker(store, SITE)
    starter.claim()
    starter.take()
    starter.commit()
    store.evict(starter.owner)
    crew = [Worker(stores.again(store), SITE) for _ in range(4)]
    failures = []
    counts = []

    def work(worker):
        try:
            for _ in range(60):
                worker.claim(want=2)
                taken = worker.take(per_host=3)
                if worker.inflight:
                    worker.commit()
                elif taken.reached:
                    return
        except BaseException as error:
            failures.append(error)
            raise
        finally:
            counts.append(store.counts(NOW).counted)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in crew]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert max(counts) <= most
    Worker(store, SITE, now=NOW + 2 * TTL).run()
    assert store.counts(NOW).counted == most


def test_a_limit_that_comes_while_workers_have_entries_is_exact(stores):
    """Nobody takes under it until all have said what they have under way; a worker that is gone is not waited for."""
    store = limited(stores)
    workers = [Worker(stores.again(store), SITE) for _ in range(3)]
    first, second, third = workers
    first.claim()
    first.take()
    first.commit()
    for number, worker in enumerate(workers):
        worker.claim(want=number + 2)
        worker.take(per_host=5)
    store.order("limits", "curator", NOW, {"pages": 60})
    second.inflight, third.inflight = second.inflight[:4], third.inflight[:6]  # the others were given back
    first.inflight = first.inflight[:3]
    assert first.take(per_host=20).entries == ()
    assert second.take(per_host=20).entries == ()
    assert second.take(per_host=20).due is not None
    store.evict(third.owner)
    assert len(second.take(per_host=20).entries) > 0
    assert sum(len(worker.inflight) for worker in (first, second)) <= 59
    for worker in (first, second):
        worker.commit()
    while (taken := first.run(per_host=7)).reached != "pages":
        second.run(per_host=7)
        assert taken.entries == ()
    assert store.counts(NOW).counted == 60
