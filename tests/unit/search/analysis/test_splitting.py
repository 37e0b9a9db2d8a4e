"""Words of a text in any language, and where they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.analysis import splitting
from opilio.search.analysis.folding import folded, unaccented
from opilio.search.analysis.splitting import portions, spans, words

_ODD = "aZ\n'’‘“”–—…•\u00a0©→_-. ·l0\u0301éßﬁ™İςΣй'я日本한ไทा\u200b\u00ad½²①\ud800😀"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Crawler crawls.", ["the", "crawler", "crawls"]),
        ("Don't touch the dog's l’eau", ["don't", "touch", "the", "dog's", "l", "eau"]),
        ("'quoted' rock'n'roll x''s", ["quoted", "rock", "n", "roll", "x", "s"]),
        ("e-mail 3.14 snake_case a/b", ["e", "mail", "3", "14", "snake", "case", "a", "b"]),
        ("ÄRGER Straße ﬁne Opilio™ m²", ["ärger", "strasse", "fine", "opilio", "m2"]),
        ("İSTANBUL", ["istanbul"]),
        ("cafe\u0301 so\u00adft", ["café", "soft"]),
        ("м’який пʼять", ["м'який", "п'ять"]),
        ("col·lecció a·b", ["col·lecció", "a", "b"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("東 Pythonで", ["東", "python", "で"]),
        ("한국어", ["한국", "국어"]),
        ("ไทย", ["ไท", "ทย"]),
        ("😀 \u0301 -- ... ", []),
        ("", []),
    ],
)
def test_words_of_many_scripts(text, expected):
    """Each script is split as its readers would."""
    assert words(text) == expected


def test_endless_words_are_split():
    """A run of 450 letters gives three words, so that none is too long to be indexed."""
    assert [len(word) for word in words("x" * 450)] == [200, 200, 50]
    assert [len(word) for word in words("é" * 450)] == [200, 200, 50]


@given(st.text(st.one_of(st.sampled_from(_ODD), st.characters(codec=None)), max_size=60))
def test_words_and_spans_agree(text):
    """The quick way and the one with places find the same words, at places that are in order and in the text."""
    found = spans(text)
    assert [word.text for word in found] == words(text)
    assert all(0 <= word.start < word.end <= len(text) for word in found)
    assert [word.start for word in found] == sorted(word.start for word in found)


@given(st.text(st.sampled_from(_ODD), max_size=20))
def test_words_stay_words(text):
    """A word that was found is one word, the same, when it is read again; none holds a blank or an underscore."""
    for word in words(text):
        assert words(word) == [word]
        assert not set(word) & set(" _\n\t")


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text):
    """Folded text is already folded."""
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x ﬁne Straße", "Straße"),
        ("a cafe\u0301! ½", "cafe\u0301"),
        ("½ Opilio™ ", "Opilio"),
        ("﷽ so\u00adft", "so\u00adft"),
    ],
)
def test_places_are_those_of_the_given_text(text, part):
    """Where folding changes the number of letters, the places still are those of the text as given."""
    (found,) = [word for word in spans(text) if word.text == words(part)[0]]
    assert text[found.start : found.end] == part


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("élection", "election"), ("straße", "straße"), ("smørrebrød", "smorrebrod"), ("łódź", "lodz"),
        ("ёлка", "елка"), ("йод", "йод"), ("ά", "α"), ("مَدْرَسَة", "مدرسة"), ("हिन्दी", "हिन्दी"), ("ǿ", "o"),
    ],
)  # fmt: skip
def test_accents_fall_where_they_are_no_letters(word, expected):
    """Latin and Greek accents and Arabic vowel points fall; letters of other scripts stay whole."""
    assert unaccented(word) == expected


@pytest.mark.parametrize("text", ["'" * 50_000, "a'" * 50_000, "é" + "a'" * 50_000, "日" * 100_000, "\u0301" * 100_000])
def test_hostile_texts_end(text):
    """Texts made to be slow are read like any other."""
    assert isinstance(words(text), list)


@given(st.text(st.sampled_from(_ODD), max_size=80), st.integers(1, 20))
def test_a_text_in_portions_has_the_same_words(text, size):
    """Wherever a huge text is parted, its words are those of the whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "PORTION", size)
        assert [word for portion in portions(text) for word in portion] == words(text)
