"""What the proofs about harvests share: a site of pages in a tree, and the look whether a harvest is whole."""

from dataclasses import dataclass

from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.curation.harvest_workflow import replayed
from opilio.works.run_harvest import HarvestFolder

PAGES = 25


@dataclass(frozen=True)
class Happened:
    """An event, as far as a replay needs it."""

    name: str
    source: str
    target: str


def make_site(folder, *, pages=PAGES, filling=b""):
    """Pages p0.html, p1.html, …, each linking to two more."""
    folder.mkdir()
    for number in range(pages):
        following = (one for one in (2 * number + 1, 2 * number + 2) if one < pages)
        links = "".join(f"<a href='p{one}.html'>{one}</a>" for one in following)
        (folder / f"p{number}.html").write_bytes(f"<title>{number}</title>{links}".encode() + filling)
    return folder


def events_of(yard, harvest):
    """Its log, in order."""
    query = f"SELECT name, source, target FROM harvest_event WHERE harvest_id = {harvest} ORDER BY number"
    return [Happened(*row) for row in yard.rows(query)]


def require_whole(yard, harvest, *, pages=PAGES):
    """It was kept once, its log replays to its state, and every page is in its WARC files once."""
    assert yard.state(harvest) == "harvested", yard.logs()[-4000:]
    events = events_of(yard, harvest)
    assert replayed(events) == "harvested"
    assert [one.name for one in events].count("keep") == 1
    folder = HarvestFolder(path=yard.installation.home / "harvests" / str(harvest))
    assert folder.sealed()
    found = [name for name in _captured(folder) if name.startswith("p")]
    assert sorted(found) == sorted({f"p{number}.html" for number in range(pages)})


def _captured(folder):
    """The last part of the path of every response that was kept."""
    found = []
    for file in folder.files():
        with (folder.crawl.warcs / file.name).open("rb") as stream:
            records = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=False)
            found += [record.headers["WARC-Target-URI"].rpartition("/")[2].partition("?")[0] for record in records]
    return found
