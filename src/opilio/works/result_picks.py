"""Which resources of a result are meant: one URL, a folder of a host, or all for which a filter holds; as JSON too.

What is meant is said by URLs and their parts, never by numbers, so that it can be meant of a later harvest again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

import re2

from opilio.crawl.expressions import quiet
from opilio.kernel.errors import InvalidInput
from opilio.works.record_filters import LONGEST, BadFilter, Wanted, wanted

MOST_PICKS = 20_000
_LONGEST_URL = 32_000  # characters


class Way(StrEnum):
    """How a text is looked for in URLs."""

    TEXT = "text"  # anywhere, whatever its case
    WILDCARD = "wildcard"  # * and ? stand for signs, from the beginning to the end
    REGEX = "regex"  # RE2, anywhere


@dataclass(frozen=True, kw_only=True, slots=True)
class Pick:
    """Resources for which everything holds that is given; empty fields admit everything."""

    url: str = ""  # this one only
    host: str = ""  # with the port where it is unusual
    path: str = ""  # of a folder of the host, with its last slash
    text: str = ""  # looked for in URLs
    way: str = Way.TEXT
    status: str = ""  # 404, 4xx
    outcome: str = ""
    type: str = ""

    def __post_init__(self) -> None:
        for name in ("url", "host", "path"):
            if len(getattr(self, name)) > _LONGEST_URL:
                raise BadFilter("a URL is too long", where=name, remedy="Give less of it.")
        if self.way not in set(Way):
            raise BadFilter(
                f"{self.way[:40]!r} is no way to look", where="way", remedy=f"Choose from {', '.join(Way)}."
            )
        if self.path and not self.host:
            raise BadFilter("a folder needs its host", where="path", remedy="Give the host, too.")
        self.wanted()
        self.expression()

    @property
    def everything(self) -> bool:
        """Whether it leaves nothing out."""
        return self == Pick(way=self.way)

    @property
    def filtered(self) -> bool:
        """Whether more than a place is given."""
        return any((self.text, self.status, self.outcome, self.type))

    def wanted(self) -> Wanted:
        """The words that are the same for the records of a harvest, understood."""
        return wanted(
            text=self.text, status=self.status, outcome=self.outcome, type_=self.type, host=self.host[:LONGEST]
        )

    def expression(self) -> str:
        """The RE2 expression that URLs must match; empty: none."""
        if not self.text or self.way == Way.TEXT:
            return ""
        pattern = _of_wildcards(self.text) if self.way == Way.WILDCARD else self.text
        try:
            re2.compile(pattern, quiet())
        except (re2.error, UnicodeEncodeError):
            remedy = "Write it as RE2 reads it: no look-ahead, no back-references."
            raise BadFilter("the expression cannot be used", where=self.text[:80], remedy=remedy) from None
        return pattern

    def document(self) -> dict[str, str]:
        """As JSON keeps it: what is given."""
        given = {name: str(value) for name, value in asdict(self).items() if value}
        return given if self.text else {name: value for name, value in given.items() if name != "way"}

    def __str__(self) -> str:
        if self.url:
            return f"URL {self.url}"
        place = f"{self.host}{self.path}" if self.host else "everything"
        told = [f"{name} {value}" for name in ("status", "outcome", "type") if (value := getattr(self, name))]
        told += [f"{self.way} {self.text}"] if self.text else []
        return f"{place} with {', '.join(told)}" if told else place


def pick_of(document: Mapping[str, Any]) -> Pick:
    """A pick again, as JSON kept it; `BadFilter` where it is none."""
    known = {field.name for field in fields(Pick)}
    wrong = [name for name, value in document.items() if name not in known or not isinstance(value, str)]
    if wrong:
        raise BadFilter(f"{wrong[0][:40]!r} does not say what is meant", where="picks", remedy=f"Use {sorted(known)}.")
    return Pick(**document)


def picks_of(documents: Sequence[Any]) -> tuple[Pick, ...]:
    """Several; `InvalidInput` where there are too many, or one is none."""
    if len(documents) > MOST_PICKS:
        remedy = "Choose folders or a filter in place of so many."
        raise InvalidInput(f"more than {MOST_PICKS:,} things are chosen", remedy=remedy)
    wrong = next((each for each in documents if not isinstance(each, Mapping)), None)
    if wrong is not None:
        raise BadFilter(f"{str(wrong)[:40]!r} does not say what is meant", where="picks", remedy="Give objects.")
    return tuple(dict.fromkeys(map(pick_of, documents)))


def _of_wildcards(text: str) -> str:
    signs = {"*": ".*", "?": "."}
    return f"(?i)^{''.join(signs.get(sign) or re2.escape(sign) for sign in text)}$"
