"""Everything under `index/` of an installation: sources, generations, nodes, the working index, and their status."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from opilio.archive.store.s3_options import S3Options
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.analysis.wordlists import read_settings
from opilio.search.generations.dirty import DirtyFile
from opilio.search.generations.library import Generations
from opilio.search.nodes import link
from opilio.search.nodes.index_contents import RulesNow
from opilio.search.nodes.node import Node, Role
from opilio.search.nodes.status import NodeStatus as NodeFound
from opilio.search.register import Register
from opilio.works.followed_crawls import FollowedFile, followed_file, register_file
from opilio.works.index_sources import IndexSource, SourcesFile
from opilio.works.publish_generation import Publishing
from opilio.works.publish_places import GENERATIONS, NODES, PlaceFinder
from opilio.works.search_contents import GenerationContents
from opilio.works.search_service import PublishedSearch
from opilio.works.search_values import (
    FollowedStatus,
    GenerationStatus,
    IndexStatus,
    NodeStatus,
    SourceStatus,
)
from opilio.works.working_search import WorkingSearch

INDEX = "index"
STOP_LIST, SYNONYMS = "stop-words.txt", "synonyms.txt"


class SearchHome:
    """The folder `index/` of an installation."""

    def __init__(
        self, folder: Path, *, rules: RulesNow | None = None, token: str = "", s3: S3Options | None = None,
        clock: Clock = SYSTEM,
    ) -> None:  # fmt: skip
        self.folder = folder
        self.sources = SourcesFile(folder / "sources.json")
        self.generations = Generations(folder / GENERATIONS, clock=clock)
        self._rules = rules
        self._clock = clock
        self.contents = GenerationContents(rules, clock=clock)
        self._working: dict[tuple[str, bool], WorkingSearch] = {}
        finder = PlaceFinder(index=folder, contents=self.contents, token=token, s3=s3, clock=clock)
        self.publishing = Publishing(finder=finder, clock=clock)

    @property
    def working_folder(self) -> Path:
        """Where the working index lies."""
        return self.folder / "working"

    @property
    def followed(self) -> FollowedFile:
        """The crawls that the working index follows."""
        return followed_file(self.working_folder)

    def analysis(self) -> AnalysisSettings:
        """The word lists in force: those that people edit in `stop-words.txt` and `synonyms.txt`."""
        stop_list, synonyms = self.folder / STOP_LIST, self.folder / SYNONYMS
        return read_settings(
            stop_list=stop_list if stop_list.exists() else None, synonyms=synonyms if synonyms.exists() else None
        )

    def note_sources(self, sources: Sequence[IndexSource]) -> None:
        """Take down what the sources are now: the dirty flag of each is set where that is news."""
        dirty = self._dirty()
        known = {each.name: _fingerprint(each) for each in sources}
        dirty.note_all({name: mark for name, mark in known.items() if mark})
        for name in set(dirty.sources()) - set(known):
            dirty.gone(name)

    @cached_property
    def _published(self) -> PublishedSearch:
        return PublishedSearch(self._node, rules=self._rules, sources=self.sources.all, clock=self._clock)

    def published(self) -> PublishedSearch:
        """What readers are given: the generation of the primary, of the backup while that is switched."""
        return self._published

    def working(self, *, of_everybody: bool = False) -> WorkingSearch:
        """The working index, for reviewers; opened once, as long as the word lists stay."""
        analyzer = Analyzer(self.analysis())
        key = (analyzer.fingerprint, of_everybody)
        if key not in self._working:
            self._working = {
                key: WorkingSearch(
                    self.working_folder, analyzer, rules=self._rules, of_everybody=of_everybody, clock=self._clock
                )
            }
        return self._working[key]

    def status(self) -> IndexStatus:
        """Which generation lies where, and what the next one would bring."""
        nodes = tuple(map(_node_status, self.publishing.status()))
        return IndexStatus(
            generations=tuple(self._generation_statuses(nodes)), nodes=nodes, readers=self._readers(nodes),
            sources=tuple(self._source_statuses()), followed=tuple(self._followed_statuses()),
        )  # fmt: skip

    def _node(self) -> Path:
        """The link of the node that readers are sent to, among those that lie beside the generations."""
        nodes = sorted((node for node in self.publishing.listed().nodes if not node.place), key=_order)
        drained = self.publishing.reader_state().drained()
        links = [(node.name in drained, self.folder / NODES / node.name) for node in nodes]
        served = [(away, each) for away, each in links if link.served(each)]
        found = next((each for away, each in served if not away), None) or next((each for _, each in served), None)
        return found or self.folder / NODES / (nodes[0].name if nodes else Role.PRIMARY.value)

    def _generation_statuses(self, nodes: Sequence[NodeStatus]) -> Iterator[GenerationStatus]:
        for name, manifest in reversed(self.generations.listed()):
            serving = tuple(node.name for node in nodes if node.generation == name)
            counts = manifest.counts if manifest is not None else {}
            yield GenerationStatus(
                id=name, made=manifest.made.timestamp() if manifest is not None else 0.0,
                documents=counts.get("documents", 0), known=counts.get("pages", 0),
                bytes=manifest.size if manifest is not None else 0,
                parent=manifest.parent if manifest is not None else "", nodes=serving,
            )  # fmt: skip

    def _source_statuses(self) -> Iterator[SourceStatus]:
        """Each source, and since when the newest generation does not hold it as it is."""
        sources, newest = self.sources.all(), self.generations.newest()
        self.note_sources(sources)
        held = self.generations.manifest(newest).sources if newest else {}
        dirty = {each.name: each for each in self._dirty().dirty(held)}
        for each in sources:
            change = dirty.pop(each.name, None)
            yield SourceStatus(
                name=each.name, folder=each.folder, result=each.result, change=change.change.value if change else "",
                since=change.since.timestamp() if change else 0.0,
            )  # fmt: skip
        for name, gone in dirty.items():
            yield SourceStatus(name=name, folder="", change=gone.change.value, since=gone.since.timestamp())

    def _followed_statuses(self) -> Iterator[FollowedStatus]:
        crawls = self.followed.all()
        if not crawls or not register_file(self.working_folder).exists():
            return
        with Register(register_file(self.working_folder)) as register:
            for each in crawls:
                pages = len(register.of_crawl(each.name))
                yield FollowedStatus(name=each.name, folder=each.folder, pages=pages)

    def _readers(self, nodes: Sequence[NodeStatus]) -> str:
        name = self._node().name
        return name if any(node.name == name and node.generation for node in nodes) else ""

    def _dirty(self) -> DirtyFile:
        return DirtyFile(self.folder / "dirty.db", clock=self._clock)


def _order(node: Node) -> int:
    """Readers belong to the primary, else to the backup, else to what there is."""
    return (Role.PRIMARY, Role.BACKUP, Role.CONTENT).index(node.role)


def _node_status(found: NodeFound) -> NodeStatus:
    return NodeStatus(
        name=found.node, role=str(found.role), place=found.place, generation=found.generation,
        since=found.since.timestamp() if found.since else 0.0, behind=found.behind or 0,
        trouble=found.error or found.refused,
    )  # fmt: skip


def _fingerprint(source: IndexSource) -> str:
    """What a source is now; empty when its crawl is gone."""
    try:
        return source.fingerprint()
    except OpilioError:
        return ""
