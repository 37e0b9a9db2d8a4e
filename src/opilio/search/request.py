"""What is asked of an index, and the address under which the same can be asked again."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlencode

from opilio.search.query.profile import FULL, Profile

MOST_HITS: Final = 100  # on one page
FARTHEST: Final = 10_000  # hits that can be paged through


class Sort(StrEnum):
    """The order of the hits."""

    RELEVANCE = "relevance"
    DATE = "date"  # the newest first


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A query with the part of its hits that is wanted. Numbers out of range are brought into it, with a note."""

    query: str
    offset: int = 0
    limit: int = 10
    sort: Sort = Sort.RELEVANCE
    every: bool = False  # whether words side by side must all be found
    collapse: bool = True  # whether near-duplicates stand behind one hit
    facets: bool = True
    snippets: bool = True
    suggest: bool = True  # whether to say what may have been meant when little was found
    profile: Profile = FULL


@dataclass(frozen=True, kw_only=True, slots=True)
class Extent:
    """The part of the hits that is given."""

    offset: int
    limit: int
    notes: tuple[str, ...] = ()


def extent(request: Request) -> Extent:
    """The part that is wanted, brought into range."""
    limit = min(max(request.limit, 1), MOST_HITS)
    offset = min(max(request.offset, 0), FARTHEST - limit)
    notes = []
    if limit != request.limit:
        notes.append(f"A page shows 1 to {MOST_HITS} hits.")
    if offset != request.offset:
        notes.append(f"Only the first {FARTHEST:,} hits can be paged through; narrow the query to see others.")
    return Extent(offset=offset, limit=limit, notes=tuple(notes))


def permalink(request: Request, query: str) -> str:
    """The parameters of an address that always asks the same; `query` in its canonical form."""
    found = extent(request)
    values: dict[str, object] = {"q": query}
    if request.sort is not Sort.RELEVANCE:
        values["sort"] = request.sort.value
    if request.every:
        values["every"] = 1
    if not request.collapse:
        values["duplicates"] = 1
    if found.limit != 10:
        values["limit"] = found.limit
    if found.offset:
        values["from"] = found.offset
    return urlencode(values, errors="replace")
