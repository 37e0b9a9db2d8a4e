"""Traps: pages that hardly differ, growing without end."""

from opilio.crawl.plan import Traps

PAGES = 60
SAME = "The list of all things in this place, sorted by colour, by size and by the day of their coming. " * 10


def write(again, text):
    """Pages of one pattern, each with a link of its own."""
    links = "".join(f'<a href="list{number}.html">{number}</a>' for number in range(PAGES))
    pages = {f"list{number}": f'<p>{text(number)}<a href="beyond{number}.html">on</a>' for number in range(PAGES)}
    again.write(index=links, **pages, **{f"beyond{number}": f"<p>Beyond {number}" for number in range(PAGES)})


def beyond(crawled):
    return sum(url.partition("/")[2].startswith("beyond") for url in crawled.fetched)


def test_links_of_pages_that_hardly_differ_are_left_after_so_many(again):
    """The pages themselves are fetched; the report tells of the trap with an example."""
    write(again, lambda number: SAME)
    start = f"{again.site.name}/"
    crawled = again.sites.crawl(start, scope={"traps": Traps(max_alike=20)})
    trapped = crawled.denied["trap alike"]
    assert 20 <= beyond(crawled) == PAGES - trapped
    assert trapped >= PAGES - 40  # one page in ten is looked at
    told = next(each for each in crawled.report["traps"]["rules"] if each["rule"] == "trap alike")
    assert "/list" in told["examples"][0]["url"]
    assert beyond(again.sites.crawl(start)) == PAGES  # far below the limit of the default


def test_pages_of_one_pattern_that_differ_are_no_trap(again):
    """However many there are."""
    write(again, lambda number: " ".join(f"{word}{number * 7919 % 997}" for word in SAME.split()))
    crawled = again.sites.crawl(f"{again.site.name}/", scope={"traps": Traps(max_alike=20)})
    assert "trap alike" not in crawled.denied
    assert beyond(crawled) == PAGES
