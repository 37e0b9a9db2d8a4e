"""The end of a crawl: its store becomes result 1, which tells the same story; kills and full disks do no harm."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import stat
import subprocess
import sys

import pytest

from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.reader import ResultReader
from opilio.cli.main import main
from opilio.crawl.errors import SealedCrawlStore
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.kernel.errors import Damaged, Missing, NoSpace
from opilio.works import crawl_story
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_to_archive import Crew, crawl, resume
from opilio.works.seal_at_end import Sealing
from opilio.works.seal_crawl import seal
from opilio.works.sealed_crawl import results_of
from tests.acceptance.crawl.crawls import pages_of, plan_for
from tests.proofs.small_disk import SmallDisk
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.postgres import create_database, drop_database
from tests.servers.robots import Rule
from tests.sites.crawling import QUICK

SITE = LargeSite(pages=30)
OPEN = Crew(sealing=Sealing(keep_open=True), settings=QUICK)


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        running.set_robots("h0.localhost", Rule(body=f"User-agent: *\nDisallow: {SITE.path(3)}\n"))
        yield running


def starts(server):
    site = [server.url(f"{SITE.base}/", host=f"h{number}.localhost") for number in range(2)]
    denied = server.url(SITE.path(3), host="h0.localhost")
    return [*site, denied, server.url("/redirect/chain?length=2"), server.url("/no-such-page")]


@pytest.fixture(scope="module")
def ended(server, tmp_path_factory):
    """A crawl that reached its limit and was left open; not to be changed."""
    folder = tmp_path_factory.mktemp("ended") / "out"
    summary = crawl(plan_for(*starts(server), limits={"pages": 30}), folder, OPEN)
    assert (summary.ended.ending, summary.result) == ("limit", None)
    return folder


@pytest.fixture
def folder(ended, tmp_path):
    """A copy of it."""
    shutil.copytree(ended, tmp_path / "out")
    return tmp_path / "out"


def stories(folder, urls):
    return {url: crawl_story.explain(folder, url) for url in urls}


def test_a_crawl_is_sealed_when_it_ends(server, tmp_path):
    """Immutable, with digests of all files; nothing can be resumed or ordered afterwards."""
    folder = tmp_path / "out"
    summary = crawl(plan_for(starts(server)[0]), folder, Crew(settings=QUICK))
    assert summary.result == folder / "results" / "result-1.db"
    assert stat.S_IMODE(summary.result.stat().st_mode) == 0o444
    manifest = results_of(CrawlFolder(folder)).manifest
    check = subprocess.run(["sha256sum", "-c", str(manifest)], cwd=folder, capture_output=True, check=False)
    assert check.returncode == 0, check.stderr
    assert len(manifest.read_text().splitlines()) == 1 + len(list((folder / "warcs").iterdir()))
    assert not list(folder.rglob("*.open"))
    with pytest.raises(SealedCrawlStore) as caught:
        resume(folder)
    assert "--keep-open" in caught.value.remedy
    with contextlib.closing(SqliteStore.open(folder / "crawl.db")) as store:
        assert (store.sealed, list(store.waiting()), list(store.hosts())) == (True, [], [])


def test_the_sealed_crawl_tells_the_same_story(server, folder):
    """Report, index and every URL's story are as they were; what waited has an outcome now."""
    pages = {page.url for page in pages_of(folder)}
    with contextlib.closing(SqliteStore.open(folder / "crawl.db")) as store:
        waiting = [each.url for each in store.waiting()]
        links = dict(store.outlinks())
        texts = list(store.texts())
    others = ["https://elsewhere.example/", f"{starts(server)[0]}never/found"]
    before = stories(folder, [*pages, *others])
    assert {story.get("outcome") for story in before.values()} >= {"robots-denied", "gone", "redirected", "fetched"}
    index = (folder / "index.cdxj").read_bytes()
    sealed = seal(folder)
    (folder / "crawl.db").rename(folder / "elsewhere")  # nobody needs it any more
    assert stories(folder, [*pages, *others]) == before
    assert (folder / "index.cdxj").read_bytes() == index
    assert sealed.resources == len(pages) + len(waiting)
    told = crawl_story.explain(folder, waiting[0])
    assert (told["outcome"], told["reason"]) == ("over-limit", "the crawl was sealed before its turn")
    assert told["parents"]
    assert crawl_story.report(folder)["ended"] == "limit"
    with ResultReader(sealed.result) as result:
        assert {number: [tuple(link) for link in result.outlinks(number)] for number in links} == {
            number: [tuple(link) for link in each] for number, each in links.items()
        }
        assert len(list(result.texts())) == len(texts)
        front = result.resource(starts(server)[0])
        parents = {result.numbered(number).url for number in result.inlinks(front.id)}
        assert parents == {
            result.numbered(number).url for number, each in links.items() if any(link.url == front.url for link in each)
        }
        assert result.outcomes()["over-limit"] == len(waiting)


def test_an_open_crawl_goes_on_after_its_limit_was_raised(server, folder):
    """Left open, resumed under another limit, sealed at its end."""
    with contextlib.closing(SqliteStore.open(folder / "crawl.db")) as store:
        store.order("limits", "curator", 0.0, {"pages": 33})
    summary = resume(folder, Crew(settings=QUICK))
    assert (summary.report["counted"], summary.result is not None) == (33, True)
    assert crawl_story.report(folder) == json.loads(json.dumps(summary.report))


def test_seal_by_hand(folder, capsys):
    """As JSON; a second time changes nothing."""
    assert main(["crawl", "seal", str(folder), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["already"], first["warcs"]) == (False, 1)
    data = (folder / "results" / "result-1.db").read_bytes()
    assert main(["crawl", "seal", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {**first, "already": True}
    assert (folder / "results" / "result-1.db").read_bytes() == data
    assert main(["crawl", "resume", str(folder), "--json"]) == 5
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "sealed-crawl-store"


_KILLS = """
import os, pathlib, signal, sys
from opilio.works.seal_crawl import seal

def at(wanted):
    count = [0]
    def told(step, done, total):
        count[0] += 1
        if count[0] == wanted:
            os.kill(os.getpid(), signal.SIGKILL)
    return told

for number, folder in enumerate(sys.argv[1:], 1):
    child = os.fork()
    if not child:
        seal(pathlib.Path(folder), told=at(number))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_sealing_that_is_killed_at_any_step_is_repeated(ended, tmp_path):
    """The store loses nothing before the result is there; the next sealing ends with the same result."""
    steps = []
    whole = tmp_path / "whole"
    shutil.copytree(ended, whole)
    seal(whole, told=lambda step, done, total: steps.append(step))
    assert len(steps) > 6
    folders = [tmp_path / f"killed-{number}" for number in range(len(steps))]
    for folder in folders:
        shutil.copytree(ended, folder)
    command = [sys.executable, "-c", _KILLS, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(-signal.SIGKILL)] * len(steps)
    before = len(pages_of(ended))
    for step, folder in zip(steps, folders, strict=True):
        with contextlib.closing(SqliteStore.open(folder / "crawl.db")) as store:
            assert store.sealed == (step == "sealed")
            assert (store.counts(0).waiting > 0) == (step != "sealed")
        seal(folder)
        assert len(pages_of(folder)) == before
        assert _contents(folder) == _contents(whole)
        assert list(wrong_files(folder, results_of(CrawlFolder(folder)).manifest)) == []
        assert sorted(path.name for path in (folder / "results").iterdir()) == ["result-1.db", "result-1.sha256"]


def _contents(folder):
    with ResultReader(folder / "results" / "result-1.db") as result:
        return list(result.resources()), list(result.all_outlinks()), list(result.hosts()), result.counters()


def test_what_a_killed_sealing_left_does_not_outlive_a_resumption(folder):
    """The store is what counts until it is sealed."""
    results = results_of(CrawlFolder(folder))
    results.result.parent.mkdir()
    for path in (results.result, results.manifest):
        path.write_text("left behind")
    resume(folder, OPEN)
    assert not results.result.exists()
    assert not results.manifest.exists()


@pytest.fixture
def small_disk(tmp_path):
    disk = SmallDisk(tmp_path / "disk")
    disk.make(4 << 20)
    yield disk.path
    disk.remove()


def test_a_full_disk_leaves_the_store_as_it_was(ended, small_disk):
    """The message says so; sealed after space was made."""
    folder = small_disk / "out"
    shutil.copytree(ended, folder)
    with contextlib.closing(SqliteStore.open(folder / "crawl.db")) as store:
        waiting = len(list(store.waiting()))
    ballast = small_disk / "ballast"
    free = os.statvfs(small_disk)
    ballast.write_bytes(b"\0" * (free.f_bavail * free.f_frsize - 130_000))
    with pytest.raises(NoSpace):
        seal(folder)
    assert list((folder / "results").iterdir()) == []
    with contextlib.closing(SqliteStore.open(folder / "crawl.db", read_only=True)) as store:
        assert (store.sealed, len(list(store.waiting()))) == (False, waiting)
    ballast.unlink()
    assert seal(folder).resources > waiting


def test_a_result_that_is_gone_is_told(folder):
    """And so is a WARC file that is elsewhere, before anything is done."""
    (warc,) = (folder / "warcs").iterdir()
    warc.rename(folder / "elsewhere")
    with pytest.raises(Missing, match="elsewhere"):
        seal(folder)
    (folder / "elsewhere").rename(warc)
    seal(folder).result.unlink()
    with pytest.raises(Damaged, match="gone"):
        seal(folder)


@pytest.mark.database
@pytest.mark.only_on("postgres")
def test_a_store_in_postgresql_is_sealed_into_its_folder(server, tmp_path):
    """Read without the database afterwards; the database knows that it was sealed."""
    place, name = os.environ["OPILIO_TEST_POSTGRES_URL"], f"opilio_{secrets.token_hex(8)}"
    address = StoreAddress(url=create_database(place, name))
    try:
        folder = tmp_path / "out"
        crew = Crew(address=address, settings=QUICK, sealing=Sealing(keep_open=True))
        crawl(plan_for(*starts(server), limits={"pages": 30}), folder, crew)
        before = crawl_story.explain(folder, starts(server)[0], address)
        seal(folder, address)
        assert crawl_story.explain(folder, starts(server)[0]) == before
        with pytest.raises(SealedCrawlStore):
            resume(folder, crew)
        with contextlib.closing(CrawlFolder(folder).open(address)) as store:
            assert (store.sealed, list(store.waiting()), list(store.hosts())) == (True, [], [])
        assert seal(folder, address).already
    finally:
        drop_database(place, name)
