"""Draws the rows of a list as HTML.

Rows are the one part of a page of which there are hundreds: a template goes through its nodes again for each cell, and
that cost more than all the rest of a list. What stands around them is drawn by the templates in `web/lists`.
"""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.html import conditional_escape as escaped
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from opilio.web import zones
from opilio.web.icons import icon
from opilio.web.languages import translated, translated_state
from opilio.web.lists.cells import Badge, Button, Buttons, Cell, Date, Link, Moment, Number, Tags, Text

_SHORT, _LONG, _LONGER = 28, 60, 100  # characters from which the width of a column differs


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row as it is drawn."""

    id: int
    name: str
    cells: list[Cell]


@dataclass(frozen=True, kw_only=True)
class Reader:
    """For whom rows are drawn."""

    zone: datetime.tzinfo
    address: str  # of the list, to come back to
    token: str  # against forged forms
    picks: bool  # whether rows can be chosen


def drawn(lines: Iterable[Line], labels: Iterable[str], reader: Reader) -> SafeString:
    """All rows, one below the other; each cell says its column, for screens on which a row is a card."""
    told = [f' data-label="{escaped(translated(label))}"' for label in labels]
    return mark_safe("".join(_row(line, told, reader) for line in lines))  # noqa: S308 - each part is escaped below


def _row(line: Line, told: Sequence[str], reader: Reader) -> str:
    name = escaped(line.name)
    pick = (
        f'<td class="pick"><input type="checkbox" name="row" value="{line.id}" form="bulk" data-pick'
        f' aria-label="{format_html(translated("Select {0}"), line.name)}"></td>'
        if reader.picks
        else ""
    )
    cells = "\n    ".join(_cell(cell, label, name, reader) for cell, label in zip(line.cells, told, strict=True))
    return f"<tr>\n  {pick}\n  {cells}\n</tr>\n"


def _cell(cell: Cell, label: str, name: str, reader: Reader) -> str:
    match cell:
        case Link():
            shown = _link(cell, label)
        case Moment():
            shown = f'<td class="moment"{label}>{_moment(cell, reader.zone)}</td>'
        case Date():
            shown = f'<td class="moment"{label if cell.on or cell.never else ""}>{_date(cell)}</td>'
        case Badge():
            words = escaped(translated_state(cell.text))
            shown = f'<td{label}><span class="badge badge-{escaped(cell.tone)}">{words}</span></td>'
        case Tags():
            tags = "".join(f'<span class="tag">{escaped(text)}</span>' for text in cell.texts)
            shown = f'<td class="tags"{label}>{tags}</td>'
        case Number():
            shown = f'<td class="numeric"{label}>{number_format(cell.number, force_grouping=True)}</td>'
        case Buttons():
            forms = "".join(_button(button, name, reader) for button in cell.buttons)
            shown = f'<td class="buttons">{forms}</td>'
        case Text():
            shown = _text(cell, label)
    return shown


def _moment(cell: Moment, zone: datetime.tzinfo) -> str:
    return escaped(translated(cell.never)) if cell.at is None else zones.drawn(cell.at, zone)


def _date(cell: Date) -> str:
    return escaped(translated(cell.never)) if cell.on is None else zones.drawn_date(cell.on)


def _link(cell: Link, label: str) -> str:
    mark = note = ""
    if cell.mark:
        unread = escaped(gettext("Unread:"))
        mark = f'<span class="unread">{icon(cell.mark, 12)}<span class="visually-hidden">{unread} </span></span>'
    if cell.note:
        note = f'<span class="cell-note">{escaped(cell.note)}</span>'
    text = escaped(cell.text)
    shown = f'<a href="{escaped(cell.url)}">{text}</a>' if cell.url else f'<span class="main-text">{text}</span>'
    return f'<td class="main-cell"{label}>{mark}{shown}{note}</td>'


def _text(cell: Text, label: str) -> str:
    text = escaped(cell.text)
    if cell.code:
        return f"<td{label}><code>{text}</code></td>"
    quiet = "quiet" if cell.quiet else ""
    return f'<td{label} class="{quiet}{_width(len(cell.text))}">{text}</td>'


def _width(length: int) -> str:
    if length < _SHORT:
        return " short"
    if length > _LONGER:
        return " longer"
    return " long" if length > _LONG else ""


def _button(button: Button, name: str, reader: Reader) -> str:
    return (
        f'<form method="post" action="{escaped(button.url)}">'
        f'<input type="hidden" name="csrfmiddlewaretoken" value="{escaped(reader.token)}">'
        f'<input type="hidden" name="next" value="{escaped(reader.address)}">'
        f'<button type="submit" class="button small {escaped(button.tone)}">{icon(button.icon, 14)} '
        f'{escaped(translated(button.label))}<span class="visually-hidden"> {name}</span></button></form>'
    )
