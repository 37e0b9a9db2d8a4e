"""The demo's index: the pages of the crawl, built into a generation and published, so that they can be searched."""

from dataclasses import dataclass
from pathlib import Path

from opilio.kernel.settings import Settings
from opilio.server.errors import DemoFailed
from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource
from opilio.works.search_setup import search_home

NAME = "sample"
EXAMPLE = "harbour"  # a word of the sample site
_KEPT = 3  # generations


@dataclass(frozen=True, kw_only=True)
class Indexed:
    """What can be searched."""

    generation: str
    documents: int


def run(folder: Path, settings: Settings) -> Indexed:
    """Build a generation from the crawl, grown from that of an earlier run, and let all nodes serve it."""
    home = search_home(settings)
    home.sources.add([IndexSource(name=NAME, folder=str(folder))])
    made = build_generation(home, processes=1)
    report = home.publishing.publish(made.id, keep=_KEPT)
    if not report.complete:
        trouble = next((each.error for each in report.nodes if each.error), "a node did not take the generation")
        raise DemoFailed(trouble, where=made.id, remedy="Run the demo in another folder: opilio demo --home DIR.")
    return Indexed(generation=made.id, documents=made.counts["documents"])
