"""Which captures an index holds, and the anchor texts that lead to them."""

import pytest

from opilio.archive.results.view import ResultView
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.works.index_choice import Choice
from tests.unit.archive.derived import Page, derived, first_result

A, B, C = (f"https://a.example/{name}" for name in "abc")


def link(url, text="", kind="a", hop=Hop.LINK):
    return PageLink(hop, kind, url, 1, text)


@pytest.fixture
def choice(tmp_path):
    with Choice(tmp_path / "choice.db") as opened:
        yield opened


def test_pages_without_a_text_are_left_out(choice, tmp_path):
    """So are those whose outcome is none that can be found."""
    pages = [Page(A, "A", text="owls"), Page(B, "B"), Page(C, "C", text="gone", outcome="gone")]
    with ResultView(first_result(tmp_path / "one", pages)) as view:
        choice.consider(0, view)
    assert [(each.url, each.source, each.number, each.extractor) for each in choice.chosen()] == [(A, 0, 0, "2")]
    assert choice.find(A).number == 0
    assert choice.find(B) is None
    assert choice.count() == 1


def test_the_newest_capture_counts(choice, tmp_path):
    """Whichever source has it; of equal times that of the later source."""
    one = first_result(tmp_path / "one", [Page(B, "B", text="old"), Page(A, "A", text="old")])
    two = first_result(tmp_path / "two", [Page(A, "A", text="older"), Page(C, "C", text="x")])
    three = first_result(tmp_path / "three", [Page(B, "B", text="same time")])
    for source, results in enumerate((one, two, three)):
        with ResultView(results) as view:
            choice.consider(source, view)
    assert [(each.url, each.source) for each in choice.chosen()] == [(A, 0), (B, 2), (C, 1)]


def test_a_derived_result(choice, tmp_path):
    """What was pruned is left out, and what took its place counts."""
    results = first_result(tmp_path / "one", [Page(A, "A", text="x"), Page(B, "B", text="y")])
    derived(results, urls=(B,), pages=[Page(A, "A", text="new")])
    with ResultView(results) as view:
        choice.consider(0, view)
    assert [(each.url, each.number) for each in choice.chosen()] == [(A, 2)]


def test_anchor_texts(choice, tmp_path):
    """Each text once, of links that readers click, from other pages."""
    with ResultView(first_result(tmp_path / "one", [Page(A, "A", text="x"), Page(B, "B", text="y")])) as view:
        choice.consider(0, view)
    links = [
        (A, [link(B, "to bee"), link(B, "bee"), link(A, "to itself"), link(C, "not indexed"), link(B)]),
        (C, [link(B, "bee"), link(A, "a", kind="a.nofollow"), link(A, "b", kind="img", hop=Hop.EMBED)]),
    ]
    found = {each.url: texts for each, texts in choice.with_anchors(links)}
    assert found == {A: ("a",), B: ("bee", "to bee")}


def test_the_file_is_gone_afterwards(tmp_path):
    """Nothing of it lies in the generation."""
    with Choice(tmp_path / "choice.db"):
        assert (tmp_path / "choice.db").exists()
    assert list(tmp_path.iterdir()) == []
