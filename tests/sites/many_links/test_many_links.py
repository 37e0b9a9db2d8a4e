"""A page with links without measure."""

LINKS = 100_000


def test_every_link_of_a_page_with_100_000_links_is_found(again):
    """None is lost, and the limit of one page holds."""
    links = "".join(f'<a href="p{number}.html">{number}</a>\n' for number in range(LINKS))
    again.write(index=links)
    crawled = again.sites.crawl(f"{again.site.name}/", limits={"pages": 1})
    assert crawled.ended.limit == "pages"
    assert crawled.page(f"{again.site.name}/").outcome == "fetched"
    counts = crawled.store.counts(0)
    assert counts.pages + counts.waiting == LINKS + 1
    assert counts.pages == 1
