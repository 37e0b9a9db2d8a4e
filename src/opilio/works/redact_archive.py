"""Destroys captures in the archive: the object of a harvest is written anew, version by version, without them.

The new versions are made whole aside before the old object goes, so that a fall at any moment loses nothing that was
to stay: what lies aside says how far it came. No Django.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from opilio.archive.store.errors import NoObject
from opilio.archive.store.keys import joined
from opilio.archive.store.ocfl import layout
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.inventory import Version
from opilio.archive.store.ocfl.writing import NewVersion, keep
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.files import ensure_folder, mapped, require_space, sync_folder, write_atomically
from opilio.works.redact_harvest import Redaction, left, redact
from opilio.works.redact_reach import RedactionOrder

_READY = "ready"  # all versions lie aside without the captures; what was taken out of them
_DROPPED = "dropped"  # the old object is gone
_LOCK = "lock"


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedRedaction:
    """What was destroyed in the archive."""

    versions: int
    records: int
    files: dict[str, tuple[str, str]]  # name → sha256 before and after


def redact_archive(
    archive: Archive, identifier: str, order: RedactionOrder, aside: Path, *,
    prove: Callable[[ArchivedRedaction], None] | None = None, clock: Clock = SYSTEM,
) -> ArchivedRedaction | None:  # fmt: skip
    """Write the object anew; None when there is none, or it has nothing of it. `aside` is an own, empty place.

    `prove` writes down what was done, before the place is cleared: after a fall it is asked again, with the same words.
    """
    work = _Work(archive, identifier, order, aside, clock)
    if not (aside / _READY).is_file() and not work.stage():
        _remove(aside)
        return None
    if not (aside / _DROPPED).is_file():
        work.drop()
    work.put()
    done = work.told()
    if prove is not None:
        prove(done)
    _remove(aside)
    return done


def left_in_archive(archive: Archive, identifier: str, order: RedactionOrder, aside: Path) -> list[str]:
    """Where an object still has something that an order reaches. `aside` is a place of its own, not the writer's."""
    try:
        versions = archive.inventory(identifier).versions
    except NoObject:
        return []
    found = []
    for version in versions:
        _remove(aside)
        archive.export(identifier, aside, version.number)
        found += [f"version {version.number}: {each}" for each in left(aside, order)]
    _remove(aside)
    return found


class _Work:
    """The writing of one object."""

    def __init__(self, archive: Archive, identifier: str, order: RedactionOrder, aside: Path, clock: Clock) -> None:
        self._archive = archive
        self._identifier = identifier
        self._order = order
        self._aside = aside
        self._clock = clock

    def stage(self) -> bool:
        """Take every version out and destroy the captures there; whether there was anything."""
        _remove(self._aside)
        try:
            versions = self._archive.inventory(self._identifier).versions
        except NoObject:
            return False
        ensure_folder(self._aside)
        self._require_space()
        done = [self._redacted(version) for version in versions]
        if all(each.empty for each in done):
            return False
        write_atomically(self._aside / _READY, json.dumps(asdict(_summed(done))).encode())
        return True

    def _redacted(self, version: Version) -> Redaction:
        folder = self._folder(version.number)
        self._archive.export(self._identifier, folder, version.number)
        done = redact(folder, self._order, clock=self._clock)
        (folder / _LOCK).unlink(missing_ok=True)
        self._describe(version)
        return done

    def drop(self) -> None:
        """Remove the old object, its inventory first, so that none is ever found with half of its files."""
        root = layout.object_root(self._identifier)
        store = self._archive.store
        store.delete(joined(root, layout.INVENTORY))
        for key in [stored.key for stored in store.list(root)]:
            store.delete(key)
        write_atomically(self._aside / _DROPPED, b"")

    def put(self) -> None:
        """Write the versions in their order; those that are there already stay."""
        for number in self._numbers():
            folder = self._folder(number)
            files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
            message, user = (self._aside / f"v{number}.txt").read_text("utf-8").split("\n", 1)
            new = NewVersion(number=number, files=files, message=message, user=user)
            keep(self._archive, self._identifier, new, clock=self._clock)

    def told(self) -> ArchivedRedaction:
        """What was done, by this run or by one that fell."""
        told = json.loads((self._aside / _READY).read_bytes())
        files = {name: (before, after) for name, (before, after) in told["files"].items()}
        return ArchivedRedaction(versions=told["versions"], records=told["records"], files=files)

    def _numbers(self) -> list[int]:
        return sorted(int(path.name[1:]) for path in self._aside.glob("v*") if path.is_dir())

    def _describe(self, version: Version) -> None:
        message = " ".join(f"{version.message} (without what {self._order.name} destroyed)".split())
        told = f"{message}\n{version.user}".encode("utf-8", "replace")
        write_atomically(self._aside / f"v{version.number}.txt", told)

    def _folder(self, number: int) -> Path:
        return self._aside / f"v{number}"

    def _require_space(self) -> None:
        root = layout.object_root(self._identifier)
        versions = len(self._archive.inventory(self._identifier).versions)
        require_space(self._aside, versions * sum(stored.size for stored in self._archive.store.list(root)))


def _summed(done: list[Redaction]) -> ArchivedRedaction:
    """Versions share their files, so records are counted in the version that has most."""
    files = {file.name: (file.before, file.after) for each in done for file in each.files}
    return ArchivedRedaction(versions=len(done), records=max(each.records for each in done), files=files)


def _remove(folder: Path) -> None:
    """First what says that the versions here are whole: with half of them, nothing may be dropped or written."""
    if folder.is_dir():
        with mapped(folder):
            (folder / _READY).unlink(missing_ok=True)
            sync_folder(folder)
            shutil.rmtree(folder)
