"""Embeds of pages and style sheets."""

from opilio.crawl.plan import Seed

PARTS = (
    "css.png", "inline.png", "large.png", "one.css", "pic.webp", "plain.png", "small.png", "two.css", "two.png",
)  # fmt: skip


def test_all_parts_of_a_page_come_along(sites):
    """From srcset, style elements and attributes, and from style sheets that style sheets import; at depth 0, too."""
    crawled = sites.crawl(Seed(url=sites.url("srcset-and-css/"), depth=0))
    assert crawled.captured == [f"srcset-and-css/{part}" for part in ("", *PARTS)]


def test_parts_of_parts_end_at_the_limit(sites):
    """With one hop, what a style sheet names stays out."""
    crawled = sites.crawl("srcset-and-css/", scope={"max_embed_hops": 1})
    assert "srcset-and-css/two.css" not in crawled.captured
    assert crawled.denied == {"scope embed": 2}
