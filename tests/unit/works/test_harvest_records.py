"""Pages of what a harvest collected and of what it has before it, from the live store and from the sealed result."""

import contextlib

import pytest

from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.works import harvest_records
from opilio.works.crawl_orders import Orders
from opilio.works.harvest_records import NothingHere, all_resources, all_waiting, open_records, records
from opilio.works.record_filters import BadFilter, Wanted, cursor, cursor_text, wanted
from opilio.works.run_harvest import HarvestFolder
from tests.harvest_folders import HOSTILE, START, collected


@pytest.fixture(params=["live", "sealed"])
def folder(request, tmp_path):
    """A harvest that runs, or one that ended."""
    collected(tmp_path / "1", rounds=3, sealed=request.param == "sealed")
    return HarvestFolder(path=tmp_path / "1")


@pytest.fixture
def live(tmp_path):
    collected(tmp_path / "1", rounds=1)
    return HarvestFolder(path=tmp_path / "1")


def urls(folder, **words):
    with records(folder) as found:
        return [row.url for row in found.resources(wanted(**words), most=100).rows]


def test_resources(folder):
    """Every resource is told with its outcome and the place of its record."""
    rows = {row.url: row for row in all_resources(folder, Wanted())}
    start, gone = rows[START], rows["https://owls.example/gone"]

    assert (start.number, start.status, start.type, start.size, start.depth) == (0, 200, "html", 1000, 0)
    assert (start.file, start.offset, start.length, start.compressed) == ("collector.warc", 0, 100, False)
    assert (gone.status, gone.outcome, gone.host) == (404, "gone", "owls.example")
    assert rows["https://owls.example/private"].file == ""
    assert len(rows) == 10


def test_filters(folder):
    """By a part of the URL, the status, the outcome, the type and the host, alone and together."""
    assert sorted(urls(folder, text="BARN/")) == [f"https://owls.example/barn/{number}" for number in range(4)]
    assert urls(folder, status="4xx") == urls(folder, status="404") == ["https://owls.example/gone"]
    assert urls(folder, outcome="robots-denied") == ["https://owls.example/private"]
    assert urls(folder, type_="png") == ["https://owls.example/picture.png"]
    assert urls(folder, host="HERONS.example") == ["https://herons.example/reed"]
    assert urls(folder, host="nobody.example") == []
    assert urls(folder, text="barn", status="5xx") == []
    assert urls(folder, text="%3CSCRIPT") == [HOSTILE]


def test_signs_that_mean_something_in_sql(folder):
    """Are looked for as they are."""
    assert urls(folder, text="%") == urls(folder, text="\u202e") == [HOSTILE]
    assert urls(folder, text="_") == []
    assert urls(folder, text="' OR 1=1 --") == []
    assert urls(folder, text="\udc80 \x00") == []


def test_paging(folder):
    """Each resource comes once, in the order of numbers, and the last part says so."""
    seen, after = [], None
    with records(folder) as found:
        for _ in range(10):
            part = found.resources(Wanted(), after, 3)
            seen += [row.number for row in part.rows]
            if part.next is None:
                break
            after = cursor(cursor_text(part.next), 1)
    assert seen == list(range(10))


def test_a_look_is_bounded(folder, monkeypatch):
    """A filter that matches nothing for long ends early and tells where to go on; an export goes on by itself."""
    last = urls(folder)[-1]
    monkeypatch.setattr(harvest_records, "_WINDOW", 2)
    monkeypatch.setattr(harvest_records, "_WINDOWS", 2)
    with records(folder) as found:
        part = found.resources(wanted(text=last))
    assert (part.rows, part.next, part.whole) == ([], (3,), False)
    assert [row.url for row in all_resources(folder, wanted(text=last))] == [last]


def test_types(folder):
    """The types that were met, the most frequent first."""
    with records(folder) as found:
        assert found.types() == ["html", "png"]


def test_outcomes(folder):
    """How many resources have each outcome."""
    with records(folder) as found:
        assert found.outcomes() == {"fetched": 8, "gone": 1, "robots-denied": 1}


def test_waiting(live):
    """What waits is told by host, with the page it was found on."""
    with records(live) as found:
        rows = found.waiting(Wanted(), most=100).rows

    assert len(rows) == 9
    assert {row.found_on for row in rows} == {START}
    assert [row.url for row in rows if row.host == "herons.example"] == ["https://herons.example/reed"]
    reed = next(row for row in rows if row.host == "herons.example")
    assert (reed.depth, reed.embed, reed.priority, reed.tries, reed.not_before) == (1, False, 0, 0, 0.0)


def test_waiting_is_filtered_and_paged(live, monkeypatch):
    """By host and a part of the URL, also where windows are small."""
    monkeypatch.setattr(harvest_records, "_WINDOW", 2)
    monkeypatch.setattr(harvest_records, "_WINDOWS", 1)
    barn = [f"https://owls.example/barn/{number}" for number in range(4)]
    assert [row.url for row in all_waiting(live, wanted(text="/barn/"))] == barn
    assert [row.url for row in all_waiting(live, wanted(host="herons.example"))] == ["https://herons.example/reed"]
    assert list(all_waiting(live, wanted(host="nobody.example"))) == []
    with records(live) as found:
        first = found.waiting(wanted(host="owls.example"), most=1)
        second = found.waiting(wanted(host="owls.example"), cursor(cursor_text(first.next), 4), most=1)
    assert first.rows[0].url != second.rows[0].url


def test_waiting_in_the_order_of_turns(live):
    """What was moved ahead stands first of its host."""
    Orders(folder=live.path, by="curator").prioritise(-5, urls=["https://owls.example/barn/3"])
    with contextlib.closing(SqliteStore.open(live.crawl.store)) as store:
        store.prioritise(lambda entry: -5 if entry.url.endswith("/barn/3") else None)
    with records(live) as found:
        first = found.waiting(wanted(host="owls.example"), most=1).rows[0]
    assert (first.url, first.priority) == ("https://owls.example/barn/3", -5)


def test_nothing_waits_once_it_is_sealed(tmp_path):
    """What never had its turn is among the resources instead."""
    collected(tmp_path / "1", rounds=1, sealed=True)
    folder = HarvestFolder(path=tmp_path / "1")
    assert list(all_waiting(folder, Wanted())) == []
    assert len(list(all_resources(folder, wanted(outcome="over-limit")))) == 9


def test_nothing_here(tmp_path):
    """A folder that is on another machine is told, with what to do."""
    with pytest.raises(NothingHere, match="not on this machine") as told:
        open_records(HarvestFolder(path=tmp_path / "2"))
    assert "agent" in told.value.remedy


@pytest.mark.parametrize(
    "words",
    [
        {"status": "999x"},
        {"status": "0xx"},
        {"status": "²00"},
        {"outcome": "<b>"},
        {"text": "x" * 2_001},
        {"host": "x" * 5_000},
        {"type_": "🦉" * 2_001},
    ],
)
def test_filters_that_mean_nothing(words):
    """Are refused by name."""
    with pytest.raises(BadFilter):
        wanted(**words)


@pytest.mark.parametrize("text", ["x", "1.2", "--1", "9" * 25, "9223372036854775808", "1;", "٣"])
def test_cursors_that_nobody_made(text):
    """Are refused."""
    with pytest.raises(BadFilter):
        cursor(text, 1)
