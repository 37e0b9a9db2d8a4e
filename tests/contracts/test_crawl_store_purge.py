"""What every crawl store promises about a purge while workers have entries: one page and one count for every URL."""

import threading
from collections import Counter

import pytest

from opilio.crawl.frontier.batch import Requeued
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.values import found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Limits, Seed
from opilio.kernel.capture import Hop
from opilio.kernel.errors import InvalidInput
from tests.contracts.crawl_stores import KINDS, NOW, Worker, plan_for, stores_of, urls

pytestmark = pytest.mark.database

HOSTS = [f"h{number}.example" for number in range(6)]
SITE = {
    "https://a.example/": [
        *((Hop.LINK, f"https://{host}/{number}") for number in range(20) for host in HOSTS),
        (Hop.EMBED, "https://a.example/1.png"),
        (Hop.REDIRECT, "https://a.example/moved/1"),
    ],
}


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


def odd(entry):
    return "it is odd" if entry.url.rstrip(".png")[-1] in "13579" else ""


def taken(store, **options):
    """A worker that has taken everything but the seed, which is done."""
    worker = Worker(store, SITE)
    worker.claim()
    worker.take()
    worker.commit()
    worker.claim()
    worker.take(**options)
    return worker


def require_agreement(store):
    """Every URL has one page, and the counters say what the pages say."""
    pages = list(store.pages())
    counts = store.counts(NOW)
    assert len({page.url for page in pages}) == len(pages) == counts.pages
    assert dict(counts.outcomes) == dict(Counter(page.outcome.value for page in pages))
    assert counts.counted == sum(page.counted for page in pages)
    assert counts.bytes == sum(page.size for page in pages)
    assert [page.id for page in pages] == list(range(len(pages)))
    return pages


def test_what_was_fetched_takes_the_place_of_the_purge(stores):
    """A request was under way when its URL was purged: the page says that it was fetched, and is counted once."""
    store = stores.create()
    worker = taken(store)
    assert store.purge(odd, Outcome.EXCLUDED) == 62
    assert len(require_agreement(store)) == 63
    worker.commit()
    assert len(require_agreement(store)) == 123
    assert store.counts(NOW).outcomes == {"fetched": 123}
    assert list(store.waiting()) == []


def test_a_purge_leaves_out_what_was_committed_before(stores):
    """The other order of the two comes to the same number of pages."""
    store = stores.create()
    worker = taken(store)
    worker.commit(worker.inflight[:50])
    before = {page.url for page in store.pages()}
    store.purge(odd, Outcome.EXCLUDED)
    pages = require_agreement(store)
    assert {page.url for page in pages if page.outcome == "fetched"} == before
    assert {page.url for page in pages if page.outcome == "excluded"} == {
        entry.url for entry in worker.inflight if odd(entry)
    }


def test_a_worker_that_excludes_what_was_purged_changes_nothing(stores):
    """Both say the same, and it is counted once; embeds and targets of redirects are no exception."""
    store = stores.create()
    worker = taken(store)
    store.purge(odd, Outcome.EXCLUDED)
    both = [entry for entry in worker.inflight if odd(entry)]
    assert {"https://a.example/1.png", "https://a.example/moved/1"} <= set(urls(both))
    given = {"outcome": Outcome.EXCLUDED, "reason": "it is odd", "status": None, "type": "", "size": 0, "at": 0.0}
    results = tuple(worker.result(entry, place=None, **given) for entry in both)
    store.commit(worker.batch(pages=results))
    pages = require_agreement(store)
    assert {page.url for page in pages if page.outcome == "excluded"} == set(urls(both))


def test_what_is_put_back_after_a_purge_stays_out(stores):
    """A request that failed, and would be tried again, is excluded by now."""
    store = stores.create()
    worker = taken(store)
    store.purge(odd, Outcome.EXCLUDED)
    back = [entry for entry in worker.inflight if odd(entry)]
    worker.inflight = [entry for entry in worker.inflight if not odd(entry)]
    store.commit(worker.batch(requeued=tuple(Requeued(entry=entry) for entry in back)))
    assert not [entry for entry in worker.take().entries if odd(entry)]
    worker.commit()
    pages = require_agreement(store)
    assert {page.url for page in pages if page.outcome == "excluded"} == set(urls(back))


def test_what_is_found_again_by_a_shorter_way_stays_out(stores):
    """There is nothing to fetch and nothing to expand, whether a worker had it or not."""
    store = stores.create(plan_for("https://a.example/", "https://b.example/"))
    store.insert([found("https://c.example/1", Label(5, 0, 0))])
    store.purge(odd, Outcome.EXCLUDED)
    assert store.insert([found("https://c.example/1", Label(1, 1, 0))]) == 0
    worker = Worker(store)
    worker.run()
    pages = {page.url: page for page in require_agreement(store)}
    assert pages["https://c.example/1"].outcome == "excluded"
    assert len(pages) == 3


def test_links_of_a_page_that_was_under_way_come_under_its_shortest_way(stores):
    """A shorter way to it was found between purge and commit."""
    site = {"https://c.example/1": [(Hop.LINK, "https://d.example/")]}
    store = stores.create(plan_for(Seed(url="https://a.example/", depth=5)))
    store.insert([found("https://c.example/1", Label(5, 0, 0))])
    worker = Worker(store, site)
    worker.claim()
    worker.take()
    store.purge(odd, Outcome.EXCLUDED)
    store.insert([found("https://c.example/1", Label(1, 0, 0))])
    worker.commit()
    worker.run()
    assert {page.url: page.depth for page in require_agreement(store)}["https://d.example/"] == 2


@pytest.mark.parametrize("most", [30, 90])
def test_the_number_of_pages_stays_exact(stores, most):
    """Room that was reserved for a purged page goes to another; what was under way counts."""
    store = stores.create(plan_for("https://a.example/", limits=Limits(pages=most)))
    worker = taken(store, per_host=4)
    store.purge(odd, Outcome.EXCLUDED)
    under_way = [entry for entry in worker.inflight if odd(entry)][:2]
    worker.commit(under_way)
    worker.inflight = []
    worker.run(per_host=3)
    require_agreement(store)
    assert store.counts(NOW).counted == min(most, 63)  # the seed, 60 even pages and 2 that were under way


def test_a_purge_beside_two_workers_counts_everything_once(stores):
    """Whoever comes first, on one connection or several."""
    store = stores.create()
    first = Worker(stores.again(store), SITE)
    first.claim()
    first.take()
    first.commit()
    first.claim(want=3)
    second = Worker(stores.again(store), SITE)
    second.claim()
    workers = [first, second]
    for worker in workers:
        worker.take()

    def commit(worker):
        for entry in list(worker.inflight):
            worker.commit([entry])

    threads = [threading.Thread(target=commit, args=(worker,)) for worker in workers]
    threads.append(threading.Thread(target=store.purge, args=(odd, Outcome.EXCLUDED)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first.claim()
    first.run()
    assert len(require_agreement(store)) == 123


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"patterns": []},
        {"patterns": "/a/"},
        {"patterns": ["("]},
        {"patterns": [""]},
        {"patterns": [1]},
        {"patterns": ["a" * 10_000]},
        {"patterns": ["a"] * 2_000},
        {"urls": ["no url"]},
        {"urls": 5},
    ],
)
def test_exclusions_that_cannot_be_carried_out_are_refused(stores, arguments):
    """Before anything is written down, so that no worker falls over them."""
    store = stores.create()
    with pytest.raises(InvalidInput):
        store.order("exclude", "curator", NOW, arguments)
    assert store.commands() == []


def test_a_bandwidth_is_lifted_by_null(stores):
    """And 0 means nothing at all, as long as it holds."""
    store = stores.create()
    assert store.control().bandwidth is None
    for given, held in ((1000, 1000), (0, 0), (None, float("inf"))):
        store.order("bandwidth", "curator", NOW, {"bytes_per_second": given})
        assert store.control().bandwidth == held
    with pytest.raises(InvalidInput):
        store.order("bandwidth", "curator", NOW, {"bytes_per_second": -1})
