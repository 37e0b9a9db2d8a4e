"""Equal letters for equal words: case and compatibility forms (`folded`), then accents (`unaccented`).

`folded` is what the lexicon holds (Unicode's NFKC with case folding); accents fall only after stemming, because
stemmers need them.
"""

import unicodedata
from functools import lru_cache

_PARTED = "\N{TRADE MARK SIGN}\N{SERVICE MARK}\u200b"  # NFKC would glue the letters TM to the word; zero-width space
_APOSTROPHES = "\u2019\u2018\u02bc\u02b9"
_NOTHING = "\u00ad\u200c\u200d\u2060\ufeff"  # soft hyphen, zero-width joiners: no part of a word
_DOTTED_I = "i\u0307"  # what case folding makes of the Turkish capital I with a dot

#: Letters that have no decomposition, and what people type for them. Others lose their marks.
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t",
        "ŋ": "n", "ĸ": "k", "ſ": "s", "ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي",
        "ک": "ك", "ـ": None,
    }
)  # fmt: skip


def folded(text: str) -> str:
    """The text in one case and one form; folding it again changes nothing."""
    if text.isascii():
        return text.lower()
    for mark in _PARTED:
        text = text.replace(mark, " ")
    for mark in _NOTHING:
        text = text.replace(mark, "")
    text = unicodedata.normalize("NFKC", text).casefold().replace(_DOTTED_I, "i")
    for mark in _APOSTROPHES:
        text = text.replace(mark, "'")
    return unicodedata.normalize("NFKC", text)


def unaccented(word: str) -> str:
    """A folded word without accents (Latin, Greek), without vowel points (Arabic, Hebrew), never empty.

    Marks of other scripts are letters there and stay.
    """
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    kept, base = [], ""
    for letter in parts:
        if not unicodedata.combining(letter):
            base = letter
        elif _loses_marks(base):
            continue
        kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS) or word


def _loses_marks(base: str) -> bool:
    return base < "\u0400" or "\u0590" <= base <= "\u06ff" or "\u1e00" <= base <= "\u1fff"


@lru_cache(maxsize=65_536)
def folded_size(letters: str) -> int:
    """How many characters a few characters have when folded."""
    return len(folded(letters))


def joins(letter: str) -> bool:
    """Whether a character may melt into the one before it: marks, and the later jamo of a Hangul syllable."""
    return unicodedata.category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff"
