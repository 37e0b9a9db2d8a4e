"""The quick form of texts in which only signs are not ASCII."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.index.ascii_form import ascii_form

SIGNS = "’‘“”—…¶»©®™·−☰🔬→½²ⓘ´\u00ad\u200b\u200d\u0301\u00a0\u2028\ufeff＇'lL éа東\ud800ﬁ"


@given(st.one_of(st.text("ab l's" + SIGNS, max_size=30), st.text(max_size=40)))
def test_the_words_are_the_same(text):
    """Wherever there is an ASCII form, it has the words of the text."""
    form = ascii_form(text)
    if form is not None:
        assert form.isascii()
        assert Analyzer().words(form) == Analyzer().words(text)


@pytest.mark.parametrize("text", ["don’t — “stop” …", "a\u00adb ☰ © 2024", "x · y 🔬", "plain"])
def test_signs_have_a_form(text):
    """Texts with signs of all kinds take the short way."""
    assert ascii_form(text) is not None


@pytest.mark.parametrize("text", ["café", "l·l", "½", "ⓘ", "東京", "e\u0301", "\ud800"])
def test_other_letters_have_none(text):
    """Letters, digits and marks beyond ASCII need the whole analysis."""
    assert ascii_form(text) is None
