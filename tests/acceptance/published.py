"""A small published index: a crawl of a harbour museum, built into a generation and given to the nodes."""

from pathlib import Path

from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource
from opilio.works.search_home import SearchHome
from tests.unit.archive.derived import Page, first_result

ROOT = "https://museum.example"
FILLING = "It lies at the quay beside the customs house and is open every day but Monday from ten to five."
PAGES = [
    Page(f"{ROOT}/", "Harbour Museum", links=(f"{ROOT}/regatta", f"{ROOT}/tides", f"{ROOT}/never", f"{ROOT}/gone"),
         text=f"The harbour museum shows ships, sails and the regatta of every summer. {FILLING}"),
    Page(f"{ROOT}/regatta", "Regatta results", links=(f"{ROOT}/", f"{ROOT}/tides"),
         text="The regatta ended at noon. Eleven gigs rowed the regatta course, one capsized, all crews came home."),
    Page(f"{ROOT}/tides", "Tide tables", links=(f"{ROOT}/",),
         text="High water and low water for every day; after the regatta the pilots check the lighthouse lamp."),
    Page(f"{ROOT}/gone", "Gone", outcome="gone", status=404),
]  # fmt: skip


def publish(home: Path) -> str:
    """Fill `home/index` with a published generation."""
    folder = home / "crawls" / "museum"
    first_result(folder, PAGES)
    index = SearchHome(home / "index")
    index.sources.add([IndexSource(name="museum", folder=str(folder), copyright="© Harbour Museum")])
    made = build_generation(index, processes=1)
    index.publishing.publish()
    return made.id
