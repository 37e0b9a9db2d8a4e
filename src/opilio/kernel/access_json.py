"""Rules of access as JSON objects, and back. Strict: a field that is not known, or of the wrong type, is refused."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from opilio.kernel.access_checks import BadRule, require_time
from opilio.kernel.access_rules import Rule, Statement
from opilio.kernel.access_where import EVERYWHERE, Where

_TIMES = ("captured_from", "captured_to", "starts", "ends")
_PLAIN = ("agency", "target", "harvest", "reason")
_LISTS = ("rooms", "users", "roles", "agencies")
_KNOWN = frozenset({"id", "says", "where", "days", "seats", "overrides", "statement", *_TIMES, *_PLAIN, *_LISTS})
_WHERE = frozenset({"reach", "value", "within"})
_STATEMENT = frozenset({"text", "link", "requirements"})


def rule_to_json(rule: Rule) -> dict[str, Any]:
    """A rule; fields that say nothing are left out."""
    found: dict[str, Any] = {"id": rule.id, "says": rule.says.value}
    if rule.where != EVERYWHERE:
        found["where"] = _filled(rule.where, ("reach", "value", "within"))
    found |= {name: getattr(rule, name) for name in _PLAIN if getattr(rule, name)}
    found |= {name: written(getattr(rule, name)) for name in _TIMES if getattr(rule, name) is not None}
    found |= {name: sorted(getattr(rule, name)) for name in _LISTS if getattr(rule, name)}
    found |= {name: getattr(rule, name) for name in ("seats", "overrides") if getattr(rule, name)}
    if rule.days is not None:
        found["days"] = rule.days
    if rule.statement is not None:
        found["statement"] = _filled(rule.statement, ("text", "link", "requirements"))
    return found


def rule_from_json(found: object) -> Rule:
    """The rule again; `BadRule` when it is none."""
    fields = dict(_object(found, _KNOWN, "a rule"))
    if "id" not in fields or "says" not in fields:
        raise BadRule("a rule needs an id and must say something", where=_shown(found), remedy="Give both.")
    try:
        for name in _TIMES:
            if name in fields:
                fields[name] = read_time(fields[name], name)
        for name in _LISTS:
            if name in fields:
                fields[name] = _list(fields[name], name)
        if "where" in fields:
            fields["where"] = Where(**_object(fields["where"], _WHERE, "“where”"))
        if fields.get("statement") is not None:
            fields["statement"] = Statement(**_object(fields["statement"], _STATEMENT, "a statement"))
    except BadRule as error:
        raise BadRule(error.what, where=f"rule {str(fields['id'])[:80]}", remedy=error.remedy) from None
    return Rule(**fields)


def loads(line: str | bytes, what: str) -> Any:
    """JSON without its common holes: a name twice, NaN and infinity, text that is not UTF-8."""
    try:
        return json.loads(line, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        where = _shown(line)
        raise BadRule(f"{what} is no JSON that can be used", where=where, remedy="Write the file again.") from None


def written(at: datetime) -> str:
    """A time as the file has it."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def read_time(text: object, what: str) -> datetime:
    """The time again."""
    try:
        return require_time(datetime.fromisoformat(text) if isinstance(text, str) else text, what).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRule(f"{what} is no time", where=_shown(text), remedy="Write 2026-01-31T00:00:00Z.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _object(found: object, known: frozenset[str], what: str) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise BadRule(f"{what} must be a JSON object", where=_shown(found), remedy="Write {…}.")
    unknown = found.keys() - known
    if unknown:
        remedy = "A newer Opilio may have written it; a rule that is not understood is never guessed."
        raise BadRule(
            f"{what} has the unknown field {min(map(str, unknown))[:80]!r}", where=_shown(found), remedy=remedy
        )
    return found


def _list(found: object, what: str) -> frozenset[str]:
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadRule(f"{what} must be a list of names", where=_shown(found), remedy='Write ["one", "two"].')
    return frozenset(found)


def _filled(value: object, names: tuple[str, ...]) -> dict[str, str]:
    return {name: str(getattr(value, name)) for name in names if getattr(value, name)}


def _shown(found: object) -> str:
    text = found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)
    return "".join(sign if sign.isprintable() else " " for sign in text[:80])
