"""Purging the folder of a harvest: the data goes, what tells about it stays."""

import shutil

import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.kernel.errors import Conflict, Missing
from opilio.kernel.locks import locked
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.purge_harvest import StillNeeded, data_of, needed_by, purge
from tests.review_desk import crawled, pruned
from tests.sites.crawling import LOOPBACK, QUICK


@pytest.fixture
def folder(tmp_path):
    """A sealed crawl with a result derived from it."""
    made = tmp_path / "7"
    shutil.copytree(crawled().folder, made)
    pruned(made, crawled().url("/herons.html"))
    return made


def test_the_data_goes_and_the_resources_stay(folder):
    """WARC files, texts and the crawl store are gone; each result still names its resources."""
    files, size = data_of(folder)
    done = purge(folder, [])
    assert (done.files, done.bytes) == (files, size)
    assert size > 0
    assert not (folder / "warcs").exists()
    assert not (folder / "crawl.db").exists()
    results = ResultsFolder(folder)
    assert results.numbers() == [1, 2]
    with ResultView(results, 2) as view:
        assert view.resource(crawled().url("/owls.html")).title == "Owls"
        assert not list(view.texts())
    assert b"hunt at night" not in results.file(1).read_bytes()
    assert done.results == {number: results.digest(number) for number in (1, 2)}


def test_purging_twice_is_the_same_as_once(folder):
    """A purge that is done again finds nothing to remove."""
    purge(folder, [])
    assert purge(folder, []).files == 0
    assert data_of(folder) == (0, 0)


def test_a_purge_that_broke_off_is_done_again(folder, monkeypatch):
    """Between new result and new manifest a kill leaves something that the next run mends."""
    with monkeypatch.context() as patch:
        patch.setattr("opilio.archive.results.rewriting._write_manifest", _killed)
        with pytest.raises(KeyboardInterrupt):
            purge(folder, [])
    purge(folder, [])
    with ResultView(ResultsFolder(folder), 2) as view:
        assert view.resource(crawled().url("/owls.html")) is not None


def test_a_folder_that_is_elsewhere_is_told(tmp_path):
    """An agent that does not have the folder says so."""
    with pytest.raises(Missing, match="not here"):
        purge(tmp_path / "9", [])


def test_a_folder_in_use_is_left(folder):
    """Whoever works in the folder is named."""
    with locked(folder / "lock", purpose="deriving"), pytest.raises(Conflict, match="deriving"):
        purge(folder, [])
    assert (folder / "warcs").is_dir()


def test_what_a_later_crawl_refers_to_stays(tmp_path):
    """A crawl that found pages unchanged needs the bodies of the first; once it is gone, the first may go."""
    first, later = tmp_path / "7", tmp_path / "8"
    shutil.copytree(crawled().folder, first)
    with crawled().served():
        plan = CrawlPlan(
            seeds=(Seed(url=crawled().url("/")),), scope=Scope(kind=ScopeKind.HOST),
            manners=Manners(preset=Preset.OWN_SITE), fetch=Fetch(allow_private=LOOPBACK, since=str(first)),
        )  # fmt: skip
        crawl(plan, later, Crew(settings=QUICK))
    assert next(needed_by(first, [later])).crawl == str(later)
    with pytest.raises(StillNeeded, match="harvest 8 needs captures of it"):
        purge(first, [later])
    assert (first / "warcs").is_dir()
    moved = later.rename(tmp_path / "moved")
    with pytest.raises(StillNeeded, match="harvest 8 went by it, and its data is not here"):
        purge(first, [later])
    assert (first / "warcs").is_dir()
    shutil.rmtree(moved)
    assert purge(first, []).files > 0


def _killed(*_):
    raise KeyboardInterrupt
