"""The list of nodes, `index/nodes.toml`: one table `[[node]]` each, and the hook of a load balancer."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from opilio.kernel.files import reading
from opilio.search.nodes.errors import BadNodes
from opilio.search.nodes.node import Node, Role

NODES_FILE = "nodes.toml"
_LARGEST = 1 << 20  # bytes
_NODE_FIELDS = tuple(each.name for each in fields(Node))
_LONGEST_WAIT = 86_400.0  # seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class HookCommand:
    """A program that moves readers at a load balancer: run with `drain NAME` or `restore NAME` added."""

    command: tuple[str, ...]
    timeout: float = 60.0  # seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeList:
    """The nodes of an installation."""

    nodes: tuple[Node, ...] = ()
    hook: HookCommand | None = None

    def __post_init__(self) -> None:
        names = [node.name for node in self.nodes]
        for name in names:
            if names.count(name) > 1:
                raise BadNodes(f"two nodes are named {name}", remedy="Give each a name of its own.")
        places = [node.place for node in self.nodes if node.place]
        for place in places:
            if places.count(place) > 1:
                raise BadNodes("two nodes have the same place", where=place, remedy="Give each a place of its own.")


def read_nodes(path: Path) -> NodeList:
    """The nodes in a file; none when there is no file."""
    if not path.exists():
        return NodeList()
    with reading(path), path.open("rb") as stream:
        text = stream.read(_LARGEST + 1)
    try:
        if len(text) > _LARGEST:
            raise BadNodes(f"the file has more than {_LARGEST} bytes")
        return _nodes(tomllib.loads(text.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        remedy = "Write it as docs/howto/publish-to-nodes.md shows."
        raise BadNodes(f"the list of nodes is no TOML: {error}", where=str(path), remedy=remedy) from error
    except BadNodes as error:
        raise BadNodes(error.what, where=str(path), remedy=error.remedy or "Mend the file.") from error


def _nodes(document: Mapping[str, Any]) -> NodeList:
    _known(document, ("node", "hook"), "the file")
    tables = document.get("node", [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise BadNodes("node is no list of tables", remedy="Begin each node with [[node]].")
    return NodeList(nodes=tuple(map(_node, tables)), hook=_hook(document.get("hook")))


def _node(table: Mapping[str, Any]) -> Node:
    _known(table, _NODE_FIELDS, f"node {str(table.get('name'))[:80]}")
    for name, value in table.items():
        if not isinstance(value, str):
            raise BadNodes(f"{name} is no text", remedy="Put the value into quotation marks.")
    if "name" not in table or "role" not in table:
        raise BadNodes("a node lacks its name or its role", remedy='Add name = "…" and role = "…".')
    try:
        role = Role(table["role"])
    except ValueError:
        remedy = f"Choose one of: {', '.join(Role)}."
        raise BadNodes(f"{table['role'][:80]!r} is no role of a node", remedy=remedy) from None
    return Node(**{**table, "role": role})


def _hook(table: object) -> HookCommand | None:
    if table is None:
        return None
    if not isinstance(table, dict):
        raise BadNodes("hook is no table", remedy="Begin it with [hook].")
    _known(table, ("command", "timeout"), "hook")
    command = table.get("command")
    if not isinstance(command, list) or not command or not all(isinstance(each, str) and each for each in command):
        raise BadNodes("the command of the hook is no list of texts", remedy='Write command = ["/path/to/program"].')
    timeout = table.get("timeout", HookCommand(command=()).timeout)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= _LONGEST_WAIT:
        raise BadNodes("the timeout of the hook is no number of seconds", remedy="Write timeout = 60.")
    return HookCommand(command=tuple(command), timeout=float(timeout))


def _known(table: Mapping[str, Any], names: tuple[str, ...], what: str) -> None:
    for name in table:
        if name not in names:
            remedy = f"Known are: {', '.join(names)}."
            raise BadNodes(f"{what} has the unknown field {name[:80]!r}", remedy=remedy)
