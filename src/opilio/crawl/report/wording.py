"""Texts that others chose (titles, URLs, reasons), made fit for a report: bounded, and with nothing hidden in them."""

import unicodedata

LONGEST = 500  # characters of a text in a report
#: Categories that show nothing, or change what stands beside them: controls, formats such as bidi marks, surrogates.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_KEPT = frozenset("\N{SOFT HYPHEN}\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")


def fit(text: str, longest: int = LONGEST) -> str:
    """The text on one line; what could not be seen is spelt as ⟨U+202E⟩, and what is too long is cut."""
    cut = text[:longest]
    if not (cut.isascii() and cut.isprintable()):
        cut = "".join(_seen(char) for char in cut)
    return f"{cut}…" if len(text) > longest else cut


def _seen(char: str) -> str:
    if char in "\t\n\r":
        return " "
    if unicodedata.category(char) in _HIDDEN and char not in _KEPT:
        return f"⟨U+{ord(char):04X}⟩"
    return char
