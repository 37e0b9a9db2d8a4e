"""How a list is looked at: filters, order, page and columns, read from the address and written back to it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.http import urlencode

_MOST_PAGES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ListState:
    """What the address asks for; unknown names in it were dropped."""

    values: Mapping[str, str]  # filter → value, only those that are set
    sort: str = ""  # name of a column; empty: the list's own order
    descending: bool = False
    page: int = 1
    columns: tuple[str, ...] = ()  # empty: the list's own choice

    def query(self, **changes: Any) -> str:
        """The query string for the same look with some changes, without what need not be said."""
        changed = replace(self, **changes)
        pairs = [(name, value) for name, value in changed.values.items() if value]
        if changed.sort:
            pairs.append(("sort", f"-{changed.sort}" if changed.descending else changed.sort))
        pairs += [("col", name) for name in changed.columns]
        if changed.page > 1:
            pairs.append(("page", str(changed.page)))
        return urlencode(pairs)

    @property
    def kept(self) -> str:
        """The query string that a saved view keeps: all but the page."""
        return self.query(page=1)


def parse(
    query: QueryDict, *, filters: tuple[str, ...], columns: tuple[str, ...], sortable: tuple[str, ...]
) -> ListState:
    """Read an address, whatever stands in it."""
    wanted = query.get("sort", "")
    sort = wanted.removeprefix("-")
    chosen = query.getlist("col")
    return ListState(
        values={name: text for name in filters if (text := _clean(query.get(name, "")))},
        sort=sort if sort in sortable else "",
        descending=wanted.startswith("-") and sort in sortable,
        page=_page(query.get("page", "")),
        columns=tuple(name for name in columns if name in chosen),
    )


def _clean(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()


def _page(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        return 1
    return max(1, min(int(text), _MOST_PAGES))
