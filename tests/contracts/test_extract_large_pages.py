"""Pages that are larger than any that a person wrote."""

from tests.unit.extract.pages import html


def test_a_hundred_thousand_links():
    """A page of 100,000 links gives them all."""
    page = "".join(f"<a href=/{number}>x</a>\n" for number in range(100_000))
    assert len(html(page, max_html_bytes=10_000_000).links) == 100_000
