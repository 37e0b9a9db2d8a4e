"""An ASCII text with the same words, for the many texts in which only signs (quotation marks, dashes, arrows) are not.

Splitting ASCII into words is several times quicker. Texts with other letters, digits or marks have no such form.
"""

import codecs
import unicodedata
from functools import lru_cache
from typing import Final

_ERRORS: Final = "opilio-signs-to-ascii"
_DOT: Final = "\u00b7"  # part of a word between two l, as in Catalan
_APOSTROPHES: Final = "\u2018\u2019\u02b9\u02bc"
_NOTHING: Final = "\u00ad\u200c\u200d\u2060\ufeff"
_BLANK: Final = "\u2120\u2122\u200b"  # SM, TM and the blank without width part words


def ascii_form(text: str) -> str | None:
    """The form; None when there is none."""
    if text.isascii():
        return text
    try:
        return text.encode("ascii", _ERRORS).decode("ascii")
    except UnicodeEncodeError:
        return None


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What stands for a run of signs."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = "".join(_sign(sign) or "\0" for sign in error.object[error.start : error.end])
    if "\0" in found:
        kept = [_kept(error.object, place) for place in range(error.start, error.end)]
        if None in kept:
            raise error
        found = "".join(each or "" for each in kept)
    return found, error.end


def _kept(text: str, place: int) -> str | None:
    """What stands for one sign; None for what is no sign."""
    sign = text[place]
    if sign in _NOTHING:
        return ""
    if sign == _DOT:
        around = text[place - 1 : place].lower() + text[place + 1 : place + 2].lower()
        return None if around == "ll" else " "
    return _sign(sign) or None


@lru_cache(maxsize=8_192)
def _sign(sign: str) -> str:
    """What stands for a sign wherever it is; empty when that depends, or when it is no sign."""
    if sign in _APOSTROPHES:
        return "'"
    if sign in _BLANK:
        return " "
    form = unicodedata.normalize("NFKC", sign).casefold()
    if sign in _NOTHING or _DOT in form or any(unicodedata.category(each)[0] in "LNMC" for each in form):
        return ""
    return form if form.isascii() else " "


codecs.register_error(_ERRORS, _replaced)
