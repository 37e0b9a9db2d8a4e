"""Fingerprints of texts, and the groups of near-duplicates."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.fingerprints import FEWEST, MOST_WORDS, Fingerprints, first_words, near
from opilio.search.near_duplicates import groups

WORDS = [f"word{number}" for number in range(400)]
OLDER = [2818328815056412947, 16653386876785223443, 3931012987164944525, 13927901996380973973]


def text_of(seed, length=600):
    return random.Random(seed).choices(WORDS, k=length)


def test_equal_texts_are_equal():
    """Whoever makes the fingerprint, and however often."""
    assert Fingerprints().of(text_of(1)) == Fingerprints().of(text_of(1)) != 0


def test_fingerprints_stay_what_they_were():
    """Earlier generations hold them, and their pages are compared with new ones."""
    lengths = (FEWEST, 13, 700, MOST_WORDS + 5)
    assert [Fingerprints().of(text_of(5, length)) for length in lengths] == OLDER


def test_a_changed_word_changes_few_bits():
    """A page with another date is a near-duplicate; another page is not."""
    maker, text = Fingerprints(), text_of(1)
    other = [*text[:300], "changed", *text[301:]]
    assert near(maker.of(text), maker.of(other))
    assert not near(maker.of(text), maker.of(text_of(2)))


def test_few_words_are_near_to_nothing():
    """Pages that say hardly anything are not thrown together."""
    assert Fingerprints().of(["home"] * (FEWEST - 1)) == 0
    assert not near(0, 0)


@given(st.lists(st.integers(0, 40).map(lambda value: (value % 8) * 0x0101010101 + (value // 8)), max_size=40))
def test_groups_are_those_of_a_slow_count(prints):
    """Pages hang together that are near, directly or through others; the smallest number names them."""
    pages = np.arange(100, 100 + len(prints))
    expected = list(range(len(prints)))
    for _ in prints:
        for one, first in enumerate(prints):
            for other, second in enumerate(prints):
                if near(first, second):
                    expected[one] = expected[other] = min(expected[one], expected[other])
    found = groups(pages, np.array(prints, np.uint64))
    assert (found - 100).tolist() == expected


def test_no_page():
    """No group."""
    assert groups(np.array([], np.int64), np.array([], np.uint64)).tolist() == []


def test_only_the_words_that_count_are_asked_for():
    """Of a huge text the later portions are not even split."""
    asked = []

    def portions():
        for number in range(5):
            asked.append(number)
            yield ["word"] * (MOST_WORDS // 2)

    assert len(first_words(portions())) == MOST_WORDS
    assert asked == [0, 1]
