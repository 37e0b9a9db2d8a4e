"""What every crawl store answers to the questions of a harvest's pages."""

import pytest

from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Hop
from opilio.works.harvest_records import HarvestRecords
from opilio.works.record_filters import Wanted, wanted
from opilio.works.record_questions import STORE
from tests.contracts.crawl_stores import KINDS, Worker, stores_of

pytestmark = pytest.mark.database

START = "https://a.example/"
SITE = {
    START: [
        *((Hop.LINK, f"http://b.example/News/{number}?q=%C3%A9_") for number in range(3)),
        *((Hop.LINK, f"https://a.example/old/{number}") for number in range(3)),
        (Hop.EMBED, "https://a.example/one.png"),
    ],
}


@pytest.fixture(params=KINDS)
def records(request, tmp_path):
    """A store with its start page, the rest waits; one page was moved ahead."""
    with stores_of(request.param, tmp_path) as stores:
        store = stores.create()
        worker = Worker(store, SITE)
        worker.claim()
        worker.take()
        worker.commit()
        store.prioritise(lambda entry: -5 if entry.url.endswith("/old/2") else None)
        yield HarvestRecords(store.ask, STORE, store.close, sealed=False)


def test_queue(records):
    """By host, each in the order of turns, with the page that led there."""
    rows = records.waiting(Wanted()).rows
    own = [row.url for row in rows if row.host == "a.example"]
    assert own == [
        "https://a.example/old/2", "https://a.example/one.png", "https://a.example/old/0", "https://a.example/old/1",
    ]  # fmt: skip
    assert {row.found_on for row in rows} == {START}
    assert len(rows) == 7


def test_queue_filters(records):
    """By a part of the whole URL, its scheme and host included, and by host; page by page."""
    assert len(records.waiting(wanted(text="HTTP://B.example/news/")).rows) == 3
    assert len(records.waiting(wanted(text="é_")).rows) == 3
    assert len(records.waiting(wanted(text="old", host="a.example")).rows) == 3
    assert records.waiting(wanted(host="c.example")).rows == []
    first = records.waiting(wanted(host="b.example"), most=2)
    second = records.waiting(wanted(host="b.example"), first.next, most=2)
    assert (len(first.rows), len(second.rows), second.next) == (2, 1, None)


def test_resources(records):
    """By every filter."""
    every = {
        "text": "A.example",
        "status": "2xx",
        "outcome": Outcome.FETCHED.value,
        "type_": "html",
        "host": "a.example",
    }
    (row,) = records.resources(wanted(**every)).rows
    assert (row.url, row.offset, row.length, row.at > 0) == (START, 0, 100, True)
    others = {"text": "zzz", "status": "404", "outcome": "gone", "type_": "pdf", "host": "b.example"}
    for name, other in others.items():
        assert records.resources(wanted(**(every | {name: other}))).rows == []
    assert records.types() == ["html"]
    assert records.outcomes() == {"fetched": 1}
