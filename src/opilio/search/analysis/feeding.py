"""The quick way to what the index is fed: by a small C extension, which splits texts and keeps the terms of words.

It knows letters and digits of ASCII, and signs; words of texts with other letters it asks `splitting` for.

The extension is built at installation where there is a C compiler (`tools/native.py`). Without it, and where it gives
up, Python does the same with the words as `splitting` finds them. Both give the same.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final, Protocol

from opilio.search.analysis import splitting
from opilio.search.analysis.signs import form

_MODULE: Final = "opilio.search.analysis._feeding"

Fed = tuple[list[str], str]


class Feeding(Protocol):
    """The terms of one language as the extension keeps them."""

    def feed(self, texts: tuple[str, ...]) -> Fed | None:
        """What the index is fed for each text, and the different words of all; None: it gave up."""


_Term = Callable[[str], str]
_Make = Callable[[_Term, Callable[[str], str | None], Callable[[str], list[str]], int], Feeding]


def _loaded() -> _Make | None:
    if find_spec(_MODULE) is None:
        return None
    made: _Make = import_module(_MODULE).Feeding
    return made


_MAKE: Final = _loaded()


def available() -> bool:
    """Whether the extension was built."""
    return _MAKE is not None


def feeding(fed: _Term, most: int) -> Feeding | None:
    """A table of terms that asks `fed` for each word once and holds so many, about; None without the extension."""
    return None if _MAKE is None else _MAKE(fed, form, splitting.words, most)


def fed_by_python(fed: _Term, texts: Sequence[str]) -> Fed:
    """The reference."""
    seen: dict[str, None] = {}
    found: list[str] = []
    for text in texts:
        words = splitting.words(text)
        found.append(" ".join(map(fed, words)))
        seen.update(dict.fromkeys(words))
    return found, " ".join(seen)
