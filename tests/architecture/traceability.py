"""Reads the list of seed items and `docs/traceability.md`, and says where the two, or the product, disagree.

A fault is a value, never an exception, so that one run shows all of them. The forms of a reference are described at
the top of the document itself.
"""

import ast
import csv
import dataclasses
import importlib
import importlib.util
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import typer
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.urls import Resolver404, resolve
from typer.core import TyperGroup

from opilio.cli.loading import load
from opilio.cli.nouns import BY_NAME

PARTS = ("crawl", "archive", "search", "curation", "harvests", "review", "deliveries", "scale", "polish")
COLUMNS = ["seed", "section", "kind", "item", "title"]
HEADER = ["item", "carried by", "status"]
DECISIONS = "docs/decisions/"

_ITEM = re.compile(r"`(?P<key>[^`\s]+)` (?P<title>\S.*)")
_REFERENCE = re.compile(r"`([^`]*)`")

#: Answers why a reference leads nowhere; empty when it leads somewhere.
Resolver = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class Item:
    """A row of the list: one table, column, rule or requirement of a seed."""

    seed: str
    kind: str
    key: str
    title: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A row of the document: an item with what carries it."""

    key: str
    title: str
    references: tuple[str, ...]
    status: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something to mend, and where."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, kw_only=True)
class Items:
    """What the list holds, with the faults found while reading it."""

    rows: tuple[Item, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Entries:
    """What the document holds, with the faults found while reading it."""

    rows: tuple[Entry, ...] = ()
    faults: tuple[Fault, ...] = ()


# Reading


def read_items(path: Path) -> Items:
    """The rows of the list of items."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        return Items(faults=(Fault(where=path.name, what=f"cannot be read: {error}"),))
    if not lines or lines[0] != COLUMNS:
        return Items(faults=(Fault(where=path.name, what=f"the first line must be {','.join(COLUMNS)}"),))
    found = [_item(path.name, number, cells) for number, cells in enumerate(lines[1:], start=2)]
    return Items(
        rows=tuple(row for row in found if isinstance(row, Item)),
        faults=tuple(row for row in found if isinstance(row, Fault)),
    )


def _item(name: str, number: int, cells: list[str]) -> Item | Fault:
    if len(cells) != len(COLUMNS) or not all(cell.strip() for cell in cells):
        return Fault(where=f"{name} line {number}", what=f"needs {len(COLUMNS)} filled columns")
    seed, _section, kind, key, title = cells
    if not key.startswith(f"{seed}."):
        return Fault(where=f"{name} line {number}", what=f"{key} does not begin with its seed, {seed}")
    return Item(seed=seed, kind=kind, key=key, title=title, line=number)


def read_entries(path: Path) -> Entries:
    """The rows of all tables in the document."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        return Entries(faults=(Fault(where=path.name, what=f"cannot be read: {error}"),))
    found = [_entry(path.name, number, cells) for number, cells in _rows(lines)]
    return Entries(
        rows=tuple(row for row in found if isinstance(row, Entry)),
        faults=tuple(row for row in found if isinstance(row, Fault)),
    )


def _rows(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        if not line.lstrip().startswith("|"):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells != HEADER and not all(set(cell) <= set("-:") for cell in cells):
            yield number, cells


def _entry(name: str, number: int, cells: list[str]) -> Entry | Fault:
    where = f"{name} line {number}"
    if len(cells) != len(HEADER):
        return Fault(where=where, what=f"needs {len(HEADER)} columns: {', '.join(HEADER)}")
    first, carried, status = cells
    named = _ITEM.fullmatch(first)
    if named is None:
        return Fault(where=where, what="the first column needs an item in backticks and its title")
    references = tuple(_REFERENCE.findall(carried))
    return Entry(key=named["key"], title=named["title"], references=references, status=status, line=number)


# Checking


def faults(items: Items, entries: Entries, *, root: Path, resolver: Resolver) -> list[Fault]:
    """Everything that is wrong with the list, the document, or what the document names."""
    found = [*items.faults, *entries.faults]
    found += _repeated("seed_items.csv", (item.key for item in items.rows))
    found += _repeated("traceability.md", (entry.key for entry in entries.rows))
    found += _unmatched(items.rows, entries.rows)
    for entry in entries.rows:
        found += [Fault(where=_place(entry), what=what) for what in _wrong(entry, root, resolver)]
    return found


def _place(entry: Entry) -> str:
    return f"traceability.md line {entry.line}, {entry.key}"


def _repeated(where: str, keys: Iterable[str]) -> list[Fault]:
    counts = Counter(keys)
    return [Fault(where=where, what=f"{key} stands {n} times") for key, n in counts.items() if n > 1]


def _unmatched(items: tuple[Item, ...], entries: tuple[Entry, ...]) -> list[Fault]:
    titles = {item.key: item.title for item in items}
    entered = {entry.key for entry in entries}
    missing = [
        Fault(where=f"seed_items.csv line {item.line}", what=f"{item.key} has no entry")
        for item in items
        if item.key not in entered
    ]
    unknown = [Fault(where=_place(entry), what="no such item") for entry in entries if entry.key not in titles]
    renamed = [
        Fault(where=_place(entry), what=f"the item's title is {titles[entry.key]!r}")
        for entry in entries
        if titles.get(entry.key, entry.title) != entry.title
    ]
    return [*missing, *unknown, *renamed]


def _wrong(entry: Entry, root: Path, resolver: Resolver) -> Iterator[str]:
    for reference in entry.references:
        if reason := resolver(reference):
            yield f"{reference}: {reason}"
    if reason := _wrong_status(entry, root):
        yield reason


def _wrong_status(entry: Entry, root: Path) -> str:
    word, _, about = entry.status.partition(": ")
    if entry.status == "built":
        return "" if entry.references else "built, but nothing is named that carries it"
    if word == "planned":
        return "" if about in PARTS else f"planned, but {about or 'nothing'!r} is not one of {', '.join(PARTS)}"
    if word == "ruled out":
        return "" if _is_decision(about, root) else f"ruled out, but {about or 'nothing'!r} is no file of {DECISIONS}"
    return f"unknown status {entry.status!r}"


def _is_decision(path: str, root: Path) -> bool:
    target = (root / path).resolve()
    return target.parent == (root / DECISIONS).resolve() and target.suffix == ".md" and target.is_file()


# Resolving


def product_resolver(root: Path) -> Resolver:
    """Looks references up in the installed product and the files below `root`."""

    def look_up(reference: str) -> str:
        kind, _, rest = reference.partition(":")
        if kind == "page":
            return missing_page(rest)
        if kind == "cli":
            return missing_command(rest)
        if "/" in reference:
            return missing_file(reference, root)
        return missing_name(reference)

    return look_up


def missing_file(reference: str, root: Path) -> str:
    """Why there is no such file in the repository, or no such test in it: `tests/sites/a/test_a.py::test_b`."""
    path, apart, test = reference.partition("::")
    target = (root / path).resolve()
    if not target.is_relative_to(root.resolve()):
        return "lies outside the repository"
    if not target.is_file():
        return "no such file"
    if apart and not _has_test(target, test):
        return f"no test {test}"
    return ""


def _has_test(file: Path, name: str) -> bool:
    if file.suffix != ".py" or not name.startswith("test_"):
        return False
    body = ast.parse(file.read_bytes()).body
    return any(isinstance(each, ast.FunctionDef) and each.name == name for each in body)


def missing_page(path: str) -> str:
    """Why there is no page at this path."""
    if not path.startswith("/"):
        return "the path of a page begins with a slash"
    spellings = [path, f"{path}/"] if settings.APPEND_SLASH else [path]
    return "" if any(map(_is_page, spellings)) else "no such page"


def _is_page(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def missing_command(words: str) -> str:
    """Why there is no such command; empty when there is: `opilio audit verify`."""
    program, *names = words.split() or [""]
    if program != "opilio" or not names:
        return "a command begins with opilio and has a name"
    if names[0] not in BY_NAME:
        return f"no command {names[0]}"
    command: object = load(BY_NAME[names[0]])
    for name in names[1:]:
        command = command.get_command(typer.Context(command), name) if isinstance(command, TyperGroup) else None
        if command is None:
            return f"no command {name}"
    return ""


def missing_name(dotted: str) -> str:
    """Why there is no such name in the product."""
    package, *names = dotted.split(".")
    if package != "opilio" or not all(name.isidentifier() for name in names):
        return "neither a name of opilio, a file, a page nor a command"
    owner: object = importlib.import_module(package)
    for name in names:
        owner = _member(owner, name)
        if owner is None:
            return f"{name} does not exist"
    return ""


def _member(owner: object, name: str) -> object | None:
    if isinstance(owner, ModuleType):
        return _in_module(owner, name)
    if isinstance(owner, type):
        return _in_class(owner, name)
    return None  # a field or a function holds nothing that a reference could name


def _in_module(module: ModuleType, name: str) -> object | None:
    full = f"{module.__name__}.{name}"
    if hasattr(module, "__path__") and importlib.util.find_spec(full) is not None:
        return importlib.import_module(full)
    return _found(module, name)


def _in_class(owner: type, name: str) -> object | None:
    if issubclass(owner, models.Model):
        try:
            return owner._meta.get_field(name)
        except FieldDoesNotExist:
            return _found(owner, name)
    if dataclasses.is_dataclass(owner) and name in {field.name for field in dataclasses.fields(owner)}:
        return name
    return _found(owner, name)


def _found(owner: object, name: str) -> object | None:
    """The attribute; one whose value is None or another false value exists all the same."""
    if not hasattr(owner, name):
        return None
    value: object = getattr(owner, name)
    return name if value is None else value
