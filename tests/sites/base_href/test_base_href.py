"""The base element."""


def test_links_are_relative_to_the_base_element(sites):
    """Whatever the URL of the page is."""
    crawled = sites.crawl("base-href/")
    assert crawled.captured == ["base-href/", "base-href/deep/b.html", "base-href/deep/er/a.html"]
