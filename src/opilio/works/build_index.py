"""Builds what an installation searches: the next generation of all its sources, and the working index."""

import os

from opilio.kernel.errors import InvalidInput
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.generations.build import build
from opilio.search.generations.manifest import Manifest
from opilio.works.index_generation import Building, Told, fill
from opilio.works.index_ranks import link_ranks
from opilio.works.search_home import SearchHome
from opilio.works.working_index import WorkingIndex


def _silent(step: str, done: int, total: int) -> None:
    pass


def build_generation(home: SearchHome, *, fresh: bool = False, processes: int = 0, told: Told = _silent) -> Manifest:
    """A new generation of all sources, grown from the newest unless a fresh one is wanted."""
    sources = home.sources.all()
    if not sources:
        remedy = "Name the folder of a crawl: opilio index build DIR."
        raise InvalidInput("there is nothing to index yet", where=str(home.folder), remedy=remedy)
    building = Building(
        sources=sources, settings=home.analysis(), ranks=link_ranks, processes=processes or _processors(), told=told
    )
    parent = "" if fresh else home.generations.newest()
    made = build(home.generations, fill(building), home.contents, parent=parent)
    home.note_sources(sources)
    return made


def working_index(home: SearchHome) -> WorkingIndex:
    """The writer of the working index; one process has it."""
    return WorkingIndex(home.working_folder, Analyzer(home.analysis()))


def _processors() -> int:
    return len(os.sched_getaffinity(0))
