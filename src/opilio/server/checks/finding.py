"""What a check found."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from opilio.kernel.errors import OpilioError


class Level(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"  # works, but not as well or as safely as it should
    PROBLEM = "problem"  # something does not work


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One check and its result."""

    check: str
    level: Level
    words: str
    remedy: str = ""


Check = Callable[[], Finding]


def ok(check: str, words: str) -> Finding:
    """All is well."""
    return Finding(check=check, level=Level.OK, words=words)


def warning(check: str, words: str, remedy: str) -> Finding:
    """It works, but should not stay so."""
    return Finding(check=check, level=Level.WARNING, words=words, remedy=remedy)


def problem(check: str, words: str, remedy: str) -> Finding:
    """It does not work."""
    return Finding(check=check, level=Level.PROBLEM, words=words, remedy=remedy)


def examined(checks: Iterable[tuple[str, Check]]) -> Iterator[Finding]:
    """The findings; a check that cannot be made is a problem itself."""
    for name, check in checks:
        try:
            yield check()
        except OpilioError as error:
            place = f" ({error.where})" if error.where else ""
            yield problem(name, f"{error.what}{place}", error.remedy)
