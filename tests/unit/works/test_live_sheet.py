"""The sheet that agents write about a running harvest."""

import json

import pytest

from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report.live import HostLook, Look, UrlLook
from opilio.works.live_plot import Point
from opilio.works.live_sheet import MOST_BYTES, MOST_LINES, Beside, LiveSheet, closed, points_of, read
from opilio.works.log_tail import last_lines

URL = "http://a.example/"
NOTHING = Beside()


def look(at=100.0, *, pages=10, url=URL, hosts=1, recent=1, limits=None, **counts):
    return Look(
        at=at, counts=Counts(pages=pages, counted=pages, bytes=pages * 100, waiting=3, hosts=hosts, **counts),
        limits=limits or Limits(),
        hosts=[HostLook(name=f"{number}.example", due=3.0, resting=0, delay=3.0, failures=0, errors=0, pages=1)
               for number in range(hosts)],
        recent=[UrlLook(url=url, outcome="fetched", reason="", status=200, size=9, ms=5, at=at)] * recent,
    )  # fmt: skip


def taken(*looks, beside=NOTHING, points=()):
    sheet = LiveSheet(points=points)
    return [json.loads(sheet.taken(one, beside)) for one in looks][-1]


def test_a_sheet_tells_how_it_goes():
    """Pace, counts, hosts, last URLs, log, screenshots."""
    beside = Beside(log=["a line"], pictures=[(URL, 5.0)])
    found = taken(look(100, pages=10), look(102, pages=14, outcomes={"fetched": 14, "gone": 0}), beside=beside)
    assert found["rates"] == {"urls": 2.0, "bytes": 200}
    assert found["counts"]["waiting"] == 3
    assert found["outcomes"] == {"fetched": 14}
    assert found["hosts"][0] == {
        "name": "0.example", "due": 3.0, "resting": 0, "delay": 3.0, "failures": 0, "errors": 0, "pages": 1,
    }  # fmt: skip
    assert (found["recent"][0]["url"], found["recent"][0]["status"], found["recent"][0]["whole"]) == (URL, 200, True)
    assert found["log"] == ["a line"]
    assert found["pictures"] == [{"url": URL, "at": 5.0}]
    assert found["points"] == [[102.0, 2.0, 4, 400]]


def test_the_next_limit_is_told():
    """By the pace of the moment, the nearest first."""
    found = taken(look(100, pages=10), look(102, pages=14, limits=Limits(pages=34, seconds=1_000)))
    assert [one["limit"] for one in found["etas"]] == ["pages", "seconds"]
    assert found["etas"][0]["seconds"] == 10


def test_urls_that_were_left_out_are_no_pace():
    """An exclusion records hundreds at once without asking for them."""
    left_out = {"fetched": 10, "excluded": 500, "trap": 4}
    assert taken(look(100, pages=10), look(102, pages=514, outcomes=left_out))["rates"]["urls"] == 0


def test_the_plot_goes_on_after_a_take_over():
    """The points of the agent before stay, and the time between them is a gap."""
    first = LiveSheet()
    text = [first.taken(look(at, pages=int(at)), Beside()) for at in (100, 102)][-1]
    found = taken(look(500, pages=300), look(502, pages=310), points=points_of(text))
    assert [row[0] for row in found["points"]] == [102.0, 502.0]


@pytest.mark.parametrize("url", ["http://a.example/" + "x" * 9_000, "http://a.example/\u202e\x1b[2J" + "🦉" * 9_000])
def test_hostile_urls_are_cut_and_spelt_out(url):
    """Whatever pages name: a sheet stays below its bound, and nothing hidden gets through."""
    beside = Beside(log=[url] * 500, pictures=[(url, 1.0)] * 99)
    sheet = LiveSheet(points=tuple(Point(end=2.0 * end, span=2.0, urls=10**9, bytes=10**12) for end in range(238)))
    for at in range(1_000, 1_010, 2):
        text = sheet.taken(look(at, pages=at, url=url, hosts=20, recent=30), beside)
    assert len(text.encode()) <= MOST_BYTES
    assert "\x1b" not in text
    assert "\u202e" not in text
    found = json.loads(text)
    assert len(found["log"]) <= MOST_LINES
    assert not found["recent"][0]["whole"]
    assert found["points"]
    assert found["pictures"] == []


def test_an_ended_harvest_keeps_how_it_went():
    """The plot and the counts stay; hosts, last URLs and log go, for which there are reports."""
    sheet = LiveSheet()
    text = [sheet.taken(look(at, pages=int(at)), Beside(log=["x"])) for at in (100, 102)][-1]
    found = json.loads(closed(text))
    assert (found["hosts"], found["recent"], found["log"]) == ([], [], [])
    assert found["rates"] == {"urls": 0, "bytes": 0}
    assert found["points"] == [[102.0, 2.0, 2, 200]]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"points": 7}'])
def test_a_damaged_sheet_is_an_empty_one(text):
    """So that a harvest can always be taken over."""
    assert points_of(text) == ()
    assert read(text) in ({}, {"points": 7})


def test_the_end_of_a_log(tmp_path):
    """Whole lines, the newest last; a log that is not there yet has none."""
    path = tmp_path / "crawl.log"
    assert last_lines(path, 5) == []
    path.write_bytes(b"first\nsecond \xff\n\nthird\n")
    assert last_lines(path, 2) == ["second \ufffd", "third"]
    path.write_bytes(b"x" * 100_000 + b"\n" + b"last\n")
    assert last_lines(path, 5) == ["last"]
