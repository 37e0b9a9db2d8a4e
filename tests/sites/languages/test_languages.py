"""The language of a page."""

from opilio.crawl.plan import Extract


def languages(crawled):
    return {crawled.shown(page.url): page.language for page in crawled.store.pages()}


def test_a_declared_language_is_kept(sites):
    """What is no language tag counts as none; nothing is guessed unless the plan says so."""
    assert languages(sites.crawl("languages/")) == {
        "languages/": "en-GB",
        "languages/silent.html": "",
        "languages/odd.html": "",
    }


def test_a_language_is_detected_where_none_is_declared(sites):
    """By option, and only where there is enough text; the report counts it."""
    crawled = sites.crawl("languages/", extract=Extract(detect_language=True))
    assert languages(crawled)["languages/silent.html"] == "de"
    assert languages(crawled)["languages/odd.html"] == ""
    assert {each["language"]: each["count"] for each in crawled.report["languages"]} == {"en": 1, "de": 1, "": 1}
