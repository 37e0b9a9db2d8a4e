"""Every behaviour of the test server in one crawl, each on a host of its own: it ends, and each URL has an outcome."""

import contextlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from opilio.crawl.engine.ending import Ending
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawl_to_archive import CrawlSummary, Crew, crawl
from opilio.works.seal_at_end import Sealing
from tests.acceptance.crawl.crawls import IN_FOLDER, LOOPBACK, responses
from tests.servers.http_server import HttpServer
from tests.servers.routes import BEHAVIOURS

SHORT = Fetch(
    connect_timeout=5, first_byte_timeout=2, idle_timeout=2, total_timeout=8, max_body=300_000, max_header=65_536,
    max_redirects=5, allow_private=LOOPBACK,
)  # fmt: skip
PAGES_PER_HOST = 4
QUICK = EngineSettings(robots_retry=0.1, commit_every=0.2, pause=0.05, quiet=0.5)


@dataclass
class Ended:
    """The crawl, over."""

    server: HttpServer
    folder: Path
    summary: CrawlSummary
    pages: dict


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "out"
    with HttpServer() as server:
        plan = CrawlPlan(
            seeds=tuple(Seed(url=start(server, each), depth=2) for each in BEHAVIOURS),
            scope=Scope(kind=ScopeKind.HOST),
            limits=Limits(pages_per_host=PAGES_PER_HOST),
            manners=Manners(preset=Preset.OWN_SITE, tries=3),
            fetch=SHORT,
        )
        summary = crawl(plan, folder, Crew(settings=QUICK, sealing=Sealing(keep_open=True)))
        with contextlib.closing(CrawlFolder(folder).open(IN_FOLDER, read_only=True)) as store:
            pages = {page.url: page for page in store.pages()}
        yield Ended(server, folder, summary, pages)


def start(server, behaviour):
    """The URL that shows a behaviour, on a host with its name."""
    return server.url(behaviour.shown, host=f"{behaviour.name.replace('.', '-').replace('_', '-')}.localhost")


#: What becomes of the behaviours that do not end with a fetched page: outcome, and words of the reason.
TOLD = {
    "status": ("gone", "status 410"),
    "type": ("unparsable", "no readable PDF"),
    "drop": ("transient-error", "reset: "),
    "reset": ("transient-error", "reset: "),
    "many-headers": ("permanent-error", "head-too-large"),
    "huge-header": ("permanent-error", "head-too-large"),
    "redirect-loop": ("redirected", "/redirect/loop/b"),
    "redirect-self": ("redirected", "/redirect/self"),
    "redirect-chain": ("redirected", "/redirect/chain/4"),
    "redirect-endless": ("redirected", "/redirect/endless/1"),
    "redirect-to": ("redirected", "/page"),
    "redirect-nowhere": ("permanent-error", "without a URL to go to"),
    "cookie-require": ("permanent-error", "status 403"),
    "basic-login": ("permanent-error", "status 401"),
    "digest-md5-login": ("permanent-error", "status 401"),
    "digest-sha-256-login": ("permanent-error", "status 401"),
    "digest-both-login": ("permanent-error", "status 401"),
    "negotiate-login": ("permanent-error", "status 401"),
    "key-login": ("permanent-error", "status 401"),
    "realm-change-login": ("permanent-error", "status 401"),
    "form-inside": ("redirected", "/login/form"),
    "form-logout": ("redirected", "/login/form"),
    "ticket-login": ("redirected", "/login/form"),
    "soft-404": ("soft-404", "does not exist"),
    "robots": ("gone", "status 404"),
}
#: What is said of pages that were fetched, but not as they should be.
NOTED = {
    "drop-in-head": "cut off: disconnect",
    "reset-in-body": "cut off: disconnect",
    "truncated": "cut off: disconnect",
    "broken-chunks": "a chunk has no readable size",
    "short-chunk": "shorter than it says",
    "no-last-chunk": "without the last one",
    "huge-chunk": "shorter than it says",
    "endless": "cut off: length",
    "endless-chunks": "cut off: length",
    "gzip-bomb": "grows beyond",
    "br-bomb": "grows beyond",
    "zstd-bomb": "grows beyond",
    "double-gzip-bomb": "grows beyond",
    "cut-gzip": "gzip is broken",
    "unknown-encoding": "is unknown",
}


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda each: each.name)
def test_each_behaviour_has_its_outcome_with_the_reason(ended, behaviour):
    """What can be kept is kept, with what is wrong with it; the rest is told with its cause."""
    page = ended.pages[start(ended.server, behaviour)]
    outcome, words = TOLD.get(behaviour.name, ("fetched", NOTED.get(behaviour.name, "")))
    allowed = {outcome, "duplicate"} if outcome == "fetched" else {outcome}  # several answer with the same page
    assert page.outcome in allowed, page.reason
    assert words in page.reason


def test_the_crawl_comes_to_its_end(ended):
    """No host keeps it; nothing but what the limit of its host holds back is left."""
    assert ended.summary.ended.ending in (Ending.FINISHED, Ending.LIMIT)
    assert all(page.outcome for page in ended.pages.values())
    assert not [page.url for page in ended.pages.values() if "error of Opilio" in page.reason]


def test_every_page_is_in_the_captures_and_every_digest_is_right(ended):
    """As another program reads them."""
    kept = {page.url for page in ended.pages.values() if page.place is not None}
    found = responses(ended.folder)
    assert kept <= set(found)
    assert {url for url in found if not url.endswith("/robots.txt")} <= set(ended.pages)


def test_traps_end_at_the_limit_of_their_host(ended):
    """However many pages they make up."""
    counted = Counter(page.url.split("/")[2] for page in ended.pages.values() if page.counted)
    assert max(counted.values()) <= PAGES_PER_HOST
    names = ("calendar-trap", "large-site")
    assert {counted[f"{name}.localhost:{ended.server.port}"] for name in names} == {PAGES_PER_HOST}
