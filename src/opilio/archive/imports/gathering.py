"""Which files are to be imported: those that are named, and those below folders that are named.

Decides by the first bytes; a file that says it is an archive by its name and is none is refused with its name.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from isal import isal_zlib

from opilio.archive.imports.errors import NotAnArchive, NothingToImport
from opilio.archive.warc.arc import arc_line
from opilio.kernel.files import reading

_ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz", ".warc.open", ".warc.gz.open")
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_START = 1 << 17  # bytes that are looked at
_BROKEN: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says instance for class


class Kind(StrEnum):
    """What a file is."""

    WARC = "warc"
    ARC = "arc"
    WACZ = "wacz"


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A file to import."""

    path: Path
    kind: Kind
    packed: bool  # as gzip


def gathered(paths: Iterable[Path]) -> list[Found]:
    """All files, in the order of their naming; below folders, in the order of their names."""
    found: dict[Path, Found] = {}
    for path in paths:
        for each in _below(path) if path.is_dir() else [path]:
            found.setdefault(each.resolve(), kind_of(each))
    return list(found.values())


def kind_of(path: Path) -> Found:
    """What a file is; `NotAnArchive` for anything that holds no captures."""
    with reading(path), path.open("rb") as stream:
        start = stream.read(_START)
    packed = start.startswith(_GZIP)
    begin = _unpacked(start) if packed else start
    if begin.startswith(b"WARC/"):
        return Found(path=path, kind=Kind.WARC, packed=packed)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Found(path=path, kind=Kind.WACZ, packed=False)
    if begin.startswith(b"filedesc:") or arc_line(begin) is not None:
        return Found(path=path, kind=Kind.ARC, packed=packed)
    raise _no_archive(path, start)


def _below(folder: Path) -> Iterator[Path]:
    """The archives below a folder; links are not followed."""
    found = False
    with reading(folder):
        for place, folders, files in os.walk(folder):
            folders.sort()
            for name in sorted(files):
                path = Path(place) / name
                if name.lower().endswith(_ENDINGS) and not path.is_symlink():
                    found = True
                    yield path
    if not found:
        remedy = f"Name a folder with files that end in {', '.join(_ENDINGS[:5])}."
        raise NothingToImport("there is no archive in this folder", where=str(folder), remedy=remedy)


def _unpacked(start: bytes) -> bytes:
    try:
        return isal_zlib.decompressobj(wbits=31).decompress(start, _START)
    except _BROKEN:
        return b""


def _no_archive(path: Path, start: bytes) -> NotAnArchive:
    if start.startswith(_ZSTD):
        remedy = "Unpack it first: zstd -d FILE."
        return NotAnArchive("WARC files packed with Zstandard are not read", where=str(path), remedy=remedy)
    what = "the file is empty" if not start else "the file begins neither as WARC, ARC nor WACZ"
    return NotAnArchive(what, where=str(path), remedy="Leave it out, or get a whole copy of it.")
