"""Regular expressions that people write: RE2, in linear time whatever they are, and without its log."""

import functools
from collections.abc import Iterable

import re2

from opilio.crawl.errors import BadPlan


def quiet() -> "re2.Options":
    """Options by which RE2 writes nothing on standard error."""
    options = re2.Options()
    options.log_errors = False
    return options


def check(patterns: Iterable[str], where: str) -> None:
    """`BadPlan` with RE2's own reason for the first that is no expression."""
    for pattern in patterns:
        reason = _reason(pattern)
        if reason:
            remedy = "Write it in RE2's syntax."
            raise BadPlan(f"{pattern[:80]!r} is no expression: {reason}", where=where, remedy=remedy)


@functools.lru_cache(maxsize=1_024)  # a million seeds may name the same
def _reason(pattern: str) -> str:
    try:
        re2.compile(pattern, quiet())
    except re2.error as error:
        told = error.args[0] if error.args else error
        return (told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told))[:200]
    except UnicodeEncodeError:
        return "it holds half a character"
    return ""
