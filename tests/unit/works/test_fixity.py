"""Reading kept files again, and mending one copy from the other."""

import shutil

import pytest

from opilio.archive.store.disk import DiskStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.works.archive_results import archive_results, identifier_of
from opilio.works.fixity import Copies, expected, read_archive, read_home
from opilio.works.purge_harvest import purge
from tests.review_desk import crawled


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "harvests" / "7"
    shutil.copytree(crawled().folder, made)
    return made


@pytest.fixture
def copies(folder, tmp_path):
    """The folder and its copy in an archive."""
    store = DiskStore(tmp_path / "archive")
    archive_results(folder, store, user="archivist")
    return Copies(folder=folder, archive=Archive.open(store), identifier=identifier_of(folder))


def _warc(folder):
    return next((folder / "warcs").glob("*.warc.gz"))


def _spoil(path):
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _archived_warc(tmp_path):
    return next(path for path in (tmp_path / "archive").rglob("*.warc.gz"))


def test_sound_copies_have_no_damage(copies):
    """All files are read, and counted."""
    home, archive = read_home(copies), read_archive(copies)
    assert (home.files, home.damages) == (2, ())
    assert home.bytes == sum((copies.folder / name).stat().st_size for name in expected(copies.folder))
    assert archive.damages == ()
    assert archive.files >= 5
    assert archive.bytes > home.bytes


def test_a_flipped_bit_at_home_is_mended_from_the_archive(copies, folder):
    """The file is whole again, byte by byte, and the reading says from where."""
    whole = _warc(folder).read_bytes()
    _spoil(_warc(folder))
    (damage,) = read_home(copies).damages
    assert damage.repaired
    assert "archive" in damage.how
    assert _warc(folder).read_bytes() == whole
    assert read_home(copies).damages == ()


def test_a_missing_result_comes_back(copies, folder):
    """A result that was removed is copied from the archive."""
    (folder / "results" / "result-1.db").unlink()
    assert [each.repaired for each in read_home(copies).damages] == [True]
    assert (folder / "results" / "result-1.db").is_file()


def test_a_manifest_that_cannot_be_read_is_a_damage(copies, folder):
    """It is told instead of stopping the reading."""
    path = folder / "results" / "result-1.sha256"
    path.chmod(0o644)
    path.write_text("nothing of the kind")
    (damage,) = read_home(copies).damages
    assert "manifest" in damage.what


def test_a_missing_warc_file_comes_back(copies, folder):
    """It is there again, with its digest."""
    name = _warc(folder)
    name.unlink()
    (damage,) = read_home(copies).damages
    assert (damage.what, damage.repaired) == ("The file is missing.", True)
    assert name.is_file()


def test_a_flipped_bit_in_the_archive_is_mended_from_home(copies, tmp_path):
    """The content of the object has its digest again."""
    _spoil(_archived_warc(tmp_path))
    reading = read_archive(copies)
    assert reading.repaired == 1
    assert "folder of the harvest" in reading.damages[0].how
    assert read_archive(copies).damages == ()


def test_two_damaged_copies_are_both_told_and_neither_touched(copies, folder, tmp_path):
    """A copy that is damaged too never replaces anything."""
    _spoil(_warc(folder))
    _spoil(_archived_warc(tmp_path))
    before = _warc(folder).read_bytes()
    home, archive = read_home(copies), read_archive(copies)
    assert [each.repaired for each in (*home.damages, *archive.damages)] == [False, False]
    assert _warc(folder).read_bytes() == before


def test_without_repair_nothing_is_touched(copies, folder):
    """The damage is only told."""
    _spoil(_warc(folder))
    before = _warc(folder).read_bytes()
    assert [each.repaired for each in read_home(copies, repair=False).damages] == [False]
    assert _warc(folder).read_bytes() == before


def test_without_an_archive_the_damage_is_told(folder):
    """There is no other copy."""
    _spoil(_warc(folder))
    alone = Copies(folder=folder)
    (damage,) = read_home(alone).damages
    assert damage.how == "There is no other copy."
    assert read_archive(alone) is None


def test_a_broken_inventory_is_a_damage(copies, tmp_path):
    """It is told instead of stopping the reading."""
    path = next((tmp_path / "archive").rglob("inventory.json"))
    path.chmod(0o644)
    path.write_bytes(b"{}")
    (damage,) = read_archive(copies).damages
    assert "backup" in damage.how


def test_a_purged_harvest_has_only_its_lists(folder):
    """What a purge removed is not missed."""
    purge(folder, [])
    reading = read_home(Copies(folder=folder))
    assert (reading.files, reading.damages) == (1, ())
