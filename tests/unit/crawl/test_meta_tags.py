"""Which meta tags of a page are kept."""

import json

import pytest

from opilio.crawl.meta_tags import MOST, kept_metas
from opilio.extract import Meta


def metas(*pairs):
    return tuple(Meta(name, content) for name, content in pairs)


def test_all_are_kept_in_their_order():
    """Repeated names, empty contents and any script."""
    pairs = [["keywords", "a"], ["keywords", ""], ["описание", "“quoted”\n"]]
    assert json.loads(kept_metas(metas(*pairs))) == pairs


def test_a_page_without_any_has_none():
    """Nothing is kept of nothing."""
    assert kept_metas(()) == ""


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_is_too_large_does_not_cost_the_others(place):
    """The monster is left out, wherever it stands."""
    pairs = [["author", "curator"], ["keywords", "rows"]]
    found = kept_metas(metas(*pairs[:place], ("monster", "x" * MOST), *pairs[place:]))
    assert json.loads(found) == pairs


@pytest.mark.parametrize("size", [1, 90, 5_000])
def test_what_is_kept_never_exceeds_the_bound(size):
    """As many as fit, each whole, from the first on."""
    pairs = [[f"tag{number}", "ü" * size] for number in range(2 * MOST // (size + 12) + 2)]
    text = kept_metas(metas(*pairs))
    assert MOST - size - 40 < len(text) <= MOST
    assert json.loads(text) == pairs[: len(json.loads(text))]


def test_one_tag_alone_may_be_too_large():
    """Then nothing is kept."""
    assert kept_metas(metas(("monster", "x" * MOST))) == ""
