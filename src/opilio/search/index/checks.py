"""What a search document must be like before the engine sees it: one of a wrong type would spoil the whole commit."""

import math
from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Final

from opilio.search.document import SearchDocument
from opilio.search.index.errors import BadSearchDocument

LARGEST_ID: Final = 2**63 - 1
_LARGEST_TIME: Final = 253_402_300_799.0  # the end of the year 9999
_TEXTS: Final = tuple(field.name for field in fields(SearchDocument) if field.type in (str, "str"))
_COUNTS: Final = ("size", "status", "depth")
_texts_of: Final = attrgetter(*_TEXTS)
_TIMES: Final = ("last_modified", "captured")


def check_numbers(page: object, *, rank: object, group: object, visible_from: object) -> None:
    """Refuse ids and numbers that the index cannot take."""
    where = f"page {str(page)[:40]}"
    _whole(where, page, "page")
    if group is not None:
        _whole(where, group, "group")
    _number(where, rank, "rank", most=1.0)
    _number(where, visible_from, "visible_from", most=_LARGEST_TIME)


def check_document(document: object) -> None:
    """Refuse a document that the index cannot take; `BadSearchDocument` names the field."""
    if not isinstance(document, SearchDocument):
        raise _bad("", "", f"a search document was expected, not {type(document).__name__}")
    where = str(document.url)[:200]
    for name, value in zip(_TEXTS, _texts_of(document), strict=True):
        if type(value) is not str:  # nearly never
            _text(where, value, name)
    for name in _COUNTS:
        _whole(where, getattr(document, name), name)
    for name in _TIMES:
        _number(where, getattr(document, name), name, most=_LARGEST_TIME)
    _whole(where, document.fingerprint, "fingerprint", most=2**64 - 1)
    if document.boilerplate_from is not None:
        _whole(where, document.boilerplate_from, "boilerplate_from")
    _lists(where, document)


def _lists(where: str, document: SearchDocument) -> None:
    for name in ("headings", "anchors"):
        for each in _listed(where, getattr(document, name), name):
            _text(where, each, name)
    for pair in _listed(where, document.metas, "metas"):
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise _bad(where, "metas", "each must be a name and its content")
        for each in pair:
            _text(where, each, "metas")


def _listed(where: str, value: object, name: str) -> Iterable[object]:
    if not isinstance(value, tuple | list):
        raise _bad(where, name, f"a list was expected, not {type(value).__name__}")
    return value


def _text(where: str, value: object, name: str) -> None:
    if not isinstance(value, str):
        raise _bad(where, name, f"a text was expected, not {type(value).__name__}")


def _whole(where: str, value: object, name: str, *, most: int = LARGEST_ID) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise _bad(where, name, f"a whole number from 0 to {most} was expected, not {str(value)[:40]!r}")


def _number(where: str, value: object, name: str, *, most: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0 <= value <= most:  # type: ignore[arg-type,operator] # a number
        raise _bad(where, name, f"a number from 0 to {most:.0f} was expected, not {str(value)[:40]!r}")


def _bad(where: str, name: str, what: str) -> BadSearchDocument:
    place = f"{where}, {name}" if where and name else where
    return BadSearchDocument(what, where=place, remedy="It was left out of the index; correct it and add it again.")
