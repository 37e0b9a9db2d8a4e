"""Filters of a question to the CDX server: `[!][=|~]field:value`, contained, equal or matched from the beginning."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import re2

from opilio.kernel.errors import InvalidInput

#: Other names by which programs ask for fields.
NAMES = {
    "original": "url", "statuscode": "status", "mimetype": "mime", "u": "url", "m": "mime", "d": "digest",
    "t": "timestamp", "k": "urlkey", "l": "length", "o": "offset", "f": "filename",
}  # fmt: skip
_LONGEST = 1_000  # characters of an expression
_MEMORY = 8 << 20  # bytes that an expression may take when it is compiled


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on a field of a line; without a field, on the whole line."""

    field: str
    holds: Callable[[str], bool]

    def passes(self, fields: Mapping[str, str], line: str) -> bool:
        """Whether a line stays."""
        return self.holds(fields.get(self.field, "") if self.field else line)


def parse_filter(text: str) -> Filter:
    """A filter from a parameter; `InvalidInput` when its expression is none."""
    if len(text) > _LONGEST:
        raise _bad(f"a filter has more than {_LONGEST} characters", "Ask for less at once.")
    wanted = not text.startswith("!")
    rest = text.removeprefix("!")
    kind = rest[:1] if rest[:1] in ("=", "~") else ""
    name, colon, value = rest.removeprefix(kind).partition(":")
    if not colon:
        name, value = "", name
    check = _check(kind, value)
    return Filter(NAMES.get(name, name), check if wanted else lambda found: not check(found))


def _check(kind: str, value: str) -> Callable[[str], bool]:
    if kind == "=":
        return lambda found: found == value
    if kind == "~":
        return _expression(value)
    return lambda found: value in found


def _expression(value: str) -> Callable[[str], bool]:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(value, options=options)
    except re2.error as error:
        shown = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
        raise _bad(f"{value[:80]!r} is no regular expression: {shown}", "RE2 is the dialect.") from None
    return lambda found: compiled.match(_encodable(found)) is not None


def _encodable(text: str) -> str:
    """Text without the halves of characters that JSON can hold and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _bad(what: str, remedy: str) -> InvalidInput:
    return InvalidInput(what, where="filter", remedy=remedy)
