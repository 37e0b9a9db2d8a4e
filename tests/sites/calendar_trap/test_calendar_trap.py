"""Traps: calendars and growing paths."""

from opilio.crawl.plan import Traps
from opilio.kernel.clock import SYSTEM


def test_a_calendar_without_end_ends(sites):
    """Months far from today are left out, and counted."""
    today = SYSTEM.now()
    start = f"calendar-trap/calendar/{today:%Y}/{today:%m}"
    crawled = sites.crawl(start, scope={"traps": Traps(max_calendar=1)})
    months = {"/".join(url.split("/")[2:4]) for url in crawled.captured}
    assert len(months) == 3
    assert crawled.denied["trap calendar"] > 0


def test_a_path_that_grows_by_repeating_itself_ends(sites):
    """A relative link that leads one folder deeper each time."""
    crawled = sites.crawl("calendar-trap/")
    assert len(crawled.captured) == 5
    assert crawled.denied == {"trap shape": 1}
