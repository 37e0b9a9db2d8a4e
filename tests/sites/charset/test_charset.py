"""Charsets."""

from opilio.crawl.frontier.packing import unpack_text


def test_the_declared_charset_is_used_for_title_links_and_text(sites):
    """A link in another charset leads to the same URL as in UTF-8; the kept bytes are as they came."""
    crawled = sites.crawl("charset/")
    assert crawled.page("charset/").title == "Grüße"
    assert "charset/stra%C3%9Fe.html" in crawled.captured
    kept = next(each for each in crawled.sink.captures if crawled.shown(each.url) == "charset/")
    assert "Grüße".encode("latin-1") in kept.body
    assert any("ü" in unpack_text(body).text for _, _, body in crawled.store.texts())
