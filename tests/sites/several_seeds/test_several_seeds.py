"""Ruling: several seeds."""

from opilio.crawl.engine.ending import Ending
from opilio.crawl.plan import Seed


def test_a_page_reached_from_several_seeds_is_fetched_once_and_charged_to_the_nearest(sites):
    """The smallest depth counts; the order of the seeds decides between equals."""
    root = sites.url("several-seeds/")
    crawled = sites.crawl(Seed(url=root, root=root), Seed(url=root + "b/", root=root), Seed(url=root + "a/", root=root))
    assert len(crawled.captured) == len(set(crawled.captured)) == 7
    charged = {page: crawled.page(f"several-seeds/{page}") for page in ("", "a/", "a/shared.html", "b/deep.html")}
    assert {page: (row.seed, row.depth) for page, row in charged.items()} == {
        "": (0, 0),
        "a/": (2, 0),
        "a/shared.html": (1, 1),
        "b/deep.html": (1, 1),
    }


def test_a_page_is_admitted_if_any_seed_admits_it(sites):
    """A further seed with a deeper limit reaches what the nearer one may not."""
    root = sites.url("several-seeds/")
    crawled = sites.crawl(Seed(url=root + "a/", root=root, depth=1), Seed(url=root, root=root, depth=4))
    assert "several-seeds/c/2.html" in crawled.captured


def test_a_seed_that_is_not_active_starts_nothing_and_admits_nothing(sites):
    """It stays in the plan, and what only its root string admits is left out."""
    root = sites.url("several-seeds/")
    start, off = Seed(url=root + "a/", root=root + "a/"), Seed(url=root + "b/", root=root, active=False)
    crawled = sites.crawl(start, off)
    assert crawled.captured == ["several-seeds/a/", "several-seeds/a/shared.html"]
    assert [each["active"] for each in crawled.report["seeds"]["listed"]] == [True, False]


def test_a_seed_s_limit_of_pages_ends_that_seed_only(sites):
    """The count is exact, and the other seed goes on to its last page."""
    root = sites.url("several-seeds/")
    limited, free = Seed(url=root + "c/1.html", root=root + "c/", max_pages=1), Seed(url=root + "b/", root=root + "b/")
    crawled = sites.crawl(limited, free)
    assert dict(crawled.store.counts(0).seeds) == {0: 1, 1: 2}
    assert (crawled.ended.ending, crawled.ended.limit) == (Ending.LIMIT, "pages per seed or host")
