"""Archiving results again: what is there stays, and what a fall left undone beside it is done."""

import shutil

from opilio.archive.store.disk import DiskStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import check_object
from opilio.archive.store.ocfl.layout import SIDECAR, object_root
from opilio.works.archive_results import archive_results, identifier_of
from tests.review_desk import crawled


def test_archiving_again_completes_what_a_fall_left(tmp_path):
    """A writer that was killed between the inventory and its digest leaves an object that the next one makes valid."""
    folder = tmp_path / "7"
    shutil.copytree(crawled().folder, folder)
    store = DiskStore(tmp_path / "archive")
    archive_results(folder, store)
    root = object_root(identifier_of(folder))
    store.delete(f"{root}/{SIDECAR}")
    assert list(check_object(Archive.open(store), root))
    (again,) = archive_results(folder, store).versions
    assert again.already
    assert list(check_object(Archive.open(store), root)) == []
