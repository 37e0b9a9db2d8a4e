"""ASCII for the signs of a text (quotation marks, dashes, arrows), which on many pages are all that is not ASCII.

The words stay the same. Splitting ASCII into words is several times quicker.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import numpy as np

_DOT: Final = "\u00b7"  # part of a word between two l, as in Catalan
_INNER_DOT: Final = re.compile(f"l{_DOT}l", re.IGNORECASE)
_APOSTROPHES: Final = "\u2018\u2019\u02b9\u02bc"
_NOTHING: Final = "\u00ad\u200c\u200d\u2060\ufeff"
_BLANK: Final = "\u2120\u2122\u200b"  # SM, TM and the blank without width part words
_MANY: Final = 100  # different characters beyond ASCII: a script of its own, not signs
_SHORT: Final = 1_000  # characters of a text up to which a set is made sooner than an array


def plain(text: str) -> str:
    """The text with ASCII in place of every sign; other letters, digits and marks stay as they are."""
    if text.isascii():
        return text
    strange = _strange(text)
    if len(strange) > _MANY:
        return text
    for sign in strange:
        stands = form(sign)
        if stands is not None:
            text = text.replace(sign, stands)
    return _without_dots(text) if _DOT in text else text


def _strange(text: str) -> set[str]:
    """The different characters beyond ASCII."""
    if len(text) <= _SHORT:
        return {letter for letter in set(text) if letter > "\x7f"}
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return set(map(chr, np.unique(codes[codes > 127]).tolist()))


def _without_dots(text: str) -> str:
    """Without the dots that part words: those after a blank, and in ASCII all that are not between two l."""
    text = text.replace(f" {_DOT}", "  ")
    if _INNER_DOT.search(text):
        return text
    without = text.replace(_DOT, " ")
    return without if without.isascii() else text


@lru_cache(maxsize=8_192)
def form(sign: str) -> str | None:
    """What stands for a sign; None for what is no sign, and for the dot, which depends."""
    if sign in _NOTHING:
        return ""
    if sign in _APOSTROPHES:
        return "'"
    if sign in _BLANK:
        return " "
    found = unicodedata.normalize("NFKC", sign).casefold()
    if _DOT in found or any(unicodedata.category(each)[0] in "LNMC" for each in found):
        return None
    return found if found.isascii() else " "
