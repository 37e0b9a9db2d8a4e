"""The page about the fields of a crawl plan, made of the dataclasses and the comments behind their fields."""

import ast
import inspect
import io
import json
import tokenize
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from types import ModuleType
from typing import Any

from opilio.crawl import plan
from opilio.crawl.plan_json import plain

_SIMPLE = {str: "text", int: "whole number", float: "number", bool: "true or false"}


def parts() -> list[str]:
    """The sections, one for each part of a plan, the plan itself first."""
    return [_section(name, kind) for name, kind in kinds()]


def kinds() -> list[tuple[str, Any]]:
    """The parts of a plan with the places where they stand."""
    return list(_walked("", plan.CrawlPlan))


def _walked(place: str, kind: Any) -> typing.Iterator[tuple[str, Any]]:
    yield place, kind
    for name, hint in typing.get_type_hints(kind).items():
        inner = typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else hint
        if is_dataclass(inner):
            mark = "[]" if inner is not hint else ""
            yield from _walked(f"{place}.{name}{mark}".lstrip("."), inner)


def _section(place: str, kind: Any) -> str:
    title = f"`{place}`" if place else "The plan"
    meanings, hints = comments(kind), typing.get_type_hints(kind)
    rows = ["| Field | Values | Default | Meaning |", "|---|---|---|---|"]
    if not place:
        rows.append(f"| `version` | {plan.PLAN_VERSION} | required | of this form; an Opilio reads its own only |")
    rows += [
        f"| `{each.name}` | {_values(hints[each.name])} | {_default(each)} | {_told(meanings.get(each.name, ''))} |"
        for each in fields(kind)
    ]
    sentence = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    return "\n".join([f"## {title}", "", sentence, "", *rows])


def comments(kind: Any) -> dict[str, str]:
    """What stands behind the fields of a class, or the members of an enumeration."""
    source = inspect.getsource(typing.cast(ModuleType, inspect.getmodule(kind)))
    tree = next(
        node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    behind = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    found: dict[str, str] = {}
    for node in tree.body:
        target = _target(node)
        if target and node.end_lineno in behind:
            found[target] = behind[node.end_lineno]
    return found


def _target(node: ast.stmt) -> str:
    """The name that a statement gives a value."""
    targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
    return next((target.id for target in targets if isinstance(target, ast.Name)), "")


def _values(hint: Any) -> str:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        return f"{_values(arguments[0])}, or null"
    if origin in (tuple, frozenset):
        return "list of objects, see below" if is_dataclass(arguments[0]) else f"list of {_values(arguments[0])}s"
    if origin is Mapping:
        return f"object: text → {_values(arguments[1])}"
    if is_dataclass(hint):
        return "object, see below"
    return _choices(hint) if issubclass(hint, Enum) else _SIMPLE[hint]


def _choices(kind: type[Enum]) -> str:
    meanings = comments(kind)
    told = (f"`{one.value}`" + (f" ({meanings[one.name]})" if one.name in meanings else "") for one in kind)
    return ", ".join(told)


def _default(each: "Field[Any]") -> str:
    if each.default is MISSING and each.default_factory is MISSING:
        return "required"
    value = each.default if each.default is not MISSING else typing.cast(Any, each.default_factory)()
    return "" if is_dataclass(value) else f"`{json.dumps(plain(value))}`"


def _told(text: str) -> str:
    return text.replace("|", "\\|").replace("None", "null")
