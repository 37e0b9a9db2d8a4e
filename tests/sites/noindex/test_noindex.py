"""Directives of pages: noindex."""

from opilio.crawl.frontier.packing import unpack_text

PAGES = {f"noindex/{page}" for page in ("", "meta.html", "ours.html", "theirs.html", "past.html", "behind.html")}
SHOWN = {"To be found.", "Hidden from others.", "Behind the hidden page."}
HIDDEN = {"Hidden from everybody.", "Hidden from us.", "Out of date."}


def sentences(crawled):
    """Which of the pages' sentences are in the kept texts."""
    texts = [unpack_text(body).text for _, _, body in crawled.store.texts()]
    return {sentence for sentence in SHOWN | HIDDEN if any(sentence in text for text in texts)}


def test_the_text_of_a_page_that_asks_not_to_be_indexed_is_not_kept(sites):
    """The page itself is captured and recorded with its directive, and its links are followed."""
    crawled = sites.crawl("noindex/")
    assert crawled.fetched == PAGES
    assert set(crawled.captured) == PAGES
    assert "noindex" in crawled.page("noindex/meta.html").reason
    assert sentences(crawled) == SHOWN


def test_the_plan_may_keep_the_text_all_the_same(sites):
    """The directive is recorded as before."""
    crawled = sites.crawl("noindex/", manners={"obey_noindex": False})
    assert sentences(crawled) == SHOWN | HIDDEN
    assert "noindex" in crawled.page("noindex/meta.html").reason
