"""Outcome soft-404."""


def test_pages_that_only_claim_success_are_recognised(sites):
    """A short page that says it does not exist is a soft 404; a long one about such pages is a page."""
    outcomes = sites.crawl("soft-404/").outcomes
    assert outcomes["soft-404/soft-404/oats"] == "soft-404"
    assert outcomes["soft-404/soft-404/barley"] == "fetched"
    assert outcomes["soft-404/real.html"] == "fetched"
