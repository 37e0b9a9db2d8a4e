"""Texts and links as they are kept: what goes in comes out, and what was kept before can still be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink, link_line, link_of, url_of_line
from opilio.kernel.page_text import PageText, kept_text, page_text_of

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20)
TEXTS = st.builds(
    PageText,
    text=st.text(st.characters(exclude_categories=["Cs"])),
    main=st.none() | st.integers(0, 50),
    headings=st.lists(st.tuples(st.integers(1, 6), WORDS), max_size=3).map(tuple),
    canonical=st.sampled_from(["", "https://a.example/"]),
)
LINKS = st.builds(
    PageLink,
    st.sampled_from(Hop),
    st.sampled_from(["a", "img", "a.nofollow"]),
    st.sampled_from(["https://a.example/", "https://a.example/b?c=d"]),
    st.integers(1, 1000),
    WORDS.map(lambda text: " ".join(text.split())),
)


@given(TEXTS)
def test_a_text_comes_back(page):
    """With its headings, its canonical URL and where navigation begins."""
    assert page_text_of(kept_text(page)) == page


def test_a_text_without_a_head_is_kept_as_it_is():
    """As all texts were before they had heads."""
    assert kept_text(PageText(text="owls\nlarks")) == "owls\nlarks"
    assert page_text_of("owls\nlarks") == PageText(text="owls\nlarks")


def test_main_text():
    """The text ends where navigation begins."""
    assert PageText(text="owls\nhome about", main=5).main_text == "owls"
    assert PageText(text="owls").main_text == "owls"


@pytest.mark.parametrize(
    "kept", ["\x02", "\x02{\nowls", "\x02[]\nowls", '\x02{"main": "x"}\n', '\x02{"headings": [1]}\n']
)
def test_a_broken_head(kept):
    """Is told, and never taken for text."""
    with pytest.raises((ValueError, TypeError)):
        page_text_of(kept)


@given(LINKS)
def test_a_link_comes_back(link):
    """With how often it stands on the page and what it says."""
    assert link_of(link_line(link)) == link
    assert url_of_line(link_line(link)) == link.url


def test_a_link_as_it_was_kept_before():
    """Once, and without a text."""
    assert link_of("La https://a.example/") == PageLink(Hop.LINK, "a", "https://a.example/")
    assert link_line(PageLink(Hop.LINK, "a", "https://a.example/")) == "La https://a.example/"


@pytest.mark.parametrize("line", ["", "?a https://a.example/", "La https://a.example/ often owls"])
def test_a_line_that_is_no_link(line):
    """Is told."""
    with pytest.raises(ValueError, match=r"Hop|int"):
        link_of(line)
