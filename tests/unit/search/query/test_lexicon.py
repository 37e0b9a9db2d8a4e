"""The words that pages hold: forms and neighbours."""

from hypothesis import given
from hypothesis import strategies as st

from opilio.search.query.edits import distances
from opilio.search.query.lexicon import KnownWords, Vocabulary
from tests.proofs.search_oracle import edits

WORDS = Vocabulary([("river", 9), ("rivers", 3), ("rover", 5), ("driver", 4), ("rivalry", 1), ("a.b", 2), ("äther", 1)])


def test_forms_are_found_by_frequency():
    """A star stands for any letters, a question mark for one; the most frequent words come first."""
    assert list(WORDS.matching("r*r")) == ["river", "rover"]
    assert list(WORDS.matching("r?ver*")) == ["river", "rover", "rivers"]
    assert list(WORDS.matching("*IV*R*")) == ["river", "driver", "rivers", "rivalry"]
    assert list(WORDS.matching("a.*")) == ["a.b"]
    assert list(WORDS.matching("Ä*")) == ["äther"]


def test_a_backslash_makes_a_star_a_star():
    """An escaped star is looked for itself."""
    assert list(Vocabulary([("a*c", 1), ("abc", 2)]).matching("a\\*c")) == ["a*c"]


def test_hostile_forms_take_no_time():
    """A form with many stars is tried once at each place, not in every combination."""
    words = Vocabulary([("a" * 200, 1)])
    assert list(words.matching("a*" * 60 + "b")) == []


def test_neighbours_are_ordered():
    """Nearest first, then most frequent."""
    assert WORDS.near("rivre", 2) == [("river", 1), ("rover", 2), ("driver", 2), ("rivers", 2)]


def test_only_known_words_are_told():
    """A word that the reader may not know is neither a form nor a neighbour."""
    known = KnownWords(lambda: WORDS, lambda word: word != "river")
    assert known.matching("riv*", 10) == ["rivers", "rivalry"]
    assert known.near("river", 1, 10) == [("rover", 1), ("driver", 1), ("rivers", 1)]
    assert known.matching("*", 2) == ["rover", "driver"]


@given(st.text("abcé", max_size=6), st.lists(st.text("abcé", min_size=1, max_size=6), max_size=8))
def test_distances_are_exact(word, others):
    """Every distance is that of the slow and plain way to count it."""
    assert distances(word, others) == [edits(word, other) if word else len(other) for other in others]
