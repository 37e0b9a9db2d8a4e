"""Charsets that are declared wrongly, twice, or not at all."""

import pytest

from opilio.crawl.frontier.packing import unpack_text
from opilio.kernel.capture import Capture
from tests.servers.charsets import VARIANTS
from tests.sites.crawling import Sites


@pytest.fixture(scope="module")
def crawled(site_server):
    return Sites(site_server).crawl(*(f"charset-lie/charset/{variant.name}" for variant in VARIANTS))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_page_is_read_as_it_is_written_whatever_it_says(crawled, variant):
    """Its words are in the text that is kept; the kept bytes are as they came."""
    page = crawled.page(f"charset-lie/charset/{variant.name}")
    assert page.outcome in ("fetched", "duplicate")
    captures = [each for each in crawled.sink.captures if isinstance(each, Capture) and each.url == page.url]
    assert [each.body for each in captures] in ([variant.body], [])
    texts = {digest: unpack_text(body).text for digest, _, body in crawled.store.texts()}
    assert variant.words in texts[page.digest]
