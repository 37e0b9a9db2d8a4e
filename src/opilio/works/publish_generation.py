"""Publishes generations of an installation to its nodes, rolls them back, keeps the newest, and says what is where."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder
from opilio.search.generations.errors import NoGeneration
from opilio.search.generations.leftovers import drop_old_temporaries
from opilio.search.generations.pins import pinned
from opilio.search.generations.verify import Progress
from opilio.search.nodes.errors import BadNodes
from opilio.search.nodes.hook import run_hook
from opilio.search.nodes.node import Node, Role, named
from opilio.search.nodes.nodes_file import NODES_FILE, NodeList, read_nodes
from opilio.search.nodes.publishing import NodeReport, Outcome, Publisher, Seat
from opilio.search.nodes.reader_state import READER_FILE, DrainedBy, ReaderState
from opilio.search.nodes.source import FolderSource
from opilio.search.nodes.status import NodeStatus, node_statuses
from opilio.works.publish_places import PlaceFinder

_LOCK = ".publish.lock"
#: What an installation without a list of nodes has: the seed's three, beside the generations.
READY_NODES = tuple(Node(name=role.value, role=role) for role in Role)


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishReport:
    """What became of a publish or a rollback."""

    generation: str  # empty for a rollback of each node to its earlier one
    nodes: tuple[NodeReport, ...]
    removed: tuple[tuple[str, tuple[str, ...]], ...] = ()  # where → generations that are kept no longer
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every node serves it now."""
        return all(each.outcome in (Outcome.SWITCHED, Outcome.ALREADY) for each in self.nodes)


@dataclass(frozen=True, kw_only=True, slots=True)
class Publishing:
    """The nodes of an installation. `finder.index` is its folder `index/`."""

    finder: PlaceFinder
    nodes: NodeList | None = None  # None: the file `nodes.toml`, or the three ready ones
    settle: float = 600.0  # seconds in which a service must have opened what it was switched to
    clock: Clock = SYSTEM

    def listed(self) -> NodeList:
        """The nodes in force."""
        found = self.nodes if self.nodes is not None else read_nodes(self.finder.index / NODES_FILE)
        return found if found.nodes else replace(found, nodes=READY_NODES)

    def publish(
        self, generation: str = "", *, only: Sequence[str] = (), wait: float = 0.0, keep: int = 0,
        progress: Progress | None = None,
    ) -> PublishReport:  # fmt: skip
        """Let nodes serve a generation, the newest unless one is named; then keep the newest `keep` (0: all)."""
        generations = self.finder.generations()
        name = generations.path(generation).name if generation else generations.newest()
        if not name:
            remedy = "Build one with `opilio index build`."
            raise NoGeneration("there is no generation to publish", where=str(generations.root), remedy=remedy)
        with pinned(generations.path(name)) as folder:
            source = FolderSource(folder)
            reports = self._publisher(only).publish(name, source, only=only, wait=wait, progress=progress)
        report = PublishReport(generation=name, nodes=reports)
        return self._kept(report, keep) if keep and report.complete else report

    def roll_back(self, *, to: str = "", only: Sequence[str] = (), wait: float = 0.0) -> PublishReport:
        """Let nodes serve an earlier generation that they have: `to`, or the one before what each serves."""
        return PublishReport(generation=to, nodes=self._publisher(only).roll_back(to=to, only=only, wait=wait))

    def keep(self, count: int) -> PublishReport:
        """Remove all but the newest, at every node and where they were built; never one in use."""
        return self._kept(PublishReport(generation="", nodes=()), count)

    def status(self) -> list[NodeStatus]:
        """Which generation is where, since when, and how far behind."""
        return node_statuses(self._seats(), self.finder.generations(), self.reader_state())

    def drain(self, name: str) -> None:
        """Keep readers away from a node until `restore`."""
        listed = self.listed()
        named(listed.nodes, name)
        self.reader_state().drain(name, DrainedBy.OPERATOR)
        run_hook(listed.hook, "drain", name)

    def restore(self, name: str) -> None:
        """Let readers come back to a node."""
        listed = self.listed()
        named(listed.nodes, name)
        self.reader_state().restore(name, DrainedBy.OPERATOR)
        run_hook(listed.hook, "restore", name)

    def reader_state(self) -> ReaderState:
        """Which nodes readers are kept away from."""
        return ReaderState(self.finder.index / READER_FILE, clock=self.clock)

    def _publisher(self, only: Sequence[str]) -> Publisher:
        listed = self.listed()
        for name in only:
            named(listed.nodes, name)
        ensure_folder(self.finder.index)
        drop_old_temporaries(self.finder.index, self.clock)
        return Publisher(
            seats=self._seats(),
            state=self.reader_state(),
            lock=self.finder.index / _LOCK,
            hook=listed.hook,
            clock=self.clock,
            settle=self.settle,
        )

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(node=node, place=self.finder.place(node)) for node in self.listed().nodes)

    def _kept(self, report: PublishReport, count: int) -> PublishReport:
        """Remove old ones; what cannot be removed is noted and harms nothing."""
        if count < 1:
            raise BadNodes(f"{count} generations cannot be kept", remedy="Keep at least one; two allow a rollback.")
        removed, notes = [], []
        for where, keep in self._keepers():
            try:
                removed.append((where, keep(count)))
            except OpilioError as error:
                notes.append(f"{where}: nothing was removed: {error}")
        gone = tuple((where, names) for where, names in removed if names)
        return replace(report, removed=gone, notes=(*report.notes, *notes))

    def _keepers(self) -> list[tuple[str, Callable[[int], tuple[str, ...]]]]:
        own = [(seat.node.name, seat.place.keep) for seat in self._seats() if seat.node.place]
        return [*own, ("here", self._keep_here)]

    def _keep_here(self, count: int) -> tuple[str, ...]:
        generations = self.finder.generations()
        with generations.changing("removing old generations"):
            generations.sweep()
            return generations.keep(count, in_use=self.finder.served_here)
