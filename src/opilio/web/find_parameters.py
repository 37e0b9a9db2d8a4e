"""What somebody who searches asks for, read leniently from an address and written back into one."""

import re
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict

from opilio.search.request import Request, Sort

LONGEST: Final = 4_000  # characters of a query; it stands in every link of the page
LONGEST_URL: Final = 4_000  # characters of a page's URL
LONGEST_WORD: Final = 200
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]+")
_MOST: Final = 10**9


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """A search with all that its address says."""

    query: str = ""
    offset: int = 0
    limit: int = 10
    sort: Sort = Sort.RELEVANCE
    every: bool = False
    duplicates: bool = False  # whether near-duplicates stand for themselves
    working: bool = False  # whether the working index is asked
    notes: tuple[str, ...] = ()

    @property
    def request(self) -> Request:
        """As the index is asked."""
        return Request(
            query=self.query, offset=self.offset, limit=self.limit, sort=self.sort, every=self.every,
            collapse=not self.duplicates,
        )  # fmt: skip

    @property
    def parameters(self) -> dict[str, str]:
        """What an address must say, in its one order; what is usual is left out."""
        given = {
            "q": self.query, "sort": "" if self.sort is Sort.RELEVANCE else self.sort.value,
            "every": _flag(self.every), "duplicates": _flag(self.duplicates),
            "limit": "" if self.limit == 10 else str(self.limit), "from": str(self.offset or ""),
            "in": "working" if self.working else "",
        }  # fmt: skip
        return {name: value for name, value in given.items() if value}

    @property
    def others(self) -> list[tuple[str, str]]:
        """What the search form keeps when another query is typed."""
        return [(name, value) for name, value in self.parameters.items() if name not in ("q", "from")]

    def link(self, **changes: object) -> str:
        """The parameters of an address that asks the same with changes; a change goes back to the first hits."""
        return urlencode(replace(self, **{"offset": 0, **changes}).parameters, errors="replace")  # type: ignore[arg-type]  # fields by name


def read(given: QueryDict) -> Wanted:
    """What the address asks for; what makes no sense is passed over, and a note says so where it matters."""
    query, notes = plain(given.get("q", "")), []
    if len(query) > LONGEST:
        query = query[:LONGEST]
        notes.append(f"The query is too long; its first {LONGEST:,} characters were read.")
    sort = given.get("sort", "")
    if sort and sort not in tuple(Sort):
        notes.append("The hits can be sorted by relevance or by date; they are sorted by relevance.")
    return Wanted(
        query=query, offset=number(given.get("from"), 0), limit=number(given.get("limit"), 10) or 10,
        sort=Sort(sort) if sort in tuple(Sort) else Sort.RELEVANCE, every=given.get("every") == "1",
        duplicates=given.get("duplicates") == "1", working=given.get("in") == "working", notes=tuple(notes),
    )  # fmt: skip


def plain(text: str | None, most: int = LONGEST + 1) -> str:
    """A text without control characters, cut beyond all reason."""
    return _CONTROLS.sub(" ", (text or "")[: most * 4]).strip()[:most]


def number(text: str | None, default: int) -> int:
    """A number that is not negative; one with too many digits is the largest."""
    if text and _NUMBER.fullmatch(text):
        return int(text)
    return _MOST if text and text.isascii() and text.isdecimal() else default


def _flag(value: bool) -> str:
    return "1" if value else ""
