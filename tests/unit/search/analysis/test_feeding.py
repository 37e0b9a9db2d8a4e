"""What the C extension feeds the index: what Python would, for any text, and it gives up where it cannot be quick."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opilio.search.analysis import feeding
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.feeding import fed_by_python

pytestmark = pytest.mark.program("cc")
ANALYZER = Analyzer()
LANGUAGES = ("en", "de", "fr", "ru", "ja", "")
#: Letters and signs that the rules of words are about.
_ODD = "abstdmrevlSTLxé'\u2019 -_.\n9ÀœßЖ語\u0301\u200b–·＇″™\U0001f600\ud800"
_LINES = ("x" * 90, "é", "word", "", "naïve 語", "plain line – of signs ™ " * 4)
_PIECES = (
    "don't",
    "they'll",
    "x'S",
    "a" * 201,
    "it's's",
    "The",
    "café",
    "l\u2019eau",
    "語る",
    "'",
    "col·legi",
    "L·L",
    "l·",
    "·l",
    "l·\u00adl",
)
TEXTS = (
    st.text(alphabet=_ODD, max_size=60)
    | st.text(max_size=40)
    | st.lists(st.sampled_from(_LINES)).map("\n".join)
    | st.lists(st.sampled_from(_PIECES)).map(" ".join)
)


def python(word):
    """The term of a word as the reference has it."""
    return ANALYZER.fed([word], "en")


def make(missing=python, most=1_000):
    made = feeding.feeding(missing, most)
    assert made is not None, "the extension was not built: run `python tools/native.py`"
    return made


def test_it_was_built():
    """Where there is a compiler, the extension is used."""
    assert feeding.available()


@given(texts=st.lists(TEXTS, max_size=4), language=st.sampled_from(LANGUAGES))
@example(texts=["Dogs' dog's o'clock they'llx", "", "Zo\u00eb\u2019s 's " + 3 * "ab" * 150 + "'s"], language="en")
def test_both_ways_give_the_same(texts, language):
    """For each text the terms, and the different words of all in their order."""
    fed = ANALYZER._terms_of(language).fed.__getitem__
    assert make(fed).feed(tuple(texts)) == fed_by_python(fed, texts) == ANALYZER.fed_texts(texts, language)


def test_signs_and_dots_are_no_reason_to_ask_python():
    """Many pages have a dot between the parts of their navigation; only between two l is it part of a word."""
    asked = []
    table = feeding._MAKE(str, feeding.form, lambda text: asked.append(text) or ["asked"], 1_000)
    assert table.feed(("Home · Shell·Pages “🔬” l· ·l",)) == (["home shell pages l l"], "home shell pages l")
    assert asked == []
    assert table.feed(("plain line\ncol·legi",)) == (["plain line asked"], "plain line asked")
    assert asked == ["col·legi"]


def test_halves_of_characters_part_words():
    """They cannot be encoded, and stand on pages that are broken."""
    assert ANALYZER.fed_texts(["broken\ud83d text", "whole \udc00"], "en") == (
        ["broken text", "whole"],
        "broken text whole",
    )


def test_a_table_that_is_full_begins_anew():
    """Pages are fed the same before and after."""
    table = make(most=3)
    for number in range(50):
        texts = [f"running dogs{number} and cats{number % 7}", "dogs again"]
        assert table.feed(tuple(texts)) == fed_by_python(python, texts)


def test_a_table_grows():
    """Thousands of words have their terms in it."""
    texts = [" ".join(f"word{number} words{number}" for number in range(5_000))]
    table = make(most=10**6)
    assert table.feed(tuple(texts)) == table.feed(tuple(texts)) == fed_by_python(python, texts)


def test_an_error_leaves_the_table_whole():
    """Who asks for a term may fail; the next page is fed."""
    wrong = {"bad": ZeroDivisionError}

    def missing(word):
        if word in wrong:
            raise wrong[word]
        return python(word)

    table = make(missing)
    with pytest.raises(ZeroDivisionError):
        table.feed(("good bad things",))
    wrong.clear()
    assert table.feed(("good bad things",)) == fed_by_python(python, ["good bad things"])


def test_while_it_is_in_use_it_gives_up():
    """As when another thread has its turn while a term is asked."""
    inner = []
    table = make(lambda word: inner.append(table.feed(("other",))) or word)
    assert table.feed(("one",)) == (["one"], "one")
    assert inner == [None]


def test_words_of_one_hash_do_not_slow_it_down():
    """Somebody may choose words for it: then it gives up, begins anew, and Python does the work."""
    letters = np.arange(3_000_000, dtype=np.uint32)
    hashes = np.full(len(letters), 2166136261, dtype=np.uint32)
    for place in range(5):
        hashes = (hashes ^ (97 + letters // 26 ** (4 - place) % 26)) * np.uint32(16777619)
    chosen = np.flatnonzero(((hashes ^ (hashes >> np.uint32(15))) & 4095) == 77)[:600]
    words = ["".join(chr(97 + int(one) // 26 ** (4 - place) % 26) for place in range(5)) for one in chosen]
    table = make()
    assert len(words) == 600
    assert table.feed((" ".join(words),)) is None
    assert table.feed((" ".join(words[:400]),)) == fed_by_python(python, [" ".join(words[:400])])


@pytest.mark.parametrize("parts", [["text"], (b"text",), ("text", ["words"]), (7,)])
def test_what_is_no_text_is_refused(parts):
    """A mistake of ours is an error and no crash."""
    with pytest.raises(TypeError):
        make().feed(parts)


def test_an_analyzer_without_the_extension_feeds_the_same(monkeypatch):
    """As on a machine without a compiler."""
    texts = ["The dogs' running", "Straße naïve", ""]
    monkeypatch.setattr(feeding, "_MAKE", None)
    assert not feeding.available()
    assert Analyzer().fed_texts(texts, "de") == ANALYZER.fed_texts(texts, "de")
