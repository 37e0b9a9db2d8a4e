"""What every crawl store promises about leases: one worker per bucket, and nothing from a worker whose time is over."""

import pytest

from opilio.crawl.frontier.batch import HostUpdate
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.urls import BUCKETS, bucket_of
from opilio.crawl.frontier.values import found
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Hop
from tests.contracts.crawl_stores import KINDS, NOW, TTL, Worker, plan_for, stores_of, urls

pytestmark = pytest.mark.database


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def store(stores):
    return stores.create(plan_for(*[f"https://h{number}.example/" for number in range(12)]))


def test_a_bucket_belongs_to_one_worker(store):
    """What one has, another does not get; together they have all of it."""
    first, second = Worker(store), Worker(store)
    first.claim(want=5)
    second.claim()
    assert len(first.leases) == 5
    assert not set(first.leases) & set(second.leases)
    assert not set(urls(first.take().entries)) & set(urls(second.take().entries))


def test_buckets_are_made_when_a_host_needs_them(stores):
    """A store with one host has one bucket; there are never more than the fixed number."""
    store = stores.create(plan_for("https://a.example/"))
    worker = Worker(store)
    assert set(worker.claim().leases) == {bucket_of("a.example")}
    store.insert([found(f"https://n{number}.example/", Label(1, 0, 0)) for number in range(3000)])
    assert 900 < len(worker.claim(want=5000).leases) <= BUCKETS


def test_workers_share_fairly(store):
    """A new worker gets its share once the others gave back their surplus."""
    first, second, third = Worker(store), Worker(store), Worker(store)
    everything = first.claim()
    assert everything.surplus == 0
    assert second.claim().leases == {}
    third.claim()
    surplus = first.claim().surplus
    assert surplus == len(everything.leases) - -(-len(everything.leases) // 3)
    given = dict(list(first.leases.items())[:surplus])
    store.release(first.owner, given)
    held = [len(worker.claim().leases) for worker in (first, second, third)]
    assert sum(held) == len(everything.leases)
    assert max(held) - min(held) <= 2
    assert first.claim().surplus == 0


def test_a_claim_renews_and_keeps_the_epoch(store):
    """A worker that goes on claiming keeps its buckets under the same epoch."""
    worker, other = Worker(store), Worker(store)
    before = worker.claim().leases
    worker.now += TTL - 1
    assert worker.claim().leases == before
    other.now = NOW + TTL + 1
    assert other.claim().leases == {}


def test_an_expired_lease_is_taken_over_with_a_new_epoch(store):
    """Whoever comes after the time is over gets the bucket, and the URLs that were in flight."""
    dead, heir = Worker(store), Worker(store, now=NOW + TTL + 1)
    before = dead.claim().leases
    lost = urls(dead.take().entries)
    after = heir.claim().leases
    assert after == {bucket: epoch + 1 for bucket, epoch in before.items()}
    assert urls(heir.take().entries) == lost


def test_a_worker_that_slept_past_its_lease_writes_nothing(store):
    """The whole batch is refused and the buckets are named; the heir's work is not touched."""
    sleeper, heir = Worker(store), Worker(store, now=NOW + TTL + 1)
    sleeper.claim()
    sleeper.take()
    heir.claim()
    heir.take()
    heir.commit()
    before = store.counts(NOW), urls(store.pages()), store.warcs()
    sleeper.now = NOW + TTL + 2
    page = sleeper.result(sleeper.inflight[0], outcome=Outcome.GONE)
    batch = sleeper.batch(pages=(page,), hosts=(HostUpdate(id=page.entry.host, next_due=NOW + 1e6),))
    refused = store.commit(batch)
    assert refused.fenced == {page.entry.bucket}
    assert refused.lost == set(sleeper.leases)
    assert (refused.new, refused.expand) == (0, 0)
    files = [file for file in store.warcs() if file.committed]
    assert (store.counts(NOW), urls(store.pages()), files) == before
    assert page.entry.host not in {host.id for host in store.hosts() if host.next_due > NOW + 1e5}


def test_one_lost_bucket_refuses_the_batch_and_the_rest_comes_again(store):
    """Records of one WARC file lie together, so a batch counts whole or not at all."""
    worker, thief = Worker(store), Worker(store)
    worker.claim()
    entries = worker.take().entries
    lost = entries[0].bucket
    store.release(worker.owner, {lost: worker.leases[lost]})
    assert lost in thief.claim().leases
    refused = worker.commit()
    assert refused.fenced == {lost}
    assert store.counts(NOW).pages == 0
    assert worker.leases
    assert lost not in worker.leases
    assert {entry.url for entry in worker.take().entries} == {e.url for e in entries if e.bucket != lost}
    assert worker.commit().fenced == frozenset()


def test_a_lease_that_ran_out_and_nobody_took_still_holds(store):
    """A commit after the time is over counts, and renews the lease, if nobody came in between."""
    worker, other = Worker(store), Worker(store)
    worker.claim()
    worker.take()
    worker.now = NOW + 10 * TTL
    assert worker.commit().fenced == frozenset()
    other.now = worker.now + TTL - 1
    store.insert([found(f"https://h{number}.example/x", Label(1, 0, 0)) for number in range(12)])
    assert other.claim().leases == {}


def test_a_commit_renews_all_leases(store):
    """Also those that the batch does not touch."""
    worker, other = Worker(store), Worker(store)
    worker.claim()
    (first, *_) = worker.take(max_hosts=1).entries
    worker.now = NOW + TTL - 1
    worker.commit([first])
    other.now = NOW + TTL + 30
    assert other.claim().leases == {}


def test_take_tells_what_was_lost(store):
    """A worker that asks under stale leases gets nothing of them, and is told which they are."""
    worker, heir = Worker(store), Worker(store, now=NOW + TTL + 1)
    worker.claim()
    leases = set(worker.leases)
    heir.claim()
    taken = worker.take()
    assert (taken.entries, taken.lost) == ((), leases)


def test_released_buckets_are_free_at_once(store):
    """Nobody has to wait for the time to pass; a release under an old epoch changes nothing."""
    worker, other = Worker(store), Worker(store)
    old = dict(worker.claim().leases)
    store.release(worker.owner, worker.leases)
    assert set(other.claim().leases) <= set(old)
    assert other.leases
    store.release(worker.owner, old)
    assert other.take().lost == frozenset()


def test_a_dead_worker_can_be_evicted(store):
    """Its leases end at once, so that a resume need not wait for them; with None everybody's do."""
    dead, heir = Worker(store), Worker(store)
    before = dead.claim().leases
    store.evict(dead.owner)
    assert set(heir.claim().leases) == set(before)
    store.evict(None)
    assert set(dead.claim().leases) == set(before)
    assert store.counts(NOW).workers == 1


def test_two_connections_never_hold_one_bucket(stores):
    """Two processes that claim in turn share the buckets and never meet."""
    store = stores.create(plan_for(*[f"https://h{number}.example/" for number in range(30)]))
    workers = [Worker(store), Worker(stores.again(store))]
    for _ in range(4):
        for worker in workers:
            claim = worker.claim(want=3)
            worker.store.release(worker.owner, dict(list(worker.leases.items())[: claim.surplus]))
            worker.claim(want=3)
    assert not set(workers[0].leases) & set(workers[1].leases)
    assert all(worker.leases for worker in workers)


def test_when_the_clock_goes_back_nobody_waits_for_it_to_catch_up(store):
    """Pauses keep their length: what was due in 5 seconds still is; a lease from the future can be taken over."""
    worker = Worker(store, {"https://h0.example/": [(Hop.LINK, "https://h0.example/x")]})
    worker.claim()
    entry = next(entry for entry in worker.take().entries if entry.name == "h0.example")
    worker.commit([entry], hosts=(HostUpdate(id=entry.host, next_due=NOW + 5, block_until=NOW + 8),))
    worker.inflight = []
    back = NOW - 100_000
    heir = Worker(store, now=back)
    heir.claim()
    taken = heir.take()
    assert "https://h0.example/x" not in urls(taken.entries)
    heir.now = back + 9
    assert "https://h0.example/x" in urls(heir.take().entries)


def test_the_time_at_work_is_counted_once(store):
    """Two workers for 20 seconds are 20 seconds; a rest between two runs does not count."""
    first, second = Worker(store), Worker(store)
    for _ in range(11):
        first.claim()
        second.claim()
        first.now += 2
        second.now += 2
    assert store.counts(NOW).seconds == 20
    first.now += 86_400
    first.claim()
    assert store.counts(NOW).seconds == 20
