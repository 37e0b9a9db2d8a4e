"""Seed A requirement 3: the depth limit."""

import pytest

from opilio.crawl.plan import Seed

EMBEDS = {"style.css", "back.png"}
DEPTHS = {
    0: {"", *EMBEDS},
    1: {"", "one.html", *EMBEDS},
    2: {"", "one.html", "two.html", "pic.html", "pic.png", *EMBEDS},
    None: {"", "one.html", "two.html", "three.html", "pic.html", "pic.png", *EMBEDS},
}


@pytest.mark.parametrize("depth", DEPTHS)
def test_links_are_followed_to_the_depth_and_embeds_come_along(sites, depth):
    """Depth 0 is the start with its embeds; a link is one deeper; what a page embeds has the depth of the page."""
    crawled = sites.crawl(Seed(url=sites.url("depth-limit/"), depth=depth))
    assert crawled.fetched == {f"depth-limit/{page}" for page in DEPTHS[depth]}
