"""Cells of a report on a harvest as its page shows them: URLs lead to their story, numbers are grouped."""

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from opilio.web.find_words import size
from opilio.works.crawl_report_tables import milliseconds
from opilio.works.harvest_reports.declared import Cell, Cells, Column, Form

_WORDS: dict[Form, Callable[[Any], str]] = {
    Form.NUMBER: lambda cell: f"{cell:,}",
    Form.BYTES: size,
    Form.MILLISECONDS: milliseconds,
    Form.SHARE: lambda cell: f"{cell:.1%}",
}


@dataclass(frozen=True, kw_only=True)
class Link:
    """A URL, and where its story is told; empty where it was cut."""

    text: str
    path: str


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One cell."""

    numeric: bool = False
    words: str = ""
    links: tuple[Link, ...] = ()
    at: datetime.datetime | None = None


def shown_rows(base: str, columns: tuple[Column, ...], rows: Iterable[Cells]) -> list[list[Shown]]:
    """The rows of a report on the harvest at `base`."""
    return [[_shown(base, column, cell) for column, cell in zip(columns, cells, strict=True)] for cells in rows]


def _shown(base: str, column: Column, cell: Cell) -> Shown:
    form = column.form
    if form in (Form.URL, Form.URLS):
        urls = cell if isinstance(cell, tuple) else (str(cell),) if cell else ()
        return Shown(links=tuple(_link(base, url) for url in urls))
    if form is Form.MOMENT and isinstance(cell, int | float):
        return Shown(at=datetime.datetime.fromtimestamp(cell, datetime.UTC))
    if cell is None or cell == "":
        return Shown(numeric=form.numeric, words="–")
    return Shown(numeric=form.numeric, words=_WORDS[form](cell) if form in _WORDS else str(cell))


def _link(base: str, url: str) -> Link:
    whole = url.startswith(("http://", "https://")) and not url.endswith("…") and "⟨U+" not in url
    return Link(text=url, path=f"{base}/story?{urlencode({'url': url})}" if whole else "")
