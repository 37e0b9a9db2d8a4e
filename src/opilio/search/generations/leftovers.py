"""Small files that a process left when it was killed between writing one and giving it its name."""

import contextlib
from pathlib import Path

from opilio.kernel.clock import Clock

_OLD = 3_600.0  # seconds; younger ones may belong to somebody alive


def drop_old_temporaries(folder: Path, clock: Clock) -> None:
    """Remove temporary files of `opilio.kernel.files` from a folder, unless somebody may still write them."""
    before = clock.now().timestamp() - _OLD
    for path in folder.glob(".opilio-*.tmp"):
        with contextlib.suppress(FileNotFoundError):
            if path.lstat().st_mtime < before:
                path.unlink()
