"""Cells that no spreadsheet takes for a formula: an apostrophe is written before them, and taken away again."""

import re

_FORMULA = re.compile(r"[=+\-@\t\r\n]")
_GUARDED = re.compile(r"'+[=+\-@\t\r\n]")
_NEEDS_GUARD = re.compile(r"'*[=+\-@\t\r\n]")


def guarded(text: str) -> str:
    """The text as it is written; what looks guarded already gets one more apostrophe, so that none is lost."""
    return f"'{text}" if _NEEDS_GUARD.match(text) else text


def unguarded(text: str) -> str:
    """The text as it was before it was written."""
    return text[1:] if _GUARDED.match(text) else text


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet would run what stands in the cell."""
    return _FORMULA.match(text) is not None
