"""What an audit entry says was changed, field by field, as people read it."""

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opilio.people.privileges import Scope
from opilio.web import zones
from opilio.web.help import audit_label

_LONGEST = 4_000  # characters of one value
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")


@dataclass(frozen=True, kw_only=True)
class Change:
    """One field: as it was, as it became."""

    label: str
    before: str
    after: str


def changes(kind_name: str, before: Mapping[str, Any], after: Mapping[str, Any], zone: datetime.tzinfo) -> list[Change]:
    """All changed fields; the privileges of a role one by one."""
    found: list[Change] = []
    for name in {**before, **after}:
        was, became = before.get(name), after.get(name)
        if name == "privileges" and (isinstance(was, dict) or isinstance(became, dict)):
            found.extend(_privileges(was or {}, became or {}))
        else:
            found.append(
                Change(label=audit_label(kind_name, name), before=_spoken(was, zone), after=_spoken(became, zone))
            )
    return found


def _privileges(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[Change]:
    for code in sorted({*before, *after}):
        yield Change(label=code, before=_scope(before.get(code)), after=_scope(after.get(code)))


def _scope(number: int | None) -> str:
    known = {scope.value: scope.name.lower() for scope in Scope}
    return "" if number is None else known.get(number, str(number))


def _spoken(value: Any, zone: datetime.tzinfo) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        return zones.shown(datetime.datetime.fromisoformat(value), zone)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:_LONGEST]
