"""Where words begin and end, in any language.

A word is a run of letters, digits and their marks. Hyphens, dots and underscores part words (`e-mail` is two words; ask
for such a thing as a phrase). An apostrophe belongs to the word in `don't`, in `dog's` and between Cyrillic letters; it
parts words elsewhere (`l'eau` is `l`, `eau`). Scripts without blanks between words (Chinese, Japanese, Thai, …; Korean
too) give overlapping pairs of characters. A run of more than 200 characters is split every 200.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from opilio.search.analysis.alphabet import ASCII_WORD, LONGEST, alphabet, blanked_ascii
from opilio.search.analysis.folding import folded, folded_size, joins
from opilio.search.analysis.signs import plain

PORTION = 1_000_000  # characters that are split at a time, about


class Word(NamedTuple):
    """One word of a text."""

    text: str  # folded, as the lexicon holds it
    start: int  # characters in the text as it was given
    end: int


def words(text: str) -> list[str]:
    """Every word of a text, folded, in order."""
    text = plain(text)
    if text.isascii():
        return _of_ascii(text)
    blanked = _blanked(text)
    found = [] if blanked is None else blanked.split()
    return _matched(folded(text)) if blanked is None or _endless(blanked, found) else found


def portions(text: str) -> Iterator[list[str]]:
    """The same words in lists, one for each million characters or so: a huge text needs little memory at a time."""
    start = 0
    while start < len(text):
        end = start + PORTION
        ends = [place for sign in "\n " if (place := text.find(sign, end)) >= 0]
        end = min(ends, default=len(text))
        yield words(text[start:end] if start or end < len(text) else text)
        start = end


def spans(text: str) -> list[Word]:
    """The same words with their places in the text."""
    if text.isascii():
        return [Word(found[0], *found.span()) for found in ASCII_WORD.finditer(text.lower())]
    whole = folded(text)
    if len(whole) == len(text) and all(folded_size(letter) == 1 for letter in set(text)):
        return [Word(word, start, end) for word, start, end in _placed(whole)]
    return [word for chunk in _CHUNK.finditer(text) for word in _spans_of_chunk(chunk[0], chunk.start())]


def _of_ascii(text: str) -> list[str]:
    text = text.lower()
    blanked = blanked_ascii(text)
    found = blanked.split()
    return ASCII_WORD.findall(text) if _endless(blanked, found) else found


def _blanked(text: str) -> str | None:
    """A text with blanks for all that is no part of a word, line by line: most lines of most texts are ASCII."""
    lines = text.split("\n")
    other = alphabet().blanked(folded("\n".join([line for line in lines if not line.isascii()])))
    if other is None:
        return None
    others = iter(other.split("\n"))
    plains = iter(blanked_ascii("\n".join([line for line in lines if line.isascii()]).lower()).split("\n"))
    return "\n".join([next(plains if line.isascii() else others) for line in lines])


def _endless(blanked: str, found: list[str]) -> bool:
    """Whether there is a word that is too long; one fills at least a whole stretch, which then holds no blank."""
    stretch = LONGEST // 2
    if all(blanked.find(" ", at, at + stretch) >= 0 for at in range(0, len(blanked), stretch)):
        return False
    return max(map(len, found), default=0) > LONGEST


def _matched(text: str) -> list[str]:
    """The words of a folded text by the expression, which knows all cases."""
    every = alphabet()
    found: list[str] = every.word.findall(text)
    return [part for run in found for part in (_pairs(run) if every.paired.match(run) else (run,))]


def _pairs(run: str) -> Iterable[str]:
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def _placed(text: str) -> Iterator[tuple[str, int, int]]:
    """The words of a folded text with their places in it."""
    every = alphabet()
    for found in every.word.finditer(text):
        run, start = found[0], found.start()
        if not every.paired.match(run):
            yield run, start, found.end()
            continue
        for at, pair in enumerate(_pairs(run)):
            yield pair, start + at, start + at + len(pair)


def _spans_of_chunk(chunk: str, offset: int) -> Iterator[Word]:
    """The words of a piece without blanks, whose letters may change in number when folded."""
    text = folded(chunk)
    starts, ends = _origins(chunk)
    exact = len(starts) == len(text)
    for word, start, end in _placed(text):
        if exact:
            yield Word(word, offset + starts[start], offset + ends[end - 1])
        else:
            yield Word(word, offset, offset + len(chunk))


def _origins(chunk: str) -> tuple[list[int], list[int]]:
    """For each folded letter, where the letter with its marks that it comes from begins and ends."""
    starts: list[int] = []
    ends: list[int] = []
    start = 0
    for at in range(1, len(chunk) + 1):
        if at == len(chunk) or not joins(chunk[at]):
            size = folded_size(chunk[start:at])
            starts += [start] * size
            ends += [at] * size
            start = at
    return starts, ends


_CHUNK = re.compile(r"[^ \t\n\r\f\v]+")
