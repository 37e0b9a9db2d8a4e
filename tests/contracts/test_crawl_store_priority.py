"""What every crawl store promises about pages that people move ahead or back while others work."""

import pytest

from opilio.crawl.engine.orders import carry_out
from opilio.crawl.engine.precedence import priorities_of
from opilio.crawl.plan import Limits
from opilio.kernel.capture import Hop
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import InvalidInput
from tests.contracts.crawl_stores import KINDS, NOW, Worker, plan_for, stores_of, urls

pytestmark = pytest.mark.database

SITE = {
    "https://a.example/": [
        *((Hop.LINK, f"https://a.example/old/{number}") for number in range(5)),
        *((Hop.LINK, f"https://a.example/news/{number}") for number in range(3)),
        *((Hop.EMBED, f"https://a.example/{number}.png") for number in range(2)),
        (Hop.LINK, "https://b.example/page"),
    ],
}


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


def begun(store):
    """A worker that has the seed behind it."""
    worker = Worker(store, SITE)
    worker.claim()
    worker.take()
    worker.commit()
    worker.claim()
    return worker


def ordered(store, priority, **named):
    store.order("priority", "curator", NOW, {"priority": priority, **named})
    carry_out(store, SYSTEM)


def test_first(stores):
    """Pages that were moved ahead are taken before all others of their host, those moved back after them."""
    store = stores.create()
    worker = begun(store)

    ordered(store, -10, patterns=["/news/"])
    ordered(store, 10, urls=["https://a.example/old/0"])

    names = [url for url in urls(worker.take().entries) if "//a." in url and not url.endswith(".png")]
    assert names[:3] == [f"https://a.example/news/{number}" for number in range(3)]
    assert names[-1] == "https://a.example/old/0"


def test_host(stores):
    """A whole host can be moved, in any spelling of its name."""
    store = stores.create()
    begun(store)

    ordered(store, 7, hosts=["B.example"])

    assert {one.priority for one in store.waiting(host="b.example")} == {7}
    assert 7 not in {one.priority for one in store.waiting(host="a.example")}


def test_last_word(stores):
    """What was said last about a page counts, and 0 takes a move back."""
    store = stores.create()
    begun(store)

    ordered(store, -10, patterns=["/news/"])
    ordered(store, 5, patterns=["/news/1"])
    ordered(store, 0, urls=["https://a.example/news/2"])

    found = {one.url: one.priority for one in store.waiting() if "/news/" in one.url}
    assert list(found.values()) == [-10, 5, 0]


def test_embeds_stay(stores):
    """Embeds keep their place, since they come along with their page."""
    store = stores.create()
    begun(store)

    ordered(store, 100, patterns=["."])

    assert {one.priority for one in store.waiting() if one.url.endswith(".png")} == {-1}


def test_embeds_without_room(stores):
    """Once no more pages may be fetched, pages that were moved ahead do not keep the embeds from their turn."""
    store = stores.create(plan_for("https://a.example/", limits=Limits(pages=1)))
    worker = begun(store)

    ordered(store, -10, patterns=["/old/", "/news/"])

    taken = worker.take(per_host=3)
    assert sorted(urls(taken.entries)) == ["https://a.example/0.png", "https://a.example/1.png"]


def test_sorting_is_told(stores):
    """Until the queue is in the order that was asked for, whoever looks is told so, also through another connection."""
    store = stores.create()
    other = stores.again(store)
    begun(store)
    store.order("priority", "curator", NOW, {"priority": 3, "hosts": ["a.example"]})

    assert store.control().sorting
    assert other.control().sorting
    carry_out(other, SYSTEM)
    assert not store.control().sorting
    assert not other.control().sorting


def test_taken_meanwhile(stores):
    """A page that was committed while the queue was sorted stays away."""
    store = stores.create()
    worker = begun(store)
    worker.take()

    def priority(entry):
        if worker.inflight:
            worker.commit()
        return -5

    assert store.prioritise(priority) == 0
    assert list(store.waiting()) == []


def test_found_later():
    """Pages that are found later keep to what was said before."""
    plan = plan_for("https://a.example/")
    with stores_of("memory", None) as stores:
        store = stores.create(plan)
        store.order("priority", "curator", NOW, {"priority": -3, "patterns": ["/news/"]})
        priorities = priorities_of(plan, store.control())

    assert priorities.of("https://a.example/news/9", "a.example") == -3
    assert priorities.of("https://a.example/old/9", "a.example") is None


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"priority": 1},
        {"priority": "1", "hosts": ["a.example"]},
        {"priority": True, "hosts": ["a.example"]},
        {"priority": 32_767, "hosts": ["a.example"]},
        {"priority": -40_000, "hosts": ["a.example"]},
        {"priority": 1, "patterns": ["("]},
        {"priority": 1, "urls": ["no url"]},
        {"priority": 1, "hosts": "a.example"},
        {"priority": 1, "hosts": ["x" * 9_000]},
        {"priority": 1, "patterns": ["x"] * 1_001},
    ],
)
def test_wrong(stores, arguments):
    """An order that cannot be carried out is refused before it is written down."""
    store = stores.create()

    with pytest.raises(InvalidInput):
        store.order("priority", "curator", NOW, arguments)
    assert store.commands() == []
