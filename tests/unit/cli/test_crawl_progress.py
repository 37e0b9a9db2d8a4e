"""The live view of a crawl."""

import io

from rich.console import Console

from opilio.cli.crawl_progress import CrawlView
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report.live import HostLook, Look


def look(at, *, pages, waiting=30, limits=None, hosts=()):
    counts = Counts(
        pages=pages, counted=pages, bytes=pages * 1000, seconds=at, waiting=waiting, hosts=1,
        outcomes={"fetched": pages}, statuses={200: pages}, types={"html": pages},
    )  # fmt: skip
    return Look(at=at, counts=counts, limits=limits or Limits(), hosts=hosts)


def drawn(*looks):
    view = CrawlView()
    for each in looks:
        view.look(each)
    stream = io.StringIO()
    Console(file=stream, width=200, color_system=None).print(view.drawn())
    return stream.getvalue()


def test_before_the_first_look():
    """It says that it starts."""
    assert drawn().strip() == "starting"


def test_pace_is_that_of_the_last_seconds():
    """Not of the whole crawl: what was quick once may be slow now."""
    text = drawn(look(0, pages=0), look(100, pages=1000), look(105, pages=1010))
    assert "1,010 URLs 2.0/s" in text
    assert "1.0 MB 2.0 kB/s" in text
    assert "30 waiting (15.0 s at this pace)" in text


def test_the_nearest_limit_is_ahead():
    """At the pace of now; limits that are far behind it are not told."""
    limits = Limits(pages=1100, seconds=100_000)
    text = drawn(look(100, pages=1000, limits=limits), look(105, pages=1010, limits=limits))
    assert "limit of pages in 45.0 s" in text
    assert "limit of seconds" not in text


def test_hosts_with_their_rests_and_errors():
    """When each is due, and how long it rests; names cannot move the cursor."""
    host = HostLook(name="a.example\x1b[2J[red]", due=61.0, resting=61.0, delay=3.0, failures=2, errors=7, pages=12)
    text = drawn(look(10, pages=12, hosts=[host]))
    assert "\x1b" not in text
    (row,) = [line for line in text.splitlines() if "a.example" in line]
    assert row.split()[-8:] == ["12", "7", "3.0", "s", "61.0", "s", "61.0", "s"]
    assert "[red]" in row


def test_outcomes_statuses_and_types():
    """The most frequent of each."""
    text = drawn(look(10, pages=12))
    for word in ("fetched", "200", "html"):
        assert word in text
