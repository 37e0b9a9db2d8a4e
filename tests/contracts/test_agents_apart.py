"""Agents on machines that share PostgreSQL and a bucket, and no disk: real processes, one killed with its home."""

import json
import shutil
import signal
from contextlib import ExitStack

import pytest

from tests.contracts.crawl_stores import KINDS
from tests.harvests import Yard
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.s3 import ACCESS_KEY, SECRET_KEY

pytestmark = [pytest.mark.database, pytest.mark.timeout(600)]
__test__ = "postgres" in KINDS
SITE = LargeSite(pages=120)
HOSTS = 4
PROFILE = {
    "manners": {"preset": "own-site", "delay": 0.03}, "scope": {"kind": "prefix"}, "fetch": {"agents": 3},
}  # fmt: skip
_READ = """
import json, sys
from opilio.curation.harvest_folders import folder_of
from opilio.works.sealed_crawl import SealedCrawl, results_of
folder = folder_of({harvest})
sealed = SealedCrawl(results_of(folder.crawl).result)
print(json.dumps([[page.url, page.place.file if page.place else None, page.outcome] for page in sealed.pages()]))
sealed.close()
print(json.dumps([[path.name, path.stat().st_size] for path in sorted(folder.crawl.warcs.iterdir())]))
"""


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def yard(make_installation, s3):
    installation = make_installation()
    bucket = s3.make_bucket(f"apart-{installation.home.parent.name[-30:].strip('_').replace('_', '-')}")
    installation.env.update(
        OPILIO_STORE=f"s3://{bucket}/opilio", OPILIO_S3_ENDPOINT=s3.url, OPILIO_S3_ACCESS_KEY=ACCESS_KEY,
        OPILIO_S3_SECRET_KEY=SECRET_KEY, OPILIO_CRAWL_DATABASE_URL=installation.database_url,
        OPILIO_HARVEST_CHECKPOINT_SECONDS="1", OPILIO_HARVEST_SLOTS="1",
    )  # fmt: skip
    return Yard(installation=installation, settings=PROFILE)


def machine(yard, name):
    """A home folder with the keys of the installation, and nothing else."""
    home = yard.installation.home.parent / name
    home.mkdir()
    if (keys := yard.installation.home / "secrets").is_dir():
        shutil.copytree(keys, home / "secrets")
    return home


def captured(yard, home, harvest):
    """What another machine reads of a harvest: pages with their files, and the files."""
    env = {**yard.installation.env, "OPILIO_HOME": str(home)}
    done = type(yard.installation)(home=home, env=env, database_url="").python(_READ.format(harvest=harvest))
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.strip().splitlines()[-2:]]


def test_agents_with_disks_of_their_own_do_one_harvest(yard, server):
    """The leader is killed and its home removed; others go on, fetch what was lost, and a fourth machine reads all."""
    homes = [machine(yard, name) for name in ("barn", "byre", "shed")]
    (harvest,) = yard.plan(server.url(f"{SITE.base}/"), port=server.port)
    with ExitStack() as stack:
        agents = {
            home.name: stack.enter_context(yard.agent(OPILIO_HOME=str(home), OPILIO_AGENT_NAME=home.name))
            for home in homes
        }
        yard.until(lambda: yard.rows(f"SELECT agent_name FROM harvest WHERE id = {harvest}")[0][0], "nobody leads")
        leader = yard.rows(f"SELECT agent_name FROM harvest WHERE id = {harvest}")[0][0].partition("#")[0]
        yard.until(lambda: len(server.log()) > 30, "nothing is fetched")
        agents[leader].send_signal(signal.SIGKILL)
        agents[leader].wait()
        shutil.rmtree(next(home for home in homes if home.name == leader))
        yard.until(lambda: yard.state(harvest) == "harvested", f"it did not end: {yard.logs()[-3000:]}")
    pages, files = captured(yard, machine(yard, "front"), harvest)
    kept = [url for url, file, outcome in pages if outcome in ("fetched", "duplicate")]
    assert len(kept) == len(set(kept))
    assert {server.url(path) for path in SITE.page_paths()} <= set(kept)
    assert {file for _, file, _ in pages if file} == {name for name, _ in files}
    assert "taken-over" in yard.events(harvest)
