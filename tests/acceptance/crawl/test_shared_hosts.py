"""What holds for a host or an address whichever worker asks: counted traps, and delays per IP address."""

import itertools
import re

import pytest

from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed, Traps
from opilio.works.crawl_orders import Orders
from opilio.works.crawl_to_archive import Crew, crawl, resume
from opilio.works.seal_at_end import Sealing
from tests.acceptance.crawl.crawls import LOOPBACK, pages_of, plan_for, store_address
from tests.servers.http_server import HttpServer

pytestmark = pytest.mark.database
QUICK = EngineSettings(commit_every=0.1, claim_every=0.2, look_every=0.1, pause=0.05, quiet=1.0)
FINDERS, EACH = 6, 6  # hosts with links, and links of each


@pytest.fixture
def server(tmp_path):
    sites = tmp_path / "sites"
    for name in (*(f"finder{number}" for number in range(FINDERS)), "target"):
        (sites / name).mkdir(parents=True)
        (sites / name / "index.html").write_text(f"<title>{name}</title>")
    with HttpServer(sites=sites) as running:
        yield running


@pytest.fixture
def address(database_engine):
    with store_address(database_engine) as found:
        yield found


@pytest.fixture
def finders(server, tmp_path):
    """Hosts whose pages lead, after some steps, to one page of another host, with session identifiers of their own."""
    for number in range(FINDERS):
        folder = tmp_path / "sites" / f"finder{number}"
        names = ["index.html", "a.html", "b.html", "c.html"]
        for name, after in itertools.pairwise(names):
            (folder / name).write_text(f'<title>{name}</title><a href="/{after}">on</a>')
        links = [f"/index.html?sid={number:04}{each:08}" for each in range(EACH)]
        links += [f"/index.html?{'&'.join(f'p{number}x{part}=1' for part in range(each + 2))}" for each in range(EACH)]
        anchors = [f'<a href="{server.url(link, host="target.localhost")}">x</a>' for link in links]
        (folder / names[-1]).write_text("".join(anchors))
    return [server.url("/", host=f"finder{number}.localhost") for number in range(FINDERS)]


@pytest.mark.parametrize("workers", [1, 3])
def test_counted_traps_are_the_same_for_any_number_of_workers(server, finders, address, tmp_path, workers):
    """All workers find links to one path: it is asked for as often as the plan bears, also where it was stopped."""
    plan = CrawlPlan(
        seeds=tuple(Seed(url=url) for url in finders),
        scope=Scope(kind=ScopeKind.HOST, surts=("localhost,target:",), traps=Traps(max_query_forms=12)),
        manners=Manners(preset=Preset.OWN_SITE, delay=0.1),
        limits=Limits(pages=4 * FINDERS + 12),
        fetch=Fetch(allow_private=LOOPBACK),
    )
    folder = tmp_path / "out"
    crew = Crew(workers=workers, address=address, settings=QUICK, sealing=Sealing(keep_open=True))
    assert crawl(plan, folder, crew).ended.ending == "limit"
    orders = Orders(folder=folder, by="curator", address=address)
    orders.limit(pages=10**6)
    orders.delay(0)
    assert resume(folder, crew).ended.ending == "finished"
    pages = [page for page in pages_of(folder, address) if "target" in page.url]
    asked = [entry.target for entry in server.log() if entry.host == "target.localhost"]
    for form, most in (("sid=", 20), ("p[0-9]x", 12)):
        named = [page for page in pages if re.search(form, page.url)]
        assert len(named) == FINDERS * EACH
        assert sum(page.outcome in ("fetched", "duplicate") for page in named) == most
        assert sum(page.outcome == "trap" for page in named) == FINDERS * EACH - most
        assert sum(1 for target in asked if re.search(form, target)) == most


def test_no_two_requests_to_an_address_are_closer_than_the_delay(server, tmp_path):
    """Six hosts, one address; robots.txt counts, too. The same after it was stopped and resumed."""
    manners = {"preset": Preset.OWN_SITE, "delay": 0.2, "per_address": True}
    seeds = [server.url("/", host=f"finder{number}.localhost") for number in range(FINDERS)]
    crew = Crew(settings=QUICK, sealing=Sealing(keep_open=True))
    assert crawl(plan_for(*seeds, manners=manners, limits={"pages": 4}), tmp_path / "out", crew).ended.limit == "pages"
    Orders(folder=tmp_path / "out", by="curator").limit(pages=10**6)
    assert resume(tmp_path / "out", crew).ended.ending == "finished"
    times = sorted(entry.at for entry in server.log())
    assert len(times) == 2 * FINDERS
    assert (
        min(later - earlier for earlier, later in itertools.pairwise(times)) >= 0.19
    )  # noted a little after it was sent


def test_delays_per_address_and_several_workers_exclude_each_other(server, tmp_path):
    """Said before anything is asked for or written; a resume says the same."""
    plan = plan_for(server.url("/", host="target.localhost"), manners={"preset": Preset.OWN_SITE, "per_address": True})
    with pytest.raises(BadPlan, match=r"2 workers cannot do this crawl: .*per_address") as refused:
        crawl(plan, tmp_path / "out", Crew(workers=2))
    assert "--workers 1" in refused.value.remedy
    assert not (tmp_path / "out").exists()
    crawl(plan, tmp_path / "out", Crew(sealing=Sealing(keep_open=True)))
    with pytest.raises(BadPlan, match="2 workers"):
        resume(tmp_path / "out", Crew(workers=2))
