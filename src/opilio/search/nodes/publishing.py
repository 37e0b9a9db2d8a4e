"""Gives nodes a generation, one after the other: copy, probe, then switch. The first failure ends it.

A node that fails is left as it was, or switched back; nodes before it keep what they got, nodes behind it are not
touched. Whoever is killed on the way leaves every node serving one whole generation.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from opilio.kernel import logs
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, OpilioError
from opilio.kernel.locks import locked
from opilio.search.generations.identifiers import checked_id
from opilio.search.generations.verify import Progress
from opilio.search.nodes.copying import Copied
from opilio.search.nodes.errors import NodeUnreachable, NoEarlierGeneration, NotReady
from opilio.search.nodes.hook import run_hook
from opilio.search.nodes.node import Node, Role
from opilio.search.nodes.nodes_file import HookCommand
from opilio.search.nodes.place import Current, Place
from opilio.search.nodes.reader_state import DrainedBy, ReaderState
from opilio.search.nodes.service_client import ServiceClient
from opilio.search.nodes.source import Source
from opilio.search.nodes.steps import NodePlan, Verb, planned

_PAUSE = 0.1  # seconds between looks at a service or a lock
_ANSWER = 5.0  # seconds for an answer about health

log = logs.logger("publish")


class Outcome(StrEnum):
    """How it went at a node."""

    SWITCHED = "switched"
    ALREADY = "already"  # it served the generation before
    FAILED = "failed"  # it serves what it served before
    UNTOUCHED = "untouched"  # an earlier one failed


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeReport:
    """What became of one node."""

    node: str
    role: str
    outcome: Outcome
    before: str = ""  # generation it served
    after: str = ""  # generation it serves
    copied: Copied = field(default_factory=Copied)
    notes: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """A node with its place."""

    node: Node
    place: Place


@dataclass(frozen=True, kw_only=True, slots=True)
class Publisher:
    """Publishes and rolls back; one at a time for all nodes of an installation."""

    seats: tuple[Seat, ...]
    state: ReaderState
    lock: Path
    hook: HookCommand | None = None
    clock: Clock = SYSTEM
    settle: float = 600.0  # seconds in which a service must have opened what it was switched to
    sleep: Callable[[float], None] = time.sleep

    def publish(
        self, generation: str, source: Source, *, only: Sequence[str] = (), wait: float = 0.0,
        progress: Progress | None = None,
    ) -> tuple[NodeReport, ...]:  # fmt: skip
        """Let nodes serve a generation: all, or those named in `only`. `wait`: seconds for another publisher."""
        with self._alone(f"publishing {generation}", wait):
            seats = self._chosen(only)
            targets = {seat.node.name: generation for seat in seats}
            return self._run(seats, targets, source, progress)

    def roll_back(self, *, to: str = "", only: Sequence[str] = (), wait: float = 0.0) -> tuple[NodeReport, ...]:
        """Let nodes serve `to`, or the one before what each serves; nothing is copied."""
        with self._alone("rolling back", wait):
            seats = self._chosen(only)
            targets = {seat.node.name: checked_id(to) if to else _earlier(seat) for seat in seats}
            return self._run(seats, targets, None, None)

    def _run(
        self, seats: Sequence[Seat], targets: Mapping[str, str], source: Source | None, progress: Progress | None
    ) -> tuple[NodeReport, ...]:  # fmt: skip
        self._restore_leftovers()
        by_name = {seat.node.name: seat for seat in seats}
        plans = planned((seat.node for seat in seats), copy=source is not None, backups_ready=self._backups())
        reports: list[NodeReport] = []
        for plan in plans:
            seat, target = by_name[plan.node.name], targets[plan.node.name]
            failed = bool(reports) and reports[-1].outcome in (Outcome.FAILED, Outcome.UNTOUCHED)
            report = _report(seat, Outcome.UNTOUCHED) if failed else self._bring(seat, plan, target, source, progress)
            log.info("node_published", node=report.node, outcome=report.outcome, generation=target, error=report.error)
            reports.append(report)
        return tuple(reports)

    def _bring(
        self, seat: Seat, plan: NodePlan, target: str, source: Source | None, progress: Progress | None
    ) -> NodeReport:  # fmt: skip
        """All steps at one node."""
        report = _report(seat, Outcome.FAILED, notes=(plan.note,) if plan.note else ())
        try:
            current = seat.place.current()
            before = current.generation if current is not None else ""
            kept = report.notes if before else ()  # a node that served nothing has no readers
            report = replace(report, before=before, after=before, notes=kept)
            if source is not None:
                report = replace(report, copied=seat.place.take(source, progress))
            seat.place.probe(target)
            if before == target:
                return replace(report, outcome=Outcome.ALREADY)
            notes = self._switched(seat, plan, target, before)
            return replace(report, outcome=Outcome.SWITCHED, after=target, notes=(*report.notes, *notes))
        except OpilioError as error:
            return replace(report, error=str(error))

    def _switched(self, seat: Seat, plan: NodePlan, target: str, before: str) -> tuple[str, ...]:
        """Switch, with readers away from the node where the plan says so; notes on what did not go smoothly."""
        name = seat.node.name
        answering = self._generation_at(seat.node) is not None
        if Verb.DRAIN in plan.verbs:
            self._drain(name)
        try:
            seat.place.switch(target, instead_of=before)
            if answering:
                self._require_serving(seat, target, before)
        except BaseException:
            if Verb.DRAIN in plan.verbs and self._fit(seat.node):
                self._restore(name)
            raise
        notes = [] if answering or not seat.node.service else ["its service did not answer, and was not waited for"]
        if Verb.RESTORE in plan.verbs:
            notes += self._restore(name)
        return tuple(notes)

    def _require_serving(self, seat: Seat, target: str, before: str) -> None:
        """Wait until the service answers from the generation; switch back when it refuses it or takes too long."""
        client = _client(seat.node)
        end = self.clock.monotonic() + self.settle
        while True:
            refusal = ""
            with contextlib.suppress(NodeUnreachable):
                health = client.ask("GET", "/health", seconds=_ANSWER).document
                if health.get("generation") == target and health.get("ready"):
                    return
                refusal = _refusal(health.get("refused"), target)
            if refusal or self.clock.monotonic() > end:
                break
            self.sleep(_PAUSE)
        if before:
            seat.place.switch(before, instead_of=target)
        what = f"the service of {seat.node.name} did not open it: {refusal or 'it took too long'}"
        remedy = "It was switched back: see its log, then publish again." if before else "See its log."
        raise NotReady(what, where=client.address, remedy=remedy)

    def _drain(self, name: str) -> None:
        """Readers leave the built-in endpoint first; a hook that fails gets them back."""
        self.state.drain(name, DrainedBy.PUBLISH)
        try:
            run_hook(self.hook, "drain", name)
        except OpilioError:
            self.state.restore(name, DrainedBy.PUBLISH)
            raise

    def _restore(self, name: str) -> list[str]:
        self.state.restore(name, DrainedBy.PUBLISH)
        try:
            run_hook(self.hook, "restore", name)
        except OpilioError as error:
            log.error("node_not_restored", node=name, error=str(error))
            return [f"readers were not sent back: {error}"]
        return []

    def _restore_leftovers(self) -> None:
        """Readers that a killed publisher sent away may come back, if the node serves; we hold its lock."""
        nodes = {seat.node.name: seat.node for seat in self.seats}
        for name, drained in self.state.drained().items():
            if drained.by is DrainedBy.PUBLISH and (name not in nodes or self._fit(nodes[name])):
                self._restore(name)

    def _fit(self, node: Node) -> bool:
        """Whether readers may be sent to a node, as far as can be known."""
        return not node.service or bool(self._generation_at(node))

    def _backups(self) -> list[str]:
        """Backups that readers can be sent to."""
        away = self.state.drained()
        seats = [seat for seat in self.seats if seat.node.role is Role.BACKUP and seat.node.name not in away]
        return [seat.node.name for seat in seats if self._can_serve(seat)]

    def _can_serve(self, seat: Seat) -> bool:
        if seat.node.service:
            return bool(self._generation_at(seat.node))
        try:
            return seat.place.current() is not None
        except OpilioError:
            return False

    def _generation_at(self, node: Node) -> str | None:
        """What the service of a node serves; empty when it is not ready, None when it does not answer."""
        if not node.service:
            return None
        try:
            health = _client(node).ask("GET", "/health", seconds=_ANSWER).document
        except NodeUnreachable:
            return None
        return str(health.get("generation", "")) if health.get("ready") else ""

    def _chosen(self, only: Sequence[str]) -> tuple[Seat, ...]:
        known = {seat.node.name: seat for seat in self.seats}
        return tuple(known[name] for name in known if not only or name in only)

    @contextlib.contextmanager
    def _alone(self, purpose: str, wait: float) -> Iterator[None]:
        """Hold the lock of publishing; `Conflict`, naming the other, when it is not free in time."""
        end = self.clock.monotonic() + wait
        while True:
            with contextlib.ExitStack() as held:
                try:
                    held.enter_context(locked(self.lock, purpose=purpose, clock=self.clock))
                except Conflict:
                    if self.clock.monotonic() >= end:
                        raise
                else:
                    yield
                    return
            self.sleep(_PAUSE)


def _report(seat: Seat, outcome: Outcome, notes: tuple[str, ...] = ()) -> NodeReport:
    return NodeReport(node=seat.node.name, role=seat.node.role, outcome=outcome, notes=notes)


def _client(node: Node) -> ServiceClient:
    return ServiceClient(node.service, ca_file=node.ca_file)


def _refusal(refused: object, generation: str) -> str:
    """Why a service refused a generation, if it did."""
    about = isinstance(refused, dict) and refused.get("generation") == generation
    return str(refused.get("reason")) if about and isinstance(refused, dict) else ""


def _earlier(seat: Seat) -> str:
    """The newest generation at a node that is older than what it serves."""
    current: Current | None = seat.place.current()
    older = [name for name in seat.place.held() if current is not None and name < current.generation]
    if not older:
        remedy = "Publish one, or name one that the node has."
        raise NoEarlierGeneration(
            f"{seat.node.name} has no earlier generation", where=seat.place.address, remedy=remedy
        )
    return older[-1]
