"""What is told about references that are no URL."""

from opilio.crawl.frontier.batch import Denial
from opilio.crawl.malformed import malformed_links
from opilio.extract import Extracted, PageType, extract

PAGE = "https://a.example/"


def test_they_are_counted_with_their_page_and_an_example():
    """The example is made safe: no password, no control characters, not endless."""
    body = b'<a href="http://user:secret@[x\x01"></a><a href="https://:80/"></a><a href="mailto:curator@a.example"></a>'
    (told,) = malformed_links(extract(body, url=PAGE, content_type="text/html"), PAGE)
    assert (told.rule, told.parent, told.count) == ("malformed link", PAGE, 2)
    assert "secret" not in told.url
    assert told.url.isprintable()


def test_a_page_in_order_has_none():
    """Nothing is told about it."""
    body = b'<a href="fine.html"></a>'
    assert malformed_links(extract(body, url=PAGE, content_type="text/html"), PAGE) == []


def test_a_count_without_a_sample_is_told():
    """The page is named all the same."""
    extracted = Extracted(page_type=PageType.HTML, extension="html", malformed=3)
    assert malformed_links(extracted, PAGE) == [Denial(rule="malformed link", url="", parent=PAGE, count=3)]
