"""A worker's memory of known URLs, and what it takes up from the store."""

import asyncio
from array import array

from opilio.crawl.engine.recalling import recall
from opilio.crawl.engine.worker_store import StoreDoor
from opilio.crawl.frontier import querying
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import found
from opilio.crawl.plan import CrawlPlan, Seed

START = "https://a.example/"
NEAR, FAR = Label(1, 0, 0), Label(2, 0, 0)


def numbered(count, label=NEAR, host="a"):
    return [found(f"https://{host}.example/{number}", label) for number in range(count)]


def hashes(finds):
    return array("q", sorted(each.hash64 for each in finds))


def test_what_the_store_told_of_a_host_is_known_under_labels_that_it_covers():
    """And nothing else: neither other URLs, nor other hosts, nor a shorter way, nor another seed's."""
    cache = SeenCache((0, 1), recalled=1000)
    finds = numbered(100)
    cache.recall("a.example", {NEAR: hashes(finds[:60]), FAR: hashes(finds[60:])})
    assert [cache.known(each) for each in finds] == [True] * 60 + [False] * 40
    assert all(cache.known(each._replace(label=Label(2, 0, 1))) for each in finds)
    assert not any(cache.known(each._replace(label=Label(0, 0, 0))) for each in finds)
    assert not any(cache.known(each._replace(label=Label(2, 1, 0))) for each in finds)
    assert not any(cache.known(each._replace(host="b.example")) for each in finds)
    assert not cache.known(found("https://a.example/other", FAR))


def test_what_a_host_was_known_by_stays_when_all_else_is_forgotten():
    """The memory of single URLs is small; that of hosts does not push it out, and is not pushed out."""
    cache = SeenCache((0,), capacity=4, recalled=1000)
    finds = numbered(50)
    cache.recall("a.example", {NEAR: hashes(finds)})
    for each in numbered(20, host="b"):
        cache.learn(each)
    assert all(cache.known(each) for each in finds)
    assert len(cache) <= 4


def recalled(cache, count, monkeypatch):
    """Whether the memory knows each of so many URLs after a host was taken up."""
    monkeypatch.setattr(querying, "_MOST_KNOWN", 7)
    store = MemoryStore(CrawlPlan(seeds=(Seed(url=START),)))
    finds = numbered(count)
    store.insert(finds)
    (host,) = store.hosts()
    door = StoreDoor()
    try:
        asyncio.run(recall(host, cache, store, door))
        asyncio.run(recall(host, cache, store, door))
    finally:
        door.close()
        store.close()
    return [cache.known(each) for each in finds]


def test_a_worker_takes_up_what_the_store_knows_of_a_host(monkeypatch):
    """In portions, whole, and once."""
    assert all(recalled(SeenCache((0,), recalled=1000), 30, monkeypatch))


def test_it_takes_up_no_more_than_there_is_room_for(monkeypatch):
    """The portion that fills it is the last; without room, none."""
    assert sum(recalled(SeenCache((0,), recalled=10), 30, monkeypatch)) in (13, 14)  # the seed is one of them
    assert not any(recalled(SeenCache((0,)), 30, monkeypatch))
