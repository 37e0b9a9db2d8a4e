"""A page's words, counted and packed: the part of a build that may be spread over processes.

`PagePacker` depends on nothing but the analyzer, and what it gives is small to send. The views that come of it are the
same, whichever process packed which page.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, compress
from operator import not_

import numpy as np
from numpy.typing import NDArray

from opilio.search.analysis.analyzer import Analyzer

MOST_WORDS = 5_000_000  # of a page that are kept; the rest of an endless text is left out
_MOST_KNOWN = 500_000  # words that a packer remembers


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A fetched page as the views see it."""

    url: str
    title: str = ""
    text: str = ""
    language: str = ""
    last_modified: float = 0.0  # seconds since 1970 UTC; 0: the server did not say
    digest: str = ""  # of the content; a page with the digest it had before is not read again


@dataclass(frozen=True, kw_only=True, slots=True)
class PackedPage:
    """The same page with its words counted."""

    url: str
    language: str
    last_modified: float
    digest: str
    length: int  # words, stop words too
    words: tuple[str, ...]  # different ones, without stop words
    stems: tuple[str, ...]  # of these
    counts: bytes  # of these, 32 bits each
    positions: bytes  # of each word after the other, 32 bits each
    stop_words: tuple[str, ...]  # different ones
    cut: bool  # whether the text was longer than is kept


class PagePacker:
    """Counts the words of pages. One per process."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._known = _Numbers()

    def __call__(self, page: Page, portions: Iterable[list[str]] | None = None) -> PackedPage:
        """The words of title and text with their positions, which count every word from 0 on.

        `portions` are the words of the text where they are known already.
        """
        portions = self._analyzer.portions(page.text) if portions is None else portions
        numbers, cut = self._numbered(chain((self._analyzer.words(page.title),), portions))
        order = np.argsort(numbers, kind="stable")
        grouped = numbers[order]
        begins = np.flatnonzero(np.diff(grouped, prepend=-1))
        counts = np.diff(np.append(begins, len(numbers)))
        words = list(map(self._known.words.__getitem__, grouped[begins].tolist()))
        stems = self._analyzer.terms(words, page.language)
        kept = np.fromiter(map(bool, stems), dtype=np.bool_, count=len(stems))
        return PackedPage(
            url=page.url,
            language=page.language,
            last_modified=page.last_modified,
            digest=page.digest,
            length=len(numbers),
            words=tuple(compress(words, stems)),
            stems=tuple(filter(None, stems)),
            counts=counts[kept].astype(np.uint32).tobytes(),
            positions=order[np.repeat(kept, counts)].astype(np.uint32).tobytes(),
            stop_words=tuple(compress(words, map(not_, stems))),
            cut=cut,
        )

    def _numbered(self, portions: Iterable[list[str]]) -> tuple[NDArray[np.int64], bool]:
        """A number for each word, and whether there were too many; a portion is forgotten before the next is split."""
        self._known.forget()
        found, size = [np.zeros(0, dtype=np.int64)], 0
        for portion in portions:
            found.append(np.array(self._known.of(portion), dtype=np.int64))
            size += len(portion)
            if size > MOST_WORDS:
                break
        return np.concatenate(found)[:MOST_WORDS], size > MOST_WORDS


class _Numbers(dict[str, int]):
    """A number for each word, to group equal ones quickly; they mean nothing outside."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []  # by number

    def of(self, words: list[str]) -> list[int]:
        return list(map(self.__getitem__, words))

    def forget(self) -> None:
        """Begin anew when too many are known; never within a page."""
        if len(self) > _MOST_KNOWN:
            self.clear()
            self.words = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self.words)
        self.words.append(word)
        return number
