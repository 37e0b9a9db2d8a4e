"""The working index: what a running crawl has captured can be searched, and nothing is indexed twice."""

import subprocess
import sys
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
import tantivy

from opilio.crawl.engine.settings import EngineSettings
from opilio.kernel.errors import Conflict
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.register import Register
from opilio.works import working_index
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.followed_crawls import FollowedCrawl, followed_file, index_folder, register_file
from opilio.works.working_index import WorkingIndex, unread
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

SITE = LargeSite(pages=30)
QUICK = EngineSettings(commit_every=0.1, claim_every=0.2, look_every=0.1, pause=0.02, quiet=0.5)


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


def urls(folder):
    """What the index holds, by the list of documents; their number is that of the index itself."""
    index = tantivy.Index.open(str(index_folder(folder)))
    with Register(register_file(folder)) as register:
        found = [(entry.url, entry.crawl, entry.agency) for entry in register.entries()]
    assert index.searcher().num_docs == len(found)
    return found


def followed(folder, name="owls"):
    return FollowedCrawl(name=name, folder=str(folder), agency="a1")


def test_a_running_crawl_can_be_searched(server, tmp_path):
    """Pages are found while the crawl runs, and all of them when it has ended; each once, with its agency."""
    seen, stop, into = [], threading.Event(), tmp_path / "crawl"
    plan = plan_for(server.url(f"{SITE.base}/"), manners={"delay": 0.05})
    crew = Crew(settings=QUICK)
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        index.followed.put([followed(into)])

        def follow():
            while not stop.wait(0.1):
                seen.append(index.update())

        watcher = threading.Thread(target=follow)
        watcher.start()
        try:
            crawl(plan, into, crew)
        finally:
            stop.set()
            watcher.join()
        index.update()
        assert index.update() == 0
        assert sum(1 for count in seen if count) > 1  # in several portions, before it ended
    found = urls(tmp_path / "working")
    assert len(found) == len(set(found)) == SITE.pages
    assert {(name, agency) for _, name, agency in found} == {("owls", "a1")}


def test_a_sealed_crawl_goes_on_where_its_store_ended(server, tmp_path):
    """The numbers of its pages are those of the store; two crawls of the same site are two."""
    into = tmp_path / "crawl"
    crawl(plan_for(server.url(f"{SITE.base}/"), limits={"pages": 5}), into, Crew(settings=QUICK))
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        index.followed.put([followed(into), followed(into, "again")])
        assert index.update() == 10
        index.followed.put([followed(into)])  # forgets how far it was read
        index.update()
    assert len(urls(tmp_path / "working")) == 10


def test_a_crawl_is_forgotten(server, tmp_path):
    """Its pages are gone, those of others stay."""
    into = tmp_path / "crawl"
    crawl(plan_for(server.url(f"{SITE.base}/"), limits={"pages": 5}), into, Crew(settings=QUICK))
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        index.followed.put([followed(into), followed(into, "again")])
        index.update()
        assert index.forget("owls") == 5
    assert {name for _, name, _ in urls(tmp_path / "working")} == {"again"}
    assert [each.name for each in followed_file(tmp_path / "working").all()] == ["again"]


DIES = """
import os, pathlib, sys
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.index.build import IndexBuild
from opilio.works.working_index import WorkingIndex, unread
IndexBuild.commit = lambda self: os._exit(9)
with WorkingIndex(pathlib.Path(sys.argv[1]), Analyzer()) as index:
    index.update()
"""


def test_a_crash_between_the_commits_indexes_nothing_twice(server, tmp_path):
    """What was noted and not committed is taken again under its number."""
    into, working = tmp_path / "crawl", tmp_path / "working"
    crawl(plan_for(server.url(f"{SITE.base}/"), limits={"pages": 5}), into, Crew(settings=QUICK))
    followed_file(working).put([followed(into)])
    assert subprocess.run([sys.executable, "-c", DIES, working], check=False).returncode == 9
    with Register(register_file(working)) as register:
        noted = {entry.url: entry.page for entry in register.entries()}
    assert len(noted) == 5
    with WorkingIndex(working, Analyzer()) as index:
        index.update()
    with Register(register_file(working)) as register:
        assert {entry.url: entry.page for entry in register.entries()} == noted
    assert len(urls(working)) == 5


def test_a_crawl_that_is_gone_does_not_stop_the_others(server, tmp_path, caplog):
    """It is told in the log."""
    into = tmp_path / "crawl"
    crawl(plan_for(server.url(f"{SITE.base}/"), limits={"pages": 5}), into, Crew(settings=QUICK))
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        index.followed.put([replace(followed(into), name="gone", folder=str(tmp_path / "no")), followed(into)])
        assert index.update() == 5
    assert "working_index_crawl_unread" in caplog.text


def test_one_writer(tmp_path):
    """A second one is told who has it."""
    with (
        WorkingIndex(tmp_path / "working", Analyzer()),
        pytest.raises(Conflict, match="writing the working index"),
        WorkingIndex(tmp_path / "working", Analyzer()),
    ):
        pass


class Growing:
    """A crawl that has one more page, or so many, each time it is asked."""

    def __init__(self, pages=1):
        self._pages = pages

    def pages(self, *, after):
        return iter([SimpleNamespace(id=after + number) for number in range(1, self._pages + 1)])

    def close(self):
        pass


def test_a_crawl_that_goes_on_does_not_keep_the_index_for_itself(tmp_path, monkeypatch):
    """What comes while it is read is left for the next time, so that the others and other writers have their turn."""
    monkeypatch.setattr(working_index, "records_of", lambda folder, address: Growing())
    monkeypatch.setattr(WorkingIndex, "_page", lambda *_: True)
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        assert index.follow(followed(tmp_path / "crawl")) == 1
        assert index.update() == 1
        assert index.follow_all([followed(tmp_path / "crawl"), followed(tmp_path / "other", "other")]) == 2
        assert {each.name: each.read for each in index.followed.all()} == {"owls": 2, "other": 0}


def test_large_crawls_take_turns(tmp_path, monkeypatch):
    """A portion of each, then the next of each."""
    sizes, taken = {"owls": 5, "other": 3}, []

    class Finite(Growing):
        def __init__(self, folder):
            self._name = folder.name

        def pages(self, *, after):
            return iter([SimpleNamespace(id=number) for number in range(after + 1, sizes[self._name])])

    monkeypatch.setattr(working_index, "_PORTION", 2)
    monkeypatch.setattr(working_index, "records_of", lambda folder, address: Finite(folder))
    monkeypatch.setattr(WorkingIndex, "_page", lambda self, crawl, page, *_: not taken.append((crawl.name, page.id)))
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        crawls = [followed(tmp_path / name, name) for name in sizes]
        assert index.follow_all(crawls) == 8
        assert taken == [*(("owls", n) for n in (0, 1)), *(("other", n) for n in (0, 1)),
                         *(("owls", n) for n in (2, 3)), ("other", 2), ("owls", 4)]  # fmt: skip
        assert not unread(followed(tmp_path / "owls"), index.followed.all())
        sizes["owls"] += 1
        assert unread(followed(tmp_path / "owls"), index.followed.all())
