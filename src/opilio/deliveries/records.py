"""The records of a document, one after the other, in constant memory: elements of XML, rows of CSV.

A record is a plain value: attributes are `@name`, elements lists under their name without a namespace, text is `#text`;
a row has its columns.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from opilio.deliveries.errors import BadDocument
from opilio.deliveries.fields import TEXT, value
from opilio.deliveries.profile import DocumentKind, RecordKind

_LONGEST_FIELD = 1 << 20  # characters of a CSV field
_MOST_COLUMNS = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One record of a document."""

    kind: str
    key: str
    values: Mapping[str, Any]
    line: int | None = None


def records(path: Path, kind: DocumentKind) -> Iterator[Record]:
    """All records of a document, in its order; `BadDocument` for what cannot be read at all."""
    return _rows(path, kind) if kind.format == "csv" else _elements(path, kind.records)


def _elements(path: Path, kinds: Sequence[RecordKind]) -> Iterator[Record]:
    wanted = {kind.element: kind for kind in kinds}
    parsing = etree.iterparse(
        str(path), events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    around: list[Any] = []
    try:
        for event, element in parsing:
            name = etree.QName(element).localname
            if event == "start":
                around.append(element)
                continue
            around.pop()
            if name in wanted:
                yield _record(wanted[name], element, around, path)
            if name in wanted or not any(etree.QName(one).localname in wanted for one in around):
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise BadDocument(f"The document cannot be read: {error}", where=path.name) from error


def _record(kind: RecordKind, element: Any, around: Sequence[Any], path: Path) -> Record:
    found = _plain(element)
    for name, place in kind.inherited.items():
        found[name] = _inherited(around, place)
    return Record(kind=kind.name, key=_key(kind, found), values=found, line=element.sourceline)


def _plain(element: Any) -> dict[str, Any]:
    found: dict[str, Any] = {f"@{etree.QName(name).localname}": text for name, text in element.attrib.items()}
    for child in element:
        found.setdefault(etree.QName(child).localname, []).append(_plain(child))
    text = (element.text or "").strip()
    if text:
        found[TEXT] = text
    return found


def _inherited(around: Sequence[Any], place: str) -> str:
    """An attribute of an element around the record: `centre/@centreID`."""
    name, _, attribute = place.partition("/@")
    holder = next((one for one in reversed(around) if etree.QName(one).localname == name), None)
    return str(holder.get(attribute, "")) if holder is not None else ""


def _rows(path: Path, kind: DocumentKind) -> Iterator[Record]:
    wanted = kind.records[0]
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            columns = next(reader, [])
            _require_columns(columns, wanted, path)
            for row in reader:
                found = dict(zip(columns, row, strict=False))
                if len(row) != len(columns):
                    what = f"Row {reader.line_num} has {len(row)} fields; there are {len(columns)} columns"
                    raise BadDocument(what, where=path.name)
                yield Record(kind=wanted.name, key=_key(wanted, found), values=found, line=reader.line_num)
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadDocument(f"The table cannot be read: {error}", where=path.name) from error


def _require_columns(columns: Sequence[str], kind: RecordKind, path: Path) -> None:
    if len(columns) > _MOST_COLUMNS or len(set(columns)) != len(columns):
        raise BadDocument("The table has too many columns, or two of one name", where=path.name)
    missing = [name for name in kind.key if name not in columns]
    if missing:
        raise BadDocument(f"The table has no column {missing[0]!r}", where=path.name)


def _key(kind: RecordKind, found: Mapping[str, Any]) -> str:
    return "\x1f".join(value(found, path) for path in kind.key)
