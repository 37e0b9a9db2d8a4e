"""A crawl whose store is lost: it is made again from the WARC files, and the crawl ends as if nothing had happened."""

import contextlib
import json
import os
import secrets
import shutil
from collections import Counter

import pytest

from opilio.cli.main import main
from opilio.crawl.engine.brake import Brake
from opilio.crawl.frontier.postgres import PostgresStore
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.kernel.errors import Conflict, Damaged, Missing, OpilioError
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_story import report
from opilio.works.crawl_to_archive import Crew, crawl, resume
from opilio.works.rebuild_crawl import rebuild
from opilio.works.seal_at_end import Sealing
from opilio.works.seal_crawl import seal
from tests.acceptance.crawl.crawls import fetched, pages_of, plan_for, responses
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.postgres import create_database, drop_database
from tests.sites.crawling import QUICK

SITE = LargeSite(pages=40)
OPEN = Sealing(keep_open=True)


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def starts(server):
    return [server.url(f"{SITE.base}/", host=f"h{number}.localhost") for number in range(2)]


def everything(server):
    paths = [*SITE.page_paths(), *SITE.asset_paths()]
    return {server.url(path, host=f"h{number}.localhost") for number in range(2) for path in paths}


def half(server, folder, address=None):
    """Crawl until some pages are committed, then stop."""
    brake, pulled = Brake(), []

    def stop(progress):
        if progress.pages > 30 and not pulled:
            pulled.append(progress)
            brake.pull()

    crew = Crew(watch=stop, brake=brake, address=address or StoreAddress(), settings=QUICK)
    summary = crawl(plan_for(*starts(server)), folder, crew)
    assert summary.ended.ending == "stopped"
    assert 30 < summary.report["pages"] < len(everything(server))


@pytest.fixture(scope="module")
def stopped(server, tmp_path_factory):
    """A crawl that was stopped half way; not to be changed."""
    folder = tmp_path_factory.mktemp("stopped") / "out"
    half(server, folder)
    return folder


@pytest.fixture
def folder(stopped, tmp_path):
    """A copy of it."""
    shutil.copytree(stopped, tmp_path / "out")
    return tmp_path / "out"


def asked(server, since):
    """How often each page was asked for after the first `since` requests."""
    entries = [entry for entry in server.log()[since:] if "robots.txt" not in entry.target]
    return Counter(server.url(entry.target, host=entry.host) for entry in entries)


def rows(folder):
    """What the store knows of each page, apart from the numbers that it gave."""
    return {
        page.url: (page.outcome, page.status, page.depth, page.hops, page.title, page.digest, page.size, page.place)
        for page in pages_of(folder)
    }


def kept(folder):
    """The URLs that were kept, with a body of their own or as duplicates, each as often as it was recorded."""
    return Counter(page.url for page in pages_of(folder) if page.outcome in ("fetched", "duplicate"))


def truncated(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def without_header(path):
    with path.open("r+b") as file:
        file.write(secrets.token_bytes(200))


def with_a_hole(path):
    data = bytearray(path.read_bytes())
    data[4096 : len(data) - 4096] = secrets.token_bytes(len(data) - 8192)
    path.write_bytes(data)


def emptied(path):
    path.write_bytes(b"")


def removed(path):
    path.unlink()


def finished(server, folder, before):
    """Resume, and compare with a crawl that nothing disturbed."""
    start = len(server.log())
    assert resume(folder, Crew(sealing=OPEN)).ended.ending == "finished"
    assert kept(folder) == dict.fromkeys(everything(server), 1)
    assert asked(server, start) == dict.fromkeys(everything(server) - set(before), 1)
    records = responses(folder)  # duplicates are written without their bodies
    assert {url for url in everything(server) if records[url] == 1} == set(fetched(folder))


@pytest.mark.parametrize("harm", [truncated, without_header, with_a_hole, emptied, removed])
def test_a_lost_store_is_made_again(server, folder, harm):
    """The same pages with the same facts, and the damaged file is kept; the message that led here names the command."""
    before = rows(folder)
    harm(folder / "crawl.db")
    with pytest.raises(OpilioError) as caught:
        resume(folder)
    assert "opilio crawl rebuild" in caught.value.remedy
    rebuilt = rebuild(folder)
    assert rows(folder) == before
    assert (rebuilt.pages, rebuilt.torn) == (len(before), 0)
    assert rebuilt.waiting > 0
    assert (rebuilt.damaged is not None and rebuilt.damaged.exists()) == (harm is not removed)


def test_the_crawl_goes_on_and_asks_for_nothing_twice(server, folder):
    """It ends with the same pages as a crawl that nothing disturbed."""
    before = rows(folder)
    with_a_hole(folder / "crawl.db")
    rebuild(folder)
    finished(server, folder, before)


def test_what_a_kill_left_of_a_warc_file_is_kept_beside_it(server, folder):
    """The file is cut to its last whole record; that record's page counts."""
    before = rows(folder)
    (warc,) = (folder / "warcs").iterdir()
    whole = warc.stat().st_size
    with warc.open("ab") as file:
        file.write(b"\x1f\x8b torn in the middle")
    (folder / "crawl.db").unlink()
    rebuilt = rebuild(folder)
    assert (rebuilt.torn, warc.stat().st_size) == (21, whole)
    (aside,) = (folder / "warcs").glob("*.torn-*")
    assert aside.read_bytes() == b"\x1f\x8b torn in the middle"
    assert rows(folder) == before


def test_the_plan_is_found_in_the_warc_files(folder, tmp_path):
    """When plan.json is gone too; a file that is given comes first."""
    plan = (folder / "plan.json").read_bytes()
    (folder / "crawl.db").unlink()
    (folder / "plan.json").write_text("{ torn")
    assert rebuild(folder).plan_from.endswith(".warc.gz")
    assert json.loads((folder / "plan.json").read_bytes()) == json.loads(plan)
    (folder / "crawl.db").unlink()
    (tmp_path / "kept.json").write_bytes(plan)
    assert rebuild(folder, plan=tmp_path / "kept.json").plan_from == str(tmp_path / "kept.json")


def test_a_finished_crawl_has_nothing_left_to_do(server, tmp_path):
    """Robots, redirects, broken links and duplicates come back as they were; the resumption asks for nothing."""
    folder = tmp_path / "out"
    seeds = [*starts(server)[:1], server.url("/redirect/chain?length=2"), server.url("/no-such-page")]
    crawl(plan_for(*seeds), folder, Crew(sealing=OPEN))
    before, asked = rows(folder), len(server.log())
    truncated(folder / "crawl.db")
    assert rebuild(folder).waiting == 0
    assert rows(folder) == before
    resume(folder, Crew(sealing=OPEN))
    assert (rows(folder), len(server.log())) == (before, asked)


def test_a_sound_store_is_left_alone(folder, tmp_path):
    """So is the result of a sealed crawl, and a folder that never was one."""
    before = (folder / "crawl.db").read_bytes()
    with pytest.raises(Conflict, match="sound"):
        rebuild(folder)
    assert (folder / "crawl.db").read_bytes() == before
    seal(folder)
    (folder / "crawl.db").unlink()
    with pytest.raises(Conflict, match="sealed"):
        rebuild(folder)
    with pytest.raises(Missing):
        rebuild(tmp_path / "nowhere")


def test_a_crawl_whose_warc_file_is_lost_says_what_to_do_and_that_helps(server, folder):
    """The store is no longer sound then; what the file held is fetched again, and the old store is kept."""
    (lost,) = (folder / "warcs").iterdir()
    lost.unlink()
    with pytest.raises(Damaged) as raised:
        resume(folder, Crew(settings=QUICK))
    assert f"opilio crawl rebuild {folder}" in raised.value.remedy
    assert rebuild(folder).damaged is not None
    resume(folder, Crew(settings=QUICK))
    assert set(fetched(folder)) == everything(server)


def test_an_interrupted_rebuilding_is_repeated(folder):
    """The damaged store stays in its place until the new one is whole."""
    before = rows(folder)
    without_header(folder / "crawl.db")
    damaged = (folder / "crawl.db").read_bytes()

    def fall(step, done, total):
        if step == "reading pages":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(folder, told=fall)
    assert (folder / "crawl.db").read_bytes() == damaged
    assert not list(folder.glob("*rebuild*"))
    (folder / "crawl.db.rebuilding").write_bytes(b"left by a kill")
    rebuild(folder)
    assert rows(folder) == before


def test_the_command_tells_what_it_did(folder, capsys):
    """As JSON; an error names the remedy."""
    assert main(["crawl", "rebuild", str(folder), "--json"]) == 5
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "conflict"
    removed(folder / "crawl.db")
    assert main(["crawl", "rebuild", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["warcs"], told["damaged"], told["torn_bytes"]) == (1, None, 0)
    assert told["captures"] == told["pages"] + 2  # robots.txt


def test_without_any_plan_the_remedy_is_named(folder):
    """Neither plan.json, nor WARC files, nor an option."""
    removed(folder / "crawl.db")
    removed(folder / "plan.json")
    for path in (folder / "warcs").iterdir():
        path.unlink()
    with pytest.raises(OpilioError) as caught:
        rebuild(folder)
    assert "--plan" in caught.value.remedy


@pytest.fixture
def database():
    place, name = os.environ["OPILIO_TEST_POSTGRES_URL"], f"opilio_{secrets.token_hex(8)}"
    yield create_database(place, name)
    drop_database(place, name)


@pytest.mark.database
@pytest.mark.only_on("postgres")
def test_a_store_in_postgresql_is_made_again_under_a_new_name(server, tmp_path, database):
    """The folder goes by the new name from then on."""
    folder, address, start = tmp_path / "out", StoreAddress(url=database), len(server.log())
    half(server, folder, address)
    with pytest.raises(Conflict, match="PostgreSQL"):
        rebuild(folder)
    with pytest.raises(Conflict, match="sound"):
        rebuild(folder, address=address)
    PostgresStore.remove(database, "out")
    rebuild(folder, address=address)
    assert json.loads((folder / "store.json").read_text())["name"] == "out-rebuilt-1"
    assert resume(folder, Crew(address=address)).ended.ending == "finished"
    outcomes = report(folder)["outcomes"]
    assert sum(outcomes.values()) == len(everything(server))
    assert set(outcomes) <= {"fetched", "duplicate"}
    assert asked(server, start) == dict.fromkeys(everything(server), 1)


def test_a_damaged_name_of_a_crawl_in_postgresql_is_told(tmp_path):
    """With the remedy."""
    (tmp_path / "warcs").mkdir()
    (tmp_path / "store.json").write_text("[")
    with pytest.raises(Damaged) as caught:
        resume(tmp_path, Crew(address=StoreAddress(url="postgresql://nowhere/x")))
    assert "rebuild" in caught.value.remedy


def test_the_rebuilt_store_knows_what_it_may_ask(folder):
    """robots.txt is remembered, so that it is not fetched again."""
    removed(folder / "crawl.db")
    rebuild(folder)
    with contextlib.closing(SqliteStore.open(folder / "crawl.db")) as store:
        assert all(store.robots(host.id) for host in store.hosts() if host.pages)
