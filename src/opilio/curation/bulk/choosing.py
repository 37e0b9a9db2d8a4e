"""Filters by which programs and commands choose the rows of bulk work."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from opilio.people.errors import InvalidFields

Narrow = Callable[[QuerySet[Any], str], QuerySet[Any]]
_LONGEST = 255  # characters
_MOST_WORDS = 5


def words(*columns: str) -> Narrow:
    """Rows in which one of the columns contains each of the words."""

    def narrow(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
        for word in _checked("q", text).split()[:_MOST_WORDS]:
            found = Q()
            for column in columns:
                found |= Q(**{f"{column}__icontains": word})
            rows = rows.filter(found)
        return rows

    return narrow


def named(filter_name: str, path: str) -> Narrow:
    """Rows whose agency, owner or the like has this name."""
    return lambda rows, text: rows.filter(**{f"{path}__iexact": _checked(filter_name, text)})


def state(path: str, known: Mapping[str, Any]) -> Narrow:
    """Rows in a state, by its word."""

    def narrow(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
        value = known.get(_checked("state", text).casefold())
        if value is None:
            raise InvalidFields({"state": [f"Write one of {', '.join(known)}."]}, where="filter")
        return rows.filter(**{path: value})

    return narrow


def _checked(name: str, text: str) -> str:
    if len(text) > _LONGEST or "\x00" in text:
        raise InvalidFields({name: [f"Write at most {_LONGEST} characters, without NUL."]}, where="filter")
    return text.strip()
