"""A second index that shares the files of a first by hard links: commits to it never touch the first."""

import os
import shutil
from pathlib import Path
from typing import Final

from opilio.kernel.files import ensure_folder, sync_folder

#: Files that the engine writes anew in place of the old; all others never change once written.
_CHANGING: Final = frozenset({"meta.json", ".managed.json"})


def clone(folder: Path, into: Path) -> None:
    """Link the files of an index into a new folder; where the disk cannot link, they are copied."""
    ensure_folder(into)
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.endswith(".lock"):
            _taken(path, into / path.name)
    sync_folder(into)


def _taken(path: Path, to: Path) -> None:
    if path.name in _CHANGING:
        shutil.copyfile(path, to)
        return
    try:
        os.link(path, to)
    except OSError:  # another disk, or one without links
        shutil.copyfile(path, to)
