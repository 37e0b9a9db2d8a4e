"""Fetches one file whole: what lies at its final name is what the source had, or nothing lies there.

An interrupted transfer goes on only when the file is known to be the same: size, time and tag equal, and the end of
what we have is fetched again and compared. Whatever differs begins anew. The digest is taken over what is on the disk.
"""

import glob
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from opilio.deliveries import checksums
from opilio.deliveries.errors import FileChanged, TransferDamaged
from opilio.deliveries.source import Connection, Entry
from opilio.deliveries.throttle import Throttle
from opilio.kernel.errors import NoSpace
from opilio.kernel.files import mapped, sync_folder

_OVERLAP = 1 << 16  # bytes fetched again before going on
_SPARE = 64 << 20  # bytes that must stay free on the disk
_BLOCK = 1 << 20
_PART = ".part"  # ending of files that are not whole


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """A file to fetch."""

    source: str
    path: str  # below the base
    largest: int  # bytes
    checksum: str = ""  # path of the file that holds it


@dataclass(frozen=True, kw_only=True, slots=True)
class Pulled:
    """A file that was fetched."""

    size: int
    sha256: str
    md5: str
    resumed_at: int  # bytes that were there before
    entry: Entry
    declared: str = ""  # the kind of checksum that the partner gave, and that agrees


class Pull:
    """Fetches files over one connection; after an error the connection is of no more use, and its owner closes it."""

    def __init__(
        self, connection: Connection, *, throttle: Throttle | None = None, told: Callable[[int], None] | None = None
    ) -> None:
        self._connection = connection
        self._throttle = throttle or Throttle(None)
        self._told = told or (lambda _: None)

    def pull(self, wanted: Wanted, final: Path) -> Pulled:
        """The file at its final name; `FileChanged` when it changed meanwhile, `TransferDamaged` when not whole."""
        before = self._connection.look(wanted.path)
        _require_room(wanted, before, final)
        declared = self._declared(wanted)
        part = _Part(final, wanted, before)
        start = part.begin()
        with mapped(part.path), part.path.open("r+b" if start else "wb") as stream:
            writing = _Writing(wanted, stream, start, {"sha256", "md5", declared[0] if declared else "md5"})
            self._fetch(wanted, writing, part)
            os.fsync(stream.fileno())
        after = self._connection.look(wanted.path)
        _require_same(wanted, before, after, part)
        _require_declared(wanted, declared, writing, part)
        part.finish()
        return Pulled(
            size=writing.done, sha256=writing.digest("sha256"), md5=writing.digest("md5"), resumed_at=start,
            entry=after, declared=declared[0] if declared else "",
        )  # fmt: skip

    def _fetch(self, wanted: Wanted, writing: "_Writing", part: "_Part") -> None:
        def take(block: bytes) -> None:
            writing.take(block)
            self._told(writing.done)
            self._throttle.took(len(block))

        try:
            self._connection.fetch(wanted.path, writing.done, take)
            writing.flush()
        except FileChanged:
            part.forget()
            raise

    def _declared(self, wanted: Wanted) -> tuple[str, str] | None:
        if not wanted.checksum:
            return None
        content = bytearray()

        def take(block: bytes) -> None:
            content.extend(block)
            if len(content) > checksums.LARGEST:
                raise TransferDamaged("The file of checksums is too large", where=f"{wanted.source}, {wanted.checksum}")

        self._connection.fetch(wanted.checksum, 0, take)
        return checksums.declared(bytes(content), wanted.path.rpartition("/")[2])


class _Writing:
    """Bytes on their way to the disk: counted, digested, and where we go on, compared with those that are there."""

    def __init__(self, wanted: Wanted, stream: BinaryIO, start: int, kinds: set[str]) -> None:
        self._wanted = wanted
        self._stream = stream
        self._made = {kind: hashlib.new(kind, usedforsecurity=False) for kind in kinds}
        self.done = start
        self._again = b""
        if start:
            self._read_again(start)

    def take(self, block: bytes) -> None:
        """The next bytes."""
        if self.done + len(block) > self._wanted.largest:
            raise FileChanged(f"More than {self._wanted.largest:,} bytes came", where=self._where)
        overlap, self._again = self._again[: len(block)], self._again[len(block) :]
        if not block.startswith(overlap):
            raise FileChanged("The file is not the one that was begun", where=self._where, remedy="It begins anew.")
        for made in self._made.values():
            made.update(block)
        self._stream.write(block)
        self.done += len(block)

    def flush(self) -> None:
        """All that came is with the operating system; less than was there before means another file."""
        if self._again:
            raise FileChanged("The file became shorter", where=self._where, remedy="It begins anew.")
        self._stream.truncate(self.done)
        self._stream.flush()

    def digest(self, kind: str) -> str:
        """Of all bytes."""
        return self._made[kind].hexdigest()

    @property
    def _where(self) -> str:
        return f"{self._wanted.source}, {self._wanted.path}"

    def _read_again(self, start: int) -> None:
        self._stream.seek(0)
        left = start
        while left:
            block = self._stream.read(min(_BLOCK, left))
            left -= len(block)
            for made in self._made.values():
                made.update(block)
        self._again = self._stream.read(_OVERLAP)
        self._stream.seek(start)


class _Part:
    """A file that is not whole yet. Its name tells what it is a part of, so that no other file can go on in it."""

    def __init__(self, final: Path, wanted: Wanted, entry: Entry) -> None:
        self._final = final
        self._certain = entry.modified is not None
        self._most = entry.size
        note = json.dumps([wanted.source, wanted.path, list(entry.mark)]).encode()
        self.path = final.with_name(f"{final.name}.{hashlib.sha256(note).hexdigest()[:32]}{_PART}")

    def begin(self) -> int:
        """From which byte on to go on, so that some are fetched again and compared; 0: from the beginning."""
        for other in self._final.parent.glob(f"{glob.escape(self._final.name)}.*{_PART}"):
            if other != self.path:
                other.unlink(missing_ok=True)
        have = self.path.stat().st_size if self.path.exists() else 0
        if not self._certain or (self._most is not None and have > self._most):
            return 0
        return max(have - _OVERLAP, 0)

    def finish(self) -> None:
        """Give the file its name; from now on it is whole."""
        with mapped(self._final):
            self.path.replace(self._final)
            sync_folder(self._final.parent)

    def forget(self) -> None:
        """Nothing of it is left."""
        self.path.unlink(missing_ok=True)


def _require_room(wanted: Wanted, entry: Entry, final: Path) -> None:
    size = entry.size or 0
    if size > wanted.largest:
        where = f"{wanted.source}, {wanted.path}"
        raise FileChanged(f"The file has {size:,} bytes; {wanted.largest:,} are allowed", where=where)
    with mapped(final.parent):
        free = shutil.disk_usage(final.parent).free
    if size + _SPARE > free:
        remedy = f"Make room: {size + _SPARE - free:,} bytes are missing."
        raise NoSpace(f"The disk has no room for {size:,} bytes", where=str(final.parent), remedy=remedy)


def _require_same(wanted: Wanted, before: Entry, after: Entry, part: _Part) -> None:
    where = f"{wanted.source}, {wanted.path}"
    if before.mark != after.mark:
        part.forget()
        raise FileChanged("The file changed while it was fetched", where=where, remedy="It is fetched again later.")
    have = part.path.stat().st_size
    if after.size is not None and have != after.size:
        part.forget()
        what = f"{have:,} bytes came, the source has {after.size:,}"
        raise TransferDamaged(what, where=where, remedy="It is fetched again.")


def _require_declared(wanted: Wanted, declared: tuple[str, str] | None, writing: _Writing, part: _Part) -> None:
    if declared is None or writing.digest(declared[0]) == declared[1]:
        return
    part.forget()
    what = f"The {declared[0]} of what came is not the one beside the file"
    remedy = "It is fetched again, elsewhere if there is another source; else the partner must mend it."
    raise TransferDamaged(what, where=f"{wanted.source}, {wanted.path}", remedy=remedy)
