"""The piece of a page that shows best why it was found, with the words that were asked marked in it.

Where to look is guessed by the first letters of the terms, which costs next to nothing; what is marked is decided by
the analyzer, the same as everywhere.
"""

import heapq
import html
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from opilio.search.analysis.analyzer import Analyzer, Word

SIZE: Final = 220  # characters of a snippet, about
_BEFORE: Final = 40  # characters before the first mark, at most
_FAR: Final = 500_000  # characters of a page in which the place is looked for
_PLACES: Final = 100  # of each term that are weighed
_TRIED: Final = 3  # places that are analysed
_READ: Final = 8_000  # characters that are analysed where no guess is possible


@dataclass(frozen=True, kw_only=True, slots=True)
class Snippet:
    """A text with marked places."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()  # start and end, in characters of `text`, in order

    @property
    def html(self) -> str:
        """The text as HTML, marks as `<mark>`."""
        parts, place = [], 0
        for start, end in self.marks:
            parts += [html.escape(self.text[place:start]), "<mark>", html.escape(self.text[start:end]), "</mark>"]
            place = end
        return "".join([*parts, html.escape(self.text[place:])])


@dataclass(frozen=True, kw_only=True, slots=True)
class Marker:
    """Finds the words of a page that have one of the terms asked."""

    analyzer: Analyzer
    terms: frozenset[str]
    language: str

    def marked(self, text: str) -> Snippet:
        """The whole text, such as a title, with its marks."""
        return Snippet(text=text, marks=_joined((each.start, each.end) for each, _ in self.found(text)))

    def snippet(self, text: str, size: int = SIZE) -> Snippet:
        """The best piece of a long text: that with most of the terms asked, the earliest of equals."""
        starts = _windows(_guessed(text, self.terms), size) or self._read(text)
        tried = [self._piece(text, start, size) for start in starts or [0]]
        return max(tried, key=lambda each: each[0])[1]

    def found(self, text: str) -> list[tuple[Word, str]]:
        """The words with a term that was asked, and that term."""
        if not self.terms:
            return []
        spans = self.analyzer.spans(text)
        terms = self.analyzer.terms([span.text for span in spans], self.language)
        return [(span, term) for span, term in zip(spans, terms, strict=True) if term in self.terms]

    def _read(self, text: str) -> list[int]:
        """Where the first mark is, by reading the beginning: accents and other scripts cannot be guessed."""
        found = self.found(text[:_READ]) if self.terms else []
        return [found[0][0].start] if found else []

    def _piece(self, text: str, place: int, size: int) -> tuple[tuple[int, int], Snippet]:
        """The piece around a place, and how good it is."""
        start = 0 if place <= _BEFORE else _after_blank(text, place - _BEFORE, place)
        piece = text[start : start + size]
        if start + size < len(text):
            piece = piece[: max(piece.rfind(" "), piece.rfind("\n"), size // 2)]
        flat = " ".join(piece.split())
        before, after = "… " if start else "", " …" if start + len(piece) < len(text) else ""
        found = self.found(flat)
        marks = _joined((each.start + len(before), each.end + len(before)) for each, _ in found)
        return (len({term for _, term in found}), len(found)), Snippet(text=f"{before}{flat}{after}", marks=marks)


def _guessed(text: str, terms: Iterable[str]) -> list[tuple[int, str]]:
    """Places where words with the terms seem to begin."""
    lower = text[:_FAR].lower()
    guesses = {term: term if len(term) < 4 else term[: max(3, len(term) - 2)] for term in terms}
    return sorted(
        (start, term) for term, begun in guesses.items() for start in itertools.islice(_places(lower, begun), _PLACES)
    )


def _places(text: str, begun: str) -> Iterator[int]:
    """Where a word of the text begins so."""
    start = text.find(begun)
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            yield start
        start = text.find(begun, start + 1)


def _windows(places: Sequence[tuple[int, str]], size: int) -> list[int]:
    """Where the pieces begin that hold most of the terms, the best first."""
    width = size - _BEFORE
    counts: dict[str, int] = {}
    scored: list[tuple[int, int, int]] = []
    first = distinct = 0
    for last, (start, term) in enumerate(places):
        held = counts.get(term, 0)
        counts[term] = held + 1
        distinct += not held
        while start + len(term) - places[first][0] > width and first < last:
            left = places[first][1]
            counts[left] -= 1
            distinct -= not counts[left]
            first += 1
        scored.append((-distinct, first - last, places[first][0]))
    return [start for _, _, start in heapq.nsmallest(_TRIED, scored)]


def _after_blank(text: str, start: int, before: int) -> int:
    """The first place after a blank, so that no word is cut."""
    places = [place for blank in "\n " if (place := text.find(blank, start, before)) >= 0]
    return min(places) + 1 if places else start


def _joined(marks: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Marks that overlap or touch (pairs of characters do) as one."""
    found: list[tuple[int, int]] = []
    for start, end in marks:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)
