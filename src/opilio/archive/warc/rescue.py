"""Brings WARC files to their last whole record without losing a byte: what is torn off lies beside them afterwards."""

import os
import shutil
from pathlib import Path

from opilio.archive.warc.names import all_files
from opilio.archive.warc.recover import whole_length
from opilio.archive.warc.tail import refuse_if_locked
from opilio.kernel.files import mapped, sync_folder, writing


def rescue_folder(folder: Path, stamp: str) -> dict[str, int]:
    """Cut every WARC file of ours to its whole records; the bytes that were torn off, by the files that lost some."""
    torn = {}
    for file in all_files(folder):
        refuse_if_locked(file.path)
        if lost := _rescued(file.path, file.path.with_name(f"{file.name}.torn-{stamp}")):
            torn[file.name] = lost
    return torn


def _rescued(path: Path, aside: Path) -> int:
    """Move what follows the last whole record into a file of its own; how many bytes."""
    with mapped(path), path.open("r+b") as stream:
        good = whole_length(stream)
        lost = os.fstat(stream.fileno()).st_size - good
        if lost and good:
            stream.seek(good)
            with writing(aside) as kept:
                shutil.copyfileobj(stream, kept)
            stream.truncate(good)
            os.fsync(stream.fileno())
        elif not good:
            path.rename(aside)
            sync_folder(path.parent)
        return lost
