"""Terms: stems, stop words, the user's own words, and what an analyzer is known by."""

import pickle
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.analysis import analyzer as module
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.languages import STEMMERS, language_code
from opilio.search.analysis.settings import AnalysisSettings, StopRule, Synonym
from opilio.search.analysis.stopwords import stop_words


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "running", "runs"), ("en-GB", "dog's", "dogs"), ("fr", "élections", "election"),
        ("de", "häuser", "haus"), ("ru", "города", "городов"), ("es", "bibliotecas", "biblioteca"),
        ("nb-NO", "hester", "hest"),
        ("fi", "talossa", "talo"), ("ar", "الكتاب", "كتاب"), ("deu", "häuser", "haus"), ("EN_us", "pages", "page"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(language, one, other):
    """Two forms of a word have one term in their language, however its tag is written."""
    analyzer = Analyzer()
    assert analyzer.term(one, language) == analyzer.term(other, language) != ""


@pytest.mark.parametrize("language", sorted(STEMMERS))
def test_every_stemmer_works(language):
    """Each language with a stemmer gives a term for a word that is foreign to it."""
    assert Analyzer().term("opilionibus", language)


@pytest.mark.parametrize("word", ["a", "an", "the", "of", "to", "and", "or", "is", "in", "don't", "it's"])
def test_words_of_grammar_are_stop_words(word):
    """They have no term in English, and one in a language that does not know them."""
    assert Analyzer().term(word, "en") == ""
    assert Analyzer().term(word, "zu") != ""


@pytest.mark.parametrize(
    "word", ["computer", "home", "world", "page", "system", "research", "information", "work", "new"]
)
def test_words_of_meaning_are_none(word):
    """What people search for is not thrown away."""
    assert Analyzer().term(word, "en")


def test_long_foreign_lists_are_shortened():
    """Of a long list only short words are taken; a short list whole; languages in pairs have none."""
    assert stop_words("fi")
    assert max(map(len, stop_words("fi"))) <= 4
    assert max(map(len, stop_words("uk"))) > 4
    assert stop_words("zh") == stop_words("xx") == frozenset()


def test_positions_count_stop_words():
    """The index is fed a mark in the place of each stop word."""
    assert Analyzer().indexed("The crawlers of the World!", "en") == "_ crawler _ _ world"
    assert Analyzer().indexed("The crawlers", "") == "the crawlers"


@given(st.text(max_size=80), st.sampled_from(["en", "fr", "ar", "tr", "zh", "", "xx"]))
def test_terms_are_single_and_never_look_like_a_stop_word(text, language):
    """There are as many terms as words; none holds a blank or is the mark of stop words."""
    analyzer = Analyzer()
    words = analyzer.words(text)
    terms = analyzer.terms(words, language)
    assert analyzer.indexed(text, language).split() == [term or "_" for term in terms]
    assert len(terms) == len(words)
    assert "_" not in terms


@pytest.mark.parametrize("tag", ["", "x", "klingon", "e n", "../..", "1a", "é", "en" * 100])
def test_what_is_no_language_has_no_code(tag):
    """Such a text is folded only."""
    assert language_code(tag) == ""
    assert Analyzer().term("running", tag) == "running"


def test_default_language_serves_pages_that_name_none():
    """It stands in for an unknown language, not for a known one."""
    analyzer = Analyzer(AnalysisSettings(default_language="en"))
    assert analyzer.term("running", "") == "run"
    assert analyzer.term("running", "fr") != "run"


def test_users_rules_come_last():
    """A user may add stop words for all languages or one, and take words off the list."""
    rules = (StopRule("", "opilio", True), StopRule("fr", "maison", True), StopRule("en", "not", False))
    analyzer = Analyzer(AnalysisSettings(stop_rules=rules))
    assert analyzer.terms(["opilio", "not", "the"], "en") == ["", "not", ""]
    assert analyzer.terms(["opilio", "maison"], "fr") == ["", ""]
    assert analyzer.term("maison", "en") == "maison"
    assert analyzer.terms(["opilio", "x"], "qq") == ["", "x"]


def test_fingerprint_tells_what_terms_depend_on():
    """It changes with stop words and the default language, not with synonyms."""
    plain = AnalysisSettings()
    known = Analyzer(plain).fingerprint
    assert Analyzer(replace(plain, synonyms=(Synonym("car", ("automobile",)),))).fingerprint == known
    assert Analyzer(replace(plain, stop_rules=(StopRule("", "x", True),))).fingerprint != known
    assert Analyzer(replace(plain, default_language="de")).fingerprint != known


def test_synonyms_are_given_for_words_and_phrases():
    """A word without any has none."""
    analyzer = Analyzer(AnalysisSettings(synonyms=(Synonym("motor car", ("car",)),)))
    assert analyzer.synonyms("motor car") == ("car",)
    assert analyzer.synonyms("boat") == ()


def test_an_analyzer_travels_to_another_process():
    """What arrives is the same analyzer."""
    sent = Analyzer(AnalysisSettings(default_language="en"))
    arrived = pickle.loads(pickle.dumps(sent))  # noqa: S301 - our own bytes
    assert (arrived.fingerprint, arrived.term("pages", "")) == (sent.fingerprint, "page")


def test_the_memory_of_terms_is_bounded(monkeypatch):
    """A flood of different words does not fill the memory."""
    monkeypatch.setattr(module, "_MOST_CACHED", 100)
    analyzer = Analyzer()
    terms = analyzer.terms([f"word{number}" for number in range(1_000)], "en")
    assert terms[-1] == "word999"
    assert len(analyzer._terms_of("en")) <= 100


def test_threads_share_an_analyzer():
    """Words asked by several threads at once get their own terms."""
    analyzer, wrong = Analyzer(), []

    def ask(offset):
        words = [f"running{number}s" for number in range(offset, offset + 2_000)]
        wrong.extend(word for word, term in zip(words, analyzer.terms(words, "en"), strict=True) if term != word[:-1])

    threads = [threading.Thread(target=ask, args=(offset,)) for offset in (0, 1_000, 2_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
