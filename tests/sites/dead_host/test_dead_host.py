"""A host that does not answer any more is given up."""

from tests.sites.hurried_clock import HURRIED, HurriedClock

PAGES = 12


def test_a_host_that_fails_through_three_rests_is_given_up(sites):
    """After the errors that break the circuit come three rests with one try each; the other URLs are not asked for."""
    starts = [f"dead-host/drop?page={number}" for number in range(PAGES)]
    crawled = sites.crawl(
        *starts, "living-host/page", settings=HURRIED, clock=HurriedClock(5_000),
        manners={"breaker": 2, "tries": 2},
    )  # fmt: skip
    assert crawled.ended.ending == "finished"
    assert crawled.outcomes == dict.fromkeys(starts, "transient-error") | {"living-host/page": "fetched"}
    asked = [entry.target for entry in sites.asked("dead-host")]
    assert len(asked) == 1 + 2 + 3  # robots.txt, the errors that break the circuit, one try after each rest
    given_up = [crawled.page(start) for start in starts if f"/{start.partition('/')[2]}" not in asked]
    assert len(given_up) >= PAGES - 5
    assert all(page.reason.startswith("the host does not answer: ") for page in given_up)
