"""The one analyzer of index, query, snippets and seed views: the same text gives the same terms everywhere."""

import hashlib
import json
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version

import Stemmer  # type: ignore[import-not-found]  # a compiled module without types

from opilio.search.analysis import splitting
from opilio.search.analysis.feeding import fed_by_python, feeding
from opilio.search.analysis.folding import unaccented
from opilio.search.analysis.languages import STEMMERS, language_code
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.analysis.splitting import Word
from opilio.search.analysis.stopwords import stop_words

__all__ = ["STOP", "Analyzer", "Word"]

#: What stands for a stop word in the text that the index is fed, so that positions count every word.
STOP = "_"
_VERSION = 1  # raised when the same text gives other terms
_MOST_CACHED = 500_000  # words per language
_MOST_TAGS = 1_000  # spellings of languages


class Analyzer:
    """From text to words and terms. Safe to share between threads; may be sent to another process."""

    def __init__(self, settings: AnalysisSettings | None = None) -> None:
        self.settings = settings or AnalysisSettings()
        self.fingerprint = _fingerprint(self.settings)
        self._synonyms = {synonym.word: synonym.others for synonym in self.settings.synonyms}
        self._by_code: dict[str, _Terms] = {}
        self._tables: dict[str, _Terms] = {}  # by tag as it is written

    def __reduce__(self) -> tuple[type["Analyzer"], tuple[AnalysisSettings]]:
        return Analyzer, (self.settings,)

    def words(self, text: str) -> list[str]:
        """Every word, folded, stop words too; its place in the list is its position."""
        return splitting.words(text)

    def portions(self, text: str) -> Iterator[list[str]]:
        """The same words, a part of a huge text at a time."""
        return splitting.portions(text)

    def spans(self, text: str) -> list[Word]:
        """The same words with their places in the text."""
        return splitting.spans(text)

    def term(self, word: str, language: str) -> str:
        """The stem of a folded word without accents; empty for a stop word of that language."""
        return self._terms_of(language)[word]

    def terms(self, words: Sequence[str], language: str) -> list[str]:
        """The term of each word; empty for a stop word."""
        return list(map(self._terms_of(language).__getitem__, words))

    def indexed(self, text: str, language: str) -> str:
        """What the index is fed: terms with blanks between them, `_` for a stop word."""
        return self.fed(splitting.words(text), language)

    def fed(self, words: Iterable[str], language: str) -> str:
        """The same for words that are split already."""
        return " ".join(map(self._terms_of(language).fed.__getitem__, words))

    def fed_texts(self, texts: Sequence[str], language: str) -> tuple[list[str], str]:
        """The same for several texts of a page, and the different words of all of them, in order."""
        table = self._terms_of(language)
        found = table.feeding and table.feeding.feed(tuple(texts))
        return found or fed_by_python(table.fed.__getitem__, texts)

    def synonyms(self, word: str) -> tuple[str, ...]:
        """What else to look for when a folded word (or words with a blank between them) is asked."""
        return self._synonyms.get(word, ())

    def _terms_of(self, language: str) -> "_Terms":
        table = self._tables.get(language)
        return self._found(language) if table is None else table

    def _found(self, language: str) -> "_Terms":
        """The table of a tag; languages that have nothing of their own share one."""
        code = language_code(language) or language_code(self.settings.default_language)
        ruled = any(rule.language == code for rule in self.settings.stop_rules)
        code = code if code in STEMMERS or ruled or stop_words(code) else ""
        table = self._by_code.setdefault(code, _Terms(code, self.settings))
        if len(self._tables) < _MOST_TAGS:
            self._tables[language] = table
        return table


class _Terms(dict[str, str]):
    """The terms of the words of one language, worked out when first asked."""

    def __init__(self, code: str, settings: AnalysisSettings) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer(STEMMERS[code], 0).stemWord if code in STEMMERS else str
        self._stops = _stops(code, settings)
        self._lock = threading.Lock()  # a stemmer serves one thread at a time
        self.fed = _Fed(self)
        self.feeding = feeding(lambda word: self[word] or STOP, _MOST_CACHED)

    def __missing__(self, word: str) -> str:
        with self._lock:
            if len(self) >= _MOST_CACHED:
                self.clear()
            term = "" if word in self._stops else unaccented(self._stem(word.removesuffix("'s") or word)) or word
            self[word] = term = word if term == word else term
            return term


class _Fed(dict[str, str]):
    """The same terms as the index is fed them, `_` for a stop word."""

    def __init__(self, terms: _Terms) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_CACHED:
            self.clear()
        found = self[word] = self._terms[word] or STOP
        return found


def _stops(code: str, settings: AnalysisSettings) -> frozenset[str]:
    found = set(stop_words(code))
    for rule in settings.stop_rules:
        if rule.language in ("", code):
            (found.add if rule.stop else found.discard)(rule.word)
    return frozenset(found)


def _fingerprint(settings: AnalysisSettings) -> str:
    """Changes whenever the same text may give other terms; synonyms do not count, they work when asked."""
    parts = [
        _VERSION, unicodedata.unidata_version, Stemmer.version(), version("stopwordsiso"),
        language_code(settings.default_language), [list(rule) for rule in settings.stop_rules],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:32]
