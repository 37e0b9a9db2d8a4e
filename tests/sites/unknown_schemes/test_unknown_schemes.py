"""Links and redirects of schemes that are not fetched."""


def test_links_of_other_schemes_are_left_and_do_no_harm(sites):
    """They are no malformed links either; redirects to such places end there, with the reason."""
    crawled = sites.crawl("unknown-schemes/")
    assert crawled.ended.ending == "finished"
    assert crawled.fetched == {"unknown-schemes/", "unknown-schemes/fine.html"}
    assert "malformed link" not in crawled.denied
    led = [page for page in crawled.store.pages() if "/redirect/to" in page.url]
    assert len(led) == 3
    assert {page.outcome.value for page in led} == {"permanent-error"}
    assert all("without a URL to go to" in page.reason for page in led)
    assert crawled.outcomes["unknown-schemes/1http://example.org/"] == "gone"
