"""What is done to a node, in which order, decided before anything is touched (seed A §3.4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from opilio.search.nodes.node import Node, Role, in_order


class Verb(StrEnum):
    """One step at one node."""

    COPY = "copy"  # a verified copy of the generation
    PROBE = "probe"  # open the copy, count, and compare answers
    DRAIN = "drain"  # send readers to the backup
    SWITCH = "switch"  # serve the generation
    RESTORE = "restore"  # let readers come back


@dataclass(frozen=True, kw_only=True, slots=True)
class NodePlan:
    """The steps at one node."""

    node: Node
    verbs: tuple[Verb, ...]
    note: str = ""  # why a step is left out


def planned(nodes: Iterable[Node], *, copy: bool, backups_ready: Iterable[str]) -> tuple[NodePlan, ...]:
    """The steps at every node, in order. `backups_ready`: backups that answer readers now."""
    known = in_order(nodes)
    ready = frozenset(backups_ready)
    return tuple(_plan(node, copy=copy, relieved=bool(ready - {node.name})) for node in known)


def _plan(node: Node, *, copy: bool, relieved: bool) -> NodePlan:
    before = (Verb.COPY, Verb.PROBE) if copy else (Verb.PROBE,)
    if node.role is not Role.PRIMARY:
        return NodePlan(node=node, verbs=(*before, Verb.SWITCH))
    if not relieved:
        return NodePlan(node=node, verbs=(*before, Verb.SWITCH), note="readers stayed: no backup serves them")
    return NodePlan(node=node, verbs=(*before, Verb.DRAIN, Verb.SWITCH, Verb.RESTORE))
