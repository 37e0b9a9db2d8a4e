"""Turns what a harvest was run with into tables that people read; nothing of it is left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ORDER = ("target", "members", "left-out", "seeds", "permissions", "profile", "profile-note", "overrides", "plan",
          "since", "people", "software")  # fmt: skip
_TITLES = {
    "target": "Target or group", "members": "Members", "left-out": "Left out this time", "seeds": "Seeds",
    "permissions": "Permissions", "profile": "Profile", "profile-note": "Note on the profile",
    "overrides": "Overrides", "plan": "Crawl plan", "since": "Earlier harvest", "people": "People",
    "software": "Software",
}  # fmt: skip
_SPELT = {"Url": "URL", "Urls": "URLs", "Logo url": "Logo URL", "Copyright url": "Copyright URL", "Id": "Number"}
_NAMES = ("url", "name", "title", "username", "id")  # what an item of a list is called by


@dataclass(frozen=True, kw_only=True)
class Table:
    """Names with their values."""

    title: str
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Part:
    """A section: one table, or one for each of its items."""

    title: str
    tables: Sequence[Table]
    nothing: str = ""  # what to say where there is none
    several: bool = False


def tables(sections: Mapping[str, Any]) -> list[Part]:
    """All sections, the known ones first."""
    names = [*(name for name in _ORDER if name in sections), *sorted(set(sections) - set(_ORDER))]
    return [_part(name, sections[name]) for name in names]


def spoken(value: Any) -> str:
    """A value on one line."""
    if value is None or value == "" or value == [] or value == {}:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{_label(name)}: {spoken(inner)}" for name, inner in value.items())
    return ", ".join(spoken(one) for one in value) if isinstance(value, list | tuple) else str(value)


def _part(name: str, value: Any) -> Part:
    title = _TITLES.get(name, _label(name))
    if not value:
        return Part(title=title, tables=(), nothing="None.")
    if isinstance(value, list):
        items = [Table(title=_called(one, number), rows=list(_rows(one))) for number, one in enumerate(value, 1)]
        return Part(title=title, tables=items, several=True)
    return Part(title=title, tables=[Table(title=title, rows=list(_rows(value)))])


def _rows(value: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Names and values, those of an inner part behind its own name."""
    if not isinstance(value, Mapping):
        yield before or "Value", spoken(value)
        return
    for name, inner in value.items():
        label = f"{before} › {_label(name)}" if before else _label(name)
        if isinstance(inner, Mapping) and inner:
            yield from _rows(inner, label)
        else:
            yield label, spoken(inner)


def _called(item: Any, number: int) -> str:
    if isinstance(item, Mapping):
        return next((str(item[name]) for name in _NAMES if item.get(name)), str(number))
    return str(number)


def _label(name: str) -> str:
    words = str(name).removesuffix("_id").replace("_", " ").replace("-", " ").capitalize()
    return _SPELT.get(words, words)
