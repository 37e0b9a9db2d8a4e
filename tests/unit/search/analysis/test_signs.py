"""ASCII for signs, so that most texts are split the quick way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.analysis.signs import plain
from opilio.search.analysis.splitting import spans

SIGNS = "’‘“”—…¶»©®™·−☰🔬→½²ⓘ´\u00ad\u200b\u200d\u0301\u00a0\u2028\ufeff＇'lL éа東\ud800ﬁ∃\u0338"


def words(text):
    """The words by the rule, without any shorter way."""
    return [word.text for word in spans(text)]


@given(st.one_of(st.text("ab l's" + SIGNS, max_size=30), st.text(max_size=40)))
def test_the_words_are_the_same(text):
    """With ASCII for its signs a text has the words that it had."""
    assert words(plain(text)) == words(text)


@given(st.text("ab l's" + SIGNS, max_size=30))
def test_long_texts_are_read_alike(text):
    """The signs of a long text, which are looked for another way, fall as those of a short one."""
    assert plain(text + " x" * 500) == plain(text) + " x" * 500 or "·" in text


@pytest.mark.parametrize("text", ["don’t — “stop” …", "a\u00adb ☰ © 2024", "x · y 🔬", "so\u00ad·l", "plain"])
def test_signs_become_ascii(text):
    """Texts with signs of all kinds are ASCII afterwards."""
    assert plain(text).isascii()


@pytest.mark.parametrize("text", ["café", "l·l", "½", "ⓘ", "東京", "e\u0301", "\ud800"])
def test_other_letters_stay(text):
    """Letters, digits and marks beyond ASCII are left to the whole analysis."""
    assert plain(text) == text


def test_a_script_of_its_own_is_left_alone():
    """A text with more different characters than there are signs on a page is not searched for them one by one."""
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 200))) + " …"
    assert plain(text) == text
