"""The words that pages hold, as written: which have a form, which are near another, how many pages have each."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from opilio.search.analysis.folding import folded
from opilio.search.query.edits import distances

_LONGEST: Final = 40  # characters of words whose neighbours are looked for
_TRIED: Final = 500  # words of which at most is asked whether the reader may know them


class Lexicon(Protocol):
    """Knows words. Answers hold only words that the reader may know, the best first."""

    def matching(self, pattern: str, most: int) -> list[str]:
        """Words of a form, with `*` and `?`; the most frequent first."""
        ...

    def near(self, word: str, distance: int, most: int) -> list[tuple[str, int]]:
        """Words that differ in at most so many letters, with their distance; the nearest, then most frequent, first."""
        ...


class Vocabulary:
    """Every word of an index with the number of its pages, whoever may see them. Never changes."""

    def __init__(self, counted: Iterable[tuple[str, int]]) -> None:
        ordered = sorted(counted, key=lambda each: (-each[1], each[0]))
        self.words = [word for word, _ in ordered]
        self.counts = dict(ordered)

    def matching(self, pattern: str) -> Iterator[str]:
        """Words of a form, the most frequent first."""
        expression = re.compile(f"^{_expression(pattern)}$", re.MULTILINE)
        return (found[0] for found in expression.finditer(self._text))

    def near(self, word: str, distance: int) -> list[tuple[str, int]]:
        """Words within a distance: a letter more, less or another, or two neighbours exchanged, count one each."""
        asked = word[: _LONGEST + 1]
        lengths, marks = self._shapes
        likely = np.abs(lengths - len(asked)) <= distance
        likely &= np.bitwise_count(marks ^ np.uint64(_mark(asked))) <= 2 * distance
        words = [self.words[place] for place in np.nonzero(likely)[0].tolist()]
        found = [(each, apart) for each, apart in zip(words, distances(asked, words), strict=True) if apart <= distance]
        return sorted(found, key=lambda each: each[1])

    @cached_property
    def _text(self) -> str:
        return "\n".join(self.words)

    @cached_property
    def _shapes(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """The length of each word, and which letters it has: one edit changes at most two of these bits."""
        lengths = np.fromiter(map(len, self.words), np.int64, len(self.words))
        return lengths, np.fromiter(map(_mark, self.words), np.uint64, len(self.words))


class KnownWords:
    """The words of a vocabulary that one reader may know."""

    def __init__(self, vocabulary: Callable[[], Vocabulary], visible: Callable[[str], bool]) -> None:
        self._vocabulary = vocabulary  # asked for when needed: it takes a moment to read
        self._visible = visible

    def matching(self, pattern: str, most: int) -> list[str]:
        """Words of a form; the most frequent first."""
        tried = itertools.islice(self._vocabulary().matching(pattern), _TRIED)
        return list(itertools.islice(filter(self._visible, tried), most))

    def near(self, word: str, distance: int, most: int) -> list[tuple[str, int]]:
        """Words that differ in at most so many letters; the nearest, then most frequent, first."""
        tried = self._vocabulary().near(word, distance)[:_TRIED]
        return list(itertools.islice((each for each in tried if self._visible(each[0])), most))


def _expression(pattern: str) -> str:
    """A form of words as a regular expression that never tries twice: each part is taken where it first fits."""
    parts = [""]
    for found in re.finditer(r"\\(.)|(\*)|(\?)|(.)", pattern, re.DOTALL):
        if found[2]:
            parts.append("")
        else:
            parts[-1] += "[^\n]" if found[3] else re.escape(folded(found[1] or found[4]))
    if len(parts) == 1:
        return parts[0]
    inner = "".join(f"(?>[^\n]*?{part})" for part in parts[1:-1])
    return f"{parts[0]}{inner}[^\n]*{parts[-1]}"


def _mark(word: str) -> int:
    mark = 0
    for letter in word:
        mark |= 1 << (ord(letter) * 0x9E3779B1 >> 7 & 63)
    return mark
