"""The files of a harvest's folder that others may have: not locks, not what is half written, not this machine's own."""

import os
from collections.abc import Iterator
from pathlib import Path

_OWN = frozenset({"lock", "store.json"})
_CRAWL_STORE = "crawl.db"  # with -wal and -shm; it travels by checkpoints
_UNFINISHED = (".open", ".tmp", ".part")


def shareable(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Path below the folder, and what the disk knows of it."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        below = Path(place).relative_to(folder)
        for name in sorted(names):
            path = (below / name).as_posix()
            if not _is_own(path, name):
                try:
                    yield path, (Path(place) / name).stat()
                except FileNotFoundError:  # removed by whoever works here
                    continue


def _is_own(path: str, name: str) -> bool:
    return (
        path in _OWN or path.startswith(_CRAWL_STORE) or name.startswith(".") or name.endswith((*_UNFINISHED, ".lock"))
    )
