"""Folders of harvests as a crawl leaves them, made without a crawl: a store, and the result of it if it is sealed."""

from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.kernel.capture import Hop
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.seal_crawl import seal
from tests.contracts.crawl_stores import Worker

START = "https://owls.example/"
HOSTILE = "https://owls.example/?q=%3Cscript%3Ealert(1)%3C/script%3E%E2%80%AE"
#: Path → what is told of it; all others are fetched.
FATES = {
    "/gone": {"outcome": Outcome.GONE, "status": 404},
    "/picture.png": {"type": "png", "size": 5},
    "/private": {"outcome": Outcome.ROBOTS_DENIED, "status": None, "type": "", "place": None, "reason": "it says so"},
}
LINKS = (
    *(f"https://owls.example{path}" for path in FATES),
    *(f"https://owls.example/barn/{number}" for number in range(4)),
    HOSTILE,
    "https://herons.example/reed",
)


def collected(path, *, links=LINKS, rounds=2, sealed=False, plan=None):
    """A folder: the start page, then `rounds` - 1 more rounds; what they found and did not fetch waits."""
    place = CrawlFolder(path)
    store = place.begin(plan or CrawlPlan(seeds=(Seed(url=START),)), StoreAddress())
    worker = Worker(store, {START: [(Hop.LINK, url) for url in links]}, owner="collector")
    for number in range(rounds):
        worker.claim()
        worker.take(max_hosts=1 if number else 100)
        _commit(worker)
    worker.store.release(worker.owner, worker.leases)
    (place.warcs / worker.file).write_bytes(b"x" * worker.written)
    store.close()
    if sealed:
        seal(path)
    return place


def _commit(worker):
    fates = {f"https://owls.example{path}": fate for path, fate in FATES.items()}
    pages = tuple(worker.result(entry, **fates.get(entry.url, {})) for entry in worker.inflight)
    worker.store.commit(worker.batch(pages=pages, warcs={worker.file: worker.written}))
    worker.inflight = []
