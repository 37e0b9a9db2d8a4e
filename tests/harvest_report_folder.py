"""The folder of a harvest with something for every report: broken links, a host outside, odd URLs, slow answers."""

import contextlib

from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.packing import pack_outlinks
from opilio.crawl.frontier.values import found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.seal_crawl import seal
from tests.contracts.crawl_stores import Worker, step

START = "https://owls.example/"
GONE = "https://owls.example/gone"
LONG = f"https://owls.example/search?q={'barn+' * 60}"
REPEATED = "https://owls.example/nest/nest/nest"
OUTSIDE = "https://herons.example/reed"
HOSTILE = "https://owls.example/?q=%3Cscript%3Ealert(1)%3C/script%3E"
#: URL → what is told of it beside what is usual.
FATES = {
    START: {"type": "html", "extension": "html", "ms": 12},
    GONE: {"outcome": Outcome.GONE, "status": 404, "reason": "status 404", "type": "", "extension": ""},
    LONG: {"type": "html", "extension": "html", "ms": 800},
    REPEATED: {"type": "html", "extension": "html"},
    HOSTILE: {"type": "html", "extension": "html", "size": 5_000_000},
    "https://owls.example/blob": {"type": "other", "extension": "bin"},
    "https://owls.example/old": {"outcome": Outcome.REDIRECTED, "status": 301, "type": "", "extension": ""},
    "https://owls.example/private": {
        "outcome": Outcome.ROBOTS_DENIED, "status": None, "type": "", "extension": "", "robots": "=Disallow: /private",
        "reason": "disallowed by line 2", "at": 0.0, "size": 0, "place": None,
    },
}  # fmt: skip
DENIALS = (
    Denial(rule="within root", url=OUTSIDE, parent=START),
    Denial(rule="trap calendar", url="https://owls.example/2099/", parent=START),
)


class _Collector(Worker):
    """Gives the answers above; what lies outside is linked, and not asked for."""

    def result(self, entry, **options):
        links = [PageLink(Hop.LINK, "a", url) for url in (*FATES, OUTSIDE) if url != START and entry.url == START]
        finds = tuple(
            found(link.url, step(entry.label, link.hop), f"{entry.path}{link.hop}")
            for link in links
            if link.url != OUTSIDE
        )
        given = {"outlinks": pack_outlinks(links) if links else b"", "found": finds}
        return super().result(entry, **(given | FATES.get(entry.url, {}) | options))


def reported(path, *, rounds=2, sealed=False):
    """A folder whose crawl is at its end, sealed or not."""
    place = CrawlFolder(path)
    with contextlib.closing(place.begin(CrawlPlan(seeds=(Seed(url=START),)), StoreAddress())) as store:
        worker = _Collector(store, owner="collector")
        for denials in (DENIALS, ())[:rounds]:
            worker.claim()
            worker.take()
            worker.commit(denials=denials)
        store.release(worker.owner, worker.leases)
        (place.warcs / worker.file).write_bytes(b"x" * worker.written)
    if sealed:
        seal(path)
    return place
