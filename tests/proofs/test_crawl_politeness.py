"""Politeness by the server's log: whatever is asked for, by whichever worker, a host has its delay in between."""

import random
import time
from collections import Counter

import pytest

from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.logins.credential import Credential, Form
from opilio.crawl.logins.reach import Reach
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_to_archive import Crew, crawl
from tests.acceptance.crawl.crawls import LOOPBACK, worker_processes
from tests.proofs.almanacs import closest
from tests.servers.http_logins import PASSWORD, USER
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.robots import Rule

HOSTS = 6
DELAY = 0.12  # seconds
LATE = 0.01  # seconds by which the server may notice a request late
LATE_AMONG_OTHERS = 0.05  # the same where other tests run beside; the full proof runs alone
SETTINGS = EngineSettings(commit_every=0.2, claim_every=0.3, look_every=0.2, pause=0.05, quiet=1.0, robots_retry=0.2)
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


@pytest.fixture
def server(tmp_path):
    """Every host has a sitemap of its own, which its robots.txt names."""
    sites = tmp_path / "sites"
    for host in range(HOSTS):
        (sites / f"h{host}").mkdir(parents=True)
    with HttpServer(sites=sites) as running:
        for host in range(HOSTS):
            name = f"h{host}.localhost"
            listed = "".join(f"<url><loc>{running.url(f'/page?{number}', host=name)}</loc></url>" for number in (1, 2))
            (sites / f"h{host}" / "sitemap.xml").write_text(SITEMAP.format(listed))
            running.set_robots(name, Rule(body=f"Sitemap: {running.url('/sitemap.xml', host=name)}\n"))
        yield running


def targets(site):
    """What each host is asked for beside its site: retries, a server that asks for patience, redirects."""
    return (f"{site.base}/", "/503/flapping?every=3", "/429/seconds?wait=1&nth=2", "/drop/then-page?times=2",
            "/redirect/chain/3")  # fmt: skip


def plan_of(server, site):
    seeds = [Seed(url=server.url(target, host=host_name(host))) for host in range(HOSTS) for target in targets(site)]
    behind = [
        Seed(url=server.url("/login/inside/0", host=host_name(host)), credential=host_name(host))
        for host in range(HOSTS)
    ]
    return CrawlPlan(
        seeds=(*behind, *seeds),
        scope=Scope(kind=ScopeKind.HOST),
        manners=Manners(preset=Preset.OWN_SITE, delay=DELAY, tries=6),
        fetch=Fetch(allow_private=LOOPBACK),
    )


def host_name(host):
    return f"h{host}.localhost"


def book_of(server):
    """A credential for each host, whose form is there."""
    return CredentialBook({host_name(host): credential(server, host_name(host)) for host in range(HOSTS)})


def credential(server, name):
    reach = Reach(hosts=(f"{name}:{server.port}",), https_only=False)
    way = Form(page=server.url("/login/form?lasts=4", host=name), user=USER, password=PASSWORD)
    return Credential(name=name, reach=reach, way=way)


def test_no_two_requests_to_a_host_are_closer_than_the_delay(
    server, address, proof_scale, random_number, tmp_path, record_property
):
    """Pages, embeds, robots.txt, sitemaps, retries, redirects and logins of three workers, one of which is killed."""
    site, chance, killed = LargeSite(pages=6 * proof_scale), random.Random(random_number), []

    def kill_some(progress):
        if len(killed) < proof_scale and chance.random() < 0.1:
            chance.choice(worker_processes()).kill()
            killed.append(time.monotonic())

    crew = Crew(workers=3, address=address, settings=SETTINGS, book=book_of(server), watch=kill_some)
    summary = crawl(plan_of(server, site), tmp_path / "out", crew)
    seen = closest(server, killed)
    record_property("requests", len(server.log()))
    record_property("shortest gap", f"{seen.seconds:.3f} s of {DELAY} s")
    assert summary.ended.ending == "finished"
    assert killed
    asked = Counter(entry.target.partition("?")[0].split("/")[1] for entry in server.log())
    assert set(asked) >= {"large", "robots.txt", "sitemap.xml", "503", "429", "redirect", "page", "login"}
    assert asked["503"] >= 3 * HOSTS
    assert asked["429"] >= 2 * HOSTS
    assert asked["drop"] >= 3 * HOSTS
    late = LATE if proof_scale > 1 else LATE_AMONG_OTHERS
    assert seen.seconds >= DELAY - late, (seen, killed)
