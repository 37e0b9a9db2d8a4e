"""Destroying captures in the archive, in the working index and in the history of changes."""

import itertools
import shutil
import sqlite3

import pytest

from opilio.archive.store.disk import DiskStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import check_object
from opilio.archive.store.ocfl.layout import object_root
from opilio.kernel.access_where import Reach, Where
from opilio.works.archive_results import archive_results, identifier_of
from opilio.works.change_history import ChangeHistory, Seen
from opilio.works.followed_crawls import FollowedCrawl, followed_file
from opilio.works.redact_archive import left_in_archive, redact_archive
from opilio.works.redact_places import drop_working_index, forget_changes
from opilio.works.redact_preview import reached
from opilio.works.redact_reach import RedactionOrder
from tests.review_desk import crawled, pruned
from tests.unit.works.test_redact_harvest import SECRET, unpacked_bytes


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "harvests" / "7"
    shutil.copytree(crawled().folder, made)
    pruned(made, crawled().url("/herons.html"))
    return made


@pytest.fixture
def archive(folder, tmp_path):
    store = DiskStore(tmp_path / "archive")
    archive_results(folder, store, user="archivist")
    return Archive.open(store)


@pytest.fixture
def order():
    return RedactionOrder(name="takedown 12", where=Where(reach=Reach.URL, value=crawled().url("/owls.html")))


def _sound(archive, folder):
    root = object_root(identifier_of(folder))
    return list(check_object(archive, root)) == [] and archive.inventory(identifier_of(folder)).head.number == 2


def test_the_object_is_written_anew_without_it(archive, folder, order, tmp_path):
    """All versions are there and sound, and no file of the archive has anything of what went."""
    aside = tmp_path / "aside"
    assert left_in_archive(archive, identifier_of(folder), order, aside)
    done = redact_archive(archive, identifier_of(folder), order, aside)
    assert (done.versions, done.records >= 1) == (2, True)
    assert left_in_archive(archive, identifier_of(folder), order, aside) == []
    assert [path for path, data in unpacked_bytes(tmp_path / "archive") if SECRET in data] == []
    assert _sound(archive, folder)
    assert archive.inventory(identifier_of(folder)).head.user == "archivist"
    assert not aside.exists()


def test_an_object_without_it_stays_as_it_is(archive, folder, tmp_path):
    """Not a byte of it is written."""
    other = RedactionOrder(name="takedown 13", where=Where(reach=Reach.HOST, value="example.org"))
    before = {path: path.read_bytes() for path in (tmp_path / "archive").rglob("*") if path.is_file()}
    assert redact_archive(archive, identifier_of(folder), other, tmp_path / "aside") is None
    assert redact_archive(archive, "info:opilio/harvest/99", other, tmp_path / "aside") is None
    assert {path: path.read_bytes() for path in (tmp_path / "archive").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("step", ["stage", "drop", "put", "told"])
def test_a_fall_at_any_step_loses_nothing(archive, folder, order, tmp_path, monkeypatch, step):
    """The next run goes on where the last one fell; the object is whole, without the captures."""
    with monkeypatch.context() as patch:
        patch.setattr(f"opilio.works.redact_archive._Work.{step}", _killed)
        with pytest.raises(KeyboardInterrupt):
            redact_archive(archive, identifier_of(folder), order, tmp_path / "aside")
    redact_archive(archive, identifier_of(folder), order, tmp_path / "aside")
    assert _sound(archive, folder)
    assert left_in_archive(archive, identifier_of(folder), order, tmp_path / "aside") == []


def test_a_fall_before_the_proof_is_written_leaves_it_to_be_written(archive, folder, order, tmp_path):
    """The next run tells the same, with the records and files that the first one took out."""
    told = []

    def fell(done):
        told.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        redact_archive(archive, identifier_of(folder), order, tmp_path / "aside", prove=fell)
    again = redact_archive(archive, identifier_of(folder), order, tmp_path / "aside", prove=told.append)
    assert told == [again, again]
    assert again.records >= 1
    assert again.files
    assert not (tmp_path / "aside").exists()
    assert _sound(archive, folder)


@pytest.mark.parametrize("first", ["dropped", "v1"])
def test_a_fall_while_it_clears_up_loses_nothing(archive, folder, order, tmp_path, monkeypatch, first):
    """Whatever of its own place is gone first, the object is neither dropped again nor written from half a copy."""
    aside, rmtree = tmp_path / "aside", shutil.rmtree

    def killed(path, *more, **named):
        if path != aside:
            return rmtree(path, *more, **named)
        (aside / first).rename(tmp_path / "gone")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("opilio.works.redact_archive.shutil.rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            redact_archive(archive, identifier_of(folder), order, aside)
    redact_archive(archive, identifier_of(folder), order, aside)
    assert _sound(archive, folder)
    assert left_in_archive(archive, identifier_of(folder), order, aside) == []
    assert not aside.exists()


def test_a_fall_while_the_old_object_goes_loses_nothing(archive, folder, order, tmp_path, monkeypatch):
    """With half of the old object gone the new one is still written."""
    with monkeypatch.context() as patch:
        patch.setattr(DiskStore, "delete", _killed_at_third(DiskStore.delete))
        with pytest.raises(KeyboardInterrupt):
            redact_archive(archive, identifier_of(folder), order, tmp_path / "aside")
    redact_archive(archive, identifier_of(folder), order, tmp_path / "aside")
    assert _sound(archive, folder)


def test_a_working_index_with_its_pages_is_thrown_away(tmp_path):
    """The crawls that it followed are named, to be taken in again; one without its pages stays."""
    folder = tmp_path / "working"
    folder.mkdir()
    followed_file(folder).put([FollowedCrawl(name=name, folder=str(tmp_path)) for name in ("harvest-7", "harvest-8")])
    (folder / "segment").write_bytes(SECRET)
    assert drop_working_index(folder, "harvest-9") == []
    assert (folder / "segment").is_file()
    assert drop_working_index(folder, "harvest-7") == ["harvest-7", "harvest-8"]
    assert not (folder / "segment").exists()
    assert drop_working_index(tmp_path / "none", "harvest-7") == []


def test_the_history_of_changes_forgets_the_page(tmp_path, order):
    """The other pages stay."""
    with ChangeHistory(tmp_path / "changes" / "5.sqlite", create=True) as history:
        pages = [Seen(url=crawled().url(path), at=1.0, digest="sha1:A") for path in ("/owls.html", "/")]
        history.record(7, 1.0, pages, whole=True)
    assert forget_changes(tmp_path, 5, order) == 1
    db = sqlite3.connect(tmp_path / "changes" / "5.sqlite")
    assert [url for (url,) in db.execute("SELECT url FROM page")] == [crawled().url("/")]
    db.close()
    assert forget_changes(tmp_path, 6, order) == 0


def test_a_preview_counts_each_capture_once(folder, order):
    """By result, and in all; an order that reaches nothing counts nothing."""
    found = reached(folder, order)
    assert (found.captures, found.results) == (1, {1: 1, 2: 1})
    assert found.urls == (crawled().url("/owls.html"),)
    assert not found.more
    assert reached(folder, RedactionOrder(name="x", where=Where(reach=Reach.HOST, value="example.org"))).captures == 0
    assert reached(folder, RedactionOrder(name="x", where=Where()), most=3).more


def _killed_at_third(delete):
    calls = itertools.count(1)

    def run(self, key):
        if next(calls) == 3:
            raise KeyboardInterrupt
        delete(self, key)

    return run


def _killed(*_, **__):
    raise KeyboardInterrupt
