"""Elements of the description: the namespaces, and texts that any parser takes.

What XML 1.0 cannot hold (control characters, lone surrogates) is replaced by the replacement character.
"""

import datetime
import re
from collections.abc import Iterable, Mapping
from typing import Any

from lxml import etree

METS = "http://www.loc.gov/METS/"
PREMIS = "http://www.loc.gov/premis/v3"
DC = "http://purl.org/dc/elements/1.1/"
XLINK = "http://www.w3.org/1999/xlink"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
OPILIO = "urn:opilio:package:1"
NAMESPACES = {"mets": METS, "premis": PREMIS, "dc": DC, "xlink": XLINK, "xsi": XSI, "opilio": OPILIO}
_UNFIT = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]+")


def element(space: str, name: str, /, *children: etree._Element | None, text: Any = None, **attributes: Any) -> Any:
    """An element with its children; those that are None are left out, as are attributes without a value."""
    made = etree.Element(f"{{{space}}}{name}", nsmap=NAMESPACES)
    for key, value in attributes.items():
        if value not in (None, ""):
            made.set(key, told(value))
    if text not in (None, ""):
        made.text = told(text)
    made.extend(child for child in children if child is not None)
    return made


def told(value: Any) -> str:
    """A value as the document writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return moment(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", str(value))


def moment(at: datetime.datetime) -> str:
    """A time in UTC, to the second."""
    return at.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ours(name: str, /, *children: etree._Element | None, text: Any = None, **attributes: Any) -> Any:
    """An element of our own, for what no standard has a place for."""
    return element(OPILIO, name, *children, text=text, **attributes)


def fields(values: Mapping[str, Any], names: Iterable[str]) -> list[Any]:
    """Elements of our own for some columns of a row, without those that are empty."""
    return [ours(name.replace("_", "-"), text=values[name]) for name in names if values.get(name) not in (None, "")]


def mets(name: str, /, *children: etree._Element | None, text: Any = None, **attributes: Any) -> Any:
    """An element of METS."""
    return element(METS, name, *children, text=text, **attributes)


def wrapped(section: str, identifier: str, kind: str, *contents: Any, other: str = "", created: str = "") -> Any:
    """A section of METS around metadata of another kind."""
    data = mets("mdWrap", mets("xmlData", *contents), MDTYPE=kind, OTHERMDTYPE=other)
    return mets(section, data, ID=identifier, CREATED=created)


def xml_id(text: str) -> str:
    """A text as an identifier inside the document."""
    return f"id-{_NOT_IN_NAMES.sub('-', text)}"


def written(root: Any) -> bytes:
    """The document, indented."""
    etree.indent(root)
    return bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"
