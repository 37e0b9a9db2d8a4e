"""Which characters make words, in two forms that agree: a regular expression, and a table that blanks out the rest.

The expression is the rule and gives places; the table is quick (a third of the time) and serves texts without the odd
cases, which it recognises: scripts in pairs, marks without a letter, endless words.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LONGEST = 200  # characters of a word

_ENDING = r"'(?:s|t|d|m|re|ve|ll)"
_CYRILLIC = "[\u0400-\u052f]"
_DOT = "\u00b7"  # of Catalan
_END = 10  # of a line
_PLANE = 0x10000
_BEYOND = ((_PLANE, 0x1CFFF), (0x1D400, 0x1D7FF), (0x1E000, 0x1EEFF))  # scripts beyond the first plane; no emoji
_PAIRED_BLOCKS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # marks of repetition
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)
_OTHER, _LETTER, _MARK, _PAIR = range(4)
_ASCII_TABLE = bytes(code if (chr(code).isalnum() and code < 128) or chr(code) in "'\n" else 32 for code in range(256))


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The words of all scripts."""

    word: re.Pattern[str]  # a word, or a run of characters that come in pairs
    paired: re.Pattern[str]  # a character of such a run
    loose: re.Pattern[str]  # an apostrophe that parts words
    classes: NDArray[np.uint8]  # per character

    def blanked(self, text: str) -> str | None:
        """A folded text with blanks for all that is no part of a word but ends of lines; None where only the expression
        knows."""
        if "'" in text or _DOT in text:
            text = self.loose.sub(" ", text)
        codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32).copy()
        kinds = self.classes[codes]
        if kinds.max() >= _MARK and ((kinds == _PAIR).any() or _bare_marks(kinds)):
            return None
        codes[(kinds == _OTHER) & (codes != _END)] = 32
        return codes.tobytes().decode("utf-32-le")


def blanked_ascii(text: str) -> str:
    """The same for a text in lower case that holds nothing but ASCII."""
    if "'" in text:
        text = _LOOSE_ASCII.sub(" ", text)
    return text.encode("ascii").translate(_ASCII_TABLE).decode("ascii")


@lru_cache(maxsize=1)
def alphabet() -> Alphabet:
    """All scripts; made when first needed, which takes 0.1 s.

    Beyond the first plane whole blocks are taken: the many ranges there would slow down every search.
    """
    classes = _classes()
    plane = classes[:_PLANE]
    beyond = "".join(_range(*block) for block in _BEYOND)
    first = f"[{_ranges(np.flatnonzero(plane == _LETTER).tolist())}{beyond}]"
    later = f"[{_ranges(np.flatnonzero((plane == _LETTER) | (plane == _MARK)).tolist())}{beyond}]"
    inner = f"(?<={_CYRILLIC})'(?={_CYRILLIC})|(?<=l){_DOT}(?=l)"
    run = f"{first}{later}{{0,{LONGEST - 1}}}(?:{_ENDING}(?!{later})|(?:{inner}){later}{{1,{LONGEST}}})*"
    pairs = f"[{''.join(_range(*block) for block in _PAIRED_BLOCKS)}]"
    loose = f"'(?!(?<={later}'){_ENDING[1:]}(?!{later}))(?!(?<={_CYRILLIC}'){_CYRILLIC})|{_DOT}(?!(?<=l{_DOT})l)"
    classes[[ord("'"), ord(_DOT)]] = _LETTER
    return Alphabet(re.compile(f"{run}|{pairs}+"), re.compile(pairs), re.compile(loose), classes)


def _classes() -> NDArray[np.uint8]:
    classes = np.zeros(0x110000, dtype=np.uint8)
    for code in range(_PLANE):
        kind = unicodedata.category(chr(code))[0]
        classes[code] = _MARK if kind == "M" else _LETTER if kind in "LN" else _OTHER
    for first, last in _BEYOND:
        classes[first : last + 1] = _LETTER
    for first, last in _PAIRED_BLOCKS:
        classes[first : last + 1] = _PAIR
    return classes


def _bare_marks(kinds: NDArray[np.uint8]) -> bool:
    """Whether a mark follows something that is neither letter nor mark."""
    marks = kinds == _MARK
    return bool(marks[0] or (marks[1:] & (kinds[:-1] == _OTHER)).any())


def _ranges(codes: Iterable[int]) -> str:
    """A set of characters in the form of regular expressions."""
    parts: list[str] = []
    start = last = -2
    for code in codes:
        if code != last + 1:
            parts.append(_range(start, last))
            start = code
        last = code
    return "".join([*parts, _range(start, last)])


def _range(start: int, last: int) -> str:
    return "" if start < 0 else f"{re.escape(chr(start))}-{re.escape(chr(last))}"


#: A word of a text in lower case that holds nothing but ASCII.
ASCII_WORD = re.compile(rf"[a-z0-9]{{1,{LONGEST}}}(?:{_ENDING}(?![a-z0-9]))*")
_LOOSE_ASCII = re.compile(rf"'(?!(?<=[a-z0-9]'){_ENDING[1:]}(?![a-z0-9]))")
