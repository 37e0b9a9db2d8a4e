"""Brings the WARC files of a folder back to committed lengths: after a crash, or when a batch must be undone.

All is checked before anything is cut, and every step may be repeated.
"""

import itertools
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from opilio.archive.warc.names import OPEN, WarcFile, all_files, find
from opilio.archive.warc.tail import refuse_if_locked
from opilio.kernel.capture import Offsets
from opilio.kernel.errors import Damaged
from opilio.kernel.files import mapped, sync_folder


def cut_folder(folder: Path, offsets: Offsets) -> None:
    """Cut the files of all workers, and give those that stay their final names: nobody goes on with them."""
    cut(folder, offsets, lambda _: True)
    for file in all_files(folder):
        if file.is_open:
            _rename(file.path, folder / file.name)


def close_at(folder: Path, name: str, length: int) -> None:
    """Cut one file and give it its final name: nobody goes on with it. One that is not here stays where it is."""
    path = find(folder, name)
    if path is None:
        return
    cut(folder, {name: length} if length else {}, lambda file: file.name == name)
    if length and (left := find(folder, name)) is not None and left.name != name:
        _rename(left, folder / name)


def cut(folder: Path, offsets: Offsets, ours: Callable[[WarcFile], bool]) -> None:
    """Cut `our` files to the offsets and remove those that are not named; others must only be long enough.

    A finished file that loses bytes is open again.
    """
    check(folder, offsets)
    files = [file for file in all_files(folder) if ours(file)]
    for file in files:
        refuse_if_locked(file.path)
    for file in files:
        wanted = offsets.get(file.name, 0)
        if wanted == 0:
            _remove(file.path)
        elif file.path.stat().st_size > wanted:
            _shorten(file, wanted)
    _finish_all_but_last(file for file in all_files(folder) if ours(file))


def check(folder: Path, offsets: Offsets) -> None:
    """`Damaged` when a file is missing or shorter than what was committed of it."""
    for name, wanted in offsets.items():
        path = find(folder, name)
        length = path.stat().st_size if path is not None else 0
        if length < wanted:
            what = f"{wanted} bytes of it were committed and {length} are there"
            rebuild = f"opilio crawl rebuild {folder.parent}"
            remedy = f"Restore the file; if it is lost, make the crawl store again from the others: {rebuild}."
            raise Damaged(what, where=str(folder / name[:200]), remedy=remedy)


def _finish_all_but_last(files: Iterable[WarcFile]) -> None:
    ordered = list(files)
    for file, later in itertools.pairwise(ordered):
        if file.is_open and later.series == file.series:
            _rename(file.path, file.folder / file.name)


def _shorten(file: WarcFile, length: int) -> None:
    path = file.path
    if not file.is_open:
        path = file.folder / (file.name + OPEN)
        _rename(file.path, path)
    with mapped(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            os.ftruncate(descriptor, length)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(path: Path) -> None:
    with mapped(path):
        path.unlink()
        sync_folder(path.parent)


def _rename(path: Path, target: Path) -> None:
    with mapped(path):
        path.rename(target)
        sync_folder(path.parent)
