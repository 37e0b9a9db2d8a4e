"""Snippets: the piece of a page that shows why it was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.snippets import SIZE, Marker, Snippet

ANALYZER = Analyzer()


def marker(*words, language="en"):
    return Marker(
        analyzer=ANALYZER, terms=frozenset(ANALYZER.term(word, language) for word in words), language=language
    )


def marked(snippet):
    return [snippet.text[start:end] for start, end in snippet.marks]


def test_marks_are_escaped():
    """What pages hold is text, never markup."""
    snippet = marker("harbour").marked("<b>Harbours</b> & ships")
    assert snippet.html == "&lt;b&gt;<mark>Harbours</mark>&lt;/b&gt; &amp; ships"


def test_the_piece_with_most_terms_is_chosen():
    """The place where the words stand together wins over one where a single word stands often."""
    text = "harbour harbour harbour. " + "filler " * 200 + "an old bridge over the harbour of ships. " + "filler " * 200
    snippet = marker("harbour", "bridge", "ship").snippet(text)
    assert marked(snippet) == ["bridge", "harbour", "ships"]
    assert snippet.text.startswith("… ")
    assert snippet.text.endswith(" …")
    assert len(snippet.text) <= SIZE + 4


def test_other_forms_are_marked():
    """A word is marked by its term, whatever its ending, case or accents."""
    assert marked(marker("library").snippet("Many LIBRARIES here")) == ["LIBRARIES"]
    assert marked(marker("brücke", language="de").snippet("Alte Brücken am Fluss")) == ["Brücken"]
    assert marked(marker("elan", language="").snippet("un élan vital")) == ["élan"]


def test_pairs_of_characters_are_one_mark():
    """Characters that are indexed in overlapping pairs are marked as a whole."""
    assert marked(
        Marker(analyzer=ANALYZER, terms=frozenset({"東京", "京都"}), language="ja").snippet("今日東京都です")
    ) == ["東京都"]


def test_a_page_without_the_words_shows_its_beginning():
    """Pages that were found by their title or address show how they begin."""
    assert marker("nothing").snippet("One two three") == Snippet(text="One two three")
    assert marker("nothing").snippet("") == Snippet(text="")


def test_no_word_is_cut():
    """A piece begins and ends between words."""
    text = " ".join(f"word{number:05d}" for number in range(2_000))
    inner = marker("word01000").snippet(text).text.strip("… ").split()
    assert all(len(word) == 9 for word in inner)


@pytest.mark.parametrize("text", ["x" * 100_000, "harbour" * 10_000, "\n" * 5_000 + "harbour", "harbour\ud800"])
def test_odd_texts(text):
    """Texts without blanks, or with nothing else, give a short piece."""
    assert len(marker("harbour").snippet(text).text) <= SIZE + 4


@given(
    st.lists(st.sampled_from(["harbour", "Häfen", "東京都", "a", "\n", "<", "ﬁne", "İx", "…"]), max_size=60).map(
        " ".join
    )
)
def test_marks_lie_in_the_text(text):
    """Marks are in order, apart, inside the text, and hold words with the terms asked."""
    asked = marker("harbour", "fine")
    for snippet in (asked.snippet(text), asked.marked(text)):
        places = [place for mark in snippet.marks for place in mark]
        assert places == sorted(places)
        assert all(0 <= place <= len(snippet.text) for place in places)
        assert {word.casefold() for word in marked(snippet)} <= {"harbour", "fine"}
