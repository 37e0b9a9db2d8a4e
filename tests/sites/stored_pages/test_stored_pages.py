"""Seed A §3.3: what is stored of a page."""

import json
from pathlib import Path

SITE = Path(__file__).parent


def test_url_type_title_and_content_of_each_page_are_stored(sites):
    """Every page has a number, and a type and extension even where it is empty; the content is what the server sent."""
    crawled = sites.crawl("stored-pages/")
    stored = {crawled.shown(page.url): page for page in crawled.store.pages()}
    assert sorted(page.id for page in stored.values()) == list(range(6))
    assert {url.partition("/")[2]: (page.type, page.extension, page.title) for url, page in stored.items()} == {
        "": ("html", "html", "A stored page"),
        "plain.txt": ("text", "txt", ""),
        "empty.txt": ("text", "txt", ""),
        "empty.html": ("html", "html", ""),
        "many.html": ("html", "html", "Many tags"),
        "pic.png": ("image", "png", ""),
    }
    bodies = {crawled.shown(each.url).partition("/")[2]: each.body for each in crawled.sink.captures}
    assert {name: bodies[name] for name in ("plain.txt", "pic.png", "empty.txt")} == {
        name: (SITE / name).read_bytes() for name in ("plain.txt", "pic.png", "empty.txt")
    }


def test_all_meta_tags_of_a_page_are_stored_in_their_order(sites):
    """Name and content of each, repeated names too."""
    crawled = sites.crawl("stored-pages/")
    assert json.loads(crawled.page("stored-pages/").meta) == [
        ["description", "What is kept of a page"],
        ["keywords", "rows, tags"],
        ["keywords", "again"],
        ["og:title", "Stored"],
    ]
    assert json.loads(crawled.page("stored-pages/many.html").meta) == [[f"tag{n}", f"{n}"] for n in range(200)]
