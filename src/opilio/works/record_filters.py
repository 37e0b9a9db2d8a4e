"""What somebody looks for among the records of a harvest, read from words that people give."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from opilio.crawl.outcomes import Outcome
from opilio.kernel.errors import InvalidInput

LONGEST = 2_000  # characters of a text that is looked for
_STATUS = re.compile(r"([1-9])xx|([1-9]\d\d)", re.ASCII)
_CURSOR = re.compile(r"-?\d{1,19}(\.-?\d{1,19}){0,3}", re.ASCII)
_WHOLE = (1 << 63) - 1
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


class BadFilter(InvalidInput):
    """What is looked for among the records of a harvest cannot be understood."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What is looked for; empty fields admit everything."""

    text: str = ""  # part of the URL, whatever its case
    status: tuple[int, int] | None = None  # the first and the last that are wanted
    outcome: str = ""
    type: str = ""
    host: str = ""

    @property
    def needle(self) -> str:
        """The text as it stands in canonical URLs, in small letters."""
        return quote(self.text, safe=_ASCII, errors="replace").lower()

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Wanted()


def wanted(*, text: str = "", status: str = "", outcome: str = "", type_: str = "", host: str = "") -> Wanted:
    """The filter that the words mean; `BadFilter` where they mean nothing."""
    given = {"text": text, "type": type_, "host": host}
    for name, value in given.items():
        if len(value) > LONGEST:
            raise BadFilter(f"the filter is longer than {LONGEST:,} characters", where=name, remedy="Give less of it.")
    return Wanted(
        text=text.strip(), status=_status(status.strip().lower()), outcome=_outcome(outcome.strip()),
        type=type_.strip().lower(), host=host.strip().lower(),
    )  # fmt: skip


def cursor(text: str, length: int) -> tuple[int, ...] | None:
    """Where a list goes on, as a page before told it; None: at its beginning."""
    if not text:
        return None
    if not _CURSOR.fullmatch(text) or text.count(".") != length - 1:
        raise _bad_cursor()
    numbers = tuple(int(number) for number in text.split("."))
    if any(abs(number) > _WHOLE for number in numbers):
        raise _bad_cursor()
    return numbers


def cursor_text(key: tuple[int, ...]) -> str:
    """The same for the next page."""
    return ".".join(str(number) for number in key)


def _bad_cursor() -> BadFilter:
    return BadFilter("nothing goes on from there", where="after", remedy="Begin again without it, or follow the link.")


def _status(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = _STATUS.fullmatch(text)
    if found is None:
        remedy = "Give a status such as 404, or a class such as 4xx."
        raise BadFilter(f"{text[:40]!r} is no status of an answer", where="status", remedy=remedy)
    if found[1]:
        return int(found[1]) * 100, int(found[1]) * 100 + 99
    return int(found[2]), int(found[2])


def _outcome(text: str) -> str:
    if text and text not in set(Outcome):
        remedy = f"Choose from {', '.join(Outcome)}."
        raise BadFilter(f"{text[:40]!r} is no outcome", where="outcome", remedy=remedy)
    return text
