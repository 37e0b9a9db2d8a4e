"""Keeps a folder of this machine and a harvest in the work store alike: sends what changed here, fetches what changed
there. What was changed here and not sent yet is never overwritten by what others left alone.
"""

import os
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.store.errors import NoSuchKey
from opilio.kernel.digests import Algorithm, digest_of_stream
from opilio.kernel.errors import Unavailable
from opilio.kernel.files import ensure_folder, reading, write_atomically
from opilio.works.sharing.scanned import shareable
from opilio.works.sharing.shelf import Shelf
from opilio.works.sharing.state import (
    CHECKPOINT,
    HEAVY,
    Copies,
    Copy,
    SharedFile,
    SharedState,
    copies_from_json,
    copies_to_json,
)
from opilio.works.sharing.turns import turn_at

_TRIES = 5  # reads of a state whose contents are replaced while they are fetched

Allowed = Callable[[], None]


def anybody() -> None:
    """No lease to ask for."""


@dataclass(frozen=True, kw_only=True)
class Copying:
    """One folder and its harvest in the store."""

    shelf: Shelf
    folder: Path
    note: Path  # where this machine keeps what it knows of its copies

    def send(self, *, left_out: Collection[str] = (), allowed: Allowed = anybody) -> int:
        """Send what changed here since the last time, removals too; how many files. `left_out` are not ready yet."""
        with self._turn():
            if not self.folder.is_dir():
                return 0
            known = self._known()
            here = {path: found for path, found in shareable(self.folder) if path not in left_out}
            copies = {path: self._copy(path, found, known) for path, found in here.items()}
            put = {path: SharedFile(one.size, one.sha256) for path, one in copies.items() if _new(path, one, known)}
            for path in put:
                put[path] = self.shelf.put(path, self.folder / path)
            removed = frozenset(path for path in known.files if path not in here and path not in left_out)
            if put or removed:
                state = self.shelf.change(put, removed, allowed)
                self._note(Copies(version=_seen(known, state, put, removed), heavy=known.heavy, files=copies))
            return len(put) + len(removed)

    def fetch(self, *, heavy: bool) -> bool:
        """Have everything here, captures only if they are wanted; whether there is anything in the store."""
        for _ in range(_TRIES):
            state = self.shelf.state()
            if state is None:
                return False
            with self._turn():
                known = self._known()
                if known.version == state.version and (known.heavy or not heavy):
                    return True
                try:
                    self._bring(state, known, heavy=heavy or known.heavy)
                except NoSuchKey:
                    continue
                return True
        remedy = "Try again in a moment; somebody works at the harvest."
        raise Unavailable("its files change faster than they are fetched", where=str(self.folder), remedy=remedy)

    def unsent(self) -> bool:
        """Whether something here is not in the store."""
        known = self._known()
        here = dict(shareable(self.folder))
        return any(_moved(found, known.files.get(path)) for path, found in here.items())

    def forget(self) -> None:
        """The folder was removed: know nothing."""
        self.note.unlink(missing_ok=True)

    def _turn(self) -> AbstractContextManager[None]:
        return turn_at(self.note.with_suffix(".turn"))

    def _bring(self, state: SharedState, known: Copies, *, heavy: bool) -> None:
        ensure_folder(self.folder)
        files: dict[str, Copy] = {}
        for path, file in state.files.items():
            if path.startswith(CHECKPOINT) or (path.startswith(HEAVY) and not heavy):
                continue
            files[path] = self._brought(path, file, known.files.get(path))
        for path, copy in known.files.items():
            target = self.folder / path
            if path not in state.files and target.is_file() and not _moved(target.stat(), copy):
                target.unlink()
        self._note(Copies(version=state.version, heavy=heavy, files=files))

    def _brought(self, path: str, file: SharedFile, known: Copy | None) -> Copy:
        """The file of a path on the disk; one that was changed here alone stays."""
        target = self.folder / path
        there = target.is_file()
        if there and known is not None:
            same = not _moved(target.stat(), known)
            if same and known.sha256 == file.sha256:
                return known
            if not same and known.sha256 == file.sha256:
                return known  # changed here and not sent yet
        if there and known is None and target.stat().st_size == file.size and _digest(target) == file.sha256:
            return _copied(target, file.sha256)
        self.shelf.fetch(path, file, target)
        return _copied(target, file.sha256)

    def _copy(self, path: str, found: os.stat_result, known: Copies) -> Copy:
        before = known.files.get(path)
        if before is not None and not _moved(found, before):
            return before
        return Copy(found.st_size, found.st_mtime_ns, _digest(self.folder / path))

    def _known(self) -> Copies:
        if not self.folder.is_dir() or not self.note.is_file():
            return Copies()
        return copies_from_json(self.note.read_bytes(), str(self.note))

    def _note(self, copies: Copies) -> None:
        ensure_folder(self.note.parent)
        write_atomically(self.note, copies_to_json(copies))


def _seen(known: Copies, state: SharedState, put: Mapping[str, SharedFile], removed: Collection[str]) -> int:
    """The version that the copies have; an older one when others changed something too, so that it is fetched."""
    alone = (known.version < 0 and state.version == 1) or state.version == known.version + 1
    return state.version if alone and (put or removed) else known.version


def _new(path: str, copy: Copy, known: Copies) -> bool:
    before = known.files.get(path)
    return before is None or before.sha256 != copy.sha256


def _moved(found: os.stat_result, copy: Copy | None) -> bool:
    return copy is None or found.st_size != copy.size or found.st_mtime_ns != copy.changed


def _copied(path: Path, sha256: str) -> Copy:
    found = path.stat()
    return Copy(found.st_size, found.st_mtime_ns, sha256)


def _digest(path: Path) -> str:
    with reading(path), path.open("rb") as stream:
        return digest_of_stream(stream, Algorithm.SHA256).value.hex()
