"""Which generation is where, since when, and how far behind the newest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from opilio.kernel.errors import OpilioError
from opilio.search.generations.library import Generations
from opilio.search.nodes.publishing import Seat
from opilio.search.nodes.reader_state import ReaderState
from opilio.search.nodes.service_client import ServiceClient

_ANSWER = 5.0  # seconds for an answer about health


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeStatus:
    """What is known of a node now."""

    node: str
    role: str
    place: str
    generation: str = ""  # empty: none
    since: datetime | None = None
    made: datetime | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    behind: int | None = None  # generations that are newer; None when it serves none
    lag: float | None = None  # seconds between the building of the newest and of this one
    drained: str = ""  # who keeps readers away
    serving: str = ""  # what its service answers from; empty: no service is known, or none answers
    refused: str = ""  # why its service did not open a generation
    error: str = ""


def node_statuses(seats: Sequence[Seat], generations: Generations, state: ReaderState) -> list[NodeStatus]:
    """All nodes, as they are listed; one that cannot be asked says why."""
    known = generations.ids()
    newest = _made(generations, known[-1]) if known else None
    drained = {name: str(each.by) for name, each in state.drained().items()}
    return [_status(seat, known, newest, drained.get(seat.node.name, "")) for seat in seats]


def _status(seat: Seat, known: list[str], newest: datetime | None, drained: str) -> NodeStatus:
    node, place = seat.node, seat.place
    serving, refused = _served(seat)
    try:
        current = place.current()
    except OpilioError as error:
        return NodeStatus(node=node.name, role=node.role, place=place.address, drained=drained, error=str(error))
    if current is None:
        return NodeStatus(node=node.name, role=node.role, place=place.address, drained=drained, refused=refused)
    return NodeStatus(
        node=node.name,
        role=node.role,
        place=place.address,
        generation=current.generation,
        since=current.since,
        made=current.made,
        counts=current.counts,
        behind=sum(1 for name in known if name > current.generation),
        lag=max(0.0, (newest - current.made).total_seconds()) if newest and current.made else None,
        drained=drained,
        serving=serving,
        refused=refused,
    )


def _served(seat: Seat) -> tuple[str, str]:
    if not seat.node.service:
        return "", ""
    try:
        client = ServiceClient(seat.node.service, ca_file=seat.node.ca_file)
        health = client.ask("GET", "/health", seconds=_ANSWER).document
    except OpilioError:
        return "", ""
    refused = health.get("refused")
    reason = str(refused.get("reason", "")) if isinstance(refused, dict) else ""
    return str(health.get("generation", "")), reason


def _made(generations: Generations, name: str) -> datetime | None:
    try:
        return generations.manifest(name).made
    except OpilioError:
        return None
