"""Results that replay holds open: opened once, let go of when nobody looks, never too many."""

import pytest

from opilio.archive.replay.holdings import MemoryPatchList, open_to_all
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.crawl.plan_json import to_json
from opilio.kernel.clock import ManualClock
from opilio.works.held_results import HeldResult, HeldResults
from tests.unit.archive.derived import AT, Page, first_result


@pytest.fixture
def held(tmp_path):
    plan = to_json(CrawlPlan(seeds=(Seed(url="http://owls.example/"),)))
    folder = first_result(tmp_path / "crawl", [Page("http://owls.example/", "Owls")], plan).crawl
    clock, asked = ManualClock(at=AT), []

    def find(number):
        asked.append(number)
        if number > 9:
            return None
        return HeldResult(
            folder=folder, result=1, title=f"Result {number}", access=open_to_all, patches=MemoryPatchList()
        )

    made = HeldResults(find, most=2, idle=60.0, clock=clock)
    yield made, clock, asked
    made.close()


def test_a_result_is_opened_once(held):
    """Under the number and title that it was given; one that is not there has no entry."""
    results, _, asked = held
    assert results[7] is results[7]
    assert (results[7].number, results[7].title, results[7].seeds) == (7, "Result 7", ("http://owls.example/",))
    assert results.get(11) is None
    assert asked == [7, 11]


def test_no_more_than_some_are_open(held):
    """The one that was asked for longest ago goes."""
    results, _, _ = held
    for number in (1, 2, 1, 3):
        assert results[number].number == number
    assert sorted(results) == [1, 3]


def test_what_nobody_looks_at_is_let_go_of(held):
    """And opened anew when somebody does."""
    results, clock, asked = held
    assert results[1]
    clock.advance(61)
    assert results[2]
    assert list(results) == [2]
    assert results[1]
    assert asked == [1, 2, 1]
    results.close()
    assert len(results) == 0
