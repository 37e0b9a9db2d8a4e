"""Reads a JSON list of objects as a stream, item by item; the columns are those of the first item."""

import io
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from opilio.curation.bulk.errors import BadTable
from opilio.curation.bulk.tables import text_lines
from opilio.curation.bulk.tables.raw import LONGEST_ROW, RawRow, RawTable

_CHUNK = 65_536  # characters
_REMEDY = "Write a list of objects, one for each row."
_SPACE = " \t\r\n"
BETWEEN = "\n"  # the parts of a list in one cell


class _Fault(str):
    """Words on an item that is no JSON."""


class _Text:
    """Text that grows as it is read."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream
        self.text = ""
        self.ended = False

    def more(self) -> bool:
        """Read on; False at the end."""
        part = self._stream.read(_CHUNK)
        self.ended = self.ended or not part
        self.text += part
        return bool(part)

    def begin(self) -> str:
        """The first character that is no space; empty at the end."""
        self.text = self.text.lstrip(_SPACE)
        while not self.text and self.more():
            self.text = self.text.lstrip(_SPACE)
        return self.text[:1]


def read(stream: io.TextIOWrapper, *, where: str) -> RawTable:
    """The table; its rows are read when they are asked for."""
    text = _Text(stream)
    if text.begin() != "[":
        raise BadTable("The file is no JSON list", where=where, remedy=_REMEDY)
    text.text = text.text[1:]
    items = _items(text)
    first = next(items, None)
    if first is None:
        raise BadTable("The list is empty", where=where, remedy=_REMEDY)
    if not isinstance(first[1], dict):
        words = first[1] if isinstance(first[1], _Fault) else "it is no object"
        raise BadTable(f"The first item cannot be read: {words}", where=where, remedy=_REMEDY)
    columns = list(first[1])
    return RawTable(columns=columns, rows=(row(place, item) for place, item in chain([first], items)))


def _items(text: _Text) -> Iterator[tuple[int, Any]]:
    """Place and item; in place of an item that is no JSON, words on it, and then nothing more."""
    decoder, place = json.JSONDecoder(), 0
    while (mark := text.begin()) and mark != "]":
        place += 1
        item, fault = _item(text, decoder)
        yield place, _Fault(fault) if fault else item
        if fault:
            return
        if text.begin() not in (",", "]"):
            yield place + 1, _Fault("no comma before it; the rest was not read")
            return
        text.text = text.text.removeprefix(",")
    if mark != "]":
        yield place + 1, _Fault("the list is not closed")


def _item(text: _Text, decoder: json.JSONDecoder) -> tuple[Any, str]:
    while True:
        try:
            item, end = decoder.raw_decode(text.text)
        except RecursionError:
            return None, "it is nested too deep; the rest was not read"
        except ValueError as error:
            if len(text.text) > LONGEST_ROW:
                return None, f"it is no JSON, or longer than {LONGEST_ROW:,} characters; the rest was not read"
            if not text.more():
                return None, f"no JSON: {error}; the rest was not read"
            continue
        if end == len(text.text) and text.more():  # a number may go on
            continue
        text.text = text.text[end:]
        return item, ""


def row(place: int, item: Any) -> RawRow:
    """An item of a JSON list as texts by column."""
    if isinstance(item, _Fault):
        return RawRow(place=place, fault=str(item))
    if not isinstance(item, dict):
        return RawRow(place=place, fault="it is no object")
    found: dict[str, str] = {}
    for name, value in item.items():
        if text_lines.fault_of(name) or _surrogate(name):
            return RawRow(place=place, fault="the name of a column is no text that can be kept")
        text = as_text(value)
        if text is None:
            return RawRow(
                place=place, fault=f"{name[:60]}: write a text, a number, true, false, null or a list of texts"
            )
        fault = text_lines.fault_of(text) or _surrogate(text)
        if fault:
            return RawRow(place=place, fault=f"{name[:60]}: {fault}")
        found[name] = text
    return RawRow(place=place, cells=found)


def as_text(value: Any) -> str | None:
    """A JSON value as a cell; None when it cannot be one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str) and BETWEEN not in part for part in value):
        return BETWEEN.join(value)
    return value if isinstance(value, str) else None


def _surrogate(text: str) -> str:
    return "it holds half a surrogate pair" if any("\ud800" <= letter <= "\udfff" for letter in text) else ""
