"""Nodes and their roles, and the order in which they are given a generation (seed A §3.4)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from opilio.search.nodes.errors import BadNodes, NoNode

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


class Role(StrEnum):
    """What a node is for; generations travel in this order."""

    CONTENT = "content"  # where the staff looks first; readers are never sent there
    PRIMARY = "primary"  # where readers are
    BACKUP = "backup"  # where readers are sent while the primary is switched

    @property
    def rank(self) -> int:
        """Its place in the order."""
        return list(Role).index(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A place that serves a published generation."""

    name: str
    role: Role
    place: str = ""  # folder, s3://bucket/prefix or http(s) address of its service; empty: beside the generations
    reader: str = ""  # http(s) address under which its service answers readers; empty: none is running
    ca_file: str = ""  # certificate authority of its service; empty: the system's

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            remedy = "Use up to 63 small letters, digits, hyphens and underscores."
            raise BadNodes(f"{str(self.name)[:80]!r} cannot be the name of a node", remedy=remedy)
        if self.reader and not is_http(self.reader):
            remedy = "Write it as http://node.example.org:8100."
            raise BadNodes(f"the reader address of {self.name} is no HTTP address", where=self.name, remedy=remedy)

    @property
    def service(self) -> str:
        """Where its service answers, whether it was named as its place or for readers; empty when unknown."""
        return self.reader or (self.place if is_http(self.place) else "")


def is_http(address: str) -> bool:
    """Whether an address is that of an HTTP service, without user, query and fragment."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return usable and "@" not in parts.netloc and not parts.query and not parts.fragment


def in_order(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """As they are published to: content, primary, backup; nodes of one role as they are listed."""
    return tuple(sorted(nodes, key=lambda node: node.role.rank))


def named(nodes: Iterable[Node], name: str) -> Node:
    """The node of a name; `NoNode` when there is none."""
    known = list(nodes)
    for node in known:
        if node.name == name:
            return node
    remedy = f"Known: {', '.join(node.name for node in known) or 'none'}."
    raise NoNode(f"there is no node {str(name)[:80]!r}", remedy=remedy)


def for_readers(nodes: Iterable[Node], drained: Iterable[str]) -> tuple[Node, ...]:
    """Where readers are sent, best first: primaries, then backups; drained ones only when nobody else answers."""
    away = frozenset(drained)
    known = [node for node in in_order(nodes) if node.role is not Role.CONTENT and node.service]
    return (*(node for node in known if node.name not in away), *(node for node in known if node.name in away))
