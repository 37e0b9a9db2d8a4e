"""Makes a report for somebody: checks that they may, and writes it as CSV, as an HTML file, or as values."""

import csv
import datetime
import html
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from opilio.curation.reports.all_reports import named
from opilio.curation.reports.chart import drawn
from opilio.curation.reports.declared import Asked, Bar, Cells, Declared
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.privileges import Privilege

_BOM = "\ufeff"  # spreadsheets take the file for UTF-8 only with it
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_PIECE = 1_000  # rows
_STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1b1f24;background:#fff}"
    "table{border-collapse:collapse}th,td{border:1px solid #c8ced6;padding:.25rem .5rem;text-align:left;"
    "vertical-align:top}.numeric{text-align:right}svg{max-width:100%;height:auto}rect{fill:#2f6f4f}"
    "@media(prefers-color-scheme:dark){body{color:#e6e9ed;background:#15181c}th,td{border-color:#3a424c}"
    "rect{fill:#7fc7a0}text{fill:#e6e9ed}}"
)


@dataclass(frozen=True, kw_only=True)
class Made:
    """A report with its parameters, for somebody who may read it."""

    report: Declared
    asked: Asked
    actor: Actor
    zone: datetime.tzinfo

    def rows(self, most: int | None = None) -> Iterator[Cells]:
        """The rows, read while they are asked for."""
        return self.report.rows(self.actor, self.asked, most)

    def bars(self) -> tuple[Bar, ...]:
        """The picture's bars; none where there is nothing to draw."""
        return tuple(self.report.bars(self.actor, self.asked)) if self.report.bars else ()


def make(actor: Actor, name: str, asked: Asked, zone: datetime.tzinfo) -> Made:
    """The report, if the asker may have it."""
    report = named(name)
    if not actor.holds(Privilege.SYSTEM_REPORT_LEVEL_1):
        raise NotAllowed(
            f"{actor.username} may not read reports", where=f"reports/{report.name}",
            remedy=f"It needs the privilege {Privilege.SYSTEM_REPORT_LEVEL_1}; ask an administrator.",
        )  # fmt: skip
    return Made(report=report, asked=asked, actor=actor, zone=zone)


def text_of(value: Any, zone: datetime.tzinfo) -> str:
    """A cell as people read it in a file: times in their zone."""
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return value.astimezone(zone).isoformat(sep=" ", timespec="seconds")
    return str(value)


def as_csv(made: Made) -> Iterator[str]:
    """The report as a table for spreadsheets, in pieces; no cell is taken for a formula."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n")
    sheet.write(_BOM)
    writer.writerow([column.label for column in made.report.columns])
    for number, row in enumerate(made.rows(), start=1):
        writer.writerow([_harmless(cell, made.zone) for cell in row])
        if number % _PIECE == 0:
            yield _taken(sheet)
    yield _taken(sheet)


def as_html(made: Made) -> Iterator[str]:
    """The report as one file that any browser opens, in pieces."""
    title = html.escape(made.report.label)
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    yield f"</head><body><h1>{title}</h1><p>{html.escape(made.report.sentence)} {html.escape(_told(made))}</p>"
    yield drawn(made.bars(), measure=made.report.measure)
    heads = "".join(f'<th scope="col"{_numeric(column)}>{html.escape(column.label)}</th>' for column in _columns(made))
    yield f"<table><thead><tr>{heads}</tr></thead><tbody>\n"
    lines: list[str] = []
    for row in made.rows():
        cells = zip(_columns(made), row, strict=True)
        lines.append("".join(f"<td{_numeric(one)}>{html.escape(text_of(cell, made.zone))}</td>" for one, cell in cells))
        if len(lines) == _PIECE:
            yield "".join(f"<tr>{line}</tr>\n" for line in lines)
            lines.clear()
    yield "".join(f"<tr>{line}</tr>\n" for line in lines) + "</tbody></table></body></html>\n"


def as_values(made: Made, most: int) -> dict[str, Any]:
    """The report for programs: at most so many rows, and whether there are more."""
    rows = list(made.rows(most + 1))
    names = [column.name for column in made.report.columns]
    return {
        "name": made.report.name,
        "label": made.report.label,
        "columns": names,
        "rows": [dict(zip(names, (_plain(cell) for cell in row), strict=True)) for row in rows[:most]],
        "more": len(rows) > most,
        "bars": [{"label": bar.label, "value": bar.value} for bar in made.bars()],
    }


def _plain(cell: Any) -> Any:
    if isinstance(cell, datetime.datetime):
        return cell.astimezone(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return str(cell) if isinstance(cell, int) and not isinstance(cell, bool) and cell >= 2**31 else cell


def _columns(made: Made) -> Any:
    return made.report.columns


def _numeric(column: Any) -> str:
    return ' class="numeric"' if column.numeric else ""


def _told(made: Made) -> str:
    if "since" not in made.report.parameters:
        return ""
    since, until = made.asked.since.astimezone(made.zone), made.asked.until.astimezone(made.zone)
    form = "%Y-%m-%d %H:%M:%S" if made.report.to_the_second else "%Y-%m-%d"
    return f"From {since:{form}} to {until - datetime.timedelta(seconds=1):{form}}."


def _harmless(cell: Any, zone: datetime.tzinfo) -> str:
    text = text_of(cell, zone)
    return f"'{text}" if isinstance(cell, str) and text.startswith(_FORMULA) else text


def _taken(sheet: io.StringIO) -> str:
    text = sheet.getvalue()
    sheet.seek(0)
    sheet.truncate()
    return text
