"""A crawl that runs in one process obeys orders that are given by another, through its store."""

import contextlib
import io
import json
import os
import secrets
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path

import pytest

from opilio.cli.main import main
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.kernel.errors import NotWritable
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_orders import Orders
from opilio.works.crawl_to_archive import Crew, crawl, resume
from opilio.works.seal_at_end import Sealing
from tests import nursery
from tests.acceptance.crawl.crawls import fetched, pages_of, plan_for
from tests.nursery import OPILIO
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.postgres import create_database, drop_database

HOST = "h0.localhost"
SITE = LargeSite(pages=2000)  # more than can be fetched while an order is on its way
SMALL = LargeSite(pages=30)
KEPT = Crew(sealing=Sealing(keep_open=True))
NOBODY = 65534  # a user without rights


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def say(*words):
    """A verb's exit code and answer, given in this process, which is not the one that crawls."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = main(["crawl", *map(str, words), "--json"])
    return code, json.loads(out.getvalue() or errors.getvalue())


class Running:
    """A crawl in a process of its own."""

    def __init__(self, server, folder, *options, delay=0.03, after=5, store=()):
        self.server, self.folder, self.store = server, folder, store
        self.first = len(server.log())
        start = server.url(f"{SITE.base}/", host=HOST)
        command = [*OPILIO, "crawl", start, "--into", str(folder), "--preset", "own-site", "--allow-private", "--json"]
        self.process = nursery.Process(
            [*command, "--delay", str(delay), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.until(lambda: self.asked() > after)

    def asked(self):
        return len(self.log())

    def log(self):
        """What the server was asked for by this crawl."""
        return self.server.log()[self.first :]

    def until(self, true):
        """Wait for something while the crawl lives."""
        tick = threading.Event()
        while not true():
            assert self.process.poll() is None, self.process.communicate()
            tick.wait(0.05)

    def order(self, *words):
        """Give an order, and see that this crawl is the one to obey it."""
        code, told = say(words[0], self.folder, *words[1:], *self.store)
        assert code == 0, told
        assert f"process {self.process.pid} " in told["crawler"]
        return told

    def looked(self):
        """Wait for as many requests as can be made between two looks for orders."""
        asked = self.asked()
        self.until(lambda: self.asked() > asked + 60)

    def quiet(self, order):
        """Wait until an order was heard and nothing was asked for a while; how much had been."""
        self.until(lambda: order["number"] in done(self.folder, *self.store[1:]))
        tick, seen = threading.Event(), -1
        while seen != (seen := self.asked()):
            tick.wait(0.8)
        return seen

    def ended(self):
        out, errors = self.process.communicate()
        assert self.process.returncode in (0, 130), errors
        return self.process.returncode, json.loads(out)


@pytest.fixture
def running(server, tmp_path):
    begun = []

    def begin(*options, **named):
        begun.append(Running(server, tmp_path / "out", *options, **named))
        return begun[-1]

    yield begin
    for each in begun:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


@pytest.fixture
def database_address(database_engine):
    """The crawl store's database; empty for a file."""
    if database_engine == "sqlite":
        yield ""
        return
    place = os.environ["OPILIO_TEST_POSTGRES_URL"]
    name = f"opilio_{secrets.token_hex(8)}"
    yield create_database(place, name)
    drop_database(place, name)


def others(server):
    """Further hosts, so that each worker has some."""
    return [server.url(f"{SITE.base}/", host=f"h{number}.localhost") for number in range(1, 4)]


def done(folder, address=""):
    """The orders that were carried out."""
    with contextlib.closing(CrawlFolder(folder).open(StoreAddress(url=address), read_only=True)) as store:
        return [command.id for command in store.commands() if command.done is not None]


def counted(folder):
    return sum(page.counted for page in pages_of(folder))


def test_a_paused_crawl_asks_for_nothing_more_until_it_is_told_to_go_on(running):
    """Dozens of URLs had been taken in advance; the server hears of none of them, though the crawl lives."""
    crawling = running(delay=0.1)
    told = crawling.order("pause")
    asked = crawling.asked()
    assert (told["order"], told["number"], told["arguments"]) == ("pause", 1, {})
    paused = crawling.quiet(told)
    assert paused - asked < 40  # what came while the order was on its way
    assert crawling.process.poll() is None
    assert say("report", crawling.folder)[1]["waiting"] > 0
    code, refused = say("pause", crawling.folder)
    assert (code, refused["error"]["code"]) == (5, "conflict")
    assert "paused" in refused["error"]["message"]
    crawling.order("go-on")
    crawling.until(lambda: crawling.asked() > paused + 3)
    assert say("go-on", crawling.folder)[0] == 5  # it is not paused
    crawling.order("abort")
    crawling.ended()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_crawl_ends_whole_and_goes_on_with_new_limits(running, workers):
    """Every worker hears it; a limit given to the stopped crawl is kept by the resumed one, to the page."""
    crawling = running("--workers", str(workers))
    crawling.order("stop")
    code, report = crawling.ended()
    assert (code, report["ended"]) == (130, "stopped")
    before, asked = counted(crawling.folder), crawling.asked()
    assert 0 < before < SITE.pages
    code, told = say("limit", crawling.folder, "--pages", before + 10)
    assert (code, told["crawler"]) == (0, None)
    summary = resume(crawling.folder)
    assert (summary.ended.ending, counted(crawling.folder)) == ("limit", before + 10)
    assert crawling.asked() > asked
    assert set(fetched(crawling.folder).values()) == {1}


def test_a_stop_ends_a_paused_crawl(running):
    """It need not go on first."""
    crawling = running()
    crawling.order("pause")
    crawling.order("stop")
    assert crawling.ended()[1]["ended"] == "stopped"


def test_an_aborted_crawl_ends_at_once(running):
    """With the exit code of an interruption; afterwards nobody is there to be told anything."""
    crawling = running()
    crawling.order("abort")
    code, report = crawling.ended()
    assert (code, report["ended"]) == (130, "aborted")
    code, refused = say("stop", crawling.folder)
    assert code == 5
    assert "nobody crawls" in refused["error"]["message"]
    assert "resume" in refused["error"]["remedy"]


def test_a_limit_given_while_it_runs_ends_the_crawl_at_that_page(running):
    """Exact, though more had been taken in advance."""
    crawling = running(delay=0.2, after=1)
    crawling.order("limit", "--pages", 70)
    crawling.order("delay", 0.01)
    code, report = crawling.ended()
    assert (code, report["ended"], report["limit"], report["counted"]) == (0, "limit", "pages", 70)


def test_an_exclusion_given_while_it_runs_holds_from_then_on(running):
    """Nothing of it is asked for, and each URL has one page and one count."""
    crawling = running(delay=0.01, after=10)
    told = crawling.order("exclude", "/assets/", "/tools/", "--url", crawling.server.url(SITE.path(40), host=HOST))
    assert set(told["arguments"]) == {"patterns", "urls"}
    crawling.until(lambda: told["number"] in done(crawling.folder))
    crawling.looked()
    asked = crawling.asked()
    crawling.until(lambda: crawling.asked() > asked + 60)
    crawling.order("stop")
    _, report = crawling.ended()
    later = [entry.target for entry in crawling.log()[asked + 1 :]]
    assert not [path for path in later if "/assets/" in path or "/tools/" in path or path == SITE.path(40)]
    pages = pages_of(crawling.folder)
    assert len({page.url for page in pages}) == len(pages) == report["pages"]
    assert report["outcomes"] == dict(Counter(page.outcome.value for page in pages))
    assert report["outcomes"]["excluded"] > 0


def test_a_bandwidth_given_while_it_runs_counts_from_then_on(running):
    """Hardly any byte comes until it is lifted."""
    crawling = running()
    told = crawling.order("bandwidth", 10)
    assert told["arguments"] == {"bytes_per_second": 10}
    narrow = crawling.quiet(told)
    assert crawling.order("bandwidth", 0)["arguments"] == {"bytes_per_second": None}
    crawling.until(lambda: crawling.asked() > narrow + 10)


@pytest.mark.database
def test_orders_reach_two_workers_in_either_database(server, running, database_address):
    """Pause, exclusion and limit, given to both at once."""
    store = ["--store", database_address] if database_address else []
    crawling = running("--workers", "2", *others(server), *store, delay=0.1, after=20, store=store)
    paused = crawling.quiet(crawling.order("pause"))
    crawling.order("exclude", "/tools/")
    crawling.order("limit", "--pages", paused + 40)
    assert crawling.quiet(crawling.order("delay", 0.01)) == paused
    crawling.order("go-on")
    _, report = crawling.ended()
    assert (report["ended"], report["limit"], report["counted"]) == ("limit", "pages", paused + 40)
    assert not [entry for entry in crawling.log()[paused:] if "/tools/" in entry.target]
    assert sum(report["outcomes"].values()) == report["pages"]
    assert report["outcomes"]["excluded"] > 0


def test_a_delay_given_while_it_runs_counts_from_then_on(running):
    """Also for the wait that had begun: nobody sits out the minute that was planned."""
    crawling = running(delay=60, after=0)
    crawling.order("delay", 0.1)
    crawling.until(lambda: crawling.asked() > 5)


def test_a_killed_crawl_is_not_taken_for_a_running_one(running):
    """It left its name in the folder, but nobody is there."""
    crawling = running()
    crawling.process.kill()
    crawling.process.wait()
    assert (crawling.folder / "lock").read_bytes()
    code, refused = say("pause", crawling.folder)
    assert code == 5
    assert "nobody crawls" in refused["error"]["message"]
    assert say("delay", crawling.folder, 1)[1]["crawler"] is None


def test_a_crawl_that_has_ended_takes_no_orders(server, tmp_path):
    """Whether its store was sealed or not."""
    crawl(plan_for(server.url(f"{SMALL.base}/")), tmp_path / "out", KEPT)
    code, refused = say("limit", tmp_path / "out", "--pages", 5)
    assert (code, refused["error"]["code"]) == (5, "conflict")
    assert "has ended" in refused["error"]["message"]
    with contextlib.closing(SqliteStore.open(tmp_path / "out" / "crawl.db")) as store:
        assert store.commands() == []
        store.seal()
    code, refused = say("limit", tmp_path / "out", "--pages", 5)
    assert (code, refused["error"]["code"]) == (5, "sealed-crawl-store")


@pytest.fixture(scope="module")
def places(server, tmp_path_factory):
    """Folders of which only one holds a crawl, which can be resumed."""
    parent = tmp_path_factory.mktemp("places")
    found = {name: parent / name for name in ("NOWHERE", "EMPTY", "STOPPED")}
    found["EMPTY"].mkdir()
    crawl(plan_for(server.url(f"{SMALL.base}/"), limits={"pages": 3}), found["STOPPED"], KEPT)
    return found


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["pause", "NOWHERE"], 4),
        (["stop", "EMPTY"], 4),
        (["limit", "STOPPED"], 2),
        (["limit", "STOPPED", "--pages", "-1"], 2),
        (["limit", "STOPPED", "--pages", "many"], 2),
        (["delay", "STOPPED", "-1"], 2),
        (["delay", "STOPPED", "nan"], 2),
        (["delay", "STOPPED", "1e12"], 2),
        (["delay", "STOPPED"], 2),
        (["bandwidth", "STOPPED", "-1"], 2),
        (["bandwidth", "STOPPED", "0.5"], 2),
        (["bandwidth", "STOPPED"], 2),
        (["exclude", "STOPPED"], 2),
        (["exclude", "STOPPED", "("], 2),
        (["exclude", "STOPPED", ""], 2),
        (["exclude", "STOPPED", "a\\1"], 2),
        (["exclude", "STOPPED", "--url", "not a url"], 2),
        (["exclude", "NOWHERE", "/a/"], 4),
        (["delay", "STOPPED", "1", "--store", "mysql://x"], 2),
    ],
)
def test_orders_that_cannot_be_given_are_refused(places, words, code):
    """Nothing is written down, and no folder is made."""
    given, refused = say(*(places.get(word, word) for word in words))
    assert given == code, refused
    assert refused["error"]["message"]
    assert not places["NOWHERE"].exists()
    assert list(places["EMPTY"].iterdir()) == []
    with contextlib.closing(SqliteStore.open(places["STOPPED"] / "crawl.db", read_only=True)) as store:
        assert store.commands() == []


@contextlib.contextmanager
def without_rights():
    """As another user, where this one may do everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o000, 0o444), (0o555, 0o444), (0o555, 0o000)])
def test_a_folder_of_another_user_is_left_alone(server, folder_mode, file_mode):
    """The error names the place, and says who must be allowed what."""
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(parent) / "out"
        crawl(plan_for(server.url(f"{SMALL.base}/"), limits={"pages": 3}), folder, KEPT)
        for file in folder.glob("crawl.db*"):
            file.chmod(file_mode)
        folder.chmod(folder_mode)
        try:
            with without_rights(), pytest.raises(NotWritable) as caught:
                Orders(folder=folder, by="curator").delay(1)
        finally:
            folder.chmod(0o755)
        assert str(folder) in caught.value.where
        assert "write" in caught.value.remedy
