"""What the tests of whole crawls share: plans for this machine, and the folder of a crawl as sets of URLs."""

import contextlib
import os
import secrets
from collections import Counter
from pathlib import Path

import psutil

from opilio.archive.warc.fast import ArchiveIterator
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from tests.servers.postgres import create_database, drop_database

LOOPBACK = ("127.0.0.0/8", "::1")
CAPTURED = frozenset({"fetched", "duplicate"})  # several hosts of one test have the same pages
IN_FOLDER = StoreAddress()


def plan_for(*urls, scope=ScopeKind.PREFIX, limits=None, manners=None, since="", **parts):
    """A plan without delays."""
    return CrawlPlan(
        seeds=tuple(Seed(url=url) for url in urls),
        scope=Scope(kind=scope),
        limits=Limits(**(limits or {})),
        manners=Manners(**{"preset": Preset.OWN_SITE, **(manners or {})}),
        fetch=Fetch(allow_private=LOOPBACK, since=since),
        **parts,
    )


@contextlib.contextmanager
def store_address(engine: str):
    """Where a crawl store lies in a run with this database."""
    if engine == "sqlite":
        yield IN_FOLDER
        return
    place, name = os.environ["OPILIO_TEST_POSTGRES_URL"], f"opilio_{secrets.token_hex(8)}"
    yield StoreAddress(url=create_database(place, name))
    drop_database(place, name)


def worker_processes(parent: int | None = None):
    """The worker processes of a crawl, of this process or of another: programs of their own, or forked by a copy."""
    try:
        process = psutil.Process(parent)
        words = process.cmdline()
        copies = [one for one in process.children() if one.cmdline() == words]
        forked = [one for copy in copies for one in copy.children()]
        return [one for one in process.children() if _is_worker(one)] + forked
    except psutil.NoSuchProcess:
        return []


def _is_worker(process):
    try:
        return any("crawl_process" in word for word in process.cmdline())
    except psutil.NoSuchProcess:  # it just ended
        return False


def pages_of(folder: Path, address: StoreAddress = IN_FOLDER):
    """The rows of a crawl's store."""
    with contextlib.closing(CrawlFolder(folder).open(address, read_only=True)) as store:
        return list(store.pages())


def fetched(folder: Path, address: StoreAddress = IN_FOLDER):
    """The URLs that were fetched, each as often as it was recorded; their content may be that of another."""
    return Counter(page.url for page in pages_of(folder, address) if page.outcome in CAPTURED)


def responses(folder: Path):
    """The URLs of all responses (revisits too), read and verified by another program than the one that wrote them.

    Every revisit refers to a response that is there.
    """
    found: Counter[str] = Counter()
    kept, referred = set(), set()
    files = sorted((folder / "warcs").iterdir())
    assert all(file.name.endswith(".warc.gz") for file in files), files
    for file in files:
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, verify_digests=True, parse_http=False):
                headers, kind = record.headers, record.headers.get("WARC-Type")
                if kind in ("response", "revisit"):
                    found[headers["WARC-Target-URI"]] += 1
                if kind == "response":
                    kept.add((headers["WARC-Target-URI"], headers["WARC-Date"]))
                elif kind == "revisit":
                    referred.add((headers["WARC-Refers-To-Target-URI"], headers["WARC-Refers-To-Date"]))
    assert referred <= kept
    return found
