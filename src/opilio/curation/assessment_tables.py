"""The parts of an assessment as tables for spreadsheets: indicators, completeness, clusters, differential and more."""

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

from opilio.curation.models import Result
from opilio.curation.queries.assessments import document
from opilio.kernel.errors import Missing

_BOM = "\ufeff"  # spreadsheets take the file for UTF-8 only with it
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
Row = list[Any]


class NoSuchTable(Missing):
    """An assessment has no table of this name."""


def _indicators(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("indicators", ()):
        yield [one["code"], one["value"], one["reference"], one["tolerance"], one["lower"], one["upper"],
               one["advice"], one["reason"], " | ".join(one["evidence"])]  # fmt: skip


def _pages(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("sheet", {}).get("pages", ()):
        yield [one["url"], one["wanted"], one["captured"], one["share"], " ".join(one["missing"])]


def _patch(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("sheet", {}).get("patch", ()):
        yield [one["url"], one["page"], one["why"]]


def _clusters(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("sheet", {}).get("clusters", ()):
        yield [one["key"], one["label"], one["pages"], one["risk"], " ".join(one["examples"])]


def _look(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("sheet", {}).get("look", ()):
        yield [one["url"], one["title"], one["cluster"], one["risk"], one["why"]]


def _differential(found: dict[str, Any]) -> Iterator[Row]:
    difference = found.get("sheet", {}).get("differential") or {}
    for name in ("missing", "new"):
        for url in difference.get(name, {}).get("listed", ()):
            yield [name, url]
    for name in ("matching", "changed"):
        if name in difference:
            yield [f"{name} in all", difference[name]]


def _hosts(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("sheet", {}).get("hosts", ()):
        yield [one["host"], one["urls"], one["bytes"]]


def _checks(found: dict[str, Any]) -> Iterator[Row]:
    for one in found.get("sheet", {}).get("checks", {}).get("pages", ()):
        shares = [one.get(name) for name in ("picture", "live_picture", "live_text")]
        yield [one["url"], one["title"], one["failed"]["total"], " ".join(one["failed"]["listed"]), *shares,
               one["problem"]]  # fmt: skip


#: Name → its heading, and where its rows come from.
TABLES: dict[str, tuple[Row, Callable[[dict[str, Any]], Iterator[Row]]]] = {
    "indicators": (["indicator", "measured", "reference", "tolerance", "lower", "upper", "advice", "why", "evidence"],
                   _indicators),
    "completeness": (["page", "embedded", "here", "share", "missing"], _pages),
    "patch": (["url", "page", "why"], _patch),
    "clusters": (["key", "shape", "pages", "highest risk", "examples"], _clusters),
    "sample": (["url", "title", "cluster", "risk", "why"], _look),
    "checks": (["page", "title", "failed requests", "which", "differs from the reference", "differs from the live page",
                "text like the live page", "trouble"], _checks),
    "differential": (["what", "url"], _differential),
    "hosts": (["host", "urls", "bytes"], _hosts),
}  # fmt: skip


def as_csv(row: Result, name: str) -> Iterator[str]:
    """One table of a result's assessment; no cell is taken for a formula."""
    if name not in TABLES:
        raise NoSuchTable(
            f"there is no table {name[:64]!r} of an assessment", where="assessment",
            remedy=f"There are {', '.join(TABLES)}.",
        )  # fmt: skip
    heading, rows = TABLES[name]
    return _written(heading, rows(document(row)))


def _written(heading: Row, rows: Iterator[Row]) -> Iterator[str]:
    yield _BOM + _line(heading)
    for row in rows:
        yield _line([_harmless(cell) for cell in row])


def _line(cells: Row) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\r\n").writerow(cells)
    return sheet.getvalue()


def _harmless(cell: Any) -> Any:
    if cell is None:
        return ""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
