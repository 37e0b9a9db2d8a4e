"""Copies a generation into the folder of a node, file by file, each checked as it is written.

A file that the node has already, in an earlier generation or from a copy that was interrupted, is checked and not
copied again.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from opilio.kernel.errors import OpilioError
from opilio.kernel.files import mapped, require_space, sync_folder, write_atomically
from opilio.search.generations.errors import BrokenManifest, DamagedGeneration
from opilio.search.generations.identifiers import checked_id
from opilio.search.generations.library import Generations
from opilio.search.generations.manifest import MANIFEST, FileEntry, Manifest, dumped
from opilio.search.generations.tree import digested, files_of, settle
from opilio.search.generations.verify import Progress, read_manifest, verify_files
from opilio.search.nodes.source import Source

_PIECE = 1 << 20  # bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Copied:
    """What a copy took."""

    files: int = 0  # copied
    size: int = 0  # bytes copied
    shared: int = 0  # files that the node had


def copy_generation(source: Source, into: Generations, progress: Progress | None = None) -> Copied:
    """A verified copy of a generation that is not there yet, for the holder of the lock of `into`."""
    manifest = source.manifest()
    folder = begin_copy(manifest, into)
    copied = Copied()
    for entry in missing_files(folder, manifest):
        with source.open(entry.name) as stream:
            receive_file(folder, entry, pieces(stream, entry.size))
        copied = Copied(files=copied.files + 1, size=copied.size + entry.size)
        if progress is not None:
            progress(copied.size, manifest.size)
    finish_copy(folder, manifest, into)
    return Copied(files=copied.files, size=copied.size, shared=len(manifest.files) - copied.files)


def require_same(into: Generations, manifest: Manifest) -> None:
    """The generation of that name is sound, and it is the same; otherwise an error that says what is wrong."""
    if verify_files(into.path(manifest.id)) != manifest:
        remedy = "Remove it from the node, then publish again."
        raise BrokenManifest("another generation has the same name", where=str(into.path(manifest.id)), remedy=remedy)


def copy_folder(into: Generations, generation: str) -> Path:
    """Where a copy is made until it is whole."""
    return into.root / f".copying-{checked_id(generation)}"


def begin_copy(manifest: Manifest, into: Generations) -> Path:
    """A folder beside the generations with every file of this one that the node has already."""
    folder = copy_folder(into, manifest.id)
    into.sweep(but=folder.name)
    with mapped(folder):
        folder.mkdir(exist_ok=True)
        sync_folder(into.root)
    _drop_strangers(folder, manifest)
    known = {entry.sha256: path for path, entry in _held(into)}
    for entry in missing_files(folder, manifest):
        held = known.get(entry.sha256)
        if held is not None and digested(held, entry.name) == entry:
            _link(held, folder / entry.name)
    require_space(folder, sum(entry.size for entry in missing_files(folder, manifest)))
    return folder


def missing_files(folder: Path, manifest: Manifest) -> list[FileEntry]:
    """What must still be copied into the folder of a copy; files appear there whole."""
    return [entry for entry in manifest.files if not (folder / entry.name).is_file()]


class IncomingFile:
    """A file as it comes, written beside its name; it gets the name when it is the one in the manifest."""

    def __init__(self, folder: Path, entry: FileEntry) -> None:
        self._folder = folder
        self._entry = entry
        self._target = folder / entry.name
        self._aside = self._target.with_name(f"{self._target.name}.part")
        self._digest = hashlib.sha256()
        self._size = 0
        with mapped(self._target):
            self._target.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self._aside.open("wb")

    def write(self, piece: bytes) -> None:
        """The next bytes; `DamagedGeneration` when they are too many."""
        self._digest.update(piece)
        self._size += len(piece)
        if self._size > self._entry.size:
            raise _changed(self._folder, self._entry, self._size)
        with mapped(self._target):
            self._stream.write(piece)

    def finish(self) -> None:
        """All has come; `DamagedGeneration` unless it is the file in the manifest."""
        if (self._size, self._digest.hexdigest()) != (self._entry.size, self._entry.sha256):
            raise _changed(self._folder, self._entry, self._size)
        with mapped(self._target):
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._aside.rename(self._target)

    def close(self) -> None:
        """Remove what did not become a file."""
        with contextlib.suppress(OSError):  # what could not be written was told before
            self._stream.close()
        self._aside.unlink(missing_ok=True)


def receive_file(folder: Path, entry: FileEntry, data: Iterable[bytes]) -> None:
    """Write a file as it comes; `DamagedGeneration`, and no file, unless it is the one in the manifest."""
    with contextlib.closing(IncomingFile(folder, entry)) as incoming:
        for piece in data:
            incoming.write(piece)
        incoming.finish()


def finish_copy(folder: Path, manifest: Manifest, into: Generations) -> Path:
    """Read the whole copy back, and give it its name; a file that is not sound is removed, to be copied again."""
    write_atomically(folder / MANIFEST, dumped(manifest))
    try:
        verify_files(folder)
    except DamagedGeneration:
        _drop_unsound(folder, manifest)
        raise
    settle(folder)
    return into.finish(folder, manifest.id)


def pieces(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """What a stream holds, up to one piece more than it should."""
    left = size + 1
    while left > 0 and (piece := stream.read(min(_PIECE, left))):
        left -= len(piece)
        yield piece


def _drop_strangers(folder: Path, manifest: Manifest) -> None:
    """Remove what an interrupted copy left and is not part of this generation, or is not whole."""
    wanted = {entry.name: entry for entry in manifest.files}
    for name, path in files_of(folder).items():
        if name not in wanted or digested(path, name) != wanted[name]:
            path.unlink()


def _drop_unsound(folder: Path, manifest: Manifest) -> None:
    for entry in manifest.files:
        path = folder / entry.name
        if path.is_file() and digested(path, entry.name) != entry:
            path.unlink()


def _held(into: Generations) -> Iterator[tuple[Path, FileEntry]]:
    """Every file of the generations that the node has, oldest first; damaged manifests give none."""
    for name in into.ids():
        try:
            manifest = read_manifest(into.path(name))
        except OpilioError:
            continue
        for entry in manifest.files:
            path = into.root / name / entry.name
            if path.is_file():
                yield path, entry


def _link(held: Path, target: Path) -> None:
    with mapped(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.hardlink_to(held)


def _changed(folder: Path, entry: FileEntry, size: int) -> DamagedGeneration:
    found = f"has more than {entry.size} bytes" if size > entry.size else f"came with {size} bytes and another digest"
    remedy = "Verify the generation where it was built; then publish again."
    return DamagedGeneration(f"{entry.name} {found}, so it was not kept", where=str(folder), remedy=remedy)
