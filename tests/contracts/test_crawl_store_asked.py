"""What every crawl store promises to a worker that takes up a host: what was asked of it, and by how many."""

import pytest

from opilio.crawl.errors import OneWorkerOnly
from opilio.crawl.frontier import querying
from opilio.crawl.frontier.batch import Text
from opilio.crawl.frontier.packing import pack_text
from opilio.crawl.frontier.values import FIRST_HASH
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Manners
from opilio.kernel.capture import Hop
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import url_hash64
from tests.contracts.crawl_stores import KINDS, NOW, TTL, Worker, plan_for, stores_of

pytestmark = pytest.mark.database
SEEDS = [f"https://a.example/{number}?b=1&c=2" for number in range(9)]


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


def test_what_was_asked_of_a_host_is_told_in_portions(stores, monkeypatch):
    """Each URL once, in the order of the hashes; with a digest where there is something to read."""
    monkeypatch.setattr(querying, "_MOST_ASKED", 2)
    store = stores.create(plan_for(*SEEDS, "https://b.example/"))
    worker = Worker(store)
    worker.claim()
    entries = worker.take().entries
    outcomes = dict.fromkeys(SEEDS[:3], (Outcome.ROBOTS_DENIED, 0.0)) | dict.fromkeys(SEEDS[3:5], (Outcome.GONE, NOW))
    results = []
    for entry in entries:
        outcome, at = outcomes.get(entry.url, (Outcome.FETCHED, NOW))
        results.append(worker.result(entry, outcome=outcome, at=at, digest="sha1:AAAA"))
    store.commit(worker.batch(pages=tuple(results), warcs={worker.file: worker.written}))
    host = next(entry.host for entry in entries if entry.name == "a.example")
    told = store.asked(host)
    assert len(told) == 2
    while more := store.asked(host, told[-1].hash64):
        told += more
    assert [asked.hash64 for asked in told] == sorted({asked.hash64 for asked in told})
    assert {asked.url for asked in told} == set(SEEDS[3:])
    assert {asked.at for asked in told} == {NOW}
    assert {asked.url for asked in told if asked.digest == "sha1:AAAA"} == set(SEEDS[5:])


def test_what_is_known_of_a_host_is_told_in_portions(stores, monkeypatch):
    """The hash of each URL once, under its smallest label; pages, waiting URLs and such as were purged alike."""
    monkeypatch.setattr(querying, "_MOST_KNOWN", 3)
    store = stores.create(plan_for(*SEEDS, "https://b.example/"))
    links = [(Hop.LINK, f"https://a.example/more/{number}") for number in range(4)]
    worker = Worker(store, {SEEDS[0]: [*links, (Hop.EMBED, SEEDS[1])]})
    worker.claim()
    entries = worker.take().entries
    worker.commit([entry for entry in entries if entry.url == SEEDS[0]])
    store.purge(lambda entry: "not wanted" if entry.url == SEEDS[2] else "", Outcome.EXCLUDED)
    host = next(entry.host for entry in entries if entry.name == "a.example")
    told, last = {}, FIRST_HASH
    while portion := store.known(host, last):
        keys = sorted(hash64 for hashes in portion.values() for hash64 in hashes)
        assert len(keys) <= 3
        assert keys[0] > last
        told |= {hash64: label for label, hashes in portion.items() for hash64 in hashes}
        last = keys[-1]
    seeds = {url_hash64(url): (0, number, 0) for number, url in enumerate(SEEDS)}
    assert told == seeds | {url_hash64(url): (1, 0, 0) for _, url in links} | {url_hash64(SEEDS[1]): (0, 0, 1)}


def test_the_text_of_a_payload(stores):
    """By its digest; empty where none is kept."""
    store = stores.create()
    worker = Worker(store)
    worker.claim()
    (entry,) = worker.take().entries
    kept = PageText(text="Getreide", main=5, canonical="https://a.example/")
    text = Text(digest="sha1:AAAA", extractor="1", body=pack_text(kept))
    store.commit(worker.batch(pages=(worker.result(entry, text=text),), warcs={worker.file: worker.written}))
    assert store.text("sha1:AAAA") == "Getreide"
    assert store.page_text("sha1:AAAA") == kept
    assert store.text("sha1:BBBB") == ""
    assert store.page_text("sha1:BBBB") is None


def test_delays_per_address_are_kept_by_one_worker_alone(stores):
    """A second one is refused while the first lives, also through another connection; then it may go on."""
    store = stores.create(plan_for("https://a.example/", "https://b.example/", manners=Manners(per_address=True)))
    first, second = Worker(store), Worker(stores.again(store))
    leases = first.claim().leases
    with pytest.raises(OneWorkerOnly, match=rf"{first.owner} does this crawl.*per_address"):
        second.claim()
    assert first.claim().leases == leases
    second.now = NOW + TTL + 1
    assert set(second.claim().leases) == set(leases)
    store.evict(second.owner)
    first.now = second.now
    assert set(first.claim().leases) == set(leases)
